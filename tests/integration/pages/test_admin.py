from __future__ import annotations

import io
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from werkzeug.test import TestResponse

from docrag.api import Access, DocumentNotFound, Usage
from docrag.assistant import Assistant
from docrag.store import Store
from docrag.store.records import AuditedAnswer
from tests.integration.pages.conftest import PASSWORD, Browser

ALL = Access.of(["admin"])


def upload(
    browser: Browser,
    data: bytes = b"# Belge\n\nmetin\n",
    **more: Any,  # noqa: ANN401 - form fields
) -> str:
    """The message after an upload."""
    fields = {"file": (io.BytesIO(data), "belge.md"), "roles": ["isg"], **more}
    response = browser.post("/admin/documents", **fields)
    assert response.status_code == 303
    return browser.text("/documents")


def answered(
    store: Store,
    username: str,
    *,
    abstained: bool = False,
    **more: Any,  # noqa: ANN401 - what was checked
) -> AuditedAnswer:
    """An audited answer of a user."""
    row = AuditedAnswer(
        id=str(uuid.uuid4()),
        created_at=datetime.now(UTC),
        user_id=store.users.get(username).id,
        channel="http",
        model_id="model-x",
        prompt_id="tr/answer-1",
        retriever="lexical",
        context_chunk_ids=() if abstained else (1, 2),
        cited_chunk_ids=() if abstained else (2,),
        abstained=abstained,
        reason="weak_evidence" if abstained else "stop",
        duration=1.25,
        usage=Usage(),
        **more,
    )
    store.answers.record(row)
    return row


def told(response: TestResponse) -> str:
    return response.get_data(as_text=True)


def test_user_is_added(admin: Browser, browser: Browser, store: Store) -> None:
    response = admin.post(
        "/admin/users", username="çağrı", password=PASSWORD, roles=["isg", "ik"],
        email="Cagri@Example.org",
    )  # fmt: skip
    assert response.status_code == 303
    assert store.users.get("çağrı").roles == ("ik", "isg")
    assert store.users.get("çağrı").email == "cagri@example.org"
    assert browser.sign_in("çağrı").status_code == 303


@pytest.mark.parametrize(
    "fields",
    [
        {"username": "ayşe"},
        {"username": "Büyük"},
        {"username": "iki kelime"},
        {"username": "аyşe"},  # a Cyrillic а
        {"username": ""},
        {"password": "kısa"},
        {"roles": ["yok"]},
        {"roles": ["isg'; --"]},
        {"email": "değil"},
    ],
)
def test_wrong_user_is_refused(admin: Browser, store: Store, fields: dict[str, Any]) -> None:
    before = store.users.list()
    usual = {"username": "yeni", "password": PASSWORD, "roles": ["isg"]}
    response = admin.post("/admin/users", **{**usual, **fields})
    assert response.status_code == 400
    assert 'role="alert"' in told(response)
    assert PASSWORD not in told(response)
    assert store.users.list() == before


def test_roles_of_a_user_are_changed(admin: Browser, ayse: Browser, store: Store) -> None:
    admin.post("/admin/users/ayşe", roles=["ik"], email="", active="yes")
    assert store.users.get("ayşe").roles == ("ik",)
    assert ayse.get("/documents").status_code == 200


def test_user_is_switched_off_and_on(admin: Browser, ayse: Browser, store: Store) -> None:
    admin.post("/admin/users/ayşe", roles=["isg"], email="")
    assert ayse.get("/documents").status_code == 303
    admin.post("/admin/users/ayşe", roles=["isg"], email="", active="yes")
    assert store.users.get("ayşe").active


@pytest.mark.parametrize("fields", [{"roles": ["isg"], "active": "yes"}, {"roles": ["admin"]}])
def test_admin_does_not_lock_themselves_out(
    admin: Browser, store: Store, fields: dict[str, Any]
) -> None:
    assert admin.post("/admin/users/yönetici", email="", **fields).status_code == 400
    assert store.users.get("yönetici").active
    assert store.users.get("yönetici").roles == ("admin",)


def test_password_of_a_user_is_set(admin: Browser, ayse: Browser, browser: Browser) -> None:
    admin.post("/admin/users/ayşe/password", password="yeni parola 1")
    assert ayse.get("/documents").status_code == 303
    assert browser.sign_in("ayşe", "yeni parola 1").status_code == 303


def test_admin_stays_signed_in_with_a_new_password(admin: Browser) -> None:
    admin.post("/admin/users/yönetici/password", password="yeni parola 1")
    assert admin.get("/admin/users").status_code == 200


