"""``eyechart collect``: studies made, watched, tried and taken home; people work on them under ``eyechart serve``."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json, print_summary
from eyechart.cli.site import Site, needed
from eyechart.errors import UsageError
from eyechart.store import Benchmark

__all__ = ["collect"]

collect = App(name="collect", help="Let people write questions, answer, choose, judge and draw.")

_TABLES = (".csv", ".jsonl")


def _work(site: Site) -> Any:  # a Work of collection, whose SQL toolkit is an extra
    needed()
    from eyechart.collection import Work
    from eyechart.database import Database

    if not site.database:
        site.data.mkdir(parents=True, exist_ok=True)
    return Work(Database(site.database or site.data / "work.db"))


@collect.command
def create(
    benchmark: Path | None = None,
    /,
    *,
    study: Path | None = None,
    task: str | None = None,
    name: str | None = None,
    wording: str | None = None,
    k: int | None = None,
    pool: str | None = None,
    feeds: Annotated[tuple[str, ...], Parameter(consume_multiple=True)] = (),
    withhold: Annotated[tuple[str, ...], Parameter(consume_multiple=True)] = (),
    sample: int | None = None,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Make a study: of a benchmark's images or questions, by options or as a file says.

    Parameters
    ----------
    benchmark
        What people are asked about; none for a study that others feed, or for scenes to make from nothing.
    study
        A file (.toml) that says everything; see docs/how-to/collect.md.
    task
        question, answer, answer_blind, answer_caption, answer_vocabulary, choose, commonsense, age, caption,
        complement, scene, scene_edit, scene_graph or ambiguity.
    name
        The study's name; the task's if not said.
    wording
        Which of the task's wordings; for questions smart-robot, toddler or alien.
    k
        So many different people respond to each item; as many as the task says if not said.
    pool
        Studies of one pool know who asked what; the benchmark's name if not said.
    feeds
        Studies that get an item for each accepted response, such as answers for new questions.
    withhold
        What people must not see, of tasks that allow it: image, question, choices.
    sample
        At most so many items, drawn by the study's seed.
    """
    work = _work(site)
    from eyechart.collection import Settings, StudyFile, make_study, read_study_file

    if (study is None) == (task is None):
        raise UsageError("found both or neither of --study and --task, expected one of them; say what to make")
    if study is not None:
        file = read_study_file(study)
    else:
        settings = Settings(k=k, feeds=feeds, withheld=withhold)
        named = name or str(task).replace("_", "-")
        file = StudyFile(name=named, task=str(task), pool=pool, wording=wording, settings=settings, sample=sample)
    opened = None if benchmark is None else Benchmark.open(benchmark)
    made, items = make_study(work, file, opened)
    if speech.json:
        print_json({"study": made.name, "task": made.task.name, "items": items, "responses": made.choice("k")})
        return
    wanted = f"{items:,} items, {made.choice('k')} responses each" if items else "no items yet"
    print(f"{made.name}: {wanted}. People find it under eyechart serve.")


