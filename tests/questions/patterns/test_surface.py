"""Optional parts and alternatives are written out with their likelihoods."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.questions.patterns.surface import SurfaceError, surfaces

PARTS = st.recursive(
    st.sampled_from(["red", "very", "{o}", "is"]),
    lambda inner: st.one_of(
        inner.map(lambda each: f"[{each}]"),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"({'|'.join(each)})"),
        st.lists(inner, min_size=1, max_size=2).map(" ".join),
    ),
    max_leaves=6,
)


def test_every_form_once() -> None:
    assert [each.text for each in surfaces("Is [either] {a} or {b} (here|there)?")] == [
        "Is {a} or {b} here?",
        "Is {a} or {b} there?",
        "Is either {a} or {b} here?",
        "Is either {a} or {b} there?",
    ]


@given(PARTS)
def test_likelihoods_add_up(text: str) -> None:
    """All forms together are said always, none twice, and none has a bracket or two blanks left."""
    found = surfaces(text)
    assert sum(each.weight for each in found) == pytest.approx(1)
    assert len({each.text for each in found}) == len(found)
    assert not any(set("[]()|") & set(each.text) or "  " in each.text for each in found)


@pytest.mark.parametrize("text", ["a)", "(a|b", "[a", "a]", "{a", "a}"])
def test_brackets_that_do_not_fit(text: str) -> None:
    with pytest.raises(SurfaceError):
        surfaces(text)
