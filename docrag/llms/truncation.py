"""Truncated prompts: what a server read, compared with what it was sent."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from docrag.api import Message, Usage

logger = logging.getLogger(__name__)

#: Characters of a prompt below which its token count says nothing about a cut.
LONG_PROMPT: Final = 2_000
#: Characters that one token holds at the very most, on average over a prompt: twice the mean of
#: English, three times that of Turkish. A server that counts fewer tokens than this allows has cut.
MAX_CHARACTERS_A_TOKEN: Final = 8


def characters_of(messages: Iterable[Message]) -> int:
    """Length of a conversation's text, characters."""
    return sum(len(message.content) for message in messages)


def check_prompt(usage: Usage | None, characters: int, *, label: str, model_id: str) -> None:
    """Warn if a server read far less than it was sent.

    :param usage: what it counted; ``None`` or 0 tells nothing.
    :param characters: length of what it was sent.
    :param label: name and address of the server, without a secret.
    """
    if usage is None or characters < LONG_PROMPT:
        return
    if 0 < usage.prompt_tokens < characters / MAX_CHARACTERS_A_TOKEN:
        logger.warning(
            "%s read %d tokens of a prompt of %d characters: it was cut, so that rules or "
            "sources are missing; raise its context window or update it",
            label,
            usage.prompt_tokens,
            characters,
            extra={"action": "prompt_truncated", "model_id": model_id},
        )
