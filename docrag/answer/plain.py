"""Conversations that a model answers without documents, cut to its window."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Final

from docrag.answer.context import estimate_tokens
from docrag.api import GenerationOptions, Message, PromptTooLong

logger = logging.getLogger(__name__)

#: Tokens kept free for the chat template and the error of the estimate.
RESERVE: Final = 200
#: Tokens that a part without text (a picture) is taken to need, a usual figure of such models.
PART_TOKENS: Final = 1000


def tokens(message: Message) -> int:
    """Tokens that a message takes, estimated on the safe side."""
    calls = json.dumps([dict(call) for call in message.tool_calls]) if message.tool_calls else ""
    pictures = len([part for part in message.parts if part.get("type") != "text"])
    return estimate_tokens(message.content + calls) + pictures * PART_TOKENS


def option_tokens(options: GenerationOptions | None) -> int:
    """Tokens that the tools and the form of the answer take in a prompt."""
    if options is None or not (options.tools or options.response_format):
        return 0
    told = [[dict(tool) for tool in options.tools], dict(options.response_format or {})]
    return estimate_tokens(json.dumps(told, ensure_ascii=False, default=str))


def trimmed(messages: Sequence[Message], *, room: int) -> tuple[Message, ...]:
    """The messages that fit, as they are and in order; the oldest turns are left out first.

    System messages stay, and everything from the last user message on. A turn goes as a whole, with
    the calls of tools that belong to it, since no server takes one half of those.

    :param room: tokens for all messages together.
    :raises PromptTooLong: what must stay does not fit.
    """
    groups, last = _turns(messages)
    must = [place for place, message in enumerate(messages) if message.role == "system"] + last
    left = room - sum(tokens(messages[place]) for place in must)
    if left < 0:
        raise PromptTooLong(
            f"the last message takes {-left} tokens more than the model's window has; shorten it"
        )
    kept = set(must)
    for group in reversed(groups):
        left -= sum(tokens(messages[place]) for place in group)
        if left < 0:
            break
        kept.update(group)
    if len(kept) < len(messages):
        logger.info(
            "prompt budget: dropped %d messages",
            len(messages) - len(kept),
            extra={"action": "prompt_dropped"},
        )
    return tuple(message for place, message in enumerate(messages) if place in kept)


def _turns(messages: Sequence[Message]) -> tuple[list[list[int]], list[int]]:
    """Places of each turn's messages, a user's with what follows it; the last turn by itself."""
    groups: list[list[int]] = [[]]
    for place, message in enumerate(messages):
        if message.role == "system":
            continue
        if message.role == "user":
            groups.append([])
        groups[-1].append(place)
    return groups[:-1], groups[-1]
