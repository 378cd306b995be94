"""Let a chat model answer a benchmark: pictures at hand, prompts, several orders of the choices, replies that are kept.

Every reply is a line of a file the moment it comes, under a hash of all that it depends on. A run that was killed, a
second condition, or another order of the choices asks only what was not asked before.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
from PIL import Image

from eyechart._lib.files import locked
from eyechart._lib.hashing import sha256_of, sha256_of_file
from eyechart._lib.keyed import draw
from eyechart._lib.progress import Progress, silent
from eyechart.errors import DataError, UsageError
from eyechart.features import open_picture
from eyechart.models import Chatting, Examples, Prompt, Reply, Request, choose, converse, load_prompt, under_condition
from eyechart.store import Benchmark
from eyechart.tables import TABLES

__all__ = ["INSPECT", "Chat", "ChatModel", "Conversation"]

INSPECT = "inspect:"
"""What the name of a chat model begins with."""
_GREY, _BLANK = (128, 128, 128), (512, 384)
_MOST_CHOICES = 26
_QUALITY = 92


@dataclass(frozen=True)
class Chat:
    """How a chat model is asked."""

    prompt: str | None = None
    """A packaged prompt or a file; open or choices if not said, by what is asked."""
    longest: int = 768
    """Of a picture's sides, in pixels; larger pictures are made smaller."""
    orders: str = "given"
    """given, rotations, or how many drawn orders of the choices each question is asked in."""
    replies: Path | None = None
    """Where replies are kept; beside the output if not said."""
    chatting: Chatting = field(default_factory=Chatting)


@dataclass(frozen=True)
class Conversation:
    """What came of asking: counts of requests, and how the choices' places were taken."""

    asked: int = 0
    """Requests that this result needed."""
    kept: int = 0
    """Of these, answered from the file of replies."""
    failed: int = 0
    """Without any reply, after all attempts."""
    unread: int = 0
    """Replies that do not tell an answer."""
    problem: str = ""
    """Of the first failure."""
    letters: dict[str, int] = field(default_factory=dict[str, int])
    """How often the choice at each letter was taken."""
    agreeing: float | None = None
    """The share of questions that were answered alike in every order of their choices."""


class _Line(msgspec.Struct, frozen=True):
    """A line of the file of replies."""

    key: str
    reply: str


@dataclass(frozen=True)
class _Asking:
    """One request, before it is made."""

    key: str
    question: int
    """Its row among the questions."""
    choices: Sequence[str]
    """In the order in which they are offered."""
    text: str
    picture: str | None
    """The id of the picture; None for no picture, empty for a blank one."""


