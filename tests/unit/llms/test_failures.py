from __future__ import annotations

import pytest

from docrag.api import LLMUnavailable, PromptTooLong
from docrag.llms.failures import BrokenOff, broken_off, refused


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("", None), ("-1", None), ("nan", None), ("٣", None),
     ("Mon, 30 Nov 2026 08:00:00 GMT", None)],
)  # fmt: skip
def test_busy_server_tells_how_long_to_wait(header: str, seconds: float | None) -> None:
    error = refused("x", "busy", status=429, remedy="", retry_after=header)
    assert isinstance(error, LLMUnavailable)
    assert error.retry_after == seconds


def test_error_in_stream_is_broken_off() -> None:
    error = broken_off("x", {"type": "overloaded_error", "message": "gizli soru"})
    assert isinstance(error, BrokenOff)
    assert str(error) == "x broke off with an error (overloaded_error)"


@pytest.mark.parametrize(
    "said",
    ["prompt is too long: 9 tokens > 8 maximum", "the input length exceeds the context length"],
)
def test_too_long_prompt_is_told(said: str) -> None:
    assert isinstance(broken_off("x", said), PromptTooLong)
    assert isinstance(refused("x", {"message": said}, status=400, remedy=""), PromptTooLong)
