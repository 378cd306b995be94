"""Worlds of abstract scenes: what is in them, who does what, how pictures are told and asked about, how they change."""

from eyechart.scenes.generate.bias import Bias, Probe, Probes
from eyechart.scenes.generate.captions import captions
from eyechart.scenes.generate.compose import Composer
from eyechart.scenes.generate.composition import Composition
from eyechart.scenes.generate.depict import depict
from eyechart.scenes.generate.edited import edited_rows
from eyechart.scenes.generate.edits import Answer, Change, Edit, edit, edits
from eyechart.scenes.generate.graph import Box, Graph, Link, Thing
from eyechart.scenes.generate.inventory import complete_kinds
from eyechart.scenes.generate.reading import packaged_world, packaged_worlds, read_world, with_strength, world_text
from eyechart.scenes.generate.rows import generate
from eyechart.scenes.generate.world import World

__all__ = [
    "Answer",
    "Bias",
    "Box",
    "Change",
    "Composer",
    "Composition",
    "Edit",
    "Graph",
    "Link",
    "Probe",
    "Probes",
    "Thing",
    "World",
    "captions",
    "complete_kinds",
    "depict",
    "edit",
    "edited_rows",
    "edits",
    "generate",
    "packaged_world",
    "packaged_worlds",
    "read_world",
    "with_strength",
    "world_text",
]