class ChatModel:
    """A chat model that answers questions of one benchmark."""

    view = ""

    def __init__(
        self,
        name: str,
        benchmark: Benchmark,
        replies: Path,
        chat: Chat = Chat(),
        progress: Progress = silent,  # frozen
    ) -> None:
        self.name, self.chat, self.replies, self.progress = name.removeprefix(INSPECT), chat, replies, progress
        self.benchmark = benchmark
        self.conversation = Conversation()
        images = benchmark.scan("images").select("image_id", "file").collect() if "images" in benchmark else None
        self.hashes: dict[str, str] = {}
        self.files: dict[str, str | None] = dict(images.iter_rows()) if images is not None else {}

    def predict(self, examples: Examples, condition: str = "full", seed: int = 0) -> pl.DataFrame:
        """A predictions table: the answer, or the choice that most orders agree on, with their share."""
        examples = under_condition(examples, condition, seed)
        prompt = load_prompt(self.chat.prompt or ("choices" if examples.choices.height else "open"))
        offers = bool(prompt.choice)
        if offers and not examples.choices.height:
            raise UsageError("--prompt: found a prompt for choices, but no choices to offer; take another prompt")
        wanted = list(self._askings(examples, prompt, condition, seed))
        with self._kept() as (known, keep):
            before = len({asking.key for asking in wanted} & known.keys())
            problems = self._ask(wanted, prompt, known, keep)
        read = [
            None if asking.key not in known else prompt.read(known[asking.key], asking.choices) for asking in wanted
        ]
        self.conversation = Conversation(
            asked=len(wanted),
            kept=before,
            failed=sum(asking.key not in known for asking in wanted),
            unread=sum(answer is None and asking.key in known for answer, asking in zip(read, wanted, strict=True)),
            problem=problems[0] if problems else "",
            letters=_letters(wanted, read) if offers else {},
            agreeing=_agreeing(wanted, read) if offers and self.chat.orders != "given" else None,
        )
        return _chosen(examples, wanted, read, seed) if offers else _said(examples, wanted, read)

    def _askings(self, examples: Examples, prompt: Prompt, condition: str, seed: int) -> Iterator[_Asking]:
        shows = condition not in {"no-image", "choices-only"}
        offered = _offered(examples) if prompt.choice else {}
        for row, (question_id, question, image_id) in enumerate(
            examples.questions.select("question_id", "question", "image_id").iter_rows()
        ):
            picture = ("" if condition == "blank-image" else image_id) if shows else None
            choices = offered.get(question_id, [])
            for order in orders_of(self.chat.orders, len(choices), seed, question_id) if prompt.choice else [[]]:
                shown = [choices[place] for place in order]
                text = prompt.ask(question, shown, picture=picture is not None)
                yield _Asking(self._key(prompt, text, picture), row, shown, text, picture)

    def _key(self, prompt: Prompt, text: str, picture: str | None) -> str:
        how = self.chat.chatting
        seen = None if picture is None else self._hash(picture)
        depends = (self.name, how.base_url, how.tokens, how.temperature, prompt.system, text, seen, self.chat.longest)
        return sha256_of(msgspec.json.encode(depends))[:32]

    def _hash(self, picture: str) -> str:
        if picture not in self.hashes:
            self.hashes[picture] = sha256_of_file(self._file(picture)) if picture else "blank"
        return self.hashes[picture]

    def _file(self, image_id: str) -> Path:
        file = self.files.get(image_id)
        if file is None:
            raise DataError(
                f"{self.benchmark.folder}, image {image_id!r}: found no file, expected a picture to show; "
                "fetch or draw it, or take --condition no-image"
            )
        return self.benchmark.image_file(file)

    def _ask(
        self, wanted: Sequence[_Asking], prompt: Prompt, known: dict[str, str], keep: Callable[[str, str], None]
    ) -> list[str]:
        """Put what is not known to the model; gives the problems of those that stay without a reply."""
        missing = {asking.key: asking for asking in wanted if asking.key not in known}
        problems: list[str] = []
        with self.progress("Asking", len(missing), "requests") as advance:

            def receive(key: str, reply: Reply) -> None:
                if reply.text is None:
                    problems.append(reply.problem)
                else:
                    keep(key, reply.text)
                advance(1)

            requests = ((key, lambda asking=asking: self._request(prompt, asking)) for key, asking in missing.items())
            if missing:
                converse(self.name, self.chat.chatting, requests, receive)
        return problems

    def _request(self, prompt: Prompt, asking: _Asking) -> Request:
        if asking.picture is None:
            return Request(asking.text, prompt.system)
        if not asking.picture:
            return Request(asking.text, prompt.system, *_encoded(Image.new("RGB", _BLANK, _GREY), drawn=True))
        path = self._file(asking.picture)
        picture = open_picture(path)
        picture.thumbnail((self.chat.longest, self.chat.longest), Image.Resampling.LANCZOS)
        return Request(asking.text, prompt.system, *_encoded(picture, drawn=path.suffix.lower() == ".png"))

    @contextmanager
    def _kept(self) -> Iterator[tuple[dict[str, str], Callable[[str, str], None]]]:
        """The replies that are there, and how to keep another one."""
        self.replies.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.replies.with_name(f".{self.replies.name}.lock")), self.replies.open("ab") as file:
            known = _read_replies(self.replies)

            def keep(key: str, reply: str) -> None:
                known[key] = reply
                file.write(msgspec.json.encode(_Line(key, reply)) + b"\n")
                file.flush()

            yield known, keep


