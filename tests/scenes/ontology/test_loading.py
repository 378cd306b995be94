"""An ontology from files of one's own: what is not said is filled in, and every mistake is told with its line."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.scenes.ontology import Ontology, load_ontology

FILES = {
    "categories.toml": """
[thing]
named = false
[food]
parents = ["thing"]
number = "mass"
places = ["kitchen"]
[fruit]
parents = ["food"]
["living thing"]
parents = ["thing"]
living = true
named = false
[person]
parents = ["living thing"]
person = true
synonyms = ["human"]
[place]
parents = ["thing"]
""",
    "types.toml": """
[color]
exclusive = true
endings = ["colored"]
[size]
exclusive = true
order = ["small", "large"]
[material]
exclusive = true
carriers = ["food"]
""",
    "objects/all.csv": """
# a comment
name,is,number,synonyms,similar,places,gender,ambiguous,plural,article
apple,fruit,,red delicious,pear
pear,fruit
kitchen,place
rice,food,mass
man,person,,guy,,,male
woman,person,,,,,female
chips,food,plural,crisps
herb,food,,,,,,,,a
""",
    "attributes/all.csv": """
name,type,synonyms,opposite,parent,similar,carriers,adjective,predicate,before,comparative,ambiguous
blue,color
light blue,color,,,blue
small,size,,large,,,,,,,smaller
large,size
wood,material,,,,,,wooden,made of wood
alone,size,,,,,,,,no
""",
    "relations/all.csv": """
name,kind,synonyms,inverse,opposite,general,is,pairs,similar,phrase,third
above,preposition,over,below
below,preposition
next to,preposition,,,,,symmetric
eating,active,,,,,,person/pear>fruit
sitting on,active,,,,on
on,preposition
has,active,,,,,,,,have,has
larger than,comparative,,,,,transitive
""",
}


def ontology(tmp_path: Path, **changed: str) -> Ontology:
    """An ontology of these files, some with other content; a file's name is its path with two underscores for /."""
    content = FILES | {name.replace("__", "/") + _ending(name): text for name, text in changed.items()}
    for name, text in content.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return load_ontology(tmp_path)


def _ending(name: str) -> str:
    return ".csv" if "__" in name else ".toml"


def test_what_is_not_said_is_filled_in(tmp_path: Path) -> None:
    """Plurals, articles, places of a category, the other direction of inverses, opposites and similarity."""
    loaded = ontology(tmp_path)
    apple = loaded.nouns["apple"]
    assert (apple.plural, apple.article, apple.places, apple.living) == ("apples", "an", ("kitchen",), False)
    assert (loaded.nouns["herb"].article, loaded.nouns["rice"].plural, loaded.nouns["rice"].article) == (
        "a",
        "rice",
        "",
    )
    assert (loaded.nouns["man"].living, loaded.nouns["man"].person, loaded.nouns["man"].gender) == (True, True, "male")
    assert loaded.nouns["pear"].similar == ("apple",)
    assert loaded.attributes["large"].opposite == "small"
    assert loaded.relations["below"].inverse == "above"
    assert loaded.inverse("next to") == "next to"
    wood = loaded.attributes["wood"]
    assert (wood.adjective, wood.predicate, wood.carriers) == ("wooden", "made of wood", ("food",))
    assert loaded.attributes["alone"].before is False
    has = loaded.relations["has"]
    assert (has.copula, has.phrase, has.third) == (False, "have", "has")


def test_pairs_are_products(tmp_path: Path) -> None:
    """Kinds before and after the sign, several by a slash."""
    loaded = ontology(tmp_path)
    assert loaded.relations["eating"].pairs == (("person", "fruit"), ("pear", "fruit"))
    assert loaded.makes_sense("man", "eating", "apple")
    assert not loaded.makes_sense("apple", "eating", "man")
    assert loaded.makes_sense("apple", "next to", "man")


