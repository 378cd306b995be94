"""Texts as vectors: bags of words, means, and names that lead to them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from eyechart.errors import UnknownNameError
from eyechart.text import packaged_vectors, text_encoder, word_bags


def test_bags_know_no_order_case_or_punctuation() -> None:
    """What stays is which words there are, and how often."""
    texts = pl.Series(["Is the cat ON the mat?", "the mat is on (the) cat", "Is a cat on the mat?", None, "?!"])
    bags = word_bags(texts)
    assert bags[0] == bags[1] == "cat is mat on the the"
    assert bags[2] != bags[0]
    assert bags.to_list()[3:] == ["", ""]


def test_mean_vectors_are_the_literal_means() -> None:
    """The mean of the vectors of a text's words, scaled to length 1."""
    encoder = text_encoder("wordllama")
    matrix, known = encoder.encode(["cat color", "", "cat"])
    words, _ = packaged_vectors("wordllama").vectors(["cat", "color"])
    mean = words.mean(axis=0)
    np.testing.assert_allclose(matrix[0], mean / np.linalg.norm(mean), rtol=1e-5)
    assert known.tolist() == [True, False, True]
    assert "wordllama" in encoder.source


def test_bags_of_words_are_counts_of_frequent_words() -> None:
    """Cosines are those of the counts."""
    matrix, known = text_encoder("bag-of-words").encode(["a a b", "a b b", "c", ""])
    np.testing.assert_allclose(
        matrix @ matrix.T, [[1, 0.8, 0, 0], [0.8, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]], atol=1e-6
    )
    assert known.tolist() == [True, True, True, False]


def test_a_file_is_an_encoder_and_names_are_told(tmp_path: Path) -> None:
    """A path with a suffix is read; other names are compared with those that are known."""
    path = tmp_path / "tiny.vec"
    path.write_text("red 1 0\nball 0 1\n")
    matrix, _ = text_encoder(str(path)).encode(["ball red"])
    np.testing.assert_allclose(matrix, [[0.5**0.5, 0.5**0.5]], rtol=1e-6)
    with pytest.raises(UnknownNameError, match="did you mean 'wordllama'"):
        text_encoder("wordlama")


def test_sentences_know_the_order_of_words() -> None:
    """The same words in another order are another vector, near it; a text without words has none."""
    pytest.importorskip("sentence_transformers")
    encoder = text_encoder("minilm-sentences")
    asked = [
        "What is left of the cat?",
        "What is the cat left of?",
        "What  is left of the CAT?",
        "How many buses?",
        "?!",
    ]
    texts = encoder.texts(pl.Series(asked))
    assert texts[0] == texts[2] != texts[1]
    matrix, known = encoder.encode(texts.to_list())
    assert known.tolist() == [True, True, True, True, False]
    near = matrix @ matrix.T
    np.testing.assert_allclose(np.diag(near)[:4], 1, atol=1e-5)
    assert near[0, 3] < 0.5 < near[0, 1] < 0.999
    # As the package's authors say of the words: cat and dog 0.661, cat and left 0.250.
    words, _ = encoder.encode(["cat", "dog", "left"])
    np.testing.assert_allclose((words @ words.T)[0, 1:], [0.661, 0.250], atol=2e-3)
    assert "sha256" in encoder.source