@collect.command
def status(
    *studies: str,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Tell how far studies are, what they cost, and how far people agree.

    Parameters
    ----------
    studies
        Their names; all of them if none is named.
    """
    work = _work(site)
    names = studies or [each.name for each in work.studies()]
    told = []
    for name in names:
        found, measures = work.progress(name), work.quality(name).measures
        agreement = {each.part: each.value for each in measures if each.value is not None}
        told.append((work.study(name), found, agreement))
    if speech.json:
        print_json([_as_json(*each) for each in told])
        return
    if not told:
        print("There are no studies yet; eyechart collect create makes one.")
        return
    rows = [
        (
            each.name,
            each.task.name,
            each.state,
            f"{found.done:,} of {found.wanted:,}",
            found.late,
            found.rejected,
            found.workers,
            f"{found.millionths / 1_000_000:,.2f} {found.currency}",
            next((f"{value:.2f}" for value in agreement.values()), "-"),
        )
        for each, found, agreement in told
    ]
    print(columns(rows, head=("study", "task", "state", "done", "late", "rejected", "people", "pay", "alpha")))


def _as_json(study: Any, found: Any, agreement: dict[str, float]) -> dict[str, Any]:
    import msgspec

    counts = msgspec.to_builtins(found)
    return {"study": study.name, "task": study.task.name, "state": study.state, **counts, "agreement": agreement}


@collect.command
def export(
    *studies: str,
    output: Annotated[Path, Parameter(alias="-o")],
    benchmark: Path | None = None,
    everything: Annotated[bool, Parameter(negative="")] = False,
    force: Annotated[bool, Parameter(negative="")] = False,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Take collected work home: as a benchmark, as rows of a file, or as lines with everything.

    All studies are seen as they stood at one moment, whoever works on them meanwhile.

    Parameters
    ----------
    studies
        Their names.
    output
        The benchmark to make; or a file (.csv or .jsonl) with a row for each response that counts: picks for
        eyechart complement --picks, answers for its --answers, the sheet for eyechart decoys.
    benchmark
        The benchmark to add to; the one that the studies were made of if not said.
    everything
        Write every response with all that is known of it (.jsonl), for eyechart collect import or an archive.
    force
        Replace a benchmark that is there.
    """
    if not studies:
        raise UsageError("found no study, expected the names of some; eyechart collect status lists them")
    work = _work(site)
    from eyechart.collection import collected_rows, write_collected

    gathered = work.gather(studies)
    if everything:
        write_collected(output, gathered)
        print(f"{output} has {sum(len(lines) for _, lines in gathered):,} responses.")
        return
    if output.suffix in _TABLES:
        rows = collected_rows([line for _, lines in gathered for line in lines])
        rows.write_csv(output) if output.suffix == ".csv" else rows.write_ndjson(output)
        print(f"{output} has {rows.height:,} rows.")
        return
    base = benchmark or next((Path(head.settings.benchmark) for head, _ in gathered if head.settings.benchmark), None)
    with tempfile.TemporaryDirectory() as folder:
        lines_file = Path(folder) / "collected.jsonl"
        write_collected(lines_file, gathered)
        made = _benchmark(lines_file, base, output, force=force, speech=speech)
    print_summary(made, json=speech.json)


def _benchmark(lines: Path, base: Path | None, output: Path, *, force: bool, speech: Speech) -> Benchmark:
    from eyechart.pipeline import Output, run
    from eyechart.pipeline.carrying import image_root
    from eyechart.pipeline.stages.gather import GatherCollected

    original = None if base is None else Benchmark.open(base)
    stage = GatherCollected(str(lines), None if base is None else str(base))
    root = None if original is None else image_root(original)
    licence = None if original is None else original.manifest.licence
    return run(stage, Output(output, replace=force, licence=licence, image_root=root), progress=speech.progress)


@collect.command(name="import")
def import_results(
    file: Path,
    /,
    *,
    task: str | None = None,
    name: str | None = None,
    column: Annotated[tuple[str, ...], Parameter(consume_multiple=True)] = (),
    site: Site = Site(),  # frozen
) -> None:
    """Bring in what was collected elsewhere: lines of eyechart collect export, or results of MTurk or Prolific.

    Parameters
    ----------
    file
        What eyechart collect export --everything wrote; or with --task a result file (.csv, .json, .jsonl).
    task
        What people were asked, for a result file.
    name
        The study that takes the responses, made if it is not there; the task's name if not said.
    column
        Where a result file calls things otherwise: question_id=Input.qid answer=Answer.text
    """
    work = _work(site)
    from eyechart.collection import read_collected, read_platform

    if task is None:
        counts = {head.name: work.take_in(head, lines) for head, lines in read_collected(file)}
    else:
        pairs = dict(_pair(each) for each in column)
        lines = read_platform(file, task, columns=pairs)
        named = name or task.replace("_", "-")
        if named not in {each.name for each in work.studies()}:
            work.create_study(named, task)
        counts = {named: work.take_in(work.gather([named])[0][0], lines)}
    for study, count in counts.items():
        print(f"{study}: {count:,} new responses.")


def _pair(text: str) -> tuple[str, str]:
    ours, equals, theirs = text.partition("=")
    if not equals:
        raise UsageError(f"--column {text}: found no =, expected our name and the file's, as in answer=Answer.text")
    return ours, theirs


@collect.command
def simulate(
    study: str,
    /,
    *,
    people: int = 20,
    low: float = 0.4,
    high: float = 0.95,
    seed: int = 0,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Try a study with made-up people of known competence, before real ones cost money; do it on a copy.

    Parameters
    ----------
    study
        Its name; everything that is left to do is done.
    people
        How many.
    low
        How often the least competent one is right.
    high
        How often the most competent one is.
    seed
        Another seed, other mistakes.
    """
    work = _work(site)
    from eyechart.collection import crowd
    from eyechart.collection import simulate as simulated

    given = simulated(work, study, crowd(people, low, high), seed=seed)
    found = work.quality(study)
    if speech.json:
        print_json({"responses": given, "workers": found.workers.to_dicts()})
        return
    print(f"{given:,} responses of {people} made-up people.")
    measured = [(each.part, f"{each.value:.3f}") for each in found.measures if each.value is not None]
    print(columns(measured, head=("measure", "value")) if measured else "Nothing to compare.")
