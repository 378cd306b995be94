"""What tables do not hold is kept, put back, and gives way to what has changed meanwhile."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_trip import same

from eyechart.errors import DataError
from eyechart.formats.residue import Difference, as_member, differences, restore

Json = Any  # arbitrary JSON

NAMES = st.sampled_from(["a", "b", "", "~", "/", "a/b", "~1", "0", "é", "order"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS | st.sampled_from([0, 1, 1.0, True, "1", -0.0]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ELEMENTS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 4) | st.sampled_from(["x", "1"])}, optional={"v": VALUES}), max_size=5
)


@given(VALUES, VALUES)
def test_restoring_gives_the_original(written: Json, original: Json) -> None:
    """Whatever was kept of any two JSON values turns the one into the other."""
    kept = list(differences(written, original))
    assert same(original, restore(written, kept))


@given(VALUES)
def test_equal_values_leave_nothing(value: Json) -> None:
    """What is equal is not kept."""
    assert list(differences(value, value)) == []


@given(ELEMENTS, ELEMENTS)
def test_lists_with_ids_are_restored(written: Json, original: Json) -> None:
    """Lists whose elements are compared by id come back too, in their order."""
    ids = {"list": ("id",)}
    kept = list(differences({"list": written}, {"list": original}, ids))
    assert same({"list": original}, restore({"list": written}, kept, ids))


@given(VALUES, VALUES, VALUES)
def test_restoring_into_other_values_never_fails(written: Json, original: Json, changed: Json) -> None:
    """A benchmark may have changed in any way since it was imported."""
    restore({"record": changed}, list(differences({"record": written}, {"record": original})))


def test_what_has_changed_wins() -> None:
    """A difference applies only where export still writes what it wrote at import."""
    kept = list(differences({"id": 7, "answer": "two"}, {"id": "7", "answer": 2}))
    assert restore({"id": 7, "answer": "three"}, kept) == {"id": "7", "answer": "three"}


def test_true_is_not_one() -> None:
    """JSON has truth values and numbers; Python would take one for the other."""
    assert list(differences({"a": 1}, {"a": True})) == [Difference("/a", "1", "true")]
    assert list(differences({"a": 1}, {"a": 1.0})) == []


def test_absent_records_are_differences() -> None:
    """A record that export does not write is kept whole; one that only export writes is taken out."""
    (kept,) = differences(as_member({}, "7"), as_member({"7": [1]}, "7"))
    assert kept == Difference("/record", None, "[1]")
    assert restore({}, [kept]) == {"record": [1]}
    assert restore({"record": 1}, differences({"record": 1}, {})) == {}


def test_deep_values_are_refused() -> None:
    """What could not be written again from a deeper call is not read."""
    deep: Json = 1
    for _ in range(101):
        deep = [deep]
    with pytest.raises(DataError, match="nested more than 100 levels"):
        list(differences({}, {"a": deep}))
