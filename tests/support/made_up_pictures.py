"""Features in memory, for tests of models: as many rows of as many numbers as wanted, drawn by the picture's number."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from eyechart.features import Rows
from eyechart.models import Examples, examples_of

COLORS = ["red", "blue", "green", "white"]


@dataclass
class MadeUp:
    """Pictures 0 to n - 1, by their ids "0" to "n - 1"; the last features are those of the blank picture."""

    features: np.ndarray
    sizes: np.ndarray
    placed: bool = True
    source: str = "made up"

    @property
    def width(self) -> int:
        return self.features.shape[2]

    @property
    def most(self) -> int:
        return self.features.shape[1]

    def places(self, image_ids: pl.Series) -> np.ndarray:
        return np.array([-1 if each is None else int(each) for each in image_ids], np.int64)

    def take(self, places: np.ndarray) -> Rows:
        rows = self.features[places].copy()
        rows[np.arange(self.most)[None] >= self.sizes[places][:, None]] = 0
        return Rows(rows, self.sizes[places])

    def counts(self, places: np.ndarray) -> np.ndarray:
        return self.sizes[places]

    def boxes(self, places: np.ndarray) -> np.ndarray | None:
        if not self.placed:
            return None
        corners = np.linspace(0, 0.5, self.most, dtype=np.float32)
        return np.broadcast_to(
            np.stack([corners, corners, corners + 0.5, corners + 0.5], 1), (len(places), self.most, 4)
        )


def made_up_pictures(count: int, rows: int = 4, width: int = 8, *, ragged: bool = True, placed: bool = True) -> MadeUp:
    """Features that differ from picture to picture."""
    generator = np.random.default_rng(7)
    features = generator.normal(size=(count + 1, rows, width)).astype(np.float16)
    counts = 1 + np.arange(count + 1) % rows if ragged else np.full(count + 1, rows)
    return MadeUp(features, counts.astype(np.int64), placed)


def made_up_examples(count: int = 32, **pictures: object) -> Examples:
    """Questions of a few kinds about as many pictures, each with an answer, people's answers and choices."""
    names = ["ball", "cup", "kite"]
    questions = pl.DataFrame(
        {
            "question_id": [str(n) for n in range(count)],
            "image_id": [str(n) for n in range(count)],
            "question": [
                f"What color is the {names[n % 3]}?" if n % 2 else f"Is the {names[n % 3]} red?" for n in range(count)
            ],
            "question_type": ["what color" if n % 2 else "is the" for n in range(count)],
            "answer": [COLORS[n * 7 % 4] if n % 2 else ("yes" if n % 3 else "no") for n in range(count)],
            "group_global": ["color" if n % 2 else "verify" for n in range(count)],
            "group_local": [f"color-{names[n % 3]}" for n in range(count)],
            "program": [[{"operation": "select", "argument": names[n % 3], "dependencies": []}] for n in range(count)],
        }
    )
    answers = questions.select("question_id", "answer", confidence=pl.lit("yes"))
    offered = [
        {"question_id": row["question_id"], "position": place, "choice": choice, "is_target": choice == row["answer"]}
        for row in questions.iter_rows(named=True)
        for place, choice in enumerate([*COLORS, "yes", "no"])
    ]
    schema = {"question_id": pl.String, "position": pl.Int32, "choice": pl.String, "is_target": pl.Boolean}
    captions = questions.select("image_id", caption_id="question_id", caption=pl.format("a {} thing", "answer"))
    tables = {
        "questions": questions.lazy(),
        "answers": pl.concat([answers] * 10).lazy(),
        "choices": pl.DataFrame(offered, schema=schema).lazy(),
        "captions": captions.lazy(),
    }
    return examples_of(tables, pictures=made_up_pictures(count, **pictures))  # type: ignore[arg-type]
