"""The command line as tests type it."""

import pytest

from eyechart.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command line in this process; give its exit code, its output and what it said on standard error."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out, printed.err
