"""GQA (Hudson and Manning 2019): questions with programs, scene graphs, choices, predictions, attention maps.

Layout: the files of questions1.2.zip, sceneGraphs.zip and eval.zip, and the lists that the published scorer reads.
"""

import re
from pathlib import Path

from eyechart.formats.files import Json, JsonList, JsonMapping
from eyechart.formats.gqa_answers import (
    Attention,
    Choices,
    ExactAttention,
    ExactChoices,
    ExactPrediction,
    Prediction,
    decode_choices,
    decode_predictions,
    encode_attentions,
    encode_choices,
    encode_predictions,
    has_choices,
)
from eyechart.formats.gqa_questions import (
    ExactQuestion,
    Question,
    all_kept,
    decode_questions,
    encode_questions,
    is_exact,
)
from eyechart.formats.gqa_scene_graphs import SceneGraph, decode_scene_graphs, encode_scene_graphs
from eyechart.formats.layout import Family, Format, Layout

__all__ = ["GQA"]

_SPLIT = re.compile(r"(?:^|[^a-z])(train|val|testdev|test|challenge|submission)(?![a-z])")


def _split(_head: dict[str, Json], path: Path) -> str | None:
    """Train of train_all_questions_3.json."""
    found = _SPLIT.search(path.name.lower())
    return found[1] if found else None


GQA = Format(
    name="gqa",
    title="GQA: questions with programs, scene graphs, choices, predictions and attention",
    families=(
        Family(
            layouts=(
                Layout(
                    "questions",
                    "questions with answers, programs, types, entailed questions and grounded words",
                    JsonMapping(),
                    Question,
                    encode_questions,
                    split=_split,
                    exact=ExactQuestion,
                    is_exact=is_exact,
                    agrees=all_kept,
                ),
            ),
            decode=decode_questions,
            lead="questions",
            key="question_id",
            parts={"entailments": "question_id", "mentions": "question_id"},
            batch=10_000,
        ),
        Family(
            layouts=(
                Layout(
                    "scene_graphs",
                    "objects with boxes, attributes and relations, by image",
                    JsonMapping(),
                    SceneGraph,
                    encode_scene_graphs,
                    hints=("scenegraphs", "scene_graphs"),
                    file_name=lambda split, _head: f"{split}_sceneGraphs.json" if split else "sceneGraphs.json",
                    split=_split,
                ),
            ),
            decode=decode_scene_graphs,
            lead="images",
            key="image_id",
            parts={"objects": "image_id", "attributes": "image_id", "relations": "image_id"},
            batch=2_000,
        ),
        Family(
            layouts=(
                Layout(
                    "choices",
                    "valid and plausible answers by question",
                    JsonMapping(),
                    Choices,
                    encode_choices,
                    hints=("choices", "choices/train_all_questions", "choices/val_all_questions"),
                    split=_split,
                    exact=ExactChoices,
                    is_exact=has_choices,
                ),
            ),
            decode=decode_choices,
            lead="choices",
            key="question_id",
            split_by=("questions", "question_id"),
        ),
        Family(
            layouts=(
                Layout(
                    "predictions",
                    "a model's answers",
                    JsonList(key="questionId"),
                    Prediction,
                    encode_predictions,
                    split=_split,
                    exact=ExactPrediction,
                ),
                Layout(
                    "attentions",
                    "what a model looked at: a grid of weights, or regions with weights",
                    JsonList(key="questionId"),
                    Attention,
                    encode_attentions,
                    hints=("attentions", "attention"),
                    split=_split,
                    exact=ExactAttention,
                ),
            ),
            decode=decode_predictions,
            lead="predictions",
            key="question_id",
            split_by=("questions", "question_id"),
        ),
    ),
    notes="A question needs question and imageId, a scene graph objects. The split is in the file's name; chunks of "
    "one split, such as train_all_questions_0 to 9, are written as one file. Choices: valid answers take the "
    "positions from 0, plausible ones follow. Attention of five rows of five is a grid unless every row is a box.",
)
