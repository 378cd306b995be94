"""Results of other toolkits, as they write them."""

import json
from pathlib import Path

from eyechart.pipeline.predictions import open_predictions


def test_vlmevalkit_tables(tmp_path: Path) -> None:
    """Letters become the option's text, whatever mark follows; sentences and open answers stay as they are."""
    lines = [
        "index\tquestion\tA\tB\tanswer\tcategory\tprediction",
        "1\tWhat color?\tred\tblue\tB\tcolor\tB",
        "2\tWhat color?\tred\tblue\tA\tcolor\t(A) red",
        "3\tWhat color?\tred\tblue\tA\tcolor\tB. blue",
        "4\tWhat is it?\t\t\tcat\tthing\tA cat on a mat",
        "5\tWhat is it?\t\t\tcat\tthing\t cat ",
    ]
    path = tmp_path / "model_bench.tsv"
    path.write_text("\n".join(lines) + "\n")
    rows = open_predictions(path)
    assert rows.select("question_id", "answer").rows() == [
        ("1", "blue"),
        ("2", "red"),
        ("3", "blue"),
        ("4", "A cat on a mat"),
        ("5", "cat"),
    ]


def test_lmms_eval_samples(tmp_path: Path) -> None:
    """The filtered response counts; the document's own question id where it has one, however deep the lists are."""
    samples = [
        {"doc_id": 0, "doc": {"question_id": 17}, "target": "red", "resps": [["Red."]], "filtered_resps": ["red"]},
        {"doc_id": 1, "doc": {"question_id": 18}, "target": "2", "resps": [["two"]], "filtered_resps": ["two"]},
    ]
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in samples))
    assert open_predictions(path).select("question_id", "answer").rows() == [("17", "red"), ("18", "two")]
    nested = [each | {"filtered_resps": [each["filtered_resps"]]} for each in samples]
    for each in nested:
        del each["doc"]
    path.write_text("".join(json.dumps(each) + "\n" for each in nested))
    assert open_predictions(path).select("question_id", "answer").rows() == [("0", "red"), ("1", "two")]


def test_own_columns_win(tmp_path: Path) -> None:
    """A table that names its questions is read by that name."""
    path = tmp_path / "mine.tsv"
    path.write_text("index\tquestion_id\tprediction\n0\t17\tred\n")
    assert open_predictions(path).select("question_id", "answer").rows() == [("17", "red")]
