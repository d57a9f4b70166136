from __future__ import annotations

from collections.abc import Iterator

import pytest

from docrag.api import LLMError
from docrag.llms import lines as module
from docrag.llms.lines import lines

BODY = "İşveren\nçalışan\r\n\nIğdır".encode()
EXPECTED = ["İşveren".encode(), "çalışan".encode(), b"", "Iğdır".encode()]


@pytest.mark.parametrize("size", range(1, len(BODY) + 1))
def test_lines_do_not_depend_on_blocks(size: int) -> None:
    blocks = [BODY[start : start + size] for start in range(0, len(BODY), size)]
    assert list(lines(blocks)) == EXPECTED


def test_line_comes_before_next_block() -> None:
    def blocks() -> Iterator[bytes]:
        yield b"bir\nik"
        raise AssertionError("asked for the next block too early")

    assert next(lines(blocks())) == b"bir"


@pytest.mark.parametrize("body", [[], [b""]])
def test_empty_body_has_no_lines(body: list[bytes]) -> None:
    assert list(lines(body)) == []


def test_endless_line_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 10)
    with pytest.raises(LLMError, match="more than 10 bytes"):
        list(lines([b"a" * 6, b"a" * 6]))
