"""Conversations without documents, cut to a window."""

from __future__ import annotations

import logging

import pytest

from docrag.answer.plain import PART_TOKENS, option_tokens, tokens, trimmed
from docrag.api import GenerationOptions, Message, PromptTooLong

CALL = {"id": "c1", "type": "function", "function": {"name": "ara", "arguments": "{}"}}


def turn(role: str, content: str, **more: object) -> Message:
    """A message."""
    return Message(role=role, content=content, **more)  # type: ignore[arg-type] # fields by name


LONG = "uzun " * 100
CHAT = [
    turn("system", "Kısa yaz."),
    turn("user", f"eski {LONG}"),
    turn("assistant", "", tool_calls=(CALL,)),
    turn("tool", LONG, tool_call_id="c1"),
    turn("assistant", "eski yanıt"),
    turn("user", "yeni"),
    turn("assistant", "yeni yanıt [1]"),
    turn("user", "son"),
    turn("assistant", "", tool_calls=(CALL,)),
    turn("tool", "sonuç", tool_call_id="c1"),
]


def test_conversation_that_fits_stays_as_it_is() -> None:
    assert trimmed(CHAT, room=5000) == tuple(CHAT)


def test_oldest_turn_goes_whole(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert trimmed(CHAT, room=300) == (CHAT[0], *CHAT[5:])
    assert "dropped 4 messages" in caplog.text and "uzun" not in caplog.text


def test_system_and_last_turn_stay() -> None:
    least = sum(map(tokens, (CHAT[0], *CHAT[7:])))
    assert trimmed(CHAT, room=least) == (CHAT[0], *CHAT[7:])
    with pytest.raises(PromptTooLong, match="shorten"):
        trimmed(CHAT, room=least - 1)


def test_messages_without_a_user_stay() -> None:
    assert trimmed([turn("system", "Başlık yaz.")], room=100) == (turn("system", "Başlık yaz."),)


def test_pictures_and_calls_take_room() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    parts = ({"type": "text", "text": "bak"}, picture)
    assert tokens(turn("user", "bak", parts=parts)) == tokens(turn("user", "bak")) + PART_TOKENS
    assert tokens(CHAT[2]) > 20


def test_tools_take_room() -> None:
    tool = {"type": "function", "function": {"name": "ara", "description": "x" * 1000}}
    assert option_tokens(GenerationOptions(tools=(tool,))) > 400
    assert option_tokens(None) == option_tokens(GenerationOptions(top_p=0.5)) == 0
