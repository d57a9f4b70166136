"""The form of role and user names."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.api import StoreError
from docrag.store.names import checked_role_name, checked_username, is_role_name, is_username


@pytest.mark.parametrize("name", ["ik", "IK", "öğretmen", "ısı", "İdari", "a.b-c_1", "x" * 64])
def test_role_name_is_taken(name: str) -> None:
    assert is_role_name(name)
    assert checked_role_name(name) == name


@pytest.mark.parametrize("name", ["", "a b", "a,b", "a'", "a\n", "x" * 65, "\ud800", "a\x00"])
def test_role_name_is_refused(name: str) -> None:
    assert not is_role_name(name)
    with pytest.raises(StoreError, match="cannot name a role"):
        checked_role_name(name)


@pytest.mark.parametrize("name", ["ayşe", "a@b.tr", "KURUM\\ali", "İ" * 128])
def test_username_is_taken(name: str) -> None:
    assert is_username(name)
    assert checked_username(name) == name


@pytest.mark.parametrize("name", ["", "a b", "\t", "a\u00a0b", "x" * 129, "\udfff", "a\x7f"])
def test_username_is_refused(name: str) -> None:
    assert not is_username(name)
    with pytest.raises(StoreError, match="cannot name a user"):
        checked_username(name)


@pytest.mark.parametrize("name", ["Çağrı", "öğretmen", "İdari"])
def test_decomposed_name_is_composed(name: str) -> None:
    decomposed = unicodedata.normalize("NFD", name)
    assert not is_role_name(decomposed)
    assert checked_role_name(decomposed) == checked_username(decomposed) == name
