"""``eyechart decoys``: wrong choices that need the image and the question to be told from the right one."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from cyclopts import App, Group, Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.decoys_report import report_decoys, sheet_of, variant_report
from eyechart.pipeline.stages.decoys import MakeDecoys
from eyechart.pipeline.stages.offer import OfferChoices
from eyechart.registry import did_you_mean
from eyechart.remedies import VARIANTS, Likeness, Searching, false_decoys
from eyechart.store import Benchmark

__all__ = ["decoys"]

SEARCHED = ("qou", "iou", "random")
MADE_FIRST = "iou+qou"
"""The variant of which the others are made, since it holds all decoys that were searched."""

decoys = App(name="decoys", help="Make wrong choices that need both the image and the question.")


@Parameter(name="*", group=Group("What is a candidate", sort_key=5))
@dataclass(frozen=True)
class Candidates:
    """Which targets may become decoys, and in which order."""

    k: Annotated[int, Parameter(name="-k")] = 3
    "How many decoys of each kind."
    encoder: str = "wordllama"
    "What makes vectors of questions: wordllama, minilm-sentences, bag-of-words, or a file of word vectors."
    candidates: int = 10_000
    "How many of the most similar triplets are looked at for one question."
    ties: Literal["random", "id"] = "random"
    "The order of equally similar questions: random (each question has its own order) or id."
    same_image: bool = False
    "Let QoU decoys come from questions about the same image; they are often right as well."
    within_split: bool = False
    "Take decoys from targets of the same split only, so that nothing leaks from one to the other."
    seed: int = 0
    "Another seed, other draws."

    @property
    def searching(self) -> Searching:
        """What the search wants to know."""
        if self.k < 1:
            raise UsageError(f"-k: found {self.k}, expected 1 or more; choose how many decoys a kind has")
        return Searching(self.k, self.candidates, self.same_image, self.ties, self.seed)


@Parameter(name="*", group=Group("Which questions", sort_key=6))
@dataclass(frozen=True)
class Asked:
    """Which questions get choices, and how they are divided."""

    yes_no: Literal["keep", "drop"] = "keep"
    "drop leaves out questions that are answered with yes or no; they have one decoy at most."
    splits_of: Path | None = None
    "A benchmark whose splits are to be part of the new ones, with --split."
    split: Annotated[dict[str, float] | None, Parameter(negative="")] = None
    "New splits by image, as in --split.train 0.5 --split.val 0.2 --split.test 0.3."


@decoys.default
def make(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    kinds: str = "qou,iou",
    variants: str | None = None,
    candidates: Candidates = Candidates(),  # frozen
    asked: Asked = Asked(),  # frozen
    likeness: Annotated[Likeness, Parameter(name="*", group=Group("What is refused", sort_key=7))] = Likeness(),
    sheet: Path | None = None,
    sheet_size: int = 200,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Give every question new choices: targets of similar questions (QoU) and of the same image (IoU).

    Parameters
    ----------
    benchmark
        Any benchmark whose questions have answers.
    output
        The benchmark to make; with --variants a folder of benchmarks.
    kinds
        Which decoys, in the order in which they are chosen: qou, iou, random; orig keeps those that are there.
    variants
        Make several benchmarks of one search: every, or some of orig, iou, qou, iou+qou, all, random.
    sheet
        Write a sample of decoys (.csv), to be judged whether they are right as well; `eyechart decoys judge` reads it.
    sheet_size
        How many decoys the sheet has.
    force
        Replace a benchmark that is there.
    """
    original = Benchmark.open(benchmark)
    chosen = _variants(variants, original)
    wanted = SEARCHED if chosen else _names(kinds, (*SEARCHED, "orig"), "kind of decoys")
    stage = _stage(benchmark, wanted, likeness, candidates, asked)
    stage = replace(stage, offered=VARIANTS[MADE_FIRST] if chosen else wanted)
    where, progress = Where(**asdict(execution)), speech.progress
    first = output / MADE_FIRST if chosen else output
    first.parent.mkdir(parents=True, exist_ok=True)
    made = {first.name: run(stage, _output(first, original, force=force), where=where, progress=progress)}
    for name in chosen:
        if name not in made:
            offer = OfferChoices(str(first), str(benchmark), VARIANTS[name], stage.how.seed)
            made[name] = run(offer, _output(output / name, original, force=force), where=where, progress=progress)
    left_out = [name for name in VARIANTS if variants == "every" and name not in chosen]
    _tell(made, made[first.name], stage.how, left_out, json=speech.json)
    if sheet:
        sheet_of(made[first.name], sheet_size, stage.how.seed).write_csv(sheet)


