"""``eyechart predict``: a trained model answers."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.chat_options import ChatOptions, conversation_lines
from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.errors import UsageError
from eyechart.pipeline.answering import Asked
from eyechart.pipeline.answering import predict as predicted
from eyechart.store import Benchmark

__all__ = ["predict"]


def predict(
    run: str,
    benchmark: Path | None = None,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    split: Annotated[list[str] | None, Parameter(negative="")] = None,
    condition: str = "full",
    open_ended: Annotated[bool, Parameter(negative="")] = False,
    features: str | None = None,
    model: str | None = None,
    chat: ChatOptions = ChatOptions(),  # frozen
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),  # frozen
) -> int:
    """Let a model answer a benchmark's questions: answers, confidences, scores of choices, and where it looked.

    Parameters
    ----------
    run
        The folder of a trained model, or a chat model as inspect:PROVIDER/NAME; left out if --model says it.
    benchmark
        A benchmark with questions.
    output
        The folder of the predictions; `eyechart grade` scores it.
    split
        Only this split; several times for several.
    condition
        What is kept from the model: full (nothing), no-image, blank-image, shuffled-image, no-question or choices-only.
    open_ended
        Offer no choices, even if the benchmark has some.
    features
        A store of features, by its name in the benchmark or its folder; needed where several fit.
    model
        The same as RUN: a folder, or inspect:PROVIDER/NAME for any chat model that Inspect knows.
    seed
        Decides between equal scores, and which picture is exchanged with which.
    force
        Replace predictions that are there.
    """
    if (model is None) == (benchmark is None):
        raise UsageError(
            "predict: found a model and a benchmark too many or too few, expected one of each; write "
            "eyechart predict RUN BENCHMARK, or eyechart predict --model MODEL BENCHMARK"
        )
    name, folder = (run, benchmark) if benchmark is not None else (model or "", Path(run))
    asked = Asked(split or (), condition, features, not open_ended, chat.chat)
    made = predicted(
        name, Benchmark.open(folder), output, asked=asked, seed=seed, replace=force, progress=speech.progress
    )
    rows, talk = made.benchmark.rows("predictions"), made.conversation
    if speech.json:
        print_json({"predictions": str(output), "rows": rows} | ({"conversation": talk} if talk else {}))
    else:
        print("\n".join([*(conversation_lines(talk) if talk else []), f"{output} is ready: {rows:,} answers."]))
    return 1 if talk and talk.failed else 0
