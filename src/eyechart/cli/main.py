"""The door of the command line: which verbs there are, and how mistakes are told.

A verb's file is imported only when the verb is used, so that ``eyechart --help`` is instant.
"""

import errno
import sys

from cyclopts import App, CycloptsError, Group

from eyechart import __version__
from eyechart.errors import EyechartError

__all__ = ["app", "main"]

_NO_PLACE = {
    errno.EACCES,
    errno.EDQUOT,
    errno.ENAMETOOLONG,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.EPERM,
    errno.EROFS,
}
"""Where the machine, not the program, is at fault."""

VERBS = {
    "demo": "Walk through the whole flow on a small sample.",
    "download": "Fetch an official dataset and import it.",
    "import": "Read foreign files into a benchmark.",
    "export": "Write a benchmark as foreign files.",
    "formats": "List the foreign formats, their files, and what each needs.",
    "scenes": "Make scenes that are known completely, draw them, and clean real scene graphs.",
    "study": "Rebuild a table of a paper, with the published numbers beside it.",
    "report": "Write one page about a benchmark and models.",
    "describe": "Tell what a benchmark holds, in sentences, figures and a page.",
    "ontology": "Check the words of pictures, and how much of a benchmark they cover.",
    "ask": "Ask everything that scene graphs prove, and answer it.",
    "patterns": "List, check and try the patterns that questions are made from.",
    "check": "Look for mistakes, leaks and biases in a benchmark.",
    "balance": "Even out the answers, so that guessing pays less.",
    "entail": "Find out which answers follow from which.",
    "encode": "Turn pictures into numbers that models look at.",
    "train": "Train a model on a benchmark.",
    "predict": "Let a trained model answer.",
    "explain": "Show near pictures with another answer.",
    "audit": "Find out what can be answered without looking.",
    "decoys": "Make wrong choices that need both the image and the question.",
    "choices": "Make 18 choices per question, as VQA has them.",
    "complement": "Find or make a similar image with another answer for each question.",
    "resplit": "Divide the questions anew: changing priors, head and tail, other splits.",
    "grade": "Score predictions.",
    "compare": "Compare models on the same questions.",
    "challenge": "Run a challenge: take results, score them, rank them, keep what is hidden.",
    "collect": "Let people write questions, answer, choose, judge and draw.",
    "serve": "Start the web application: collect, leaderboard, browse and ask.",
    "accounts": "Say who may sign in to the web application.",
    "backup": "Write everything of a site into one file.",
    "restore": "Bring a site back from its backup.",
    "official": "Score files as the official scripts do: same inputs, same numbers.",
}
"""Each verb lives in the file of its name; ``import`` is a word of Python, so its file is import_files.py."""

app = App(
    name="eyechart",
    version=__version__,
    help="Collect, generate, repair, answer, grade and explain visual-question-answering benchmarks.",
    help_epilogue="Every verb has its own --help. Results go to standard output, everything else to standard error.",
    suppress_keyboard_interrupt=False,
)
app["--help"].group = app["--version"].group = Group("About", sort_key=1)
for verb, sentence in VERBS.items():
    file = "import_files" if verb == "import" else verb
    app.command(f"eyechart.cli.{file}:{file}", name=verb, help=sentence)
app.register_install_completion_command(help="Install shell completion for bash, zsh or fish.")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2, a bug keeps its traceback."""
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except (EyechartError, CycloptsError) as error:
        sys.stderr.write(f"eyechart: {error}\n")
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if error.errno not in _NO_PLACE:
            raise
        place = error.filename or "the disk"
        sys.stderr.write(f"eyechart: {place}: found no place to write ({error.strerror}); name another or make room\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("eyechart: stopped; run the same command again to go on\n")
        sys.exit(130)
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
