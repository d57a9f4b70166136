from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from docrag.assistant import Assistant
from docrag.store import Store
from tests.integration.pages.conftest import Browser

_SECRET = re.compile(r'id="secret"[^>]*>(dk-[\w-]+)<')


def made(browser: Browser, **fields: object) -> str:
    """The secret of a key that a form makes."""
    response = browser.post("/keys", **{"name": "dizüstü", "days": "30", **fields})
    assert response.status_code == 201
    found = _SECRET.search(response.get_data(as_text=True))
    assert found is not None
    return found.group(1)


def opens(browser: Browser, secret: str) -> int:
    headers = {"Authorization": f"Bearer {secret}"}
    return browser.get("/api/documents", headers=headers).status_code


@pytest.fixture
def documents(assistant: Assistant, store: Store) -> dict[str, str]:
    """Identifiers of a document of each role; the one of isg is two sections long."""
    found = {}
    for role in ("isg", "ik"):
        text = f"# Birinci\n\nGizli {role} metni.\n\n# İkinci\n\nDevamı {role} için.\n"
        document = assistant.ingest(
            text.encode(), filename=f"{role}.md", roles=[role], title=f"{role} belgesi"
        )
        found[role] = document.id
    return found


def test_key_opens_what_its_owner_may_see(ayse: Browser) -> None:
    assert opens(ayse, made(ayse)) == 200


def test_key_is_shown_once(ayse: Browser) -> None:
    secret = made(ayse)
    text = ayse.text("/keys")
    assert secret not in text
    assert secret[:8] in text and "dizüstü" in text


def test_made_key_is_not_kept_by_browsers(ayse: Browser) -> None:
    response = ayse.post("/keys", name="x", days="0")
    assert response.headers["Cache-Control"] == "no-store"


def test_made_key_tells_what_to_paste(ayse: Browser) -> None:
    text = ayse.post("/keys", name="x", days="0").get_data(as_text=True)
    for part in ("Open WebUI", "librechat.yaml", "from openai import OpenAI", "/v1"):
        assert part in text


@pytest.mark.parametrize(("days", "life"), [("30", 30), ("365", 365), ("0", None)])
def test_key_ends_when_chosen(ayse: Browser, store: Store, days: str, life: int | None) -> None:
    made(ayse, days=days)
    (key,) = store.keys.list("ayşe")
    if life is None:
        assert key.expires_at is None
    else:
        assert key.expires_at is not None
        left = key.expires_at - datetime.now(UTC)
        assert timedelta(days=life - 1) < left <= timedelta(days=life)


@pytest.mark.parametrize("days", ["", "-1", "9999", "x", "٣٠"])
def test_other_life_is_refused(ayse: Browser, days: str) -> None:
    assert ayse.post("/keys", name="x", days=days).status_code == 400


@pytest.mark.parametrize("name", ["", "   ", "a\u200bb\x00\x07"])
def test_key_without_a_name_is_refused(ayse: Browser, store: Store, name: str) -> None:
    assert ayse.post("/keys", name=name, days="30").status_code == 400
    assert store.keys.list("ayşe") == []


def test_key_is_narrowed(isik: Browser, store: Store) -> None:
    made(isik, roles=["ik"])
    assert store.keys.list("ışık")[0].roles == ("ik",)


@pytest.mark.parametrize("role", ["ik", "admin", "yok"])
def test_key_cannot_go_beyond_its_owner(ayse: Browser, store: Store, role: str) -> None:
    assert ayse.post("/keys", name="x", days="30", roles=[role]).status_code == 400
    assert store.keys.list("ayşe") == []


def test_revoked_key_is_shut(ayse: Browser, store: Store) -> None:
    secret = made(ayse)
    (key,) = store.keys.list("ayşe")
    assert ayse.post(f"/keys/{key.id}/revoke").status_code == 303
    assert opens(ayse, secret) == 401


def test_key_of_somebody_else_is_not_found(ayse: Browser, isik: Browser, store: Store) -> None:
    secret = made(ayse)
    (key,) = store.keys.list("ayşe")
    other, missing = (isik.post(f"/keys/{number}/revoke") for number in (key.id, 99_999))
    assert other.status_code == missing.status_code == 404
    assert opens(ayse, secret) == 200


def test_documents_are_those_of_the_role(ayse: Browser, documents: dict[str, str]) -> None:
    text = ayse.text("/documents")
    assert "isg belgesi" in text
    assert "ik belgesi" not in text and documents["ik"] not in text


def test_roles_of_others_are_not_told(
    ayse: Browser, store: Store, assistant: Assistant, documents: dict[str, str]
) -> None:
    assistant.ingest(b"# Ortak\n\nortak metin\n", filename="ortak.md", roles=["isg", "ik"])
    assert ">ik<" not in ayse.text("/documents") + ayse.text(f"/documents/{documents['isg']}")


def test_page_shows_its_text(ayse: Browser, documents: dict[str, str]) -> None:
    assert "Gizli isg metni." in ayse.text(f"/documents/{documents['isg']}")
    second = ayse.text(f"/documents/{documents['isg']}?page=2")
    assert "Devamı isg için." in second and "Gizli" not in second


@pytest.mark.parametrize("page", ["0", "3", "-1", "x", "1e9", "²", "9" * 30])
def test_missing_page_is_not_found(ayse: Browser, documents: dict[str, str], page: str) -> None:
    assert ayse.get(f"/documents/{documents['isg']}?page={page}").status_code == 404


def test_hidden_document_looks_missing(ayse: Browser, documents: dict[str, str]) -> None:
    missing = "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"
    hidden, other, malformed = (
        ayse.get(f"/documents/{name}") for name in (documents["ik"], missing, "yok")
    )
    assert hidden.status_code == other.status_code == malformed.status_code == 404
    strip = re.compile(r'value="[^"]+"')
    texts = {strip.sub("", page.get_data(as_text=True)) for page in (hidden, other, malformed)}
    assert len(texts) == 1


def test_citation_link_comes_back_after_sign_in(
    browser: Browser, documents: dict[str, str]
) -> None:
    path = f"/documents/{documents['isg']}?page=2"
    asked = browser.get(path)
    assert asked.status_code == 303
    assert browser.get(asked.location).status_code == 200
    assert browser.sign_in("ayşe", next=path).location == path


@pytest.mark.parametrize(
    ("section", "shown"),
    [("%C4%B0kinci", "Devamı isg"), ("Birinci", "Gizli isg"), ("yok", "Gizli")],
)
def test_section_of_a_citation_is_shown(
    ayse: Browser, documents: dict[str, str], section: str, shown: str
) -> None:
    assert shown in ayse.text(f"/documents/{documents['isg']}?section={section}")


@pytest.mark.parametrize(
    ("language", "shown"),
    [("tr", "metnin altında ayrıca liste olarak"), ("en", "also as a list below the text")],
)
def test_key_is_made_with_its_citations(
    ayse: Browser, store: Store, language: str, shown: str
) -> None:
    ayse.post("/language", language=language, next="/keys")
    made(ayse, citations="footer")
    assert [key.citations for key in store.keys.list("ayşe")] == ["footer"]
    # Once in the form, once beside the key.
    assert ayse.text("/keys").count(shown) == 2


def test_citations_that_no_form_offers_are_refused(ayse: Browser, store: Store) -> None:
    assert ayse.post("/keys", name="x", days="30", citations="links").status_code == 400
    assert store.keys.list("ayşe") == []
