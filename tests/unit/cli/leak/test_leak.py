"""How the leak test reads replies and fills routes, without a server of docrag."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docrag.cli.leak.pdf import pdf
from docrag.cli.leak.routes import calls
from docrag.cli.leak.server import Call, LeakTestFailed, Reply, Server
from docrag.cli.leak.troupe import Document, Person, Troupe, word
from docrag.cli.leak.walk import Findings, table
from docrag.loaders.pdf import PdfLoader
from docrag.testing.server import Exchange, FakeServer

CANARY = "zuvopakeludemaro"
ROUTE = "GET /api/documents"


def person(*roles: str, name: str = "reader", key_id: int = 1) -> Person:
    """Somebody with these roles."""
    return Person(
        name=name, username=f"leaktest-{name}", roles=frozenset(roles), key="dk-1", key_id=key_id
    )


@pytest.fixture
def troupe() -> Troupe:
    """Two people, and one document for role a."""
    made = Troupe(Server("http://127.0.0.1:1"), "dk-admin")
    made.people = [person("rol-a"), person(name="other", key_id=2)]
    made.documents = [
        Document(id="d-1", job="j-1", roles=frozenset({"rol-a"}), topic="kelo", canaries=(CANARY,))
    ]
    return made


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    """A server whose routes a test gives."""
    with FakeServer() as server:
        yield server


def judged(troupe: Troupe, who: Person, reply: Reply, method: str = "GET") -> Findings:
    """What one reply is found to be."""
    findings = Findings()
    findings.add(Call(method=method, path="/x", route=ROUTE), who, reply, troupe)
    return findings


def test_foreign_canary_is_a_leak(troupe: Troupe) -> None:
    found = judged(troupe, person("rol-b"), Reply(status=404, text=f"no {CANARY.upper()} here"))

    assert (found.leaks, found.own) == (1, 0)


def test_own_canary_is_a_control(troupe: Troupe) -> None:
    found = judged(troupe, person("rol-a"), Reply(status=200, text=CANARY))

    assert (found.leaks, found.own) == (0, 1)


@pytest.mark.parametrize(("status", "leaks"), [(204, 1), (403, 0), (404, 0)])
def test_change_that_works_is_a_leak(troupe: Troupe, status: int, leaks: int) -> None:
    found = judged(troupe, person("rol-a"), Reply(status=status, text=""), method="DELETE")

    assert found.leaks == leaks


def test_role_of_others_is_a_leak(troupe: Troupe) -> None:
    troupe.documents = [
        Document(id="d", job="j", roles=frozenset({"gizli-rol"}), topic="kelo", canaries=(CANARY,))
    ]

    assert judged(troupe, person("rol-b"), Reply(status=200, text='["gizli-rol"]')).leaks == 1


def test_table_marks_leaks(troupe: Troupe) -> None:
    row = table(judged(troupe, person("rol-b"), Reply(status=200, text=CANARY)))[0]

    assert row == {
        "route": ROUTE,
        "reader": "1 !1",
        "requests": 1,
        "own": 0,
        "foreign": 1,
        "statuses": "200×1",
    }


def test_routes_are_filled_with_throw_away_things_only(troupe: Troupe) -> None:
    paths = {
        "/api/documents/{document_id}/pages/{number}": {"get": {}, "parameters": []},
        "/api/keys/{key_id}": {"delete": {}},
        "/api/new/{unknown}": {"patch": {}},
    }
    made = list(calls({"paths": paths}, troupe, troupe.people[0], "docrag"))

    assert [call.path.partition("?")[0] for call in made] == [
        f"/api/new/{troupe.mark}",
        "/api/keys/2",
        "/api/documents/d-1/pages/1",
    ]


def test_questions_come_in_both_stream_modes(troupe: Troupe) -> None:
    paths: dict[str, dict[str, object]] = {
        "/v1/chat/completions": {"post": {}},
        "/v1/later": {"post": {}},
    }
    made = list(calls({"paths": paths}, troupe, troupe.people[0], "docrag"))

    assert [call.json["stream"] for call in made if call.json] == [False, True] * 2
    assert all(CANARY not in json.dumps(call.json) for call in made)


def test_stream_is_read_across_its_pieces(fake: FakeServer) -> None:
    def stream(exchange: Exchange) -> None:
        exchange.start_stream("text/event-stream")
        for piece in (CANARY[:5], CANARY[5:]):
            chunk = {"choices": [{"delta": {"content": piece}}]}
            exchange.send_piece(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        exchange.send_piece(b"data: [DONE]\n\n")
        exchange.end_stream()

    fake.routes = {("POST", "/v1"): stream}
    server = Server(fake.url)
    reply = server.send(Call(method="POST", path="/v1", route="", json={}), None)
    server.close()

    assert CANARY in reply.text


@pytest.mark.parametrize(("headers", "status"), [({}, 200), ({"x-should-retry": "false"}, 429)])
def test_rate_is_waited_for_and_quota_is_not(
    fake: FakeServer, headers: dict[str, str], status: int
) -> None:
    asked: list[int] = []

    def limited(exchange: Exchange) -> None:
        asked.append(1)
        exchange.send_response(429 if len(asked) == 1 else 200)
        for name, value in {"Retry-After": "0", "Content-Length": "0", **headers}.items():
            exchange.send_header(name, value)
        exchange.end_headers()

    fake.routes = {("GET", "/v1"): limited}
    server = Server(fake.url)
    reply = server.send(Call(method="GET", path="/v1", route=""), "dk-1")
    server.close()

    assert reply.status == status


def test_refused_administrator_is_an_error(fake: FakeServer) -> None:
    fake.routes = {("GET", "/api/users"): lambda exchange: exchange.send_json({}, status=403)}
    server = Server(fake.url)
    with pytest.raises(LeakTestFailed, match="gave 403"):
        server.ask("GET", "/api/users", "dk-1")
    server.close()


def test_pdf_has_its_line_on_page_one() -> None:
    (page,) = PdfLoader().load(pdf(f"{CANARY} numarasi kelo olarak bilinir."), filename="a.pdf")

    assert (page.number, CANARY in page.text) == (1, True)


def test_words_are_plain_and_differ() -> None:
    words = {word(9) for _ in range(100)}

    assert len(words) == 100
    assert all(made.isascii() and made.islower() and "i" not in made for made in words)
