"""What is handed in: for each task a structure, limits, and a sentence for each mistake."""

from typing import Any

from eyechart.collection.bodies.contract import BodyKind, Given, Mistake, read
from eyechart.registry import Registry

__all__ = ["BODIES", "BodyKind", "Given", "Mistake", "read"]

BODIES: Registry[BodyKind[Any]] = Registry(
    "body",
    {
        "question": "eyechart.collection.bodies.written:QUESTION",
        "answer": "eyechart.collection.bodies.written:ANSWER",
        "answer_blind": "eyechart.collection.bodies.written:ANSWER",
        "answer_caption": "eyechart.collection.bodies.written:ANSWER",
        "answer_vocabulary": "eyechart.collection.bodies.written:FREE_ANSWER",
        "caption": "eyechart.collection.bodies.written:CAPTION",
        "choose": "eyechart.collection.bodies.picked:CHOICE",
        "commonsense": "eyechart.collection.bodies.picked:COMMONSENSE",
        "age": "eyechart.collection.bodies.picked:AGE",
        "ambiguity": "eyechart.collection.bodies.picked:AMBIGUITY",
        "complement": "eyechart.collection.bodies.picked:PICK",
        "scene": "eyechart.collection.bodies.scene:SCENE",
        "scene_edit": "eyechart.collection.bodies.scene:SCENE_EDIT",
        "scene_graph": "eyechart.collection.bodies.graph:GRAPH",
    },
)
"""The body of each task, by the task's name."""
