"""The packaged patterns: as many as promised, of every published type, and every surface form well written."""

import re
from collections import Counter

import pytest

from eyechart.pipeline.trying import Trial
from eyechart.questions.asking import engine
from eyechart.questions.language.proofreading import english_faults, faults
from eyechart.questions.samples import Sample, Samples
from eyechart.questions.toy import toy_tables

DETAILED = """
place weather placeVerify placeVerifyC weatherVerify weatherVerifyC locationVerify locationVerifyC placeChoose
weatherChoose locationChoose directOf directWhich how material activity company state positionQuery verifyAttr
verifyAttrC verifyAttrK verifyAttrKC verifyAttrThis verifyAttrCThis materialVerify materialVerifyC
companyVerify companyVerifyC typeVerify typeVerifyC positionVerify positionVerifyC chooseAttr materialChoose
activityChoose companyChoose stateChoose typeChoose positionChoose verifyAttrs verifyAttrsC exist existC
existAttr existAttrC existThat existThatC existAttrNot existAttrNotC existThatNot existThatNotC existMaterial
existMaterialC existMaterialNot existMaterialNotC existOr existOrC existAttrOr existAttrOrC existThatOr
existThatOrC existAnd existAndC verifyAttrAnd verifyAttrAndC verifyMaterialAnd verifyMaterialAndC category
categoryThis categoryAttr categoryThat activityWho categoryThisChoose categoryThatChoose objThisChoose relS
relO categoryRelS categoryRelO dir sameRelate sameMaterialRelate existRelS existRelSC existRelSRC relVerify
relVerifyCo relVerifyCs relVerifyCop relVerifyCr relChooser categoryRelOChoose categoryRelSChoose sameAnimals
sameAnimalsC diffAnimals diffAnimalsC sameGender sameGenderC diffGender diffGenderC twoSame twoSameC
twoSameMaterial twoSameMaterialC twoDifferent twoDifferentC twoCommon comparativeChoose
"""
"""The detailed types that occur in published data or in the catalogue of functions."""

FUNCTIONS = {
    "queryGlobal": {"queryGlobal", "queryWeather"},
    "verifyGlobal": {"verifyGlobal"},
    "chooseGlobal": {"chooseGlobal"},
    "queryAttr": {"queryAttr"},
    "verifyAttr": {"verifyAttr"},
    "verifyAttrs": {"verifyAttrs"},
    "chooseAttr": {"chooseAttr"},
    "exist": {"exist"},
    "existRel": {"existRel", "existRelElsewhere"},
    "logicOr": {"logicOr"},
    "logicAnd": {"logicAnd", "logicAndAttr"},
    "queryObject": {"queryObject"},
    "chooseObject": {"chooseObject"},
    "queryRel": {"queryRelSubject", "queryRelObject"},
    "verifyRel": {"verifyRel"},
    "chooseRel": {"chooseRel"},
    "chooseObjRel": {"chooseObjectRel"},
    "compare": {"compare"},
    "common": {"common"},
    "twoSame": {"twoSame"},
    "twoDiff": {"twoDiff"},
    "allSame": {"allSame", "allSameAnimals", "allSameGender"},
    "allDiff": {"allDiff", "allDiffAnimals", "allDiffGender"},
}
"""The 23 functions of Hudson and Manning 2019, table 2, by the forms of our programs."""

PLURALS = "curtains|towels|slippers|papers|shoes|wheels|dogs|cups|cars|trees|pillows|balloons|people|chairs"
SINGULARS = "dog|cup|car|tree|apple|pear|banana|bowl|table|bus|woman|man|girl|boy|horse|cow|bed|lamp|cat|milk|grass"
DETERMINED = r"(?:the|some|any|no|that|this|these|those)?(?: [a-z]+)?"
WRONG = (
    re.compile(rf"^(?:Is|Does|Was|Isn't) (?:the |these |those |any |some )?(?:{PLURALS})\b"),
    re.compile(rf"^(?:Are|Do|Were|Aren't) (?:the |this |that |an? )(?:{SINGULARS})\b(?!.*\b(?:and|or)\b)"),
    re.compile(rf"\bthere (?:is|isn't) (?:any |some |no )?(?:{PLURALS})\b"),
    re.compile(rf"\bthere (?:are|aren't) (?:an? |no )(?:{SINGULARS})\b"),
    re.compile(rf"\b(?:an?|this|that|every|each|another) (?:{PLURALS})\b"),
    re.compile(rf"\b(?:these|those) (?:{SINGULARS})\b"),
    re.compile(r"\b(?:an?) (?:milk|grass|food|bread|cheese)\b"),
)
"""Verbs, determiners and nouns of the toy world that do not go together."""


