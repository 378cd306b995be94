"""Pattern files are compiled or refused with the place, the slot, what is in scope and the nearest name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from eyechart.errors import DataError
from eyechart.questions.arrays.codes import Codes
from eyechart.questions.language.english import english
from eyechart.questions.patterns.compiling import compile_groups, groups_of
from eyechart.questions.patterns.model import Group, Hole, Naming, Sorted, StepPlan
from eyechart.scenes.ontology import packaged_ontology

Compiled = Callable[..., dict[str, Group]]

GROUP = """
[tinted]
about = "the color of a thing"
bind = "value"
form = "queryAttr"
program = ["{o}", "query: {t.name}"]
answer = "v"
labels = { object = "o", type = "t" }
"""
WORDS = """
[tinted]
ask = ["What is the {t} of {o}?"]
say = ["{the o} {is o} {v}."]
"""


@pytest.fixture(scope="module")
def codes() -> Codes:
    return Codes(packaged_ontology())


@pytest.fixture
def compiled(tmp_path: Path, codes: Codes) -> Compiled:
    """Compiles a file of groups with a file of words."""

    def run(groups: str, words: str = WORDS) -> dict[str, Group]:
        (tmp_path / "groups").mkdir(exist_ok=True)
        (tmp_path / "english").mkdir(exist_ok=True)
        (tmp_path / "groups" / "mine.toml").write_text(groups)
        (tmp_path / "english" / "mine.toml").write_text(words)
        return {group.name: group for group in compile_groups(english(codes), [tmp_path])}

    return run


def test_a_group_is_compiled(compiled: Compiled) -> None:
    """Program, labels and types come out of the file."""
    group = compiled(GROUP)["tinted"]
    assert group.program == (Naming("o", ""), StepPlan("query", "", (Hole("t", "name"),), -2))
    assert group.local == ("10q-", Hole("o", "name"), "_", Hole("t", "name"))
    assert (group.structural, group.semantic, group.detailed) == ("query", "attr", ("directOf",))
    assert list(group.named) == ["o"]


def test_pairs_in_labels_are_sorted(compiled: Compiled) -> None:
    """A label of two words has them in the order of the alphabet, whatever the order of the variables."""
    groups = GROUP.replace('bind = "value"', 'bind = "pair"').replace('form = "queryAttr"', 'form = "common"')
    groups = groups.replace('["{o}", "query: {t.name}"]', '["{a}", "{b}", "common [0, 1]"]').replace('"v"', '"t"')
    groups = groups.replace('labels = { object = "o", type = "t" }', 'labels = { pair = "a b" }')
    words = '[tinted]\nask = ["What do {a} and {b} share?"]\nsay = ["The {t}."]'
    group = compiled(groups, words)["tinted"]
    assert group.local == ("09common-", Sorted(Hole("a", "name"), Hole("b", "name")))
    assert group.program[2] == StepPlan("common", "", (), 0 * 64 + 1)


def test_twins_borrow_texts(compiled: Compiled) -> None:
    """A group that is asked like another has its texts, marked as borrowed, and its own full answers."""
    twins = GROUP + GROUP.replace("[tinted]", "[painted]")
    words = WORDS + '\n[painted]\nlike = "tinted"\nsay = ["It {is o} {v}."]'
    painted = compiled(twins, words)["painted"]
    assert [(each.text, each.borrowed) for each in painted.asked.patterns] == [("What is the {t} of {o}?", True)]
    assert [each.text for each in painted.said.patterns] == ["It {is o} {v}."]


def test_groups_of_a_folder(compiled: Compiled, tmp_path: Path) -> None:
    compiled(GROUP)
    assert groups_of(tmp_path, "english") == ("tinted",)
    assert groups_of(tmp_path / "nowhere", "english") == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"value"', '"valu"', 4, "no binding is called 'valu'; did you mean 'value'"),
        ('"queryAttr"', '"queryAtr"', 5, "no form is called 'queryAtr'; did you mean 'queryAttr'"),
        ("{t.name}", "{u.name}", 6, "found the variable 'u', in scope are o (thing), v (value), t (type)"),
        ("{t.name}", "{t.nam}", 6, "found .nam; did you mean 'name'"),
        ('"query: {t.name}"', '"quary: {t.name}"', 6, "no operation is called 'quary'"),
        ('object = "o", ', "", 2, "the form queryAttr has the label slot 'object', found type"),
        ('answer = "v"', 'answer = "v"\ndetailed = "directOff"', 8, "no detailed type 'directOff'"),
        ('answer = "v"', 'answer = "v"\nwhen = ["o.livng"]', 8, "found o.livng, of a thing one may ask several"),
        ('answer = "v"', 'answer = "v"\nwhen = ["singel"]', 8, "found 'singel', in scope are o (thing)"),
        ('answer = "v"', 'answer = "v"\nfind = { x = "contrary_valu(o, v)" }', 8, "did you mean 'contrary_value'"),
        ('answer = "v"', 'answer = "v"\nfind = { x = "contrary_value(v, o)" }', 8, "it takes thing, value"),
        ('answer = "v"', 'answer = "v"\nfind = { x = "either(o, v)" }', 8, "it takes any, any"),
        ('answer = "v"', 'answer = "v"\ntwin = "tintet"', 8, "no group is called 'tintet'; did you mean 'tinted'"),
        ('answer = "v"', 'answer = "v"\nanswr = "v"', 2, "answr"),
        ("query: {t.name}", "query: {t.name} [3]", 6, "found a part number beyond 0"),
    ],
)
def test_mistakes_in_groups(compiled: Compiled, old: str, new: str, line: int, message: str) -> None:
    """Each mistake is told in one sentence with file, line and entry."""
    assert old in GROUP
    with pytest.raises(DataError) as error:
        compiled(GROUP.replace(old, new))
    assert message in str(error.value)
    assert f"mine.toml, line {line}, tinted: " in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("What is {p}?", "found the variable 'p', in scope are o (thing), v (value), t (type)"),
        ("What is {te o}?", "slot {te o}: found the form 'te', english has the,"),
        ("What is {the v}?", "slot {the v}: found 'the' before a value; write it before a thing or a kind"),
        ("What is {the t o}?", "slot {the t o}: found 't' between determiner and noun; write a value there"),
        ("What is {o.nouns}?", "slot {o.nouns}: found .nouns, a thing has noun, name; did you mean 'noun'"),
        ("What is {o:dative}?", "slot {o:dative}: found the case 'dative'"),
        ("What is ({o}?", "found no ')' at the end; correct the brackets"),
        ("What is{o}?", "found no blank before {o}; write a slot as a word of its own"),
        ("What is {is is o}?", "found 'is' after 'is'; write only the variable after it"),
    ],
)
def test_mistakes_in_texts(compiled: Compiled, text: str, message: str) -> None:
    """A slot that cannot be filled is told with what is in scope and the nearest name."""
    with pytest.raises(DataError) as error:
        compiled(GROUP, WORDS.replace("What is the {t} of {o}?", text))
    assert message in str(error.value)
    assert "english/mine.toml, line 3, tinted: " in str(error.value)


def test_words_without_a_group(compiled: Compiled) -> None:
    with pytest.raises(
        DataError, match="found words for the group 'tintd', which no file defines; did you mean 'tinted'"
    ):
        compiled(GROUP, WORDS.replace("[tinted]", "[tintd]"))


def test_no_toml(compiled: Compiled) -> None:
    with pytest.raises(DataError, match="found what is not TOML"):
        compiled("[tinted")
