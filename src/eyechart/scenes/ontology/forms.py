"""English forms by rule, so that a list of words holds only what no rule gives: plurals, articles, forms of verbs."""

import csv
from functools import cache
from importlib.resources import files

__all__ = ["indefinite_article", "plural_of", "verb_forms"]

_LINKS = (" of ", " with ", " in ", " on ", " for ", " without ")
"""Words after which a noun only describes: glasses of milk, not glass of milks."""


def plural_of(noun: str) -> str:
    """The plural of a noun that can be counted; of several words the one that is meant changes.

    >>> [plural_of(noun) for noun in ("box", "cherry", "bookshelf", "snowman", "glass of milk", "fish")]
    ['boxes', 'cherries', 'bookshelves', 'snowmen', 'glasses of milk', 'fish']
    """
    cut = min((noun.find(link) for link in _LINKS if link in noun), default=len(noun))
    before, blank, word = noun[:cut].rpartition(" ")
    return before + blank + _plural_of_word(word) + noun[cut:]


def _plural_of_word(word: str) -> str:
    irregular, endings = _table("plurals.csv")
    if word in irregular:
        return irregular[word]
    for ending, plural in endings:
        if word.endswith(ending):
            return word.removesuffix(ending) + plural
    return _with_s(word)


def _with_s(word: str) -> str:
    """The regular ending of plurals and of verbs: cups, boxes, berries; sits, washes, carries."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def indefinite_article(phrase: str) -> str:
    """Choose a or an by the sound that the phrase begins with.

    >>> [indefinite_article(phrase) for phrase in ("apple", "uniform", "unusual hat", "hour", "x-ray")]
    ['an', 'a', 'an', 'an', 'an']
    """
    word = phrase.split(" ", 1)[0].lower()
    whole, beginnings = _table("articles.csv")
    if word in whole:
        return whole[word]
    for beginning, article in beginnings:
        if word.startswith(beginning):
            return article
    return "an" if word.startswith(("a", "e", "i", "o", "u")) else "a"


def verb_forms(phrase: str) -> tuple[str, ...]:
    """Other forms of a phrase that begins with a verb in -ing: the plain form and the one with s.

    The spelling does not tell whether an e was dropped or a letter doubled, so impossible forms are among them; they
    serve to recognise a word and are never printed.

    >>> [form for form in verb_forms("sitting on") if form.startswith("sit ") or form.startswith("sits ")]
    ['sit on', 'sits on']
    >>> verb_forms("on")
    ()
    """
    verb, blank, rest = phrase.partition(" ")
    stem = verb.removesuffix("ing")
    if stem == verb or len(stem) < 2:  # noqa: PLR2004  # "ring" is no form of a verb r
        return ()
    plain = [stem, stem + "e"]
    if stem[-1] == stem[-2]:
        plain.append(stem[:-1])
    if stem.endswith("y"):
        plain.append(stem[:-1] + "ie")
    forms = [form for each in plain for form in (each, each + "es" if each.endswith("o") else _with_s(each))]
    return tuple(form + blank + rest for form in dict.fromkeys(forms))


@cache
def _table(name: str) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """A list of exceptions: those for whole words, and those for a part marked by a hyphen, longest first."""
    text = files("eyechart.scenes.ontology").joinpath("english", name).read_text("utf-8")
    rows = [(word, form) for word, form in csv.reader(text.splitlines()[1:])]
    parts = [(word.strip("-"), form.strip("-")) for word, form in rows if "-" in (word[0], word[-1])]
    whole = {word: form for word, form in rows if "-" not in (word[0], word[-1])}
    return whole, tuple(sorted(parts, key=lambda part: -len(part[0])))
