from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from docrag.api import LLMRefused, Message
from docrag.llms.pictures import Picture, parts_of


def asked(*parts: Mapping[str, Any]) -> Message:
    return Message(role="user", content="Şu ne?", parts=parts)


def picture(url: object) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def test_message_without_parts_is_its_text() -> None:
    assert list(parts_of(Message(role="user", content="Işık?"))) == ["Işık?"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("data:image/PNG;base64,AAA=", Picture(media_type="image/png", data="AAA=")),
        ("data:image/jpeg;charset=utf-8;base64,B", Picture(media_type="image/jpeg", data="B")),
        ("https://x/ı.png", Picture(url="https://x/ı.png")),
    ],
)
def test_parts_keep_their_order(url: str, expected: Picture) -> None:
    message = asked({"type": "text", "text": "İlk"}, picture(url), {"type": "text", "text": "son"})
    assert list(parts_of(message)) == ["İlk", expected, "son"]


def test_address_may_stand_without_object() -> None:
    part = {"type": "image_url", "image_url": "http://x/y.png"}
    assert list(parts_of(asked(part))) == [Picture(url="http://x/y.png")]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:image/png,AAA", "", None, 5])
def test_other_address_is_refused_without_showing_it(url: object) -> None:
    with pytest.raises(LLMRefused, match="a picture must be") as caught:
        list(parts_of(asked(picture(url))))
    assert "passwd" not in str(caught.value)


def test_other_kind_of_part_is_refused() -> None:
    with pytest.raises(LLMRefused, match="'input_audio'"):
        list(parts_of(asked({"type": "input_audio", "input_audio": {"data": "AAA"}})))
