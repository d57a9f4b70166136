"""A streamed answer checked sentence by sentence against its sources, and what comes of it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from docrag.answer.markers import numbers, strip
from docrag.answer.segments import bare, end_of_first, fence, is_row
from docrag.answer.templates import LANGUAGES
from docrag.answer.templates import sentence as fixed
from docrag.answer.verification.verifier import Finding, Verifier
from docrag.api import CheckedSentence, Citation, Judge, JudgeError

logger = logging.getLogger(__name__)

#: Stands behind a sentence that no source supports.
SIGN: Final = "⚠"
#: Least verdict of a judge, 0 to 1, that overrules a finding of the words alone.
SURE: Final = 0.5
#: Findings that a judge may overrule: other words may say the same, other figures never do.
_SOFT: Final = frozenset({"coverage", "name"})
#: What may be the beginning of a marker.
_OPENING: Final = re.compile(r"\s*\[\d{0,6}\]?\Z")
#: What is held back at the end of an unfinished sentence: its end may need a marker.
_TAIL: Final = " \t\r\u00a0.!?…:;,\"'“”’»)][0123456789|*_"
#: A longer run of text without an end is judged as far as it goes, characters: no text of people
#: has such a sentence, and the end is looked for anew with each piece.
LONGEST: Final = 2_000
#: A sign in an answer, behind a word; with a selector behind it, it is an emoji of the model.
_SIGNS: Final = re.compile(rf"(?<=\S)[ \t]{SIGN}(?!\ufe0f)(?=\s|\||\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """How an answer is checked."""

    #: ``flag``, ``drop`` or ``block``.
    policy: str
    #: Of what is said besides: ``tr`` or ``en``.
    language: str
    question: str
    judge: Judge | None = None


class Checking:
    """Passes streamed text on, checked; markers are resolved already. Not thread-safe.

    With ``flag`` the text goes on as it comes but for the end of each sentence; ``drop`` holds a
    sentence until it is checked, ``block`` all of the text. A supported sentence without a marker
    gets that of its source, and one whose marker names another source than the one that says it
    gets the right one instead.
    """

    def __init__(self, context: Sequence[Citation], checks: Checks) -> None:
        """Prepare the sources.

        :param context: that the one who writes was offered.
        """
        self._checks = checks
        self._judge = checks.judge
        self._verifier = Verifier(context, question=checks.question)
        self._by_number = {citation.number: citation for citation in context}
        self._buffer = ""
        #: Characters of the buffer that were passed on.
        self._sent = 0
        self._in_code = False
        self._in_table = False
        self._held: list[str] = []
        self._sentences: list[CheckedSentence] = []
        self._dropped = 0

    @property
    def sentences(self) -> tuple[CheckedSentence, ...]:
        """What was checked so far and is in the text, in order."""
        return tuple(self._sentences)

    @property
    def has_failed(self) -> bool:
        """True if nothing may stand: it is blocked, or all that it claimed was dropped."""
        if self._checks.policy == "block":
            return any(not sentence.is_supported for sentence in self._sentences)
        return self._dropped > 0 and not any(sentence.is_claim for sentence in self._sentences)

    def feed(self, piece: str) -> str:
        """Text that is ready to be shown after this piece, perhaps empty."""
        self._buffer += piece
        ready: list[str] = []
        while (end := self._first_end()) is not None:
            ready.append(self._closed(self._buffer[:end]))
            self._buffer, self._sent = self._buffer[end:], 0
        ready.append(self._live())
        return self._passed("".join(ready))

    def finish(self) -> str:
        """What was still held back, and a note on what was found, at the end of the text.

        Nothing if it :attr:`has_failed`.
        """
        rest = self._closed(self._buffer) if self._buffer else ""
        self._buffer, self._sent = "", 0
        if self.has_failed:
            return ""
        return "".join((*self._held, rest)) + self._note()

    def _passed(self, text: str) -> str:
        """What of a checked text may go on now: with ``drop``, nothing before the first claim."""
        if not self._waits():
            text = "".join((*self._held, text))
            self._held.clear()
            return text
        self._held.append(text)
        return ""

    def _waits(self) -> bool:
        policy = self._checks.policy
        return policy == "block" or (
            policy == "drop" and not any(sentence.is_claim for sentence in self._sentences)
        )

    def _first_end(self) -> int | None:
        """Where the first whole sentence or line of the buffer ends; ``None`` if none is whole."""
        line, newline, _ = self._buffer.partition("\n")
        if not line.strip() and newline:
            return len(line) + 1
        if self._in_code or fence(line) or is_row(line):
            return len(line) if newline else None
        end = end_of_first(line[:LONGEST])
        rest = line[end:]
        if end == LONGEST < len(line):
            return end
        if rest.strip() and not (_OPENING.match(rest) and not newline):
            return end
        return len(line) if newline else None

    def _live(self) -> str:
        """The part of an unfinished sentence that can go on."""
        if self._checks.policy != "flag" or self._in_code:
            return ""
        end = max(len(self._buffer.rstrip(_TAIL)), self._sent)
        text, self._sent = self._buffer[self._sent : end], end
        return text

    def _closed(self, text: str) -> str:
        """What goes on of a whole sentence or line beyond what has."""
        rest = text[self._sent :]
        plain = self._read(text)
        if not plain:
            return rest
        cited = numbers(text)
        finding = self._judged(plain, self._verifier.judge(plain, cited), cited)
        if _is_right(finding) or self._checks.policy != "drop":
            return self._marked(rest, plain, cited, finding)
        self._dropped += 1
        return ""

    def _read(self, text: str) -> str:
        """What a sentence or line says; empty if that is nothing that could be judged."""
        opened = fence(text)
        if opened:
            toggles, said = opened
            self._in_code ^= toggles
            return said
        is_head = is_row(text) and not self._in_table and not any(map(str.isdigit, strip(text)))
        if text.strip():
            self._in_table = is_row(text)
        return "" if is_head else bare(text)

    def _marked(self, rest: str, plain: str, cited: tuple[int, ...], finding: Finding) -> str:
        """The end of a sentence with the marker or the sign that it needs; it is kept."""
        is_right = _is_right(finding)
        # In code, a marker would be a part of it.
        may_add = finding.is_claim and finding.source not in cited and not self._in_code
        added = finding.source if may_add else None
        if is_right and added is not None:
            rest = _with(strip(rest), f"[{added}]")
            cited = (added,)
        elif not is_right:
            rest = _with(rest, SIGN)
        self._sentences.append(
            CheckedSentence(
                text=plain,
                citations=cited,
                is_supported=is_right,
                score=finding.score,
                reasons=finding.reasons,
                missing=finding.missing,
                is_claim=finding.is_claim,
            )
        )
        return rest

    def _judged(self, plain: str, finding: Finding, cited: tuple[int, ...]) -> Finding:
        """The finding as a judge sees it, who is asked where only the words differ."""
        judge, source = self._judge, finding.source or next(iter(cited), None)
        is_soft = not finding.supported and _SOFT.issuperset(finding.reasons)
        if judge is None or not is_soft or source not in self._by_number:
            return finding
        try:
            told = next(iter(judge.judge([(plain, self._by_number[source].text)])), None)
        except JudgeError as exc:
            logger.warning("the judge was not asked: %s", exc, extra={"action": "judge_failed"})
            # Each further sentence would wait for it as long.
            self._judge = None
            return finding
        if not isinstance(told, int | float):
            return finding
        if told >= SURE:
            return replace(finding, supported=True, source=source, score=told, reasons=())
        return replace(finding, reasons=(*finding.reasons, "judge"))

    def _note(self) -> str:
        """What stands below the text about the sentences that were not supported."""
        language = self._checks.language
        if self._dropped:
            return "\n\n" + fixed("dropped", language).format(n=self._dropped)
        if any(not sentence.is_supported for sentence in self._sentences):
            return "\n\n" + fixed("unverified", language)
        return ""


def _is_right(finding: Finding) -> bool:
    """True if an offered source supports the sentence, be it another one than it cites."""
    return finding.supported or "wrong_source" in finding.reasons


def without_signs(text: str) -> str:
    """An earlier answer without the signs and notes of its checking."""
    return _SIGNS.sub("", _notes().sub("", text)).rstrip() if SIGN in text else text


@lru_cache(maxsize=1)
def _notes() -> re.Pattern[str]:
    """The notes below an answer, in each language."""
    texts = [fixed(name, language) for name in ("unverified", "dropped") for language in LANGUAGES]
    forms = (re.escape(text).replace(r"\{n\}", r"\d+") for text in texts)
    return re.compile(rf"^(?:{'|'.join(forms)})[ \t]*$", re.MULTILINE)


def _with(text: str, sign: str) -> str:
    """A sentence's end with a sign behind it, within the last cell of a table's row."""
    body = text.rstrip()
    space = text[len(body) :]
    if body.endswith("|"):
        return f"{body[:-1].rstrip()} {sign} |{space}"
    return f"{body} {sign}{space}"
