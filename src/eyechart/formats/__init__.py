"""Foreign files, both ways: one file per format, one way in and out for all of them.

>>> "vqa" in FORMATS
True
"""

from eyechart.formats.abstract_scenes import encode_scenes
from eyechart.formats.gqa_scoring import (
    GqaChoices,
    read_gqa_attentions,
    read_gqa_boxes,
    read_gqa_choices,
    read_gqa_predictions,
    read_gqa_questions,
)
from eyechart.formats.layout import Format, Shard
from eyechart.formats.reading import SHARED, Piece, assign_roles, merge_shared, plan, read
from eyechart.formats.vqa_scoring import (
    Annotated,
    read_annotations,
    read_picks,
    read_results,
    read_vizwiz,
    read_vizwiz_results,
)
from eyechart.formats.writing import Written, write
from eyechart.registry import Registry

__all__ = [
    "FORMATS",
    "SHARED",
    "Annotated",
    "Format",
    "GqaChoices",
    "Piece",
    "Shard",
    "Written",
    "assign_roles",
    "encode_scenes",
    "merge_shared",
    "plan",
    "read",
    "read_annotations",
    "read_gqa_attentions",
    "read_gqa_boxes",
    "read_gqa_choices",
    "read_gqa_predictions",
    "read_gqa_questions",
    "read_picks",
    "read_results",
    "read_vizwiz",
    "read_vizwiz_results",
    "write",
]

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "abstract-scenes": "eyechart.formats.abstract_scenes:ABSTRACT_SCENES",
        "balanced-pairs": "eyechart.formats.balanced_pairs:BALANCED_PAIRS",
        "coco-captions": "eyechart.formats.coco_captions:COCO_CAPTIONS",
        "coco-qa": "eyechart.formats.coco_qa:COCO_QA",
        "csv": "eyechart.formats.csv:CSV",
        "daquar": "eyechart.formats.daquar:DAQUAR",
        "gqa": "eyechart.formats.gqa:GQA",
        "jsonl": "eyechart.formats.jsonl:JSONL",
        "qavg": "eyechart.formats.qavg:QAVG",
        "tdiuc": "eyechart.formats.tdiuc:TDIUC",
        "visual7w": "eyechart.formats.visual7w:VISUAL7W",
        "vizwiz": "eyechart.formats.vizwiz:VIZWIZ",
        "visual-genome": "eyechart.formats.visual_genome:VISUAL_GENOME",
        "vqa": "eyechart.formats.vqa:VQA",
    },
)
"""Every format by name."""
