"""The words and the rules that cleaning goes by, from data files; the numbers that decide, from a file of settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from eyechart.errors import DataError
from eyechart.scenes.ontology.reading import Row, read_rows, read_text

__all__ = ["Attachment", "Lists", "Settings", "TripleRule", "Words", "load_settings", "packaged_lists"]

T = TypeVar("T")
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Amount = Annotated[float, msgspec.Meta(ge=0)]
_ACTIONS = ("drop", "rename", "turn")


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words by which annotators wrap names; ``words.toml`` says what each list is."""

    leading: tuple[str, ...]
    trailing: tuple[str, ...]
    links: tuple[str, ...]
    copulas: tuple[str, ...]
    negations: tuple[str, ...]
    measures: tuple[str, ...]
    adverbs: tuple[str, ...]
    amorphous: tuple[str, ...]
    seen: tuple[str, ...]
    numbers: Mapping[str, int]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers that decide; ``settings.toml`` says what each means."""

    rare: Share
    same_name: Share
    related_names: Share
    same_kind: Share
    stuff_inside: Share
    part_inside: Share
    trusted: Amount
    expected: Amount
    lift: Share
    ngram: float
    sense_margin: Amount
    place_votes: Amount
    place_share: Share
    place_area: Share
    detection_score: Share
    detection_iou: Share


@dataclass(frozen=True, slots=True)
class Attachment:
    """What kind of part belongs to what kind of owner, and how one says so."""

    part: str
    owner: str
    relation: str
    from_owner: bool
    """Whether the owner is the subject, as in "man wearing hat"."""


@dataclass(frozen=True, slots=True)
class TripleRule:
    """What happens to triples of some kinds."""

    subject: str
    relation: str
    target: str
    action: str
    becomes: str
    place: str


@dataclass(frozen=True)
class Lists:
    """Everything that cleaning reads before it looks at a picture."""

    words: Words
    attachments: tuple[Attachment, ...]
    triples: tuple[TripleRule, ...]
    weather: tuple[tuple[str, str, str], ...]
    """Object, attribute or nothing, weather."""
    surroundings: Mapping[str, str]
    """What is only seen outdoors, or only indoors."""


@cache
def packaged_lists() -> Lists:
    """The lists that come with Eyechart, read once.

    >>> packaged_lists().surroundings["ceiling"]
    'indoors'
    """
    folder = files("eyechart.scenes.normalize").joinpath("data")
    rows = {
        name: list(read_rows(folder.joinpath(f"{name}.csv"), columns))
        for name, columns in {
            "attachments": ("part", "owner", "relation", "subject"),
            "triples": ("subject", "relation", "object", "action", "becomes"),
            "weather": ("object", "attribute", "weather"),
            "surroundings": ("object", "surroundings"),
        }.items()
    }
    return Lists(
        words=_decoded(folder.joinpath("words.toml"), Words),
        attachments=tuple(map(_attachment, rows["attachments"])),
        triples=tuple(map(_triple, rows["triples"])),
        weather=tuple((row.text("object"), row.text("attribute"), row.text("weather")) for row in rows["weather"]),
        surroundings={
            row.text("object"): row.choice("surroundings", ("indoors", "outdoors")) for row in rows["surroundings"]
        },
    )


def load_settings(file: Path | None = None) -> Settings:
    """The packaged settings, and over them those of a file.

    >>> import tempfile
    >>> own = Path(tempfile.mkdtemp()) / "own.toml"
    >>> _ = own.write_text("rare = 0.5")
    >>> load_settings(own).rare, load_settings(own).trusted == load_settings().trusted
    (0.5, True)
    """
    packaged = files("eyechart.scenes.normalize").joinpath("data").joinpath("settings.toml")
    settings = _decoded(packaged, Settings)
    if file is None:
        return settings
    own = _decoded(file, dict[str, float])
    for name in own:
        if name not in Settings.__struct_fields__:
            raise DataError(
                f"{file}: found the key {name!r}, expected some of {', '.join(Settings.__struct_fields__)}; correct it"
            )
    try:
        return msgspec.convert(msgspec.structs.asdict(settings) | own, Settings)
    except msgspec.ValidationError as error:
        raise DataError(f"{file}: {error}; correct the number that the path behind the dollar sign names") from error


def _attachment(row: Row) -> Attachment:
    subject = row.choice("subject", ("part", "owner"))
    return Attachment(row.text("part"), row.text("owner"), row.text("relation"), from_owner=subject == "owner")


def _triple(row: Row) -> TripleRule:
    action, becomes = row.choice("action", _ACTIONS), row.text("becomes")
    if (action == "drop") == bool(becomes):
        raise row.fault(
            f"found the action {action!r} with {becomes or 'nothing'!r} to become",
            "give a relation to rename and turn, none to drop",
        )
    return TripleRule(row.text("subject"), row.text("relation"), row.text("object"), action, becomes, row.place)


def _decoded(file: Traversable | Path, type_: type[T]) -> T:
    text = read_text(file)
    try:
        return msgspec.toml.decode(text, type=type_)
    except msgspec.ValidationError as error:
        raise DataError(f"{file}: {error}; correct the entry that the path behind the dollar sign names") from error
    except msgspec.DecodeError as error:
        raise DataError(f"{file}: found what is not TOML: {error}; correct it") from error
