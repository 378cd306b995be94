"""JSON lines of anybody's own data: an object with a picture and a question on each line."""

from pathlib import Path

from eyechart.formats.files import Json, JsonLines
from eyechart.formats.layout import Batch, Family, Format, Frames, Layout
from eyechart.formats.rows import ALIASES, NOTES, Row, decode_rows, encode_rows
from eyechart.formats.spellings import Spelled
from eyechart.formats.values import split_in

__all__ = ["JSONL"]


def decode(batch: Batch) -> Frames:
    """Tables of the lines' objects."""
    return decode_rows(batch.keys, batch["questions"], batch.split)


def _split(_head: dict[str, Json], path: Path) -> str | None:
    return split_in(path.name)


JSONL = Format(
    name="jsonl",
    title="JSON lines: your own questions, an object a line",
    families=(
        Family(
            layouts=(
                Layout(
                    "questions",
                    "an object a line, with a picture and a question",
                    Spelled(JsonLines(), ALIASES, key="question_id", numbered=True),
                    Row,
                    encode_rows,
                    hints=(".jsonl", ".ndjson"),
                    file_name=lambda _split, _head: "questions.jsonl",
                    split=_split,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts={"answers": "question_id", "choices": "question_id"},
            context=("images",),
            one_file=True,
        ),
    ),
    notes=NOTES,
)
