"""``eyechart official``: drop-in replacements for the official scorers, a command each, imported when used."""

from cyclopts import App

__all__ = ["official"]

SCORERS = {
    "vqa": "VQA v1 and v2, open-ended and multiple-choice.",
    "vizwiz": "VizWiz, answers to visual questions of blind people.",
    "gqa": "GQA with all its seven metrics.",
    "wups": "WUPS and set accuracy, as for DAQUAR and COCO-QA.",
}

official = App(name="official", help="Score files as the official scripts do: same inputs, same numbers.")
for name, sentence in SCORERS.items():
    official.command(f"eyechart.cli.official_{name}:official_{name}", name=name, help=sentence)
