"""What a table of a benchmark looks like: columns with types and sentences, a key, references to other tables."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.errors import SchemaError

__all__ = ["Column", "Reference", "Table"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its Polars type and one sentence about it.

    >>> Column("question_id", pl.String, "Id of the question.", required=True).name
    'question_id'
    """

    name: str
    dtype: pl.DataType | type[pl.DataType]
    about: str
    required: bool = False
    """A required column never holds null."""
    values: tuple[str, ...] = ()
    """The closed list of values, if there is one."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key: values of these columns stand in the key columns of another table.

    >>> Reference(("subject_id",), "objects", ("object_id",)).table
    'objects'
    """

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table's schema; ``conform`` brings a frame into exactly this shape.

    >>> pairs = Table("pairs", "Two questions.", (Column("a", pl.String, "First.", required=True),), key=("a",))
    >>> pairs.conform(pl.DataFrame({"a": ["1"]})).schema
    Schema([('a', String)])
    >>> pairs.conform(pl.DataFrame({"b": ["1"]}))
    Traceback (most recent call last):
    eyechart.errors.SchemaError: table pairs: found a column 'b', expected only a; rename or drop it
    """

    name: str
    about: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()

    @cached_property
    def schema(self) -> pl.Schema:
        """The Polars schema, columns in order."""
        return pl.Schema({column.name: column.dtype for column in self.columns})

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Order the columns, fill absent ones with null, cast; refuse what does not fit."""
        for name in frame.columns:
            if name not in self.schema:
                expected = ", ".join(self.schema)
                raise SchemaError(
                    f"table {self.name}: found a column {name!r}, expected only {expected}; rename or drop it"
                )
        whole = frame.select(self._fitted(column, frame) for column in self.columns)
        for column in self.columns:
            if column.required and whole[column.name].null_count():
                row = whole[column.name].is_null().arg_true()[0]
                raise SchemaError(
                    f"table {self.name}, row {row}: found no {column.name}, expected a value in every row; "
                    "fill or drop the row"
                )
        return whole

    def misfit(self, found: pl.Schema) -> str | None:
        """What is wrong with the columns of a file; one that may be empty may also be absent.

        >>> pairs = Table("pairs", "Two questions.", (Column("a", pl.String, "First.", required=True),), key=("a",))
        >>> pairs.misfit(pl.Schema({"a": pl.Int64})), pairs.misfit(pairs.schema)
        ('has Int64 in column a, not String', None)
        """
        for column in self.columns:
            if column.name not in found:
                if column.required:
                    return f"has no column {column.name}"
            elif found[column.name] != column.dtype:
                return f"has {found[column.name]} in column {column.name}, not {column.dtype}"
        strange = [column for column in found if column not in self.schema]
        return f"has a column {strange[0]}, which its schema does not know" if strange else None

    def empty(self) -> pl.DataFrame:
        """A frame of this shape without rows."""
        return self.schema.to_frame()

    def _fitted(self, column: Column, frame: pl.DataFrame) -> pl.Series:
        if column.name not in frame.columns:
            return pl.repeat(None, frame.height, dtype=pl.Null, eager=True).cast(column.dtype).alias(column.name)
        series = frame[column.name]
        try:
            return series.cast(column.dtype)
        except pl.exceptions.PolarsError as error:
            raise SchemaError(
                f"table {self.name}, column {column.name}: found {series.dtype} that is not all {column.dtype} "
                f"({str(error).splitlines()[0]}); convert the values"
            ) from error