def _read_replies(path: Path) -> dict[str, str]:
    """All whole lines; a line that a killed run left in the middle is cut off."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("rb+") as file:
            file.truncate(whole)
    known: dict[str, str] = {}
    for number, line in enumerate(content[:whole].splitlines(), 1):
        try:
            read = msgspec.json.decode(line, type=_Line)
        except msgspec.MsgspecError as error:
            raise DataError(f"{path}, line {number}: {error}, expected a reply; remove the line") from error
        known[read.key] = read.reply
    return known


def _encoded(picture: Image.Image, *, drawn: bool) -> tuple[bytes, str]:
    """A picture as a file: drawings without loss, photographs small."""
    held = io.BytesIO()
    if drawn:
        picture.save(held, "PNG")
    else:
        picture.save(held, "JPEG", quality=_QUALITY)
    return held.getvalue(), "image/png" if drawn else "image/jpeg"


def _offered(examples: Examples) -> dict[str, list[str]]:
    grouped = examples.choices.group_by("question_id", maintain_order=True).agg("choice")
    offered: dict[str, list[str]] = dict(grouped.iter_rows())
    most = max((len(choices) for choices in offered.values()), default=0)
    if most > _MOST_CHOICES:
        raise DataError(f"choices: found {most} of one question, expected at most {_MOST_CHOICES}; offer fewer")
    return offered


def orders_of(orders: str, count: int, seed: int, question_id: str) -> list[list[int]]:
    """In which orders a question's choices are offered.

    >>> orders_of("rotations", 3, 0, "7")
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    >>> sorted(orders_of("2", 3, 0, "7")[1])
    [0, 1, 2]
    """
    given = list(range(count))
    if orders == "given":
        return [given]
    if orders == "rotations":
        return [given[turn:] + given[:turn] for turn in range(max(1, count))]
    if not orders.isdecimal() or not int(orders):
        raise UsageError(f"--orders is {orders!r}, expected given, rotations or a number; choose one")
    codes = np.array(
        [[draw(seed, "order of choices", question_id, turn, place) for place in given] for turn in range(int(orders))],
        dtype=np.uint64,
    ).reshape(int(orders), count)
    return [[int(place) for place in row] for row in codes.argsort(axis=1, kind="stable")]


def _letters(wanted: Sequence[_Asking], read: Sequence[str | None]) -> dict[str, int]:
    taken: dict[str, int] = {}
    for asking, answer in zip(wanted, read, strict=True):
        for place, choice in enumerate(asking.choices):
            letter = chr(ord("A") + place)
            taken[letter] = taken.get(letter, 0) + (choice == answer)
    return taken


def _agreeing(wanted: Sequence[_Asking], read: Sequence[str | None]) -> float:
    rows = pl.DataFrame({"question": [each.question for each in wanted], "answer": pl.Series(read, dtype=pl.String)})
    alike = rows.group_by("question").agg((pl.col("answer").n_unique() == 1) & pl.col("answer").is_not_null().all())
    return float(alike["answer"].mean() or 0.0)  # type: ignore[arg-type]  # a mean of truths


def _said(examples: Examples, wanted: Sequence[_Asking], read: Sequence[str | None]) -> pl.DataFrame:
    answers = {asking.question: answer for asking, answer in zip(wanted, read, strict=True)}
    rows = examples.questions.select(
        "question_id", answer=pl.Series([answers[row] or "" for row in range(len(examples))], dtype=pl.String)
    )
    return TABLES["predictions"].conform(rows)


def _chosen(examples: Examples, wanted: Sequence[_Asking], read: Sequence[str | None], seed: int) -> pl.DataFrame:
    """Each choice scores the share of orders in which it was taken; without any readable reply there is no answer."""
    ids = examples.questions["question_id"].to_list()
    schema: dict[str, type[pl.DataType]] = {"question_id": pl.String, "choice": pl.String}
    picked = pl.DataFrame(
        [(ids[asking.question], answer) for asking, answer in zip(wanted, read, strict=True)], schema, orient="row"
    )
    times = picked.group_by("question_id").len("orders")
    taken = picked.drop_nulls().group_by("question_id", "choice").len("taken")
    scored = (
        examples.choices.join(times, on="question_id", maintain_order="left")
        .join(taken, on=["question_id", "choice"], how="left", maintain_order="left")
        .with_columns(score=pl.col("taken").fill_null(0) / pl.col("orders"))
    )
    found = choose(scored.select("question_id", "position", "choice", "score"), seed)
    mute = pl.col("confidence") == 0
    known = examples.questions.select("question_id").join(found, on="question_id", how="left", maintain_order="left")
    return TABLES["predictions"].conform(
        known.with_columns(answer=pl.when(mute | pl.col("answer").is_null()).then(pl.lit("")).otherwise("answer"))
    )
