"""``eyechart download``: official distributions, fetched whole, verified and imported."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json, print_summary
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.distributions import Distribution, File, distribution, distribution_names
from eyechart.pipeline.stages.download import Cache, Obtained, check_room, importing, is_ready, obtain, select

__all__ = ["download"]


def download(
    name: str | None = None,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    parts: Annotated[Sequence[str], Parameter(name="--with", negative="")] = (),
    splits: Annotated[Sequence[str], Parameter(negative="")] = (),
    cache: Path | None = None,
    keep: bool = True,
    imported: Annotated[bool, Parameter(name="--import")] = True,
    base_url: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Fetch an official dataset and import it; without a name, list what there is.

    Parameters
    ----------
    name
        The distribution.
    output
        The benchmark to make; a folder of the distribution's name if not said.
    parts
        A part beyond the annotations, such as images; may be repeated.
    splits
        Only this split; may be repeated.
    cache
        Where files are kept; EYECHART_CACHE or the user's cache folder if not said.
    keep
        Keep the archives after unpacking.
    imported
        Make a benchmark of the files.
    base_url
        A mirror: the address under which another cache's archives folder is served.
    force
        Replace a benchmark that is there.
    """
    if name is None:
        _list(speech)
        return
    source, kept = distribution(name), Cache(cache or _cache_folder(), base_url)
    files = select(source, _named(parts), _named(splits))
    target = output or Path(name)
    if imported and target.exists() and not force and not all(is_ready(file, kept) for file in files):
        raise UsageError(f"{target}: found something there; choose another --output, or replace it with --force")
    check_room(files, kept, keep=keep)
    obtained = obtain(files, kept, keep=keep, progress=speech.progress)
    if not imported:
        _print_obtained(obtained, speech)
        return
    root = None if obtained.image_root is None else str(obtained.image_root)
    made = Output(target, name=name, licence=source.licence, image_root=root, replace=force)
    benchmark = run(importing(obtained.files), made, where=Where(**asdict(execution)), progress=speech.progress)
    print_summary(benchmark, json=speech.json)


def _named(values: Sequence[str]) -> list[str]:
    """Names that were given one by one or with commas."""
    return [name for value in values for name in value.split(",") if name]


def _cache_folder() -> Path:
    if own := os.environ.get("EYECHART_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "eyechart"


def _print_obtained(obtained: Obtained, speech: Speech) -> None:
    if speech.json:
        files = [{"format": f.format, "role": f.role, "path": str(f.path)} for f in obtained.files]
        print_json({"files": files, "images": obtained.image_root and str(obtained.image_root)})
        return
    print(columns([(f.format, f.role, f.path) for f in obtained.files], head=("format", "role", "file")))
    if obtained.image_root is not None:
        print(f"\nThe pictures are in {obtained.image_root}.")


def _list(speech: Speech) -> None:
    sources = [distribution(name) for name in distribution_names()]
    if speech.json:
        print_json([_facts(source) for source in sources])
        return
    for source in sources:
        print(f"{source.name}: {source.title}")
        print(f"  licence {source.licence}; {source.home}")
        print(columns([(f"  {part}", _size(_part(source, part))) for part in source.parts]))
        print(f"  {source.notes}\n" if source.notes else "")


def _part(source: Distribution, part: str) -> list[File]:
    return [file for file in select(source, [part]) if file.part == part]


def _size(files: Sequence[File]) -> str:
    """How large files are together, as far as anybody has published it."""
    known = sum(file.likely_bytes or 0 for file in files)
    unknown = sum(file.likely_bytes is None for file in files)
    rounded = f"{known / 1e9:.1f} GB" if known >= 1e9 else f"{known / 1e6:.1f} MB"  # noqa: PLR2004  # decimal units
    about = "about " if any(file.bytes is None and file.about_bytes for file in files) else ""
    unsaid = f"{unknown} file{'s' if unknown > 1 else ''} of unpublished size" if unknown else ""
    return " and ".join(text for text in (about + rounded if known else "", unsaid) if text)


def _facts(source: Distribution) -> dict[str, object]:
    parts = {
        part: [{"url": file.url, "bytes": file.likely_bytes, "sha256": file.sha256} for file in _part(source, part)]
        for part in source.parts
    }
    about = {"name": source.name, "title": source.title, "licence": source.licence, "home": source.home}
    return about | {"cite": source.cite, "splits": source.known_splits, "parts": parts, "notes": source.notes}
