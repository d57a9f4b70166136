"""The role filter before it reaches the database."""

from __future__ import annotations

import uuid

import pytest

from docrag.api import Access, DocumentNotFound
from docrag.store.permission import public_uuid, role_list


def test_roles_are_sorted() -> None:
    assert role_list(Access.of(["ik", "bilgi"])) == ["bilgi", "ik"]


@pytest.mark.parametrize("name", ["", "a,b", "{admin}", "admin ", "admin'--", "a\x00", "\ud800"])
def test_what_cannot_be_a_role_opens_nothing(name: str) -> None:
    assert role_list(Access.of([name])) == []


def test_identifier_in_either_case_is_taken() -> None:
    key = uuid.uuid4()
    assert public_uuid(str(key)) == public_uuid(str(key).upper()) == key


@pytest.mark.parametrize("text", ["", "x", "0" * 32, f"urn:uuid:{uuid.UUID(int=1)}", "\ud800"])
def test_malformed_identifier_is_not_found(text: str) -> None:
    with pytest.raises(DocumentNotFound):
        public_uuid(text)
