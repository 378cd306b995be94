"""What a person says about changes: a CSV file that rejects some, adds others, and tells what is annotated completely.

::

    action,image,what,object,other,was,became,rule,change,note
    reject,2354786,,,,,,,8841620018,the cup is there twice
    reject,,relation,,,ON,,phrase,,
    add,2354786,object,17,,,kettle,,,it is no jug
    add,2354786,relation,17,4,,on,,,
    add,2354786,location,,,,kitchen,,,
    complete,,,,,,dog,,,every dog is annotated

A rejection holds for every change that all of its cells fit. An addition is made before anything else, in words of the
ontology; no rule takes it back, unless it drops the thing itself. ``complete`` says that no instance of a kind is
missing, in one picture or in all.
"""

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from eyechart.errors import DataError
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.vocabulary import Vocabulary
from eyechart.scenes.ontology.reading import Row, read_rows

__all__ = ["ADDED", "REJECTED", "Edits", "check_edits", "load_edits", "unused_rejections"]

ADDED, REJECTED = "added by a person", "rejected by a person"
"""The rules under which edits stand in the ledger."""

_COLUMNS = ("action", "image", "what", "object", "other", "was", "became", "rule", "change", "note")
_WHATS = ("object", "attribute", "relation", "location", "weather")
_PLACES = ("location", "weather")
_MATCHED = {
    "image": "image_id",
    "what": "what",
    "object": "object_id",
    "other": "other_id",
    "was": "was",
    "became": "became",
    "rule": "rule",
    "change": "change_id",
}
_FIXED = ("image_id", "object_id", "other_id", "what", "was")
_SCHEMA = {"line": pl.String, **dict.fromkeys(_COLUMNS[1:], pl.String)}


@dataclass(frozen=True)
class Edits:
    """Rejections and additions, a row each; a cell that was left empty is null."""

    rejections: pl.DataFrame
    additions: pl.DataFrame
    complete: pl.DataFrame

    @classmethod
    def of(cls, **given: pl.DataFrame) -> "Edits":
        """Edits from some of the three tables, of which columns may be missing.

        >>> Edits.of(complete=pl.DataFrame({"became": ["dog"]})).complete["image"].item() is None
        True
        """
        whole = {name: given.get(name, pl.DataFrame()) for name in ("rejections", "additions", "complete")}
        return cls(**{name: _whole(rows) for name, rows in whole.items()})

    @classmethod
    def none(cls) -> "Edits":
        """No edits.

        >>> Edits.none().additions.height
        0
        """
        return cls.of()

    def judged(self, proposals: pl.DataFrame) -> pl.DataFrame:
        """Proposals, of which those that a person rejects become rows that change nothing.

        What would take back an addition is not proposed at all.
        """
        if not self.additions.is_empty():
            proposals = proposals.join(self._fixed, on=_FIXED, how="anti", nulls_equal=True, maintain_order="left")
        if self.rejections.is_empty():
            return proposals
        marked = proposals.with_columns(line=pl.lit(None, dtype=pl.String))
        for _, given in self.rejections.group_by(
            *(pl.col(name).is_null().alias(f"no {name}") for name in _MATCHED), maintain_order=True
        ):
            marked = _marked(marked, given)
        rejected = pl.col("line").is_not_null()
        return marked.with_columns(
            became=pl.when(rejected).then("was").otherwise("became"),
            # A rejected merge has no other thing to be.
            other_id=pl.when(rejected & pl.col("what").eq("object")).then(None).otherwise("other_id"),
            why=pl.when(rejected).then(pl.format("{}, by {}", "rule", "line")).otherwise("why"),
            rule=pl.when(rejected).then(pl.lit(REJECTED)).otherwise("rule"),
        ).drop("line")

    @cached_property
    def _fixed(self) -> pl.DataFrame:
        """What a person has added, as a later change would find it."""
        added = self.additions.rename({"image": "image_id", "object": "object_id", "other": "other_id"})
        # A name has no other end; the cell may hold what a person wrote down for themselves.
        other = pl.when(pl.col("what") == "relation").then("other_id")
        return added.select("image_id", "object_id", "what", other_id=other, was="became").drop_nulls("was").unique()

    def proposals(self, graphs: Graphs) -> pl.DataFrame:
        """What a person adds, for the pictures that are there."""
        said = self.additions.rename({"image": "image_id", "object": "object_id", "other": "other_id"})
        here = said.join(graphs.images, on="image_id", how="semi", maintain_order="left").with_columns(
            why=pl.concat_str("line", "note", separator=": ", ignore_nulls=True)
        )
        names = graphs.objects.select("image_id", "object_id", "name")
        objects = (
            here.filter(what="object").drop("was").join(names, on=("image_id", "object_id"), maintain_order="left")
        )
        scenes = here.filter(pl.col("what").is_in(_PLACES))
        return joined(
            [
                proposed("object", ADDED, objects.drop("rule"), was=pl.col("name")),
                proposed("attribute", ADDED, here.filter(what="attribute").drop("rule")),
                proposed("relation", ADDED, here.filter(what="relation").drop("rule")),
                proposed("image", ADDED, scenes.drop("rule", "was"), became=pl.format("{}: {}", "what", "became")),
            ]
        )


