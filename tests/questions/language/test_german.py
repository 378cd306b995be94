"""German, to prove that nothing English is left in the core: gender, cases, endings, contractions, word order."""

import polars as pl
import pytest

from eyechart.questions.asking import Engine, engine
from eyechart.questions.samples import Sample, Samples
from eyechart.questions.toy import toy_tables

EXPECTED = {
    "exist": ("Siehst du einen Tisch?", "ja", "Ja, es gibt einen Tisch."),
    "existC": ("Gibt es ein Pferd?", "nein", "Nein, es gibt kein Pferd."),
    "existAttrC": ("Gibt es eine grüne Schürze?", "nein", "Nein, es gibt eine Schürze, aber sie ist blau."),
    "existAttr": ("Gibt es eine rote Frucht auf dem Bild?", "ja", "Ja, es gibt eine rote Frucht."),
    "directOf": ("Welche Farbe hat der Tisch?", "braun", "Der Tisch ist braun."),
    "material": ("Woraus ist die Schüssel gemacht?", "Glas", "Die Schüssel ist aus Glas."),
    "verifyAttrC": ("Ist der Apfel grün?", "nein", "Nein, der Apfel ist rot."),
    "relVerify": ("Ist die Milch in der Schüssel?", "ja", "Ja, die Milch ist in der Schüssel."),
    "relVerifyCr": ("Ist die Birne links vom Apfel?", "nein", "Nein, die Birne ist rechts vom Apfel."),
    "relWho": ("Wer trägt die Schürze?", "Frau", "Die Frau trägt die Schürze."),
    "relS": ("Was ist in der Schüssel?", "Milch", "Die Milch ist in der Schüssel."),
    "existRelS": ("Siehst du einen Apfel links von der Birne?", "ja", "Ja, ein Apfel ist links von der Birne."),
    "comparativeChoose": ("Wer ist älter, der Mann oder das Mädchen?", "Mann", "Der Mann ist älter als das Mädchen."),
    "count": ("Wie viele Äpfel gibt es?", "1", "Es gibt einen Apfel."),
    "atLeast": ("Gibt es mindestens drei Becher?", "ja", "Ja, es gibt drei Becher."),
    "all": ("Sind alle Bäume grün?", "ja", "Ja, alle Bäume sind grün."),
    "roomVerify": ("Ist das eine Küche?", "ja", "Ja, das ist eine Küche."),
    "positionVerify": ("Ist der Apfel links?", "ja", "Ja, der Apfel ist links."),
    "twoSame": (
        "Haben der Tisch und der Kühlschrank dieselbe Form?",
        "ja",
        "Ja, der Tisch und der Kühlschrank sind rechteckig.",
    ),
    "materialVerify": ("Ist der Tisch aus Holz?", "ja", "Ja, der Tisch ist aus Holz."),
}
"""A question of each of twenty groups as it has to be."""


@pytest.fixture(scope="module")
def german() -> Engine:
    return engine("german")


@pytest.fixture(scope="module")
def samples(german: Engine) -> Samples:
    tables = toy_tables()
    return Samples(german.shard(tables, german.count(tables), seed=0), german.composer.groups)


def test_twenty_groups_and_more(samples: Samples) -> None:
    assert len(samples.groups) >= 20
    assert set(EXPECTED) <= set(samples.groups)


@pytest.mark.parametrize("group", sorted(EXPECTED))
def test_expected_sentences(samples: Samples, group: str) -> None:
    """The question, the short answer and the long one, word for word."""
    question, answer, full = EXPECTED[group]
    said = {each.question: each for each in samples.of(group, 400, borrowed=True)}
    found: Sample | None = said.get(question)
    assert found is not None, sorted(said)[:20]
    assert (found.answer, found.full_answer) == (answer, full)


CASES = {
    # "in" and "von" merge with "dem", not with "der"; adjectives and weak nouns have endings.
    "vom Hund": ("boy", "to the left of", "dog"),
    "im Wald": ("boy", "in", "forest"),
    "in der Küche": ("boy", "in", "kitchen"),
    "auf dem Tisch": ("boy", "on", "table"),
    "hinter dem Bären": ("boy", "behind", "bear"),
    "einen Hut": ("boy", "wearing", "hat"),
    "eine Schürze": ("boy", "wearing", "apron"),
    "ein Hemd": ("boy", "wearing", "shirt"),
    "mit den Hunden": ("boy", "playing with", "dogs"),
    "in der Nähe vom Haus": ("boy", "near", "house"),
}


@pytest.mark.parametrize("words", sorted(CASES))
def test_cases(german: Engine, words: str) -> None:
    """The relation governs the case, and its preposition merges with the article."""
    subject, relation, target = CASES[words]
    tables = {
        "images": pl.DataFrame({"image_id": ["1"], "width": [100], "height": [100]}),
        "objects": pl.DataFrame({"image_id": "1", "object_id": ["a", "b"], "name": [subject, target]}),
        "relations": pl.DataFrame({"image_id": "1", "subject_id": "a", "predicate": relation, "object_id": "b"}),
    }
    only = [group for group in german.composer.groups if group.name == "relVerify"]
    said = list(Samples(german.shard(tables, german.count(tables), seed=0), only).of("relVerify", 3))
    assert said
    assert any(words in each.question or words in each.full_answer for each in said), [each.question for each in said]


def test_no_reference_needs_a_second_comma(samples: Samples) -> None:
    """Things are described by adjectives, places and prepositions; relative clauses are left out."""
    asked = [each.question for group in samples.groups for each in samples.of(group, 3)]
    assert not [each for each in asked if ", der " in each and "oder" not in each and "sagen" not in each]
    assert not [each for each in asked if "in dem " in each or "von dem " in each]
