"""What the running server is like: its doors, its settings, its rights."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from docrag.store.embedded import Embedded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.embedded.conftest import Server

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(90)]


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    embedded = Embedded(server.home)
    yield embedded.ensure().replace("+psycopg", "")
    embedded.release()


@pytest.fixture
def connection(url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(url, autocommit=True) as open_connection:
        yield open_connection


def test_password_file_is_closed(server: Server, url: str) -> None:
    assert stat.S_IMODE((server.home / "password").stat().st_mode) == 0o600


def test_server_refuses_another_password(url: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url, password="başka", connect_timeout=5)


def test_every_door_asks_for_scram(connection: psycopg.Connection[Any]) -> None:
    rules = connection.execute(
        "select distinct type, address, auth_method from pg_hba_file_rules"
    ).fetchall()
    assert rules == [("host", "127.0.0.1", "scram-sha-256")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("listen_addresses", "127.0.0.1"),
        ("unix_socket_directories", ""),
        ("fsync", "on"),
        ("shared_buffers", "256MB"),
        ("max_connections", "100"),
        ("server_encoding", "UTF8"),
    ],
)
def test_setting_has_its_value(connection: psycopg.Connection[Any], name: str, value: str) -> None:
    assert connection.execute("select current_setting(%s)", [name]).fetchone() == (value,)


def test_text_sorts_by_code_point(connection: psycopg.Connection[Any]) -> None:
    rows = connection.execute("select x from unnest(array['ı','z','İ','i']) x order by x")
    assert [row[0] for row in rows] == sorted(["ı", "z", "İ", "i"])


def test_database_can_be_cloned_with_vector(connection: psycopg.Connection[Any]) -> None:
    connection.execute("drop database if exists clone")
    connection.execute("create extension if not exists vector")
    row = connection.execute("select '[1,2]'::vector <-> '[1,3]'").fetchone()
    assert row == (1.0,)
    connection.execute("create database clone template template1")
    connection.execute("drop database clone")


def test_lost_database_is_made_again(server: Server, url: str) -> None:
    with psycopg.connect(url, dbname="postgres", autocommit=True) as connection:
        connection.execute("drop database docrag with (force)")
    other = Embedded(server.home)
    psycopg.connect(other.ensure().replace("+psycopg", "")).close()
    other.release()


def test_log_does_not_quote_a_failed_statement(
    server: Server, connection: psycopg.Connection[Any]
) -> None:
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        connection.execute("select 'gizli metin'::int")
    assert "gizli" not in (server.home / "server.log").read_text()


def test_released_user_can_come_back(server: Server) -> None:
    embedded = Embedded(server.home)
    first = embedded.ensure()
    embedded.release()
    embedded.release()
    assert not server.runs
    assert embedded.ensure() == first
    embedded.release()