@pytest.mark.parametrize("path", ["", "/password", "/keys/1/revoke"])
def test_unknown_user_is_not_found(admin: Browser, path: str) -> None:
    response = admin.post(f"/admin/users/kimse{path}", password=PASSWORD)
    assert response.status_code == 404


def test_role_is_made_renamed_and_retired(admin: Browser, store: Store) -> None:
    assert admin.post("/admin/roles", name="üretim").status_code == 303
    assert admin.post("/admin/roles/rename", role="üretim", name="imalat").status_code == 303
    assert admin.post("/admin/roles/retire", role="imalat").status_code == 303
    assert [role.retired for role in store.roles.list() if role.name == "imalat"] == [True]
    assert "kullanım dışı" in admin.text("/admin/roles")


@pytest.mark.parametrize("name", ["isg", "a,b", "a'b", 'a"b', "a b", "", "x" * 65])
def test_wrong_role_is_refused(admin: Browser, name: str) -> None:
    assert admin.post("/admin/roles", name=name).status_code == 400


@pytest.mark.parametrize("path", ["rename", "retire"])
def test_admin_role_stays(admin: Browser, path: str) -> None:
    assert admin.post(f"/admin/roles/{path}", role="admin", name="x").status_code == 400


def test_group_gives_roles(admin: Browser, store: Store) -> None:
    fields = {"issuer": "ldap", "group": "CN=İSG,DC=x", "roles": ["isg"]}
    assert admin.post("/admin/groups", **fields).status_code == 303
    (group,) = store.groups.list()
    assert (group.issuer, group.group_id, group.roles) == ("ldap", "CN=İSG,DC=x", ("isg",))
    assert "CN=İSG,DC=x" in admin.text("/admin/groups")
    assert admin.post("/admin/groups/delete", **fields).status_code == 303
    assert store.groups.list() == []


@pytest.mark.parametrize("roles", [[], ["admin"], ["yok"]])
def test_wrong_group_is_refused(admin: Browser, store: Store, roles: list[str]) -> None:
    fields = {"issuer": "ldap", "group": "x", "roles": roles}
    assert admin.post("/admin/groups", **fields).status_code == 400
    assert store.groups.list() == []


@pytest.mark.parametrize("method", ["jwt", "oidc", "headers"])
def test_front_end_is_connected(admin: Browser, store: Store, method: str) -> None:
    response = admin.post("/admin/keys/frontend", name="Open WebUI", method=method, days="0")
    assert response.status_code == 201
    (key,) = store.keys.list("yönetici")
    assert (key.kind, key.method) == ("frontend", method)
    assert "Open WebUI" in admin.text("/admin/keys")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("frontend", {"method": "yok"}),
        ("frontend", {}),
        ("service", {"roles": []}),
        ("service", {"roles": ["yok"]}),
    ],
)
def test_wrong_connection_is_refused(
    admin: Browser, store: Store, path: str, fields: dict[str, Any]
) -> None:
    response = admin.post(f"/admin/keys/{path}", **{"name": "x", "days": "0", **fields})
    assert response.status_code == 400
    assert store.keys.list() == []


def test_service_is_connected_and_revoked(admin: Browser, store: Store) -> None:
    form = {"name": "yardım masası", "days": "30", "roles": ["isg"]}
    assert admin.post("/admin/keys/service", **form).status_code == 201
    (key,) = store.keys.list()
    assert (key.kind, key.roles) == ("service", ("isg",))
    assert admin.post(f"/admin/keys/{key.id}/revoke").status_code == 303
    assert store.keys.list() == []


def test_key_of_a_user_is_revoked(admin: Browser, ayse: Browser, store: Store) -> None:
    ayse.post("/keys", name="dizüstü", days="30")
    (key,) = store.keys.list("ayşe")
    assert "dizüstü" in admin.text("/admin/users/ayşe")
    assert admin.post(f"/admin/users/ayşe/keys/{key.id}/revoke").status_code == 303
    assert store.keys.list("ayşe") == []


def test_document_is_added(admin: Browser, store: Store) -> None:
    assert "kaydedildi" in upload(admin, title="İzin yönergesi")
    (document,) = store.documents.list(access=ALL)
    assert (document.title, document.roles) == ("İzin yönergesi", ("isg",))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"roles": []}, "en az bir rol"),
        ({"roles": ["yok"]}, "bilinmiyor"),
        ({"data": b""}, "boş"),
        ({"data": b"%PDF-1.7"}, "okunamıyor"),
        ({"data": b"x" * (1024 * 1024 + 1)}, "kabul ettiğinden büyük"),
    ],
)
def test_wrong_document_is_refused(
    admin: Browser, store: Store, more: dict[str, Any], message: str
) -> None:
    assert message in upload(admin, **more)
    assert store.documents.list(access=ALL) == []


