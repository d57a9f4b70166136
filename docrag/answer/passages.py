"""Passages as a prompt shows them: numbered, fenced as data, packed into a budget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.context import CHARACTERS_PER_TOKEN, estimate_tokens
from docrag.answer.markers import neutral
from docrag.answer.neighbours import grown
from docrag.api import Citation, StoredChunk

#: Longest title or section in a fence, characters; a heading can be a whole paragraph.
LONGEST_NAME: Final = 200
#: Fence, names of its attributes, and a page, by language.
_WORDS: Final = {
    "tr": ("pasaj", "belge", "yer", "durum", "s."),
    "en": ("passage", "document", "place", "status", "p."),
}
#: What is said of an article that is no longer in force, by language.
REPEALED: Final = {"tr": "yürürlükten kaldırılmış", "en": "repealed"}
#: Signs that open what in a document looks like a fence of any language, or like a control token of
#: a chat template, which servers take for one even in a message; they are replaced.
_CONTROL: Final = re.compile(
    r"[<＜﹤](?=\s*/?\s*(?:pasaj|passage)|[|｜]|/?(?:s|bos|eos|pad|unk)>|(?:start|end)_of_turn>|</?sys>)"
    r"|\[(?=/?(?:inst|system_prompt|available_tools|tool_calls|tool_results)\])",
    re.IGNORECASE,
)
#: What a document holds that nobody sees and a model reads: soft hyphens, blanks without width, and
#: invisible copies of ASCII, in which whole orders can be written. Joiners of other scripts stay.
_UNSEEN: Final = re.compile("[\u00ad\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_QUOTES: Final = str.maketrans({'"': "'", "<": "‹", ">": "›"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """The passages that fit."""

    #: Their sources, a prefix of those offered.
    context: tuple[Citation, ...]
    #: As the prompt shows them.
    text: str
    #: True if nothing that was offered is left out or cut.
    is_whole: bool


def pack(context: Sequence[Citation], *, language: str, budget: int) -> Packed:
    """As many passages, best first, as fit; the first is cut if it must be.

    :param context: numbered sources, best first; their numbers stay as they are.
    :param budget: tokens for all passages together.
    :returns: at least one passage, unless there are none.
    """
    shown: list[str] = []
    left = budget
    for citation in context:
        passage = fenced(citation, citation.text, language)
        left -= estimate_tokens(passage)
        if left < 0:
            break
        shown.append(passage)
    is_whole = len(shown) == len(context)
    if not shown and context:
        shown.append(_cut(context[0], language, budget))
    kept = tuple(context[: len(shown)])
    return Packed(context=kept, text="\n".join(shown), is_whole=is_whole)


def tokens(context: Sequence[Citation], language: str) -> int:
    """Tokens that these passages take together."""
    return sum(estimate_tokens(fenced(citation, citation.text, language)) for citation in context)


def fill(
    context: Sequence[Citation],
    neighbours: Iterable[StoredChunk],
    *,
    language: str,
    budget: int,
) -> Packed:
    """All passages, with as many of the neighbours in or behind them as fit.

    :param context: numbered sources that fit as they are.
    :param neighbours: in the order in which they are put in; the first that does not fit ends it.
    :param budget: tokens for all passages together.
    """
    sources = tuple(context)
    shown = [fenced(citation, citation.text, language) for citation in sources]
    left = budget - sum(map(estimate_tokens, shown))
    for neighbour in neighbours:
        more = grown(sources, neighbour)
        at = next(n for n, source in enumerate(more) if sources[n : n + 1] != (source,))
        passage = fenced(more[at], more[at].text, language)
        left -= estimate_tokens(passage) - sum(map(estimate_tokens, shown[at : at + 1]))
        if left < 0:
            break
        sources = more
        shown[at : at + 1] = [passage]
    return Packed(context=sources, text="\n".join(shown), is_whole=True)


def fenced(citation: Citation, text: str, language: str) -> str:
    """A passage marked as data.

    Nothing in it can close or open a fence or a turn of the chat, nothing is invisible, and nothing
    looks like a citation marker but its own.
    """
    tag, document, place, status, page = _WORDS[language]
    where = citation.section
    if citation.page_first is not None:
        article = f", {citation.article.name}" if citation.article else ""
        where = f"{page} {citation.page_first}{article}"
    gone = ", ".join(citation.repealed)
    note = f' {status}="{_name(f"{REPEALED[language]}: {gone}")}"' if gone else ""
    body = _harmless(text)
    return (
        f'<{tag} no="{citation.number}" {document}="{_name(citation.title)}" '
        f'{place}="{_name(where)}"{note}>\n[{citation.number}] {body}\n</{tag}>'
    )


def _cut(citation: Citation, language: str, budget: int) -> str:
    """The passage with as much of its text as the budget allows."""
    frame = estimate_tokens(fenced(citation, "", language))
    room = max(int((budget - frame - 1) * CHARACTERS_PER_TOKEN), 0)
    return fenced(citation, citation.text[:room], language)


def _harmless(text: str) -> str:
    return neutral(_CONTROL.sub("‹", _UNSEEN.sub("", text)))


def _name(text: str) -> str:
    """A title or section on one line that cannot end its attribute."""
    flat = _harmless(" ".join(text.split())).translate(_QUOTES)
    return flat if len(flat) <= LONGEST_NAME else flat[: LONGEST_NAME - 1] + "…"
