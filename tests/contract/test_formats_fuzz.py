"""No file breaks a reader: it is refused with a sentence that names it, or export gives it back."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated
from round_trip import Case, cases, contents, exported, files_of, imported, same

from eyechart.errors import EyechartError

CASES = cases()
KINDS = sorted({(case.format, role) for case in CASES for role in case.roles})
QUICK = settings(
    max_examples=12,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=200, derandomize=False)


def single_files(case: Case, role: str) -> Iterator[Path]:
    """The files of a role, those in its folders too."""
    for path in case.roles[role]:
        yield from sorted(path.iterdir()) if path.is_dir() else [path]


def check(name: str, role: str, data: st.DataObject) -> None:
    """Break one file of a case, then import and export the case."""
    fitting = [case for case in CASES if case.format == name and role in case.roles]
    case = data.draw(st.sampled_from(fitting), label="case")
    whole = data.draw(st.sampled_from(list(single_files(case, role))), label="file")
    broken = data.draw(mutated(whole.read_bytes(), whole.suffix), label="content")
    with TemporaryDirectory() as folder:
        here = Path(folder) / "in" / case.name
        shutil.copytree(case.folder, here)
        place = here / whole.relative_to(case.folder)
        place.write_bytes(broken)
        roles: dict[str, list[Path]] = {}
        for own, path in files_of(case.roles):
            roles.setdefault(own, []).append(here / path.relative_to(case.folder))
        try:
            tables = imported(case.foreign, roles)
        except EyechartError as error:
            assert place.name in str(error)  # noqa: PT017  # whether one is raised is the file's choice
            return
        if "questions" in tables and tables["questions"]["question_id"].is_duplicated().any():
            return  # Files of two splits with the same questions: the import stage refuses them together.
        written = exported(case.foreign, tables, Path(folder) / "out")
        assert same(contents(roles), contents(written))


@pytest.mark.parametrize(("name", "role"), KINDS)
@QUICK
@given(data=st.data())
def test_broken_files_are_refused_or_given_back(name: str, role: str, data: st.DataObject) -> None:
    """A few broken files of each kind, always the same ones."""
    check(name, role, data)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "role"), KINDS)
@LONG
@given(data=st.data())
def test_many_broken_files_are_refused_or_given_back(name: str, role: str, data: st.DataObject) -> None:
    """Many broken files of each kind, new ones every time."""
    check(name, role, data)
