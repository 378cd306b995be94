"""Under which names the answers of things are balanced together: broad categories, as ``groups.toml`` lists them."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from eyechart.scenes import ontology

__all__ = ["group_of"]


def group_of(words: ontology.Ontology, name: str) -> str:
    """The global group of an answer that names a thing; empty for a word that the ontology does not know.

    >>> words = ontology.packaged_ontology()
    >>> [group_of(words, name) for name in ("couch", "eagle", "camera", "skier", "xyz")]
    ['furniture', 'bird', 'device', 'person', '']
    """
    noun = words.noun(name)
    code = noun.name if noun else name
    above = (code, *words.ancestors(code)) if code in words.nouns or code in words.categories else ()
    for each in above:
        if each in words.categories and (each in _groups() or words.categories[each].named):
            return _groups().get(each, each)
    return ""


@cache
def _groups() -> Mapping[str, str]:
    """The group of each category that is in one with others."""
    file = files("eyechart.questions").joinpath("groups.toml")
    listed = msgspec.toml.decode(file.read_bytes(), type=dict[str, list[str]])
    return {category: group for group, categories in listed.items() for category in categories}
