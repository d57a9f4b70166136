"""The matrix in CI, on both walls as they are in use."""

from __future__ import annotations

import click
import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

from tests.security.leak_matrix.plan import Plan, plans
from tests.security.leak_matrix.routes import ROUTES, gone, unclassified
from tests.security.leak_matrix.stage import Stage
from tests.security.leak_matrix.walk import Walk

#: Scenarios that every run checks at least.
LEAST = 2_000


def test_every_route_is_classified(played: Stage) -> None:
    assert unclassified(played.app) == [], "add a line for each to routes.ROUTES"


def test_every_classified_route_exists(played: Stage) -> None:
    assert gone(ROUTES, played.app) == []


def test_new_route_is_noticed() -> None:
    app = Flask("later", static_folder=None)
    app.add_url_rule("/api/everything", view_func=str, methods=["GET", "DELETE"])
    assert unclassified(app) == ["DELETE /api/everything", "GET /api/everything"]


@pytest.mark.slow
def test_nothing_leaks(played: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    walk = Walk(played)

    # Shrinking would play hundreds of worlds; a leak tells its own small reproduction.
    @settings(
        max_examples=40,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(plans())
    def play(plan: Plan) -> None:
        if walk.tally.scenarios < LEAST:
            walk.play(plan, stop=lambda: walk.tally.scenarios >= LEAST)
        assert [str(leak) for leak in walk.tally.leaks[:1]] == []

    play()
    with capsys.disabled():
        click.echo(f"\nleak matrix: {walk.tally.summary()}")
    assert walk.tally.scenarios >= LEAST
    shown = {name for name, route in ROUTES.items() if route.shows}
    assert {name for name in shown if not walk.tally.own[name]} == set(), "the walk was blind there"
