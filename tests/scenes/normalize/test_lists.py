"""Settings, scores of phrases, coverage: small files, and what is wrong in them."""

from pathlib import Path

import polars as pl
import pytest

from eyechart.errors import DataError
from eyechart.scenes.normalize import (
    Settings,
    coverage,
    covered,
    load_settings,
    packaged_lists,
    packaged_vocabulary,
    read_ngrams,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rar = 0.1", r"own\.toml: found the key 'rar', expected some of rare, same_name"),
        ("rare = 'often'", r"own\.toml: Expected `float`, got `str`"),
        ("rare = -1", r"own\.toml: Expected `float` >= 0.0 - at `\$\.rare`"),
        ("same_name = 1.5", r"own\.toml: Expected `float` <= 1.0 - at `\$\.same_name`"),
        ("rare = ", r"own\.toml: found what is not TOML"),
    ],
)
def test_mistakes_in_settings(tmp_path: Path, text: str, message: str) -> None:
    """Told with the file."""
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        load_settings(file)


def test_every_setting_is_in_the_packaged_file() -> None:
    """And whole numbers are numbers."""
    assert all(isinstance(getattr(load_settings(), name), float) for name in Settings.__struct_fields__)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("phrase,value\n", "line 1: found 'phrase,value', expected 'phrase,score'"),
        ("phrase,score\ndog on mat,high\n", "line 2: found 'dog on mat,high', expected a phrase and a number"),
        ("phrase,score\ndog on mat,1,2\n", "line 2: found 'dog on mat,1,2', expected a phrase and a number"),
        ("", "line 1: found '', expected 'phrase,score'"),
    ],
)
def test_mistakes_in_scores(tmp_path: Path, text: str, message: str) -> None:
    """Told with file and line."""
    file = tmp_path / "ngrams.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=rf"ngrams\.csv, {message}"):
        read_ngrams(file)


def test_lists_speak_of_the_ontology() -> None:
    """Every kind, relation, place and attribute that a list names is there."""
    lists, ontology = packaged_lists(), packaged_vocabulary().ontology
    kinds = ontology.nouns.keys() | ontology.categories.keys()
    named = [name for rule in lists.attachments for name in (rule.part, rule.owner)]
    named += [name for rule in lists.triples for name in (rule.subject, rule.target)]
    named += [noun for noun, _, _ in lists.weather] + list(lists.surroundings)
    assert [name for name in named if name not in kinds] == []
    relations = [rule.relation for rule in lists.attachments]
    relations += [name for rule in lists.triples for name in (rule.relation, rule.becomes) if name]
    assert [name for name in relations if name not in ontology.relations] == []
    assert [value for _, value, _ in lists.weather if value and value not in ontology.attributes] == []
    assert [name for name in lists.words.seen if name not in ontology.types] == []


def test_coverage_counts_mentions_and_words() -> None:
    """Weighed by how often a word was written, and each word once."""
    words = pl.DataFrame(
        {
            "kind": ["relation", "object", "object", "object", "attribute"],
            "word": ["ON", "Dogs", "area", "xyzzy", "reddish brown"],
            "count": [4, 3, 2, 1, 5],
        }
    )
    told = covered(words, packaged_vocabulary())
    assert told["fate"].to_list() == ["mapped", "mapped", "amorphous", "unknown", "mapped"]
    assert coverage(told).rows() == [
        ("object", 6, 3, 2, 3, 1),
        ("attribute", 5, 5, 0, 1, 1),
        ("relation", 4, 4, 0, 1, 1),
    ]
