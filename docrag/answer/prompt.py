"""The prompt of an answer from documents: rules, conversation, passages and question."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.context import CHARACTERS_PER_TOKEN, estimate_tokens
from docrag.answer.language import language_of
from docrag.answer.passages import Packed, fill, pack, tokens
from docrag.answer.plain import RESERVE
from docrag.answer.plain import tokens as message_tokens
from docrag.answer.templates import fallback, prompt_id, text_of
from docrag.api import Citation, Message, PromptTooLong, StoredChunk, lower

logger = logging.getLogger(__name__)

#: Tokens that the best passage has at the least, unless it is shorter; with less there is nothing
#: to answer from.
LEAST_PASSAGE: Final = 100
#: What stands before the question, its stand-alone form, and the question before, by language.
_LABELS: Final = {
    "tr": ("Soru", "Sorunun açık hâli", "Önceki soru"),
    "en": ("Question", "The question in full", "Question before"),
}
_REFUSAL: Final = (
    "question, rules and answer take {taken} of the model's {window} tokens, which leaves no room "
    "for a source; shorten the question"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent to a model, and which sources it holds."""

    #: Identifiers of the prompt files, such as ``answer.tr.v1+reply.tr.v1``.
    id: str
    messages: tuple[Message, ...]
    #: Sources whose text is in the prompt: a prefix of those offered, then those of neighbours.
    context: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The conversation that a prompt is built of."""

    #: Cleaned turns, ending with the question.
    turns: tuple[Message, ...]
    #: The question as it stands alone; empty where nobody rewrote it.
    rewritten: str = ""
    #: The question that it hangs on; empty if it stands alone.
    earlier: str = ""
    #: Calls of tools and their results behind the question, for a model that is given tools.
    behind: tuple[Message, ...] = ()


def build(
    asked: Asked,
    context: Sequence[Citation],
    *,
    language: str,
    window: int,
    answer_tokens: int,
    neighbours: Sequence[StoredChunk] = (),
) -> Prompt:
    """A prompt that fits the model's window.

    What goes first when it does not: neighbours, the chunks that rank below every one that was
    found; then the oldest turns; then, only in a window that holds not even the sources alone, the
    lowest-ranked sources. Rules, question and the best source always stay. So chunks that only fill
    the prompt go before any turn, and no turn is kept at the cost of a source that may be cited:
    a conversation grows without bound, the sources do not, and what was said before is in the
    question already where it matters (``rewritten``, ``earlier``).

    A client's own system message stays before the rules, cut only where it would push out sources.

    :param context: numbered sources, best first.
    :param window: tokens that prompt and answer share.
    :param answer_tokens: tokens kept for the answer.
    :param neighbours: chunks beside those of the context, in the order in which they may fill it.
    :raises PromptTooLong: rules, question and the best source do not fit.
    """
    identifier, rules = _rules(asked, language)
    question = _question(asked, language)
    fixed = estimate_tokens(rules + question) + sum(map(message_tokens, asked.behind))
    room = window - answer_tokens - RESERVE - fixed
    if room < min(LEAST_PASSAGE, tokens(context[:1], language)):
        raise PromptTooLong(_REFUSAL.format(taken=window - room, window=window))
    given = _given(asked.turns, context, language=language, room=room)
    room -= estimate_tokens(given) if given else 0
    packed = pack(context, language=language, budget=room)
    turns = _recent(asked.turns[:-1], budget=room - estimate_tokens(packed.text))
    _log_dropped(len(context) - len(packed.context), asked.turns[:-1], turns)
    packed = _filled(packed, neighbours, language, room - sum(map(message_tokens, turns)))
    return Prompt(
        id=identifier,
        messages=(
            Message(role="system", content=f"{given}\n\n{rules}" if given else rules),
            *turns,
            Message(role="user", content=f"{packed.text}\n\n{question}"),
            *asked.behind,
        ),
        context=packed.context,
    )


def _rules(asked: Asked, language: str) -> tuple[str, str]:
    """Identifier and text of the rules; the last line tells the language of the answer.

    Small models follow the language of the passages, or English, unless the last thing they are
    told is the language to write in.
    """
    identifier = prompt_id("answer", language)
    rules = text_of(identifier).format(fallback=fallback(language))
    spoken = language_of(f"{asked.turns[-1].content} {asked.rewritten or asked.earlier}")
    if spoken is None:
        return identifier, rules
    reply = prompt_id("reply", spoken)
    return f"{identifier}+{reply}", f"{rules}\n\n{text_of(reply)}"


def _question(asked: Asked, language: str) -> str:
    """The user's own question, with what it takes to understand it."""
    own, full, before = _LABELS[language]
    question = asked.turns[-1].content
    lines = [f"{own}: {question}"]
    if lower(asked.rewritten) == lower(question.strip()):
        return lines[0]
    if asked.rewritten:
        lines.append(f"{full}: {asked.rewritten}")
    elif asked.earlier:
        lines.insert(0, f"{before}: {asked.earlier}")
    return "\n".join(lines)


def _given(
    turns: Sequence[Message], context: Sequence[Citation], *, language: str, room: int
) -> str:
    """The client's own system messages as one text.

    They get what the sources leave, or half of the room if that is more, but for the best source.
    """
    given = "\n\n".join(m.content for m in turns if m.role == "system" and m.content.strip())
    least = min(room // 2, room - tokens(context[:1], language))
    limit = max(room - tokens(context, language), least, 0)
    if not given or estimate_tokens(given) <= limit:
        return given
    logger.warning(
        "the client's system message of %d characters is cut to %d tokens; raise context_window",
        len(given),
        limit,
        extra={"action": "system_cut"},
    )
    return given[: max(int((limit - 1) * CHARACTERS_PER_TOKEN), 0)]


def _recent(history: Sequence[Message], *, budget: int) -> list[Message]:
    """The newest turns that fit, oldest first, beginning with a user's; tools say nothing here."""
    kept: list[Message] = []
    for message in reversed(_spoken(history)):
        budget -= estimate_tokens(message.content)
        if budget < 0:
            break
        kept.append(Message(role=message.role, content=message.content))
    while kept and kept[-1].role == "assistant":
        kept.pop()
    return kept[::-1]


def _spoken(history: Sequence[Message]) -> list[Message]:
    return [m for m in history if m.role in ("user", "assistant") and m.content.strip()]


def _filled(
    packed: Packed, neighbours: Sequence[StoredChunk], language: str, budget: int
) -> Packed:
    """The passages with the neighbours that fit into what is left."""
    if not neighbours or not packed.is_whole:
        return packed
    return fill(packed.context, neighbours, language=language, budget=budget)


def _log_dropped(passages: int, history: Sequence[Message], kept: Sequence[Message]) -> None:
    turns = len(_spoken(history)) - len(kept)
    if passages or turns:
        logger.info(
            "prompt budget: dropped %d turns and %d passages",
            turns,
            passages,
            extra={"action": "prompt_dropped"},
        )
