"""Results files of other toolkits as predictions: VLMEvalKit's tables and lmms-eval's samples."""

import polars as pl

__all__ = ["LMMS_EVAL", "VLMEVALKIT", "from_lmms_eval", "from_vlmevalkit"]

VLMEVALKIT = frozenset({"index", "prediction"})
"""The columns by which such a table is known."""
LMMS_EVAL = frozenset({"doc_id", "filtered_resps"})
"""The members by which such samples are known."""

_LETTERS = tuple("ABCDEFGHIJ")
_IDS = ("question_id", "questionId")


def from_vlmevalkit(rows: pl.DataFrame) -> pl.DataFrame:
    """question_id, answer: where the prediction is an option's letter, the option's text; else the prediction.

    >>> rows = pl.DataFrame({"index": ["7", "8"], "A": ["red", None], "B": ["blue", None], "prediction": ["B.", "two"]})
    >>> from_vlmevalkit(rows).rows()
    [('7', 'blue'), ('8', 'two')]
    """
    said = pl.col("prediction").cast(pl.String).str.strip_chars()
    # A letter, alone or before a mark: "B", "(B)", "B. blue". The first word "A" of a sentence is none.
    letter = said.str.extract(r"^\(?([A-J])(?:[).:]|$)", 1)
    options = [pl.when(letter == name).then(pl.col(name).cast(pl.String)) for name in _LETTERS if name in rows.columns]
    return rows.select(question_id=pl.col("index").cast(pl.String), answer=pl.coalesce(*options, said))


def from_lmms_eval(rows: pl.DataFrame) -> pl.DataFrame:
    """question_id, answer: the filtered response to each document; its question's id where the document has one.

    >>> from_lmms_eval(pl.DataFrame({"doc_id": [0], "doc": [{"question_id": 17}], "filtered_resps": [["red"]]})).rows()
    [('17', 'red')]
    """
    doc = rows.schema.get("doc")
    members = [field.name for field in doc.fields] if isinstance(doc, pl.Struct) else []
    ids = [pl.col("doc").struct.field(name).cast(pl.String) for name in _IDS if name in members]
    given: object = rows.schema["filtered_resps"]
    response = pl.col("filtered_resps")
    while isinstance(given, pl.List):
        response, given = response.list.first(), given.inner
    return rows.select(question_id=pl.coalesce(*ids, pl.col("doc_id").cast(pl.String)), answer=response.cast(pl.String))
