from __future__ import annotations

import logging

import pytest

from docrag.api import Message, Usage
from docrag.llms.truncation import characters_of, check_prompt


def check(usage: Usage | None, characters: int) -> None:
    check_prompt(usage, characters, label="the server", model_id="m")


def test_far_too_few_tokens_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    check(Usage(prompt_tokens=999), 8_000)
    (record,) = caplog.records
    assert (record.levelno, vars(record)["action"]) == (logging.WARNING, "prompt_truncated")


@pytest.mark.parametrize(
    ("usage", "characters"),
    [(None, 8_000), (Usage(), 8_000), (Usage(prompt_tokens=1_000), 8_000), (Usage(), 0),
     (Usage(prompt_tokens=1), 1_999)],
)  # fmt: skip
def test_plausible_count_is_not_logged(
    usage: Usage | None, characters: int, caplog: pytest.LogCaptureFixture
) -> None:
    check(usage, characters)
    assert caplog.records == []


def test_characters_are_those_of_all_turns() -> None:
    turns = [Message(role="system", content="İş"), Message(role="user", content="ışık")]
    assert characters_of(turns) == 6
