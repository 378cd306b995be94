"""The README of a benchmark folder: a dataset card for people and for the Hugging Face `datasets` library."""

import json

from eyechart.store.manifest import Manifest
from eyechart.tables import TABLES

__all__ = ["dataset_card"]


def dataset_card(manifest: Manifest) -> str:
    """The card: YAML front matter with one configuration per table, then what the tables hold.

    >>> from eyechart.store.manifest import MadeBy
    >>> card = dataset_card(Manifest(name="tiny", made_by=MadeBy("by hand"), rows={"pairs": 2}))
    >>> print(card[: card.index("license")])
    ---
    pretty_name: "tiny"
    <BLANKLINE>
    """
    return "\n".join([*_front_matter(manifest), "", *_text(manifest)]) + "\n"


def _front_matter(manifest: Manifest) -> list[str]:
    lines = ["---", f"pretty_name: {json.dumps(manifest.name)}"]
    lines += ["license: other", f"license_name: {json.dumps(manifest.licence or 'not stated')}"]
    lines += ["task_categories:", "  - visual-question-answering", "configs:"]
    for table in manifest.rows:
        # One split for the whole table: in a benchmark the split is a column, not a file.
        lines += [f"  - config_name: {table}", "    data_files:", "      - split: full"]
        lines += [f"        path: tables/{table}/*.parquet"]
        if table == "questions":
            lines += ["    default: true"]
    return [*lines, "---"]


def _text(manifest: Manifest) -> list[str]:
    lines = [f"# {manifest.name}", "", "A visual-question-answering benchmark in the layout of Eyechart.", ""]
    lines += ["| table | rows | what a row is |", "| --- | ---: | --- |"]
    lines += [f"| {name} | {rows:,} | {TABLES[name].about} |" for name, rows in manifest.rows.items()]
    if manifest.splits:
        counts = ", ".join(f"{split} {count:,}" for split, count in manifest.splits.items())
        lines += ["", f"Questions by split: {counts}."]
    lines += ["", "```python", "from datasets import load_dataset", "", 'questions = load_dataset("PATH", "questions")']
    return [*lines, "```", "", f"Made by `{manifest.made_by.stage}`, Eyechart {manifest.made_by.version}."]
