"""Claim: VQA v2 validation files (214,354 questions, 2.1 million answers) become a benchmark in seconds, under 1 GB."""

import json
import shutil
from pathlib import Path

from side_by_side import compare, scratch
from vqa_files import vqa_files


def ours() -> None:
    """Eyechart: import both files into a benchmark folder, hashes and Parquet included."""
    from eyechart.pipeline import Output, run
    from eyechart.pipeline.stages.import_files import ImportFiles

    questions, annotations = vqa_files()
    folder = scratch("imported")
    run(ImportFiles("vqa", {"questions": [str(questions)], "annotations": [str(annotations)]}), Output(folder))
    shutil.rmtree(folder)


def theirs() -> None:
    """The floor that most tools start from: json.load of both files, nothing else."""
    for path in vqa_files():
        with Path(path).open() as file:
            json.load(file)


if __name__ == "__main__":
    vqa_files()
    compare("Import of VQA v2 validation files", ours, theirs)
