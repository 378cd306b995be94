"""Whatever is sent to whatever address, by whoever: an answer that is documented, and never a broken server."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS
from studies import asked_benchmark, begin, study_of_each
from web_site import ROLES, session, signed_in, site

from eyechart.web.application import describe

EXAMPLES = 6
LEFT_OUT = {
    "positive_data_acceptance",  # a name that no study has, a login that is taken: refused, and rightly
    "ignored_auth",  # pages send visitors to the sign-in page instead of refusing them
    "missing_required_header",  # none is required
}
ENDS_THE_SESSION = {"/sign-out"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with studies, made once."""
    folder = tmp_path_factory.mktemp("whole")
    benchmark = asked_benchmark(folder / "asked", 12)
    with site(folder / "site") as running:
        study_of_each(running.state.site.database, benchmark)
    return folder


def known_values(app: Any) -> dict[str, str]:
    """What stands in paths, so that handlers are reached."""
    address, _ = begin(signed_in(app, "worker"), "answer")
    return {"name": "answer", "token": address.rpartition("/")[2]}


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_no_address_breaks(made: Path, tmp_path: Path, role: str) -> None:
    """Every operation, pages and all, with what fits its description and with what does not."""
    shutil.copytree(made / "site", tmp_path / "site")
    with site(tmp_path / "site", benchmarks=(made / "asked",)) as app:
        described = json.loads(json.dumps(describe(app)))
        app.add_api_route("/everything.json", lambda: described, include_in_schema=False)
        schema = schemathesis.openapi.from_asgi("/everything.json", app)
        known = known_values(app)
        secret = "-" if role == "anonymous" else session(app, role)
        cookies = {"eyechart_form": "-"} | ({} if role == "anonymous" else {"eyechart_session": secret})
        headers = {"X-CSRF-Token": app.state.site.sign("form", secret)}
        excluded = [CHECKS.get_one(name) for name in LEFT_OUT]
        broken = []
        for found in schema.get_all_operations():
            operation = found.ok()
            if operation.path in ENDS_THE_SESSION:
                continue

            @given(case=operation.as_strategy())
            @settings(
                max_examples=EXAMPLES,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                derandomize=True,
                deadline=None,
                database=None,
            )
            def tried(case: Any) -> None:
                for name in known.keys() & (case.path_parameters or {}).keys():
                    if len(str(case.query)) % 4:
                        case.path_parameters[name] = known[name]
                case.call_and_validate(headers=headers, cookies=cookies, excluded_checks=excluded)

            try:
                tried()
            except schemathesis.errors.SchemathesisError as error:
                broken.append(f"{operation.label}: {error}")
            except BaseExceptionGroup as error:
                broken.append(f"{operation.label}: {' '.join(str(each) for each in error.exceptions)[:400]}")
        assert broken == []