def test_words_find_their_names(tmp_path: Path) -> None:
    """Casing, plurals, synonyms, categories, endings, forms of verbs."""
    loaded = ontology(tmp_path)
    found = [loaded.noun(word) for word in ("APPLES", "red delicious", "Guys", "human", "food", "crisps")]
    assert [noun and noun.name for noun in found] == ["apple", "apple", "man", "person", "food", "chips"]
    assert loaded.noun("thing") is None
    assert [loaded.is_plural(word) for word in ("apples", "guys", "chips", "rice", "apple")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    value = loaded.attribute("Light-Blue colored")
    assert value is not None
    assert value.name == "light blue"
    assert [each.name for each in loaded.relations_of("is sitting on")] == ["sitting on"]
    assert [each.name for each in loaded.relations_of("sits on")] == ["sitting on"]


def test_what_follows(tmp_path: Path) -> None:
    """Broader values and relations, contradictions by type and opposite."""
    loaded = ontology(tmp_path)
    assert loaded.broader("light blue") == ("blue",)
    assert loaded.implied("sitting on") == ("on",)
    assert loaded.contradict("small", "large")
    assert not loaded.contradict("light blue", "blue")
    assert [value.name for value in loaded.values("size")] == ["small", "large", "alone"]
    assert loaded.members("fruit") == ("apple", "pear")


NAME = "name,is,number,synonyms,similar,places,gender,plural\n"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"categories": "[fruit]\nparents = ['fod']"}, r"categories\.toml, \[fruit\]: found the parent 'fod'"),
        ({"categories": "[fruit]\nparent = ['x']"}, r"categories\.toml: .*unknown field `parent`"),
        ({"categories": "[fruit"}, r"categories\.toml: found what is not TOML"),
        ({"objects__all": NAME + "kiwi,friut"}, r"all\.csv, line 2: found what it is 'friut', .*did you mean 'fruit'"),
        ({"objects__all": NAME + "kiwi"}, r"all\.csv, line 2: found no category, expected one at least"),
        ({"objects__all": NAME + "kiwi,fruit,many"}, r"line 2: the number is 'many', expected one of count, mass"),
        ({"objects__all": NAME + "kiwi,fruit\nkiwi,food"}, r"line 3: 'kiwi' is already in .*line 2"),
        ({"objects__all": NAME + "fruit,food"}, r"line 2: 'fruit' is already in .*categories\.toml, \[fruit\]"),
        ({"objects__all": NAME + "kiwi,fruit,,,aple"}, r"line 2: found as similar 'aple'"),
        ({"objects__all": NAME + "kiwi,fruit,,,,nowhere"}, r"line 2: found as places 'nowhere'"),
        ({"objects__all": NAME + "kiwi,fruit,,,,,,,,"}, r"line 2: found 10 cells, the header has 8"),
        ({"objects__all": NAME + ",fruit"}, r"line 2: the name is empty"),
        ({"objects__all": "name,iz\nkiwi,fruit"}, r"line 1: found the column 'iz', which nothing reads"),
        ({"objects__all": "is,name\nfruit,kiwi"}, r"line 1: found the columns is, name, expected 'name' first"),
        ({"attributes__all": "name,type\nblue,colour"}, r"line 2: found the type 'colour', .*did you mean 'color'"),
        ({"attributes__all": "name,type,parent\nsky blue,color,blu"}, r"line 2: found as parent 'blu'"),
        ({"attributes__all": "name,type,carriers\nblue,color,fish"}, r"line 2: found as carriers 'fish'"),
        ({"attributes__all": "name,type,before\nblue,color,maybe"}, r"line 2: the before is 'maybe', expected one of"),
        ({"attributes__all": "name,type\nblue,color"}, r"types\.toml, \[size\]: found in its order the value 'small'"),
        ({"relations__all": "name,kind\non,adverb"}, r"line 2: the kind is 'adverb', expected one of preposition"),
        ({"relations__all": "name,kind\non"}, r"line 2: found no kind, expected one of preposition"),
        ({"relations__all": "name,kind,inverse\non,preposition,under"}, r"line 2: found as inverse 'under'"),
        ({"relations__all": "name,kind,is\non,preposition,funny"}, r"line 2: found it is said to be 'funny'"),
        ({"relations__all": "name,kind,pairs\non,preposition,man"}, r"line 2: found the pair 'man', expected a form"),
        ({"relations__all": "name,kind,pairs\non,preposition,man>"}, r"line 2: found the pair 'man>', expected a form"),
        ({"relations__all": "name,kind,pairs\non,preposition,man>dog"}, r"line 2: found in its pairs 'dog'"),
        ({"relations__all": "name,kind,third\nhas,active,has"}, r"line 2: found a singular form without a plural"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    """With file, line and word."""
    with pytest.raises(DataError, match=message):
        ontology(tmp_path, **changed)


@given(
    st.sampled_from(["objects__all", "attributes__all", "relations__all"]),
    st.lists(
        st.one_of(
            st.text(max_size=8), st.sampled_from(["apple", "fruit", "color", "red", "on", "active", "a>b", "yes"])
        ),
        max_size=10,
    ),
)
@settings(max_examples=60, deadline=None)
def test_any_line_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, file: str, cells: list[str]) -> None:
    """Whatever stands in a line: an ontology, or one sentence that names the file."""
    name = file.replace("__", "/") + ".csv"
    message = ""
    try:
        ontology(tmp_path_factory.mktemp("own"), **{file: f"{FILES[name].rstrip()}\n{','.join(cells)}\n"})
    except DataError as error:
        message = str(error)
    assert not message or re.search(r"all\.csv, line \d+: ", message)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """A folder without its parts, and a file that is no text."""
    with pytest.raises(DataError, match="no such file, expected one to read"):
        load_ontology(tmp_path)
    ontology(tmp_path)
    (tmp_path / "objects" / "all.csv").write_bytes(b"name,is\nap\xffle,fruit\n")
    with pytest.raises(DataError, match=r"all\.csv, line 2: found the byte 0xff, expected UTF-8"):
        load_ontology(tmp_path)
    (tmp_path / "objects" / "all.csv").unlink()
    (tmp_path / "objects").rmdir()
    with pytest.raises(DataError, match="objects: no such folder, expected CSV files with objects"):
        load_ontology(tmp_path)
