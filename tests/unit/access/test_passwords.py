"""Passwords with argon2id."""

from __future__ import annotations

import pytest

from docrag.access.passwords import hash_password, new_password, verify_password


def test_password_is_verified_with_turkish_letters() -> None:
    stored = hash_password("İşçi-güvenliği")
    assert verify_password(stored, "İşçi-güvenliği")
    assert not verify_password(stored, "işçi-güvenliği")


def test_hash_is_argon2id_with_its_own_salt() -> None:
    assert hash_password("aynı parola").startswith("$argon2id$")
    assert hash_password("aynı parola") != hash_password("aynı parola")


def test_no_user_never_verifies() -> None:
    assert not verify_password(None, "parola-parola")
    assert not verify_password("not a hash", "parola-parola")


@pytest.mark.parametrize("password", ["", "kısa", "x" * 1025])
def test_password_of_wrong_length_is_refused(password: str) -> None:
    with pytest.raises(ValueError, match="8 to 1024"):
        hash_password(password)


def test_new_password_is_random_and_long_enough() -> None:
    assert new_password() != new_password()
    assert len(new_password()) >= 20
