"""A study's numbers as a Markdown table: eyechart study NAME … --json | python tables.py NUMBER [NUMBER ...]."""

import json
import sys

rows = json.load(sys.stdin)["rows"]
numbers = sys.argv[1:]
models = list(dict.fromkeys(row["model"] for row in rows))
found = {(row["model"], row["number"]): row for row in rows}
heads = [head for number in numbers for head in (f"{number} %", "95 %")]
sys.stdout.write(f"| model | {' | '.join(heads)} |\n| --- | {' | '.join('---' for _ in heads)} |\n")
for model in models:
    cells = []
    for number in numbers:
        row = found.get((model, number))
        there = row is not None and row["ours"] is not None
        cells += [f"{row['ours']:.2f}", f"{row['low']:.2f} to {row['high']:.2f}"] if row and there else ["", ""]
    sys.stdout.write(f"| {model} | {' | '.join(cells)} |\n")