@pytest.fixture(scope="module")
def samples() -> Samples:
    english, tables = engine(), toy_tables()
    return Samples(english.shard(tables, english.count(tables), seed=0), english.composer.groups)


@pytest.fixture(scope="module")
def said(samples: Samples) -> list[Sample]:
    """Every surface form, of one and of several, of things, stuff, people, women and men."""
    return [each for group in samples.groups for each in samples.of(group, 6)]


def test_sizes(samples: Samples) -> None:
    """At least as many groups, patterns and surface forms as the published engine, counted without those shared."""
    own = [each for group in samples.groups.values() for each in group.asked.patterns if not each.borrowed]
    assert len(samples.groups) >= 117
    assert len(own) >= 524
    assert sum(each.natural for each in own) >= 250
    assert sum(len(each.surfaces) for each in own) >= 2294


def test_no_text_is_written_twice_in_a_group(samples: Samples) -> None:
    for group in samples.groups.values():
        texts = Counter((each.text, each.conditions and each.conditions[0].text) for each in group.asked.patterns)
        assert not [text for text, times in texts.items() if times > 1], group.name


def test_every_published_type(samples: Samples) -> None:
    """Every function of the paper's table 2 and every detailed type of the published data has its group."""
    forms = {group.entry.form for group in samples.groups.values()}
    assert [name for name, fitting in FUNCTIONS.items() if not fitting & forms] == []
    assert [name for name in DETAILED.split() if name not in samples.groups] == []
    for name, group in samples.groups.items():
        fixed = [part for part in group.detailed if isinstance(part, str)]
        assert name not in DETAILED.split() or name.endswith(fixed[-1]), name


def test_every_surface_form_is_said(samples: Samples, said: list[Sample]) -> None:
    """There is no alternative that cannot be reached."""
    written = {
        (each.name, number)
        for group in samples.groups.values()
        for each in group.asked.patterns
        if not each.borrowed
        for number in range(len(each.surfaces))
    }
    assert written - {(each.pattern, each.surface) for each in said} == set()


def test_every_question_reads_well(said: list[Sample]) -> None:
    """Articles, agreement, doubled words, blanks, punctuation, capital letters and question marks, in every form."""
    found = [
        (each.question, reason)
        for each in said
        for reason in (*faults(each.question, question=True), *english_faults(each.question))
    ]
    assert found == []
    assert [each.question for each in said for wrong in WRONG if wrong.search(each.question)] == []


def test_every_full_answer_reads_well(samples: Samples) -> None:
    answers = [each.full_answer for group in samples.groups for each in samples.every_answer(group, 6)]
    assert [(each, reason) for each in answers for reason in faults(each, question=False)] == []
    assert [(each, reason) for each in answers for reason in english_faults(each)] == []
    assert [each for each in answers for wrong in WRONG if wrong.search(each)] == []


def test_every_fact_has_a_full_answer(said: list[Sample]) -> None:
    assert [each for each in said if not each.full_answer] == []
    for each in said:
        if each.answer in {"yes", "no"}:
            assert each.full_answer.startswith(each.answer.capitalize() + ", "), each


def test_the_checks_see_mistakes() -> None:
    """The patterns of what is wrong do find it."""
    wrong = ["Is the dogs red?", "Are the dog red?", "There there is cups.", "Is there a dogs?", "Is there a milk?"]
    assert all(any(each.search(text) for each in WRONG) for text in wrong if "There there" not in text)
    assert list(faults(wrong[2], question=False))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["english", "german"])
def test_lint(language: str) -> None:
    """The linter, programs and proofs included, has nothing to complain of."""
    assert [str(each) for each in Trial(language).complaints()] == []
