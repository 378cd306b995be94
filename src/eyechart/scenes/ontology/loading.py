"""An ontology from its folder: every line becomes a record, or an error that names the line.

::

    categories.toml     the kinds of things, each with its more general kinds
    types.toml          what attributes are about
    objects/*.csv       names of objects, a line each
    attributes/*.csv    values of the types
    relations/*.csv     prepositions, verbs, comparatives

What a rule gives (plurals, articles, what a category passes on, the other direction of an inverse) is not written down.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

import msgspec

from eyechart.errors import DataError
from eyechart.registry import did_you_mean
from eyechart.scenes.ontology.forms import indefinite_article, plural_of
from eyechart.scenes.ontology.hierarchy import Hierarchy
from eyechart.scenes.ontology.model import Attribute, AttributeType, Category, Gender, Noun, Number, Relation
from eyechart.scenes.ontology.ontology import Ontology
from eyechart.scenes.ontology.reading import Row, read_rows, read_table

__all__ = ["load_ontology", "packaged_ontology"]

R = TypeVar("R", Noun, Attribute, Relation)

_NOUN = ("name", "is", "number", "synonyms", "similar", "places", "gender", "ambiguous", "plural", "article")
_ATTRIBUTE = (
    *("name", "type", "synonyms", "opposite", "parent", "similar", "carriers", "adjective", "predicate", "before"),
    *("comparative", "ambiguous"),
)
_RELATION = (
    *("name", "kind", "synonyms", "inverse", "opposite", "general", "is", "pairs", "similar", "phrase", "third"),
)
_KINDS = {
    "preposition": ("preposition", None),
    "active": ("verb", "active"),
    "passive": ("verb", "passive"),
    "comparative": ("comparative", None),
}
_TRAITS = ("symmetric", "transitive")
_FEW = 40
"""Up to so many names are listed where none is near to a wrong one."""


class CategoryEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A category as it is written down."""

    parents: list[str] = []
    number: Number = "count"
    plural: str = ""
    article: str = ""
    phrase: str = ""
    named: bool = True
    living: bool = False
    person: bool = False
    disjoint: bool = True
    places: list[str] = []
    synonyms: list[str] = []


class TypeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute type as it is written down."""

    exclusive: bool
    order: list[str] = []
    noun: str = ""
    endings: list[str] = []
    carriers: list[str] = []


@cache
def packaged_ontology() -> Ontology:
    """The ontology that comes with Eyechart, read once.

    >>> packaged_ontology().ancestors("apple")[:2]
    ('fruit', 'food')
    """
    return _load(files("eyechart.scenes.ontology").joinpath("data"))


def load_ontology(folder: Path) -> Ontology:
    r"""The ontology of a folder with files of one's own.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for file, text in {
    ...     "categories.toml": "[thing]\n[fruit]\nparents = ['thing']",
    ...     "types.toml": "[color]\nexclusive = true",
    ...     "objects/fruit.csv": "name,is\nkumquat,fruit",
    ...     "attributes/color.csv": "name,type\norange,color",
    ...     "relations/places.csv": "name,kind,inverse\nabove,preposition,below\nbelow,preposition",
    ... }.items():
    ...     (folder / file).parent.mkdir(exist_ok=True)
    ...     _ = (folder / file).write_text(text)
    >>> ontology = load_ontology(folder)
    >>> ontology.noun("Kumquats").name, ontology.relations["below"].inverse
    ('kumquat', 'above')
    """
    return _load(folder)


def _load(folder: Path | Traversable) -> Ontology:
    places: dict[tuple[str, str], str] = {}
    categories = _categories(folder.joinpath("categories.toml"), places)
    rows = _rows(folder, "object", _NOUN, places)
    hierarchy = _hierarchy(categories, rows)
    nouns = _spoken(categories) | {row.text("name"): _noun(row, hierarchy, categories) for row in rows}
    known = categories.keys() | nouns.keys()
    _check_references(rows, {"similar": nouns, "places": nouns})
    types = _types(folder.joinpath("types.toml"), known, places)
    attribute_rows = _rows(folder, "attribute", _ATTRIBUTE, places)
    attributes = {row.text("name"): _attribute(row, types) for row in attribute_rows}
    values = dict.fromkeys(("opposite", "parent", "similar"), attributes)
    _check_references(attribute_rows, values | {"carriers": known})
    _check_order(folder.joinpath("types.toml"), types, attributes)
    relation_rows = _rows(folder, "relation", _RELATION, places)
    relations = {row.text("name"): _relation(row, known) for row in relation_rows}
    _check_references(relation_rows, dict.fromkeys(("inverse", "opposite", "general", "similar"), relations))
    return Ontology(
        categories=categories,
        nouns=_mutual(nouns),
        types=types,
        attributes=_mutual(_returned(attributes, "opposite")),
        relations=_mutual(_returned(_returned(relations, "opposite"), "inverse")),
        hierarchy=hierarchy,
        places=places,
    )


def _categories(file: Traversable, places: dict[tuple[str, str], str]) -> dict[str, Category]:
    entries = read_table(file, CategoryEntry)
    for name, entry in entries.items():
        places["category", name] = f"{file}, [{name}]"
        for parent in entry.parents:
            _check_known(f"{file}, [{name}]", "the parent", parent, entries)
    return {name: _category(name, entry) for name, entry in entries.items()}


def _category(name: str, entry: CategoryEntry) -> Category:
    countable = entry.number == "count"
    return Category(
        name=name,
        parents=tuple(entry.parents),
        plural=entry.plural or (plural_of(name) if countable else name),
        article=entry.article or (indefinite_article(name) if countable else ""),
        number=entry.number,
        phrase=entry.phrase or name,
        named=entry.named,
        living=entry.living,
        person=entry.person,
        disjoint=entry.disjoint,
        places=tuple(entry.places),
        synonyms=tuple(entry.synonyms),
    )


def _rows(folder: Traversable, kind: str, columns: tuple[str, ...], places: dict[tuple[str, str], str]) -> list[Row]:
    """The lines of all files about one kind of word; a name may stand in one line only."""
    inside = folder.joinpath(f"{kind}s")
    if not inside.is_dir():
        raise DataError(f"{inside}: no such folder, expected CSV files with {kind}s; make it or name another folder")
    rows = [
        row
        for file in sorted(inside.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".csv")
        for row in read_rows(file, columns)
    ]
    for row in rows:
        key = (kind, row.text("name"))
        earlier = places.get(key) or (places.get(("category", key[1])) if kind == "object" else None)
        if earlier is not None:
            raise row.fault(f"{key[1]!r} is already in {earlier}, expected each name once", "remove one of them")
        places[key] = row.place
    return rows


def _hierarchy(categories: Mapping[str, Category], rows: Iterable[Row]) -> Hierarchy:
    parents = {name: category.parents for name, category in categories.items()}
    parents |= {row.text("name"): row.several("is") for row in rows}
    for row in rows:
        if not row.several("is"):
            raise row.fault("found no category, expected one at least in the column 'is'", "write what it is")
        for parent in row.several("is"):
            _check_known(row.place, "what it is", parent, parents)
    return Hierarchy(parents)


def _spoken(categories: Mapping[str, Category]) -> dict[str, Noun]:
    """What people call a thing whose exact name they do not know or need: a fruit, a vehicle."""
    return {
        name: Noun(
            name=name,
            parents=category.parents,
            plural=category.plural,
            article=category.article,
            number=category.number,
            synonyms=category.synonyms,
            living=category.living,
            person=category.person,
            places=category.places,
        )
        for name, category in categories.items()
        if category.named
    }


def _noun(row: Row, hierarchy: Hierarchy, categories: Mapping[str, Category]) -> Noun:
    name = row.text("name")
    number = cast("Number", row.choice("number", get_args(Number)) or "count")
    above = [categories[each] for each in hierarchy.ancestors(name) if each in categories]
    return Noun(
        name=name,
        parents=row.several("is"),
        plural=row.text("plural") or (plural_of(name) if number == "count" else name),
        article=row.text("article") or (indefinite_article(name) if number == "count" else ""),
        number=number,
        synonyms=row.several("synonyms"),
        living=any(category.living for category in above),
        person=any(category.person for category in above),
        gender=cast("Gender | None", row.choice("gender", get_args(Gender)) or None),
        places=row.several("places") or next((category.places for category in above if category.places), ()),
        similar=row.several("similar"),
        ambiguous=row.several("ambiguous"),
    )


def _types(file: Traversable, known: Collection[str], places: dict[tuple[str, str], str]) -> dict[str, AttributeType]:
    entries = read_table(file, TypeEntry)
    for name, entry in entries.items():
        places["type", name] = f"{file}, [{name}]"
        for carrier in entry.carriers:
            _check_known(f"{file}, [{name}]", "the carrier", carrier, known)
    return {
        name: AttributeType(
            name=name,
            exclusive=entry.exclusive,
            order=tuple(entry.order),
            noun=entry.noun,
            endings=tuple(entry.endings),
            carriers=tuple(entry.carriers),
        )
        for name, entry in entries.items()
    }


def _check_order(file: Traversable, types: Mapping[str, AttributeType], attributes: Mapping[str, Attribute]) -> None:
    for name, each in types.items():
        values = [value for value, attribute in attributes.items() if attribute.type == name]
        for value in each.order:
            _check_known(f"{file}, [{name}]", "in its order the value", value, values)


def _attribute(row: Row, types: Mapping[str, AttributeType]) -> Attribute:
    name = row.text("name")
    _check_known(row.place, "the type", row.text("type"), types)
    adjective = row.text("adjective") or name
    return Attribute(
        name=name,
        type=row.text("type"),
        adjective=adjective,
        predicate=row.text("predicate") or adjective,
        before=row.flag("before") is not False,
        parent=row.text("parent") or None,
        opposite=row.text("opposite") or None,
        similar=row.several("similar"),
        synonyms=row.several("synonyms"),
        carriers=row.several("carriers") or types[row.text("type")].carriers,
        comparative=row.text("comparative"),
        ambiguous=row.several("ambiguous"),
    )


def _relation(row: Row, known: Collection[str]) -> Relation:
    name = row.text("name")
    if not row.text("kind"):
        raise row.fault(f"found no kind, expected one of {', '.join(_KINDS)}", "choose one of these")
    kind, voice = _KINDS[row.choice("kind", _KINDS)]
    traits = row.several("is")
    for trait in traits:
        _check_known(row.place, "it is said to be", trait, _TRAITS)
    if row.text("third") and not row.text("phrase"):
        raise row.fault("found a singular form without a plural form", "write it in the column 'phrase'")
    return Relation(
        name=name,
        kind=cast("Literal['preposition', 'verb', 'comparative']", kind),
        voice=cast("Literal['active', 'passive'] | None", voice),
        copula=not row.text("third"),
        phrase=row.text("phrase") or name,
        third=row.text("third"),
        inverse=row.text("inverse") or None,
        opposite=row.text("opposite") or None,
        symmetric="symmetric" in traits,
        transitive="transitive" in traits,
        synonyms=row.several("synonyms"),
        pairs=tuple(each for pair in row.several("pairs") for each in _pairs(row, pair, known)),
        similar=row.several("similar"),
        general=row.text("general") or None,
    )


def _pairs(row: Row, pair: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Every subject with every object of a cell's part such as person/animal>fruit/bread."""
    subjects, arrow, targets = ([name.strip() for name in part.split("/")] for part in pair.partition(">"))
    if arrow != [">"] or not all(subjects + targets):
        raise row.fault(f"found the pair {pair!r}, expected a form like person/animal>chair", "correct it")
    for name in (*subjects, *targets):
        _check_known(row.place, "in its pairs", name, known)
    return product(subjects, targets)


