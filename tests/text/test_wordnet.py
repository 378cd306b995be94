"""Similarities equal NLTK's on the same files, the published values, and a literal second implementation."""

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyechart.errors import DataError, MissingDependencyError
from eyechart.text import Nouns, packaged_nouns, wordnet_files
from eyechart.text.wordnet_files import packaged_folder, read_files

PAIRS = 20_000
Reader = Any  # NLTK has no types


@pytest.fixture(scope="module")
def nltk_wordnet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """NLTK over the packaged files, laid out as it wants them: whole, in its data path, writable by nobody else."""
    data = pytest.importorskip("nltk.data")
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    packaged, root = packaged_folder(), tmp_path_factory.mktemp("nltk")
    folder = root / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for path in packaged.iterdir():
        shutil.copyfile(path, folder / path.name)
    found = read_files(packaged)
    (folder / "data.noun").write_bytes(found.data)
    for name in ("noun", "verb", "adj", "adv"):
        (folder / f"{name}.exc").write_bytes(b"")
    exceptions = [line for line in found.exceptions.splitlines() if not line.startswith(b"#")]
    (folder / "noun.exc").write_bytes(b"\n".join(exceptions) + b"\n")
    for path in (folder, *folder.iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    data.path.insert(0, str(root))
    with warnings.catch_warnings(action="ignore"):
        reader = WordNetCorpusReader(str(folder), None)  # says that other languages are absent
    yield reader
    data.path.remove(str(root))


def nltk_similarity(wordnet: Reader, first: str, second: str, *, all_senses: bool) -> float:
    """The largest of all pairs of senses, or that of the first ones."""
    senses = [wordnet.synsets(word, "n")[: None if all_senses else 1] for word in (first, second)]
    return max((one.wup_similarity(other) or 0.0 for one in senses[0] for other in senses[1]), default=0.0)


def words_of(wordnet: Reader, *, frequent: bool) -> list[str]:
    """All noun lemmas, or those with many senses."""
    words = sorted(set(wordnet.all_lemma_names("n")))
    return [word for word in words if len(wordnet.synsets(word, "n")) > 3] if frequent else words


@pytest.mark.slow
@pytest.mark.parametrize("all_senses", [False, True], ids=["first", "all"])
def test_random_pairs_equal_nltk(nltk_wordnet: Reader, *, all_senses: bool) -> None:
    """20,000 random pairs of nouns have exactly NLTK's similarity, bit for bit."""
    words = words_of(nltk_wordnet, frequent=False)
    pairs = np.random.default_rng(11).integers(0, len(words), (2, PAIRS))
    expected = [
        nltk_similarity(nltk_wordnet, words[one], words[other], all_senses=all_senses) for one, other in pairs.T
    ]
    assert expected == packaged_nouns().similarities(words, *pairs, all_senses=all_senses).tolist()


@pytest.mark.slow
def test_words_with_many_senses_equal_nltk(nltk_wordnet: Reader) -> None:
    """Words with four and more senses, where the shortcut could fail, have exactly NLTK's similarity."""
    words = words_of(nltk_wordnet, frequent=True)
    pairs = np.random.default_rng(12).integers(0, len(words), (2, 1_000))
    expected = [nltk_similarity(nltk_wordnet, words[one], words[other], all_senses=True) for one, other in pairs.T]
    assert expected == packaged_nouns().similarities(words, *pairs).tolist()


@pytest.mark.slow
def test_synsets_equal_nltk(nltk_wordnet: Reader) -> None:
    """Lemmas, plurals and nonsense have NLTK's synsets, in its order."""
    nouns, words = packaged_nouns(), words_of(nltk_wordnet, frequent=False)
    chosen = np.random.default_rng(13).choice(len(words), 3_000, replace=False)
    forms = [words[i] + end for i in chosen for end in ("", "s", "es")] + [
        "Mice",
        "children",
        "tennis racket",
        "",
        "xyz",
    ]
    expected = [tuple(synset.name() for synset in nltk_wordnet.synsets(form, "n")) for form in forms]
    assert expected == [nouns.synsets(form) for form in forms]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("dog", "cat", 0.8571),
        ("lady", "woman", 0.6316),
        ("two", "three", 0.9),
        ("horse", "zebra", 0.9333),
        ("boy", "man", 0.9474),
        ("man", "woman", 0.7059),
        ("yes", "no", 0.2353),
        ("left", "right", 0.9091),
        ("train", "bus", 0.8889),
        ("tennis", "baseball", 0.75),
        ("raven", "xyzzy", 0.0),
    ],
)
def test_published_values(first: str, second: str, expected: float) -> None:
    """Values that were recorded with NLTK."""
    assert packaged_nouns().similarity(first, second) == pytest.approx(expected, abs=5e-5)


