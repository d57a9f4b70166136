"""The fake vision server refuses what it does not know."""

from __future__ import annotations

import pytest
import requests

from docrag.testing.vision import FakeVision


def test_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fault 'yok'"):
        FakeVision(fault="yok")


def test_chat_without_a_picture_is_answered() -> None:
    with FakeVision(answer=lambda picture: f"{len(picture)} bayt") as fake:
        body = {"messages": [{"role": "user", "content": "selam"}]}
        answer = requests.post(f"{fake.url}/api/chat", json=body, timeout=5).json()
    assert answer["message"]["content"] == "0 bayt"
    assert fake.pictures == []