def _check_references(rows: Iterable[Row], columns: Mapping[str, Collection[str]]) -> None:
    for row in rows:
        for column, known in columns.items():
            for name in row.several(column):
                _check_known(row.place, f"as {column}", name, known)


def _check_known(place: str, role: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        advice = did_you_mean(name, known)
        if "did you mean" not in advice and len(known) > _FEW:
            advice = "add it or remove it here"
        raise DataError(f"{place}: found {role} {name!r}, expected a name that is in the ontology; {advice}")


def _returned(records: dict[str, R], column: str) -> dict[str, R]:
    """What is said of one direction holds for the other, which need not say it: an inverse, an opposite."""
    backward = {target: name for name, record in records.items() if (target := getattr(record, column)) is not None}
    return {
        name: replace(record, **cast("dict[str, Any]", {column: backward[name]}))
        if name in backward and getattr(record, column) is None
        else record
        for name, record in records.items()
    }


def _mutual(records: dict[str, R]) -> dict[str, R]:
    """What is easily mixed up with something is mixed up both ways."""
    similar = {name: dict.fromkeys(record.similar) for name, record in records.items()}
    for name, record in records.items():
        for other in record.similar:
            similar[other].setdefault(name)
    return {
        name: replace(record, similar=tuple(similar[name])) if len(similar[name]) > len(record.similar) else record
        for name, record in records.items()
    }
