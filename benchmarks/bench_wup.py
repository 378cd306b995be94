"""Claim: Wu-Palmer similarity of all senses, exactly as NLTK gives it, for two million pairs of words a second."""

import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from eyechart.text import Nouns, packaged_nouns
from eyechart.text.wordnet_files import packaged_folder, read_files

PAIRS, THEIR_PAIRS = 2_000_000, 2_000


def vocabularies(nouns: Nouns) -> dict[str, list[str]]:
    """Words to draw pairs from; frequent words have many senses, so those with most stand for answers of people."""
    by_senses = sorted(nouns.words, key=lambda word: -len(nouns.synsets(word)))
    draw = np.random.default_rng(3)
    return {
        "all 117,798 nouns": list(nouns.words),
        "8,000 random nouns": draw.choice(nouns.words, 8_000, replace=False).tolist(),
        "3,000 nouns with most senses": by_senses[:3_000],
    }


def laid_out(root: Path) -> Path:
    """The packaged files as NLTK wants them: whole, under corpora, writable by nobody else."""
    folder = root / "corpora" / "wordnet"
    folder.mkdir(parents=True, mode=0o700)
    for path in packaged_folder().iterdir():
        shutil.copyfile(path, folder / path.name)
    found = read_files(packaged_folder())
    (folder / "data.noun").write_bytes(found.data)
    for name in ("noun", "verb", "adj", "adv"):
        (folder / f"{name}.exc").write_bytes(found.exceptions if name == "noun" else b"")
    for path in folder.iterdir():
        path.chmod(0o600)
    return folder


def theirs(folder: Path) -> Callable[[str, str], float]:
    """NLTK: the largest wup_similarity of all pairs of noun synsets."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    with warnings.catch_warnings(action="ignore"):
        wordnet = WordNetCorpusReader(str(folder), None)

    def similarity(first: str, second: str) -> float:
        pairs = ((one, other) for one in wordnet.synsets(first, "n") for other in wordnet.synsets(second, "n"))
        return max((one.wup_similarity(other) for one, other in pairs), default=0.0)

    similarity("warm", "up")
    return similarity


def rate(pairs: int, work: Callable[[], object]) -> float:
    """Pairs in a second of processor time, the best of three."""
    spent = []
    for _ in range(3):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return pairs / min(spent)


def main() -> None:
    """Both sides on the same pairs."""
    with tempfile.TemporaryDirectory() as root:
        os.environ["NLTK_DATA"] = root
        nltk_similarity, nouns = theirs(laid_out(Path(root))), packaged_nouns()
        nouns.similarity("warm", "up")
        print("pairs of words a second of one core, all senses")
        for name, words in vocabularies(nouns).items():
            pairs = np.random.default_rng(5).integers(0, len(words), (2, PAIRS))
            senses = nouns.senses(words)
            ours = rate(PAIRS, lambda senses=senses, pairs=pairs: nouns.sense_similarities(senses, *pairs))
            few = pairs[:, :THEIR_PAIRS]
            begun = time.process_time()
            expected = [nltk_similarity(words[one], words[other]) for one, other in few.T]
            slow = THEIR_PAIRS / (time.process_time() - begun)
            same = expected == nouns.sense_similarities(senses, *few).tolist()
            size = senses.synset.size / len(senses)
            print(
                f"  {ours:12,.0f} ours  {slow:8,.0f} NLTK  {ours / slow:8,.0f} times, equal: {same}  "
                f"{name} ({size:.1f} senses a word)"
            )


if __name__ == "__main__":
    main()