def _stage(
    benchmark: Path, kinds: tuple[str, ...], likeness: Likeness, candidates: Candidates, asked: Asked
) -> MakeDecoys:
    shares = tuple((asked.split or {}).items())
    if asked.splits_of and not shares:
        raise UsageError(
            "--splits-of: found no --split, expected the shares of the new splits; add --split.train 0.5 …"
        )
    return MakeDecoys(
        str(benchmark),
        tuple(kind for kind in kinds if kind != "orig"),
        how=candidates.searching,
        likeness=likeness,
        encoder=candidates.encoder,
        within_split=candidates.within_split,
        yes_no=asked.yes_no,
        splits_of=str(asked.splits_of) if asked.splits_of else None,
        shares=shares,
    )


def _output(folder: Path, original: Benchmark, *, force: bool) -> Output:
    return Output(folder, replace=force, licence=original.manifest.licence, image_root=image_root(original))


def _names(given: str, known: tuple[str, ...], what: str) -> tuple[str, ...]:
    names = tuple(filter(None, given.split(",")))
    for name in names:
        if name not in known:
            raise UsageError(f"no {what} is called {name!r}: {did_you_mean(name, known)}")
    return names


def _variants(given: str | None, original: Benchmark) -> tuple[str, ...]:
    """The variants to make; those with the choices that are there need some."""
    if given is None:
        return ()
    possible = tuple(name for name, kinds in VARIANTS.items() if "orig" not in kinds or "choices" in original)
    if given == "every":
        return possible
    names = _names(given, tuple(VARIANTS), "variant")
    if lacking := [name for name in names if name not in possible]:
        raise UsageError(
            f"--variants {lacking[0]}: found no choices in {original.folder}, expected some to offer again; "
            "leave it out"
        )
    return names


def _tell(made: dict[str, Benchmark], first: Benchmark, how: Searching, left_out: Sequence[str], *, json: bool) -> None:
    report: dict[str, Any] = report_decoys(first, how.k)
    report["variants"] = {name: variant_report(each) for name, each in made.items()}
    if json:
        print_json({"benchmark": str(first.folder), **report})
        return
    lacks = [(kind, *row.values()) for kind, row in report["shortfalls"].items()]
    print(columns(lacks, head=("decoys", "wanted", "found", "from originals", "from popular", "missing")))
    rows = [
        (name, row["questions"], f"{row['choices']:.2f}", *(f"{100 * row[key]:.1f} %" for key in list(row)[2:5]))
        for name, row in report["variants"].items()
    ]
    print(
        "\n" + columns(rows, head=("variant", "questions", "choices", "chance", "answers alone", "decoys are targets"))
    )
    if left_out:
        print(f"\nLeft out: {' and '.join(left_out)}, since there are no choices to offer again.")
    principles = [(name, f"{mean:.2f}") for name, mean in report["principles"].items() if mean is not None]
    print("\n" + columns(principles, head=("principle", "mean score")))
    print(f"\n{first.folder} is ready.")


@decoys.command
def judge(sheet: Path, /, *, speech: Speech = Speech()) -> None:
    """Say how many decoys are right as well, from a sheet whose column also_right is filled with yes or no.

    Parameters
    ----------
    sheet
        What `eyechart decoys … --sheet` wrote.
    """
    found = false_decoys(pl.read_csv(sheet, infer_schema=False))
    if speech.json:
        print_json({kind: each._asdict() for kind, each in found.items()})
        return
    rows = [
        (kind, each.judged, each.right, f"{100 * each.rate:.1f} %", f"{100 * each.low:.1f} to {100 * each.high:.1f} %")
        for kind, each in found.items()
    ]
    print(columns(rows, head=("decoys", "judged", "right as well", "rate", "95 %")))
