"""The programming interface keeps to its description, whatever is sent and by whom."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import schemathesis
from challenge_site import ChallengeSite, challenge_site
from hypothesis import HealthCheck, given, settings
from sqlalchemy import update
from web_site import ROLES, session

from eyechart.database import challenges as t
from eyechart.web.ui import accounts

NOT_OURS = [
    schemathesis.checks.ignored_auth,  # some of it is for everybody, by the same description
    schemathesis.checks.unsupported_method,  # of pages at the same address
    schemathesis.checks.positive_data_acceptance,  # a phase that is closed refuses what fits
    schemathesis.checks.negative_data_rejection,  # real names were put in the place of made-up ones
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChallengeSite]:
    with challenge_site(tmp_path_factory.mktemp("interface")) as running:
        with running.cats.database.writing() as rows:
            rows.execute(update(t.PHASES).values(per_day=None, total=None, failed_per_day=100_000))
        yield running


def header(made: ChallengeSite, who: str) -> dict[str, str]:
    """What a program of this role, or of a member or host, sends along."""
    if who == "anonymous":
        return {}
    if who in ROLES:
        session(made.app, who)
        who = f"a.{who}"
    with made.cats.database.writing() as rows:
        found = accounts.find_account(rows, who)
        assert found is not None
        token = accounts.create_token(rows, found[0], "fuzz", accounts.SCOPES, timedelta(days=1))
    return {"authorization": f"Bearer {token}"}


@pytest.mark.slow
@pytest.mark.parametrize("who", [*ROLES, "ada", "host"])
def test_answers_fit_their_description(made: ChallengeSite, who: str) -> None:
    """No server error, no undescribed status, no answer of another shape: for every role, a member and a host."""
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", made.app)
    sent = header(made, who)
    tried = 0
    for found in schema.include(path_regex="^/api/(challenges|submissions)").get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        def try_it(case: schemathesis.Case) -> None:
            for name in ("challenge", "track", "phase"):
                if name in (case.path_parameters or {}) and len(case.path_parameters[name]) % 2:
                    case.path_parameters[name] = {"challenge": "cats", "track": "open", "phase": "test"}[name]
            if "number" in (case.path_parameters or {}) and isinstance(case.path_parameters["number"], int):
                case.path_parameters["number"] = case.path_parameters["number"] % 12 + 1
            answer = case.call(headers=sent)
            case.validate_response(answer, excluded_checks=NOT_OURS)

        try_it()
        tried += 1
    assert tried >= 11