def test_sense_policies_differ() -> None:
    """A cab is a kind of car only in a later sense."""
    nouns = packaged_nouns()
    values = [nouns.similarity("car", "cab", all_senses=all_senses) for all_senses in (False, True)]
    assert values == pytest.approx([0.476, 0.960], abs=5e-4)


def test_similarity_has_a_direction() -> None:
    """NLTK prefers the first synset among equally deep subsumers, so the order matters."""
    nouns = packaged_nouns()
    ways = [nouns.similarity(*pair, all_senses=False) for pair in (("wilde", "writer"), ("writer", "wilde"))]
    assert sorted(ways) == pytest.approx([0.632, 0.947], abs=5e-4)


def test_packaged_files_are_wordnet_3_0() -> None:
    """The newline that the package lost is put back: the noun file has Princeton's size and synsets."""
    found = read_files(packaged_folder())
    assert (len(found.data), found.version) == (15_300_280, "3.0")
    assert len(packaged_nouns().names) == 82_115


def test_other_folders_are_read(tmp_path: Path) -> None:
    """A folder as Princeton lays it out, with its own exceptions, counts; what it lacks is said."""
    header = b"  1 This is WordNet 9.9 Copyright\n"
    (tmp_path / "data.noun").write_bytes(
        header
        + b"00000040 03 n 01 entity 0 000 | all\n"
        + b"00000080 03 n 01 mouse 0 001 @ 00000040 n 0000 | squeaks\n"
        + b"00000120 03 n 02 Mickey 0 Minnie 0 001 @i 00000080 n 0000 | ears\n"
    )
    (tmp_path / "index.noun").write_bytes(
        b"  1 header\nentity n 1 0 1 0 00000040\nmouse n 1 1 @ 1 0 00000080\nmickey n 1 1 @ 1 0 00000120\n"
    )
    (tmp_path / "noun.exc").write_bytes(b"meece mouse\n")
    nouns = Nouns.open(tmp_path)
    assert (nouns.version, nouns.own_exceptions, nouns.synsets("meece")) == ("9.9", True, ("mouse.n.01",))
    assert nouns.similarity("mickey", "mouse") == pytest.approx(2 * 2 / (2 * 2 + 1))
    (tmp_path / "data.noun").unlink()
    with pytest.raises(DataError, match="data.noun: found no such file"):
        Nouns.open(tmp_path)


@pytest.mark.parametrize(
    ("data", "index", "message"),
    [
        (b"no version\n", b"", "found no version"),
        (b"  WordNet 3.0 Copyright\nrubbish\n", b"", "line 2 of data.noun: found b'rubbish'"),
        (b"  WordNet 3.0 Copyright\n00000001 03 n 01 a 0 001 @ 00000009 n 0000 |\n", b"", "offset 9"),
        (b"  WordNet 3.0 Copyright\n00000001 03 n 01 a 0 001 @ 00000001 n 0000 |\n", b"", "kinds of themselves"),
        (b"  WordNet 3.0 Copyright\n00000001 03 n 01 a 0 000 |\n", b"a n\n", "line 1 of index.noun"),
    ],
)
def test_damaged_files_are_placed(tmp_path: Path, data: bytes, index: bytes, message: str) -> None:
    """A damaged file is named, with the line where there is one."""
    (tmp_path / "data.noun").write_bytes(data)
    (tmp_path / "index.noun").write_bytes(index)
    with pytest.raises(DataError, match=message):
        Nouns.open(tmp_path)


def test_a_damaged_cache_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache cut short, or a place where nothing can be written, costs time and nothing else."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expected = Nouns.open(packaged_folder()).similarity("dog", "cat")
    kept = next((tmp_path / "eyechart").iterdir())
    kept.write_bytes(kept.read_bytes()[:1000])
    assert expected == Nouns.open(packaged_folder()).similarity("dog", "cat")
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert expected == Nouns.open(packaged_folder()).similarity("dog", "cat")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the message says how to install it."""
    monkeypatch.setattr(wordnet_files.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'eyechart\[text\]'"):
        packaged_folder()


def test_no_pairs_are_no_work() -> None:
    """Empty input gives empty output."""
    nothing = np.zeros(0, np.int64)
    assert packaged_nouns().similarities([], nothing, nothing).tolist() == []
