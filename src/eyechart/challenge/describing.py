"""The file that describes a challenge: TOML, checked before anything is made from it.

Tracks say what is measured and on which splits; phases say when, how often, and who sees which split's scores.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from eyechart.errors import FormatError
from eyechart.metrics import metric_named
from eyechart.registry import did_you_mean

__all__ = ["Described", "Phase", "Split", "Track", "Visibility", "describe"]

Visibility = Literal["public", "team", "released", "never"]
"""Who sees a split's scores: everybody; the team alone; the team and everybody once released; nobody at all."""

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(?:[-.][a-z0-9]+)*$", max_length=60)]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class Split(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which questions of the benchmark are in a split: by what the questions table says, by a list, or by lot."""

    split: str | None = None
    """Those whose column ``split`` says this."""
    ids: str | None = None
    """Those listed in this file: a JSON list, or an id a line."""
    share: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    """This share of the images that no other split of the track names, drawn by lot."""
    guards: str | None = None
    """The split whose scores this one is compared with; only hosts learn of a gap, and nobody sees the scores."""


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is measured."""

    slug: Slug
    title: Title
    benchmark: str
    """The benchmark's folder, seen from the file."""
    splits: dict[Slug, Split]
    task: Literal["open-ended", "multiple-choice"] = "open-ended"
    metrics: tuple[str, ...] = ("accuracy",)
    """The first one ranks."""
    groups: tuple[str, ...] = ("answer_type",)
    """Columns of questions by which the first metric is told apart."""
    human: bool = False
    """A row with the accuracy of the people who answered."""
    seed: int = 1
    """For splits by lot."""


class Phase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When results are taken, how many, and who sees what."""

    slug: Slug
    title: Title
    shows: dict[Slug, Visibility]
    """The splits that a result is scored on, and who sees the scores."""
    about: str = ""
    tracks: list[Slug] | None = None
    """All tracks that have its splits, if not said."""
    opens: datetime | None = None
    closes: datetime | None = None
    per_day: Count | None = None
    """Results that a team may hand in on one day, in UTC."""
    total: Count | None = None
    failed_per_day: Count = 20
    """Files that could not be scored, which do not count as results, up to this many a day."""
    keeps: Literal["best", "last", "all"] = "best"
    """Which of its public results a team has on the board."""


class Described(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole challenge."""

    slug: Slug
    title: Title
    tracks: Annotated[list[Track], msgspec.Meta(min_length=1)]
    phases: Annotated[list[Phase], msgspec.Meta(min_length=1)]
    about: str = ""
    rules: list[str] = []
    """A paragraph each."""

    def phases_of(self, track: Track) -> list[Phase]:
        """The phases in which a track takes part."""
        return [phase for phase in self.phases if _takes_part(track, phase)]


def describe(text: str, name: str) -> Described:
    """Read a description; whatever is wrong in it is one sentence that says where.

    >>> describe('slug = "cats"', "cats.toml")
    Traceback (most recent call last):
    eyechart.errors.FormatError: cats.toml: found no 'title', expected one; see docs/how-to/challenge.md
    """
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"{name}: found no TOML ({error}), expected a challenge's description; {_SEE}") from error
    try:
        described = msgspec.convert(plain, Described)
    except msgspec.ValidationError as error:
        raise FormatError(f"{name}{_told(str(error))}; {_SEE}") from error
    for problem in _problems(described):
        raise FormatError(f"{name}: {problem}; {_SEE}")
    return described


_SEE = "see docs/how-to/challenge.md"
_ERROR = re.compile(r"(?P<what>.*?)(?: - at `(?P<where>[^`]*)`)?$", re.DOTALL)


def _told(error: str) -> str:
    """What msgspec found, as the rest of our sentence."""
    match = _ERROR.match(error)
    what, where = (match["what"], match["where"]) if match else (error, None)
    place = f", {where.removeprefix('$').removeprefix('.')}" if where and where != "$" else ""
    if missing := re.fullmatch(r"Object missing required field `(?P<name>.*)`", what):
        return f"{place}: found no {missing['name']!r}, expected one"
    if unknown := re.fullmatch(r"Object contains unknown field `(?P<name>.*)`", what):
        return f"{place}: found {unknown['name']!r}, expected only what a description knows"
    if wrong := re.fullmatch(r"Expected (?P<expected>.*), got (?P<found>.*)", what):
        return f"{place}: found {wrong['found']}, expected {wrong['expected']}"
    return f"{place}: found an unfit value ({what[:1].lower()}{what[1:]}), expected one that fits"


