"""JSON lines of anybody's own data: an object with a picture and a question on each line."""

from eyechart.formats.files import JsonLines
from eyechart.formats.layout import Batch, Family, Format, Frames, Layout
from eyechart.formats.rows import ALIASES, NOTES, Row, decode_rows, encode_rows
from eyechart.formats.spellings import Spelled
from eyechart.formats.values import split_of_name
from eyechart.formats.vqa_records import PARTS

__all__ = ["JSONL"]


def decode(batch: Batch) -> Frames:
    """Tables of the lines' objects."""
    return decode_rows(batch.keys, batch["questions"], batch.split)


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
                    split=split_of_name,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts=PARTS,
            context=("images",),
            one_file=True,
        ),
    ),
    notes=NOTES,
)
