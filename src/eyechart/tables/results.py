"""The tables about answers of models: predictions and scores; and what foreign files hold beyond our schemas."""

import polars as pl

from eyechart.tables.schema import Column, Table

PREDICTIONS = Table(
    "predictions",
    "One row per answer that a model gave to a question.",
    (
        Column("question_id", pl.String, "The question.", required=True),
        Column("answer", pl.String, "The answer; null where the model only gave scores."),
        Column("confidence", pl.Float64, "Probability that the model gives its answer."),
        Column("answerable", pl.Float64, "Probability that the question can be answered at all."),
        Column("scores", pl.List(pl.Float64), "One score per choice, in the order of the choices."),
        Column(
            "attention_boxes",
            pl.List(pl.List(pl.Float64)),
            "Regions looked at: x0, y0, x1, y1 (0 to 1), weight.",
        ),
        Column("attention_grid", pl.List(pl.List(pl.Float64)), "Weights of a square grid over the picture."),
    ),
    key=("question_id",),
)

SCORES = Table(
    "scores",
    "One row per metric and question.",
    (
        Column("question_id", pl.String, "The question.", required=True),
        Column("metric", pl.String, "The metric, with its profile.", required=True),
        Column("score", pl.Float64, "The score; null where it cannot be computed."),
        Column("flag", pl.String, "What decided the score, where that is a quirk of the metric."),
    ),
    key=("question_id", "metric"),
)

EXTRAS = Table(
    "extras",
    "One row per value of a foreign file that no other table models, so that export gives the file back.",
    (
        Column("format", pl.String, "The foreign format.", required=True),
        Column("role", pl.String, "Which of its files.", required=True),
        Column("split", pl.String, "Which split's file."),
        Column("record", pl.String, "The record's id in the file; null for the file's head."),
        Column("pointer", pl.String, "Where in the record, as a JSON pointer.", required=True),
        Column("was", pl.String, "What export writes there by itself, as JSON; null for nothing."),
        Column("value", pl.String, "What the file holds there, as JSON; null for nothing."),
    ),
    key=("format", "role", "split", "record", "pointer"),
)
