"""Chat models answer benchmarks: real requests to a server on this machine, which looks at the pictures it gets."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from chat_server import Served, chat_server, picture, seen, texts
from PIL import Image

from eyechart.errors import DataError, UsageError
from eyechart.models import Chatting, prompt_names
from eyechart.pipeline.answering import Asked, Predicted, open_model, predict
from eyechart.pipeline.auditing import Auditing, audit_model
from eyechart.pipeline.chatting import Chat
from eyechart.store import Benchmark

COLORS = ("red", "blue", "green", "white")
COUNT = 12
MODEL = "inspect:openai-api/local/tiny"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server wants none, but the provider's client does."""
    monkeypatch.setenv("LOCAL_API_KEY", "none")


def benchmark_at(folder: Path, *, choices: bool = False, width: int = 40) -> Benchmark:
    """Pictures of one colour and a size each, and a question about each of them."""
    ids = [str(n) for n in range(COUNT)]
    colors = [COLORS[n % 4] for n in range(COUNT)]
    asked = pl.DataFrame({"question_id": ids, "image_id": ids, "question": "What color is it?", "answer": colors})
    offered = asked.select("question_id", "answer", choice=pl.lit(list(COLORS))).explode("choice")
    offered = offered.with_columns(position=pl.int_range(pl.len(), dtype=pl.Int32).over("question_id"))
    with Benchmark.create(folder) as draft:
        files = [f"{n}.png" if n % 2 else f"{n}.jpg" for n in range(COUNT)]
        draft.write("images", pl.DataFrame({"image_id": ids, "file": files}))
        draft.write("questions", asked)
        if choices:
            target = pl.col("choice") == pl.col("answer")
            draft.write("choices", offered.select("question_id", "position", "choice", is_target=target))
    (folder / "images").mkdir(exist_ok=True)
    for n, file in enumerate(files):
        Image.new("RGB", (width + 2 * n, width // 2 + n), COLORS[n % 4]).save(folder / "images" / file, quality=100)
    return Benchmark.open(folder)


def talked(
    served: Served, benchmark: Benchmark, output: Path, *, condition: str = "full", seed: int = 0, **chat: object
) -> Predicted:
    """Predictions of the model behind the server."""
    chatting = Chatting(connections=4, retries=6, seconds=5, base_url=served.address)
    asked = Asked(condition=condition, chat=Chat(**{"chatting": chatting} | chat))  # type: ignore[arg-type]
    return predict(MODEL, benchmark, output, asked=asked, seed=seed, replace=True)


def right(predicted: Predicted, benchmark: Benchmark) -> float:
    rows = predicted.benchmark.read("predictions").join(
        benchmark.read("questions").select("question_id", truth="answer"), on="question_id"
    )
    assert rows.height == COUNT
    return float((rows["answer"] == rows["truth"]).mean())  # type: ignore[arg-type]


def test_pictures_and_questions_arrive(tmp_path: Path) -> None:
    """Each request has its question and its own picture, made smaller where it is large; answers are read."""
    benchmark = benchmark_at(tmp_path / "b", width=1000)
    with chat_server() as served:
        predicted = talked(served, benchmark, tmp_path / "p", longest=100)
    assert right(predicted, benchmark) == 1.0
    shown = [picture(body) for body in served.asked]
    assert [each.size for each in shown if each] == [(100, 50)] * COUNT
    assert all("What color is it?" in texts(body) for body in served.asked)
    assert sorted(seen(body) for body in served.asked) == sorted(COLORS * 3)
    assert served.asked[0]["max_tokens"] == 64
    assert 2 <= served.most_at_once <= 4


@pytest.mark.slow
def test_faults_are_survived_and_counted(tmp_path: Path) -> None:
    """Busy, broken, silent and malformed are tried again; chatter is a reply that cannot be read, and is counted."""
    benchmark = benchmark_at(tmp_path / "b")
    with chat_server(faults=["429", "500", "silent", "malformed", "html", "empty", "chatter"]) as served:
        predicted = talked(served, benchmark, tmp_path / "p")
    talk = predicted.conversation
    assert talk is not None
    assert (talk.asked, talk.kept, talk.failed, talk.unread) == (COUNT, 0, 0, 1)
    assert right(predicted, benchmark) == (COUNT - 1) / COUNT
    assert len(served.asked) == COUNT + 6


def test_what_stays_broken_is_told_and_asked_again(tmp_path: Path) -> None:
    """A request without any reply counts as wrong, with its problem; the next run asks only that one."""
    benchmark = benchmark_at(tmp_path / "b")
    with chat_server(pause=0.05) as served:
        served.faults = ["400"]
        first = talked(served, benchmark, tmp_path / "p")
        assert first.conversation is not None
        assert first.conversation.failed == 1
        assert "400" in first.conversation.problem
        before = len(served.asked)
        again = talked(served, benchmark, tmp_path / "p")
        assert len(served.asked) == before + 1
    assert again.conversation is not None
    assert (again.conversation.kept, again.conversation.failed) == (COUNT - 1, 0)
    assert right(again, benchmark) == 1.0


def test_a_hopeless_server_is_given_up(tmp_path: Path) -> None:
    """When nothing at all is answered, the run stops soon, with one sentence."""
    benchmark = benchmark_at(tmp_path / "b")
    with chat_server(faults=["401"] * 100) as served, pytest.raises(DataError, match="first 10 requests"):
        talked(served, benchmark, tmp_path / "p")
    assert len(served.asked) <= COUNT
    assert not (tmp_path / "p").exists()


def test_conditions_keep_what_they_say(tmp_path: Path) -> None:
    """No picture, a grey one, that of another question, no question, neither."""
    benchmark = benchmark_at(tmp_path / "b", choices=True)
    with chat_server() as served:
        model = open_model(
            MODEL, benchmark, output=tmp_path / "a", chat=Chat(chatting=Chatting(base_url=served.address))
        )
        found = audit_model(model, benchmark, Auditing())
    by_name = {each.probe: each.value for each in found.found}
    # Who sees nothing of use takes the first choice, which is right for a quarter.
    assert by_name == pytest.approx(
        {"full": 1, "no-image": 0.25, "blank-image": 0.25, "no-question": 1, "choices-only": 0.25}
        | {"shuffled-image": by_name["shuffled-image"]}
    )
    assert by_name["shuffled-image"] < 0.6
    without = [body for body in served.asked if picture(body) is None]
    assert len(without) == 2  # the same words about twelve pictures that are not shown are asked once
    assert sum("What color" in texts(body) for body in without) == 1
    assert {talk.failed for talk in found.talks.values()} == {0}
    assert found.talks["no-image"].asked == COUNT


def test_guessing_is_said_where_it_is_wanted(tmp_path: Path) -> None:
    """The other prompt tells the model that the picture is missing."""
    benchmark = benchmark_at(tmp_path / "b")
    with chat_server() as served:
        talked(served, benchmark, tmp_path / "p", condition="no-image", prompt="open-guess")
        talked(served, benchmark, tmp_path / "q", condition="no-image")
    assert ["missing" in texts(body) for body in served.asked] == [True, False]


def test_rotations_show_who_looks_at_letters(tmp_path: Path) -> None:
    """Who looks is right in every order; who loves B takes every choice once, and agrees with itself never."""
    benchmark = benchmark_at(tmp_path / "b", choices=True)
    with chat_server() as served:
        looks = talked(served, benchmark, tmp_path / "p", orders="rotations")
    with chat_server(favourite="B") as served:
        loves = talked(served, benchmark, tmp_path / "q", orders="rotations", replies=tmp_path / "other.jsonl")
    assert looks.conversation is not None
    assert loves.conversation is not None
    assert looks.conversation.asked == 4 * COUNT
    assert looks.conversation.agreeing == 1.0
    assert right(looks, benchmark) == 1.0
    assert set(looks.benchmark.read("predictions")["confidence"]) == {1.0}
    assert loves.conversation.agreeing == 0.0
    assert loves.conversation.letters == {"A": 0, "B": 4 * COUNT, "C": 0, "D": 0}
    assert loves.benchmark.read("predictions")["scores"].to_list() == [[0.25] * 4] * COUNT


def test_drawn_orders_depend_on_the_seed(tmp_path: Path) -> None:
    """Three orders per question, the same for the same seed, so that nothing is asked twice."""
    benchmark = benchmark_at(tmp_path / "b", choices=True)
    with chat_server() as served:
        once = talked(served, benchmark, tmp_path / "p", orders="3")
        count = len(served.asked)
        again = talked(served, benchmark, tmp_path / "p", orders="3")
        assert len(served.asked) == count
        talked(served, benchmark, tmp_path / "p", orders="3", seed=1)
        assert len(served.asked) > count
    assert again.conversation is not None
    assert again.conversation.kept > 0
    assert once.benchmark.read("predictions").equals(again.benchmark.read("predictions"))


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """After kill -9 in the middle nothing that was answered is asked again, even with half a line in the file."""
    benchmark_at(tmp_path / "b")
    with chat_server(pause=0.3) as served:
        command = [sys.executable, "-m", "eyechart.cli.main", "predict", "--model", MODEL, str(tmp_path / "b")]
        command += ["-o", str(tmp_path / "p"), "--base-url", served.address, "--connections", "1", "--json"]
        command[1:3] = ["-c", "import sys; from eyechart.cli.main import main; sys.exit(main())"]
        run = subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        kept = tmp_path / "p.replies.jsonl"
        while not kept.is_file() or kept.read_bytes().count(b"\n") < 4:
            assert run.poll() is None, run.communicate()[1]
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        whole = kept.read_bytes().count(b"\n")
        with kept.open("ab") as file:
            file.write(b'{"key": "half')
        asked = len(served.asked)
        done = subprocess.run(command, env=os.environ, capture_output=True, check=True)
    told = json.loads(done.stdout)["conversation"]
    assert told["kept"] == whole
    assert len(served.asked) - asked == COUNT - whole
    assert told["failed"] == told["unread"] == 0


def test_mistakes_are_told(tmp_path: Path) -> None:
    """No provider, no place for replies, no picture, no such order or prompt."""
    benchmark = benchmark_at(tmp_path / "b")
    with pytest.raises(UsageError, match="expected a provider"):
        predict("inspect:nobody/tiny", benchmark, tmp_path / "p")
    with pytest.raises(UsageError, match="--replies"):
        open_model(MODEL, benchmark, output=None, chat=Chat())
    with pytest.raises(UsageError, match="no prompt is called"):
        predict(MODEL, benchmark, tmp_path / "p", asked=Asked(chat=Chat(prompt="opne")))
    with pytest.raises(UsageError, match="no choices to offer"):
        predict(MODEL, benchmark, tmp_path / "p", asked=Asked(chat=Chat(prompt="choices")))
    benchmark_at(tmp_path / "c", choices=True)
    with pytest.raises(UsageError, match="--orders"):
        predict(MODEL, Benchmark.open(tmp_path / "c"), tmp_path / "p", asked=Asked(chat=Chat(orders="some")))
    (tmp_path / "b" / "images" / "0.jpg").unlink()
    with pytest.raises((DataError, OSError), match=r"0\.jpg"):
        predict(MODEL, benchmark, tmp_path / "p")
    assert set(prompt_names()) == {"open", "open-guess", "choices", "choices-guess"}
