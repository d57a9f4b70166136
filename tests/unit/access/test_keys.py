"""API keys and the bearer header."""

from __future__ import annotations

import pytest

from docrag.access.keys import LONGEST, bearer, digest, new_key


def test_new_keys_differ_and_show_only_a_prefix() -> None:
    one, two = new_key(), new_key()
    assert one.secret != two.secret
    assert one.secret.startswith(one.prefix)
    assert len(one.prefix) < 12


def test_secret_is_not_in_the_repr() -> None:
    key = new_key()
    assert key.secret not in repr(key)
    assert repr(key.digest) not in repr(key)


def test_digest_is_stable_and_has_32_bytes() -> None:
    assert digest("dk-ığüş") == digest("dk-ığüş")
    assert len(digest("\ud800")) == 32


@pytest.mark.parametrize("header", ["Bearer abc", "bearer  abc", "BEARER abc "])
def test_bearer_takes_the_credential(header: str) -> None:
    assert bearer(header) == "abc"


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer a b", "abc", "Bearer\nabc"]
)
def test_bearer_refuses_other_forms(header: str | None) -> None:
    assert bearer(header) is None


def test_bearer_refuses_an_endless_header() -> None:
    assert bearer("Bearer " + "a" * LONGEST) is None
