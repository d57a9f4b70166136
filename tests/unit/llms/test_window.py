from __future__ import annotations

import logging
import threading
import time

import pytest

from docrag.api import LLMUnavailable, SettingsError
from docrag.llms import window as module
from docrag.llms.window import Told, Window, count


def window(*told: Told | None, wanted: int | None = None) -> tuple[Window, list[int]]:
    """A window whose server tells these one after the other, and a list of its calls."""
    calls: list[int] = []

    def ask() -> Told:
        calls.append(1)
        answer = told[len(calls) - 1]
        if answer is None:
            raise LLMUnavailable("the server is busy")
        return answer

    return Window(ask, wanted=wanted, label="m of the server"), calls


@pytest.mark.parametrize(
    ("told", "wanted", "tokens"),
    [
        (Told(), None, 8192),
        (Told(most=32_768), None, 8192),
        (Told(most=4096), None, 4096),
        (Told(most=32_768, chosen=16_384), None, 16_384),
        (Told(most=4096, chosen=16_384), None, 4096),
        (Told(chosen=2048), None, 2048),
        (Told(most=131_072), 65_536, 65_536),
        (Told(most=4096, chosen=2048), 3000, 3000),
        (Told(), 65_536, 65_536),
    ],
)
def test_window_suits_model_and_option(told: Told, wanted: int | None, tokens: int) -> None:
    found, _ = window(told, wanted=wanted)
    assert found.tokens() == tokens


def test_window_is_asked_for_once() -> None:
    found, calls = window(Told(most=4096), Told(most=2048))
    assert [found.tokens(), found.tokens()] == [4096, 4096]
    assert calls == [1]


def test_too_large_option_is_lowered_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    found, _ = window(Told(most=4096), wanted=8192)
    assert [found.tokens(), found.tokens()] == [4096, 4096]
    (record,) = caplog.records
    assert (record.levelno, vars(record)["action"]) == (logging.WARNING, "window_lowered")


@pytest.mark.parametrize(("wanted", "meanwhile"), [(None, 8192), (2048, 2048)])
def test_silent_server_is_asked_later(
    monkeypatch: pytest.MonkeyPatch, wanted: int | None, meanwhile: int
) -> None:
    found, calls = window(None, Told(most=1024), wanted=wanted)
    assert [found.tokens(), found.tokens(), len(calls)] == [meanwhile, meanwhile, 1]
    start = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: start + module.RETRY_SECONDS + 1)
    assert [found.tokens(), len(calls)] == [1024, 2]


def test_threads_ask_once() -> None:
    calls: list[int] = []

    def ask() -> Told:
        calls.append(1)
        time.sleep(0.05)
        return Told(most=4096)

    found = Window(ask, wanted=None, label="m")
    seen: list[int] = []
    threads = [threading.Thread(target=lambda: seen.append(found.tokens())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (seen, calls) == ([4096] * 8, [1])


def test_window_below_one_is_refused() -> None:
    with pytest.raises(
        SettingsError, match="context_window must be a whole number, 1 or more, not 0"
    ):
        window(wanted=0)


@pytest.mark.parametrize("value", [None, 0, -1, True, "4096", 4096.0])
def test_count_takes_whole_numbers_only(value: object) -> None:
    assert count(value) is None