def _whole(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with all columns of edits."""
    return (
        rows.select(
            (pl.col(name) if name in rows.columns else pl.lit(None)).cast(dtype).alias(name)
            for name, dtype in _SCHEMA.items()
        )
        if rows.width
        else pl.DataFrame(schema=_SCHEMA)
    )


def _marked(proposals: pl.DataFrame, rejections: pl.DataFrame) -> pl.DataFrame:
    """Proposals with the line of the first rejection that fits; all rejections give the same cells."""
    given = [name for name in _MATCHED if rejections[name].null_count() == 0]
    keys = rejections.select("line", **{_MATCHED[name]: pl.col(name) for name in given}).rename({"line": "found"})
    columns = [_MATCHED[name] for name in given]
    found = proposals.join(
        keys.unique(columns, keep="first", maintain_order=True), on=columns, how="left", maintain_order="left"
    )
    return found.with_columns(line=pl.coalesce("line", "found")).drop("found")


def load_edits(file: Path | None) -> Edits:
    r"""The edits of a file; a line that cannot be understood is told.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "edits.csv"
    >>> _ = file.write_text("action,image,what,object,became\nadd,7,object,3,kettle\n")
    >>> load_edits(file).additions.select("image", "became").row(0)
    ('7', 'kettle')
    >>> _ = file.write_text("action,image\nremove,7\n")
    >>> load_edits(file)
    Traceback (most recent call last):
    eyechart.errors.DataError: ...edits.csv, line 2: the action is 'remove', expected one of reject, add, complete; ...
    """
    if file is None:
        return Edits.none()
    by_action: dict[str, list[dict[str, str | None]]] = {"reject": [], "add": [], "complete": []}
    for row in read_rows(file, _COLUMNS):
        action = row.choice("action", by_action)
        _CHECKS[action](row)
        cells = {name: row.text(name) or None for name in _COLUMNS[1:]}
        by_action[action].append({"line": row.place.rpartition(", ")[2], **cells})
    return Edits(*(pl.DataFrame(rows, schema=_SCHEMA) for rows in by_action.values()))


def unused_rejections(file: Path, changes: pl.LazyFrame) -> list[str]:
    r"""The lines of an edits file that reject something which no rule has proposed.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "edits.csv"
    >>> _ = file.write_text("action,image\nreject,7\nreject,8\n")
    >>> unused_rejections(file, pl.LazyFrame({"rule": [REJECTED], "why": ["boxes, by line 3"]}))
    ['line 2']
    """
    used = changes.filter(pl.col("rule") == REJECTED).select(pl.col("why").str.extract("by (line [0-9]+)$")).collect()
    return [line for line in load_edits(file).rejections["line"] if line not in set(used["why"])]


def _check_rejection(row: Row) -> None:
    if not any(row.text(name) for name in _MATCHED):
        raise row.fault(
            "found a rejection of everything", "fill the cell of the change, or those of what it looks like"
        )
    row.choice("what", ("object", "attribute", "relation", "image"))
    if row.text("rule") in ("went along", "moved along", ADDED, REJECTED):
        raise row.fault(
            f"found the rule {row.text('rule')!r}, which only follows from another change", "reject that change instead"
        )


def _check_addition(row: Row) -> None:
    what = row.choice("what", _WHATS)
    needed = {
        "object": ("image", "object"),
        "attribute": ("image", "object"),
        "relation": ("image", "object", "other"),
        "location": ("image", "became"),
        "weather": ("image", "became"),
        "": ("what",),
    }[what]
    for name in needed:
        if not row.text(name):
            raise row.fault(f"found nothing in the cell {name!r} of an addition", f"say which {name} it is")
    if what in ("attribute", "relation") and not (row.text("was") or row.text("became")):
        raise row.fault(f"found neither what the {what} was nor what it becomes", "fill one of them or both")
    if row.text("rule") or row.text("change"):
        raise row.fault("found an addition with a rule or a change", "leave these cells empty")


def _check_completeness(row: Row) -> None:
    if not row.text("became"):
        raise row.fault("found nothing in the cell 'became'", "write the name or category that is annotated completely")


def check_edits(edits: Edits, file: str, images: pl.LazyFrame, things: pl.LazyFrame, vocabulary: Vocabulary) -> None:
    """Refuse edits of pictures and things that are not there, and words that the ontology does not have.

    ``things`` has a row for each thing: image_id, object_id.

    >>> from eyechart.scenes.normalize.vocabulary import packaged_vocabulary
    >>> added = pl.DataFrame({"line": ["line 2"], "image": ["7"], "what": ["weather"]})
    >>> edits = Edits.of(additions=added)
    >>> nothing = pl.LazyFrame(schema={"image_id": pl.String, "object_id": pl.String})
    >>> check_edits(edits, "edits.csv", nothing, nothing, packaged_vocabulary())
    Traceback (most recent call last):
    eyechart.errors.DataError: edits.csv, line 2: found the image '7', expected one of the benchmark's; correct its id
    """
    said = pl.concat([edits.rejections, edits.additions, edits.complete])
    lost = said.drop_nulls("image").lazy().rename({"image": "image_id"}).join(images, on="image_id", how="anti")
    for line, image in lost.select("line", "image_id").collect().iter_rows():
        raise DataError(f"{file}, {line}: found the image {image!r}, expected one of the benchmark's; correct its id")
    for cell in ("object", "other"):
        named = said.drop_nulls(("image", cell)).select("line", image_id="image", object_id=cell)
        strange = named.lazy().join(things, on=("image_id", "object_id"), how="anti").collect()
        for line, image, thing in strange.iter_rows():
            raise DataError(
                f"{file}, {line}: found the object {thing!r}, expected one of the image {image!r}; correct its id"
            )
    _check_words(edits, file, vocabulary)


def _check_words(edits: Edits, file: str, vocabulary: Vocabulary) -> None:
    ontology = vocabulary.ontology
    surfaces = {form for noun in ontology.nouns.values() for form in (noun.name, noun.plural)}
    known: dict[str, Container[str]] = {
        "object": surfaces,
        "attribute": ontology.attributes,
        "relation": ontology.relations,
    }
    words = [
        (line, what, became) for line, what, became in edits.additions.select("line", "what", "became").iter_rows()
    ]
    words += [(line, "kind", became) for line, became in edits.complete.select("line", "became").iter_rows()]
    for line, what, word in words:
        allowed = known.get(what, surfaces | ontology.categories.keys()) if what not in _PLACES else (word,)
        if word is not None and word not in allowed:
            raise DataError(
                f"{file}, {line}: found the {what} {word!r}, expected a word of the ontology; "
                f"{_nearest(vocabulary, what, word)}"
            )


def _nearest(vocabulary: Vocabulary, what: str, word: str) -> str:
    """What a person probably meant: the word that theirs would be read as."""
    ontology = vocabulary.ontology
    found = {
        "attribute": lambda: [value.name for value in ontology.attributes_of(word)],
        "relation": lambda: list(vocabulary.predicate(word).relations),
    }.get(what, lambda: list(vocabulary.name(word).names))()
    return f"write {found[0]!r}" if found else "write another one, or add it to an ontology of your own"


_CHECKS = {"reject": _check_rejection, "add": _check_addition, "complete": _check_completeness}