def _problems(described: Described) -> Iterable[str]:
    yield from _repeated("track", [track.slug for track in described.tracks])
    yield from _repeated("phase", [phase.slug for phase in described.phases])
    slugs = [track.slug for track in described.tracks]
    for phase in described.phases:
        for slug in phase.tracks or ():
            if slug not in slugs:
                yield f"phase {phase.slug}: no track is called {slug!r}: {did_you_mean(slug, slugs)}"
    for track in described.tracks:
        yield from _problems_of_track(track)
        if not described.phases_of(track):
            yield f"track {track.slug}: found no phase that takes it, expected one; name its splits in a phase"
    for phase in described.phases:
        yield from _problems_of_phase(phase, described.tracks)


def _repeated(noun: str, slugs: Sequence[str]) -> Iterable[str]:
    seen: set[str] = set()
    for slug in slugs:
        if slug in seen:
            yield f"found two {noun}s called {slug!r}, expected a name for each; rename one"
        seen.add(slug)


def _problems_of_track(track: Track) -> Iterable[str]:
    at = f"track {track.slug}"
    for name in track.metrics:
        if not metric_named(name).of_answers:
            yield f"{at}: found the metric {name}, which looks at more than answers, expected one of answers"
    if not track.metrics:
        yield f"{at}: found no metric, expected at least the one that ranks"
    yield from _repeated("metric", track.metrics)
    for slug, split in track.splits.items():
        said = [each for each in (split.split, split.ids, split.share) if each is not None]
        if len(said) != 1:
            yield f"{at}, split {slug}: found {len(said)} of split, ids and share, expected one of them"
        if split.guards is not None and split.guards not in track.splits:
            yield f"{at}, split {slug}: guards {split.guards!r}: {did_you_mean(split.guards, track.splits)}"
    if sum(split.share or 0 for split in track.splits.values()) > 1 + 1e-9:
        yield f"{at}: found shares that are more than everything, expected at most 1 in sum"
    if not track.splits:
        yield f"{at}: found no split, expected at least one"


def _problems_of_phase(phase: Phase, tracks: list[Track]) -> Iterable[str]:
    at = f"phase {phase.slug}"
    taken = [track for track in tracks if _takes_part(track, phase)]
    if not taken and phase.tracks is None:
        yield f"{at}: found no track with the splits {', '.join(phase.shows)}, expected one"
    if not phase.shows:
        yield f"{at}: found no split that is scored, expected one in shows"
    for moment in (phase.opens, phase.closes):
        if moment is not None and moment.tzinfo is None:
            yield f"{at}: found {moment} without a zone, expected one, such as {moment.isoformat()}Z"
    yield from _problems_of_shown(at, phase, taken)
    if phase.opens and phase.closes and phase.opens.tzinfo and phase.closes.tzinfo and phase.opens >= phase.closes:
        yield f"{at}: found an end that is not after its beginning, expected a later one"
    if phase.per_day and phase.total and phase.per_day > phase.total:
        yield f"{at}: found more results a day than in all, expected at most as many"


def _problems_of_shown(at: str, phase: Phase, taken: list[Track]) -> Iterable[str]:
    for track in taken:
        for slug, visibility in phase.shows.items():
            if slug not in track.splits:
                yield f"{at}: track {track.slug} has no split {slug!r}: {did_you_mean(slug, track.splits)}"
            elif (guarded := track.splits[slug].guards) and visibility != "never":
                yield f"{at}: {slug} guards {guarded}, so its scores are never shown; write {slug} = 'never'"
            elif guarded and guarded not in phase.shows:
                yield f"{at}: {slug} guards {guarded}, which is not scored here; add it to shows"
    if phase.shows and set(phase.shows.values()) == {"never"}:
        yield f"{at}: found no split whose score anybody sees, expected one"


def _takes_part(track: Track, phase: Phase) -> bool:
    return track.slug in phase.tracks if phase.tracks is not None else phase.shows.keys() <= track.splits.keys()


def in_utc(moment: datetime | None) -> datetime | None:
    """A moment with its zone changed to UTC."""
    return None if moment is None else moment.astimezone(UTC)


def folder_of(track: Track, beside: Path) -> Path:
    """Where a track's benchmark is."""
    return (beside / track.benchmark).resolve()


def splits_by(track: Track, beside: Path) -> Mapping[str, Split]:
    """A track's splits, with the files of their ids seen from here."""
    return {
        slug: msgspec.structs.replace(split, ids=str((beside / split.ids).resolve())) if split.ids else split
        for slug, split in track.splits.items()
    }
