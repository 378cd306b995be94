"""Scene graphs of one picture, made by hand, and the context in which they are cleaned."""

from collections.abc import Sequence

import polars as pl

from eyechart.scenes.normalize import (
    Context,
    Detections,
    Edits,
    Graphs,
    Settings,
    Tallies,
    load_settings,
    normalize,
    packaged_vocabulary,
    survey,
)
from eyechart.tables import TABLES

Box = tuple[float, float, float, float]
Tables = dict[str, pl.DataFrame]

SIZE = (100, 100)


def graph(
    things: Sequence[tuple[str, str] | tuple[str, str, Box]],
    attributes: Sequence[tuple[str, str]] = (),
    relations: Sequence[tuple[str, str, str]] = (),
    image: str = "1",
) -> Tables:
    """The tables of a picture of 100 by 100; a thing has an id, a name, and left, top, width, height or no box."""
    boxes = [(*thing, (None,) * 4)[2] for thing in things]
    objects = pl.DataFrame(
        {
            "object_id": [thing[0] for thing in things],
            "name": [thing[1] for thing in things],
            **{side: [box[place] for box in boxes] for place, side in enumerate("xywh")},
        },
        schema={"object_id": pl.String, "name": pl.String, **dict.fromkeys("xywh", pl.Float64)},
    )
    tables = {
        "images": pl.DataFrame({"width": [SIZE[0]], "height": [SIZE[1]]}),
        "objects": objects,
        "attributes": pl.DataFrame(list(attributes), schema=["object_id", "attribute"], orient="row"),
        "relations": pl.DataFrame(list(relations), schema=["subject_id", "predicate", "object_id"], orient="row"),
    }
    return {name: TABLES[name].conform(rows.with_columns(image_id=pl.lit(image))) for name, rows in tables.items()}


def together(*graphs: Tables) -> Tables:
    """Graphs of several pictures as one set."""
    return {name: pl.concat([each[name] for each in graphs]) for name in graphs[0]}


def context_of(
    tables: Tables,
    *,
    edits: Edits | None = None,
    ngrams: dict[str, float] | None = None,
    detections: Detections | None = None,
    **settings: float,
) -> Context:
    """The context of a set that is counted itself; settings as packaged, but for some."""
    words = packaged_vocabulary()
    packaged = load_settings()
    given = {name: settings.get(name, getattr(packaged, name)) for name in Settings.__struct_fields__}
    return Context(
        words,
        Settings(**given),
        Tallies(survey(Graphs.of(tables), words)),
        edits if edits is not None else Edits.none(),
        ngrams or {},
        detections,
    )


def clean(tables: Tables, **given: object) -> Tables:
    """The clean tables of a set."""
    return normalize(tables, context_of(tables, **given))  # type: ignore[arg-type]


def names(tables: Tables) -> dict[str, str]:
    """The names of the things by their ids."""
    return dict(tables["objects"].select("object_id", "name").iter_rows())


def facts(tables: Tables) -> set[tuple[str, str]]:
    """Things with their attributes."""
    return set(tables["attributes"].select("object_id", "attribute").iter_rows())


def edges(tables: Tables) -> set[tuple[str, str, str]]:
    """Relations by the ids of their ends."""
    return set(tables["relations"].select("subject_id", "predicate", "object_id").iter_rows())


def rules(tables: Tables, what: str) -> list[tuple[str | None, str | None, str]]:
    """The ledger of one kind: what was, what became, and the rule."""
    return tables["changes"].filter(what=what).select("was", "became", "rule").rows()
