"""What a person says about changes: a CSV file that rejects some, adds others, and tells what is annotated completely.

::

    action,image,what,object,other,was,became,rule,change,note
    reject,2354786,,,,,,,8841620018,the cup is there twice
    reject,,relation,,,ON,,phrase,,
    add,2354786,object,17,,,kettle,,,it is no jug
    add,2354786,relation,17,4,,on,,,
    add,2354786,location,,,,kitchen,,,
    complete,,,,,,dog,,,every dog is annotated

A rejection holds for every change that all of its cells fit. An addition is made before anything else. ``complete``
says that no instance of a kind is missing, in one picture or in all.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.ontology.reading import Row, read_rows

__all__ = ["ADDED", "REJECTED", "Edits", "load_edits"]

ADDED, REJECTED = "added by a person", "rejected by a person"
"""The rules under which edits stand in the ledger."""

_COLUMNS = ("action", "image", "what", "object", "other", "was", "became", "rule", "change", "note")
_WHATS = ("object", "attribute", "relation", "location", "weather")
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
_SCHEMA = {"line": pl.String, **dict.fromkeys(_COLUMNS[1:], pl.String)}


@dataclass(frozen=True)
class Edits:
    """Rejections and additions, a row each; a cell that was left empty is null."""

    rejections: pl.DataFrame
    additions: pl.DataFrame
    complete: pl.DataFrame

    @classmethod
    def none(cls) -> "Edits":
        """No edits.

        >>> Edits.none().additions.height
        0
        """
        return cls(*(pl.DataFrame(schema=_SCHEMA) for _ in range(3)))

    def judged(self, proposals: pl.DataFrame) -> pl.DataFrame:
        """Proposals, of which those that a person rejects become rows that change nothing."""
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
        scenes = here.filter(pl.col("what").is_in(("location", "weather")))
        return joined(
            [
                proposed("object", ADDED, objects.drop("rule"), was=pl.col("name")),
                proposed("attribute", ADDED, _with_things(here.filter(what="attribute"), names).drop("rule")),
                proposed("relation", ADDED, _with_things(here.filter(what="relation"), names).drop("rule")),
                proposed("image", ADDED, scenes.drop("rule", "was"), became=pl.format("{}: {}", "what", "became")),
            ]
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


def _with_things(said: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """Additions whose things exist."""
    known = said.join(names, on=("image_id", "object_id"), how="semi", maintain_order="left")
    others = names.select("image_id", other_id="object_id")
    linked = known.join(others, on=("image_id", "other_id"), how="semi", maintain_order="left")
    return known.filter(pl.col("what") == "attribute") if said.height and said["what"][0] == "attribute" else linked


def load_edits(file: Path | None) -> Edits:
    """The edits of a file; a line that cannot be understood is told.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "edits.csv"
    >>> _ = file.write_text("action,image,what,object,became\\nadd,7,object,3,kettle\\n")
    >>> load_edits(file).additions.select("image", "became").row(0)
    ('7', 'kettle')
    >>> _ = file.write_text("action,image\\nremove,7\\n")
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


def _check_rejection(row: Row) -> None:
    if not any(row.text(name) for name in _MATCHED):
        raise row.fault(
            "found a rejection of everything", "fill the cell of the change, or those of what it looks like"
        )
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


_CHECKS = {"reject": _check_rejection, "add": _check_addition, "complete": _check_completeness}