def test_same_document_is_refused(admin: Browser) -> None:
    upload(admin)
    assert "zaten kayıtlı" in upload(admin)


def test_roles_of_a_document_count_at_once(
    admin: Browser, ayse: Browser, assistant: Assistant
) -> None:
    document = assistant.ingest(b"# x\n\nmetin\n", filename="x.md", roles=["isg"])
    path = f"/documents/{document.id}"
    assert ayse.get(path).status_code == 200
    assert admin.post(f"/admin{path}/roles", roles=["ik"]).status_code == 303
    assert ayse.get(path).status_code == 404


def test_document_is_deleted_when_sure(admin: Browser, assistant: Assistant) -> None:
    document = assistant.ingest(b"# x\n\nmetin\n", filename="x.md", roles=["isg"])
    admin.post(f"/admin/documents/{document.id}/delete")
    assert assistant.document(document.id, access=ALL) == document
    admin.post(f"/admin/documents/{document.id}/delete", sure="yes")
    with pytest.raises(DocumentNotFound):
        assistant.document(document.id, access=ALL)


def test_audit_tells_who_asked(admin: Browser, store: Store) -> None:
    answered(store, "ayşe")
    text = admin.text("/admin/audit")
    assert "ayşe" in text and "model-x" in text and "1 / 2" in text


def test_audit_tells_what_was_checked(admin: Browser, store: Store) -> None:
    answered(store, "ayşe", retrieval=0.814, citation_coverage=1.0, flags=("personal:tckn",))
    assert "doğrulanmayan" not in admin.text("/admin/audit")
    answered(store, "ayşe", citation_coverage=0.5, unsupported=2)
    text = admin.text("/admin/audit")
    for words in ("%81 · %100 · –", "– · %50 · –", "personal:tckn", "doğrulanmayan: 2"):
        assert words in text
    assert "kişisel: kimlik numarası" in text


def test_failure_is_told_in_the_language_of_the_page(
    admin: Browser, store: Store, assistant: Assistant
) -> None:
    upload(admin, data=b"\x00\x01\x02\x03" * 400)
    while assistant.work_once():
        pass
    (document,) = store.documents.list(access=ALL)
    for path in ("/documents", f"/documents/{document.id}"):
        assert "metin dosyası değil, ikili veri" in admin.text(path)
    admin.post("/language", language="en")
    assert "it is not a text file but binary data" in admin.text("/documents")


def test_audit_is_filtered(admin: Browser, store: Store) -> None:
    answered(store, "ayşe")
    answered(store, "ışık", abstained=True)
    assert "<tr>" not in admin.text("/admin/audit?user=kimse").replace("<thead><tr>", "")
    assert "ışık" not in admin.text("/admin/audit?user=ayşe")
    assert "ayşe" not in admin.text("/admin/audit?outcome=abstained")
    assert "ışık" not in admin.text("/admin/audit?outcome=answered")


def test_audit_goes_on(admin: Browser, store: Store) -> None:
    rows = [answered(store, "ayşe") for _ in range(52)]
    assert admin.text("/admin/audit").count("model-x") == 50
    assert admin.text(f"/admin/audit?before={rows[2].id}").count("model-x") == 2
    assert f"before={rows[2].id}" in admin.text("/admin/audit")


@pytest.mark.parametrize("before", ["x", "", "%00", "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"])
def test_audit_ignores_what_is_no_row(admin: Browser, before: str) -> None:
    assert admin.get(f"/admin/audit?before={before}").status_code == 200


@pytest.mark.parametrize(
    ("path", "fields"), [("frontend", {"method": "jwt"}), ("service", {"roles": ["isg"]})]
)
def test_connection_is_made_with_its_citations(
    admin: Browser, store: Store, path: str, fields: dict[str, Any]
) -> None:
    form = {"name": "kapı", "days": "0", "citations": "events", **fields}
    assert admin.post(f"/admin/keys/{path}", **form).status_code == 201
    assert [key.citations for key in store.keys.list()] == ["events"]
    # Once in each of the two forms, once beside the key.
    assert admin.text("/admin/keys").count("her zaman Open WebUI olayları olarak") == 3
