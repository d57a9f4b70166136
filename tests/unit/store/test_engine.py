"""Addresses and options of engines."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine

from docrag.api import SettingsError
from docrag.store.engine import engine_options, make_engine, normalise_url


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_address_gets_the_driver(scheme: str) -> None:
    assert normalise_url(f"{scheme}://u:p@h/d?x=1") == "postgresql+psycopg://u:p@h/d?x=1"


def test_address_loses_blanks_around_it() -> None:
    assert normalise_url(" postgres://h/d\n") == "postgresql+psycopg://h/d"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "h/d",
        "mysql://u:gizli@h/d",
        "sqlite://",
        "postgresql+psycopg2://h/d",
        "postgres://h:x/d",
    ],
)
def test_other_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL") as caught:
        normalise_url(url)
    assert "gizli" not in str(caught.value)


def test_options_build_an_engine_that_hides_parameters() -> None:
    engine = create_engine("postgresql+psycopg://h/d", **engine_options())
    assert engine.hide_parameters


def test_pool_size_is_taken() -> None:
    assert make_engine("postgres://h/d", pool_size=3).pool.size() == 3  # type: ignore[attr-defined]  # of QueuePool


def test_options_are_fresh_each_time() -> None:
    engine_options()["connect_args"].clear()
    assert engine_options()["connect_args"]["connect_timeout"] > 0


def test_standing_still_in_a_transaction_ends_it() -> None:
    assert (
        "idle_in_transaction_session_timeout=60000" in engine_options()["connect_args"]["options"]
    )
