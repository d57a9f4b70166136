"""A streamed answer checked sentence by sentence against its sources, and what comes of it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from docrag.answer.markers import numbers, strip
from docrag.answer.templates import sentence as fixed
from docrag.answer.verification.verifier import Finding, Verifier
from docrag.api import CheckedSentence, Citation, Judge, JudgeError, spans

logger = logging.getLogger(__name__)

#: Stands behind a sentence that no source supports.
SIGN: Final = "⚠"
#: Least verdict of a judge, 0 to 1, that overrules a finding of the words alone.
SURE: Final = 0.5
#: Findings that a judge may overrule: other words may say the same, other figures never do.
_SOFT: Final = frozenset({"coverage", "name"})
_MARKERS: Final = r"(?:\s?\[\d{1,6}\])+"
#: Markers behind the stop of a sentence, glued to it or not.
_BEHIND: Final = re.compile(_MARKERS)
#: A stop with markers glued to it, which the rules for sentences do not know.
_GLUED: Final = re.compile(rf"[.!?…](?={_MARKERS}(?:\s|\Z))")
#: What may be the beginning of a marker.
_OPENING: Final = re.compile(r"\s*\[\d{0,6}\]?\Z")
#: What is held back at the end of an unfinished sentence: its end may need a marker.
_TAIL: Final = " \t\r\u00a0.!?…:;,\"'“”’»)][0123456789|*_"
#: A longer run of text without an end is judged as far as it goes, characters: no text of people
#: has such a sentence, and the end is looked for anew with each piece.
LONGEST: Final = 2_000
#: Signs of Markdown at the beginning of a line, and emphasis.
_FORM: Final = re.compile(r"^[\s>#|]*(?:[-*•+]\s+|\d{1,3}[.)]\s+)?|\*\*|__|`")
#: A note below an answer, and a sign in it.
_SIGNS: Final = re.compile(rf"^{SIGN} [^\n]*$|[ \t]?{SIGN}", re.MULTILINE)
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")


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
        self._passed(rest)
        if self.has_failed:
            return ""
        text = "".join(self._held) if self._checks.policy == "block" else rest
        return text + self._note()

    def _passed(self, text: str) -> str:
        if self._checks.policy != "block":
            return text
        self._held.append(text)
        return ""

    def _first_end(self) -> int | None:
        """Where the first whole sentence or line of the buffer ends; ``None`` if none is whole."""
        line, newline, _ = self._buffer.partition("\n")
        if not line.strip() and newline:
            return len(line) + 1
        if self._in_code or _FENCE.match(line) or line.lstrip().startswith("|"):
            return len(line) if newline else None
        end = _end_of_first(line[:LONGEST])
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
        if _FENCE.match(text):
            self._in_code = not self._in_code
            return rest
        plain = _FORM.sub("", strip(text)).strip().strip("|").strip()
        if self._in_code or not plain:
            return rest
        cited = numbers(text)
        finding = self._judged(plain, self._verifier.judge(plain, cited), cited)
        if finding.supported or self._checks.policy != "drop":
            return self._marked(rest, plain, cited, finding)
        self._dropped += 1
        return ""

    def _marked(self, rest: str, plain: str, cited: tuple[int, ...], finding: Finding) -> str:
        """The end of a sentence with the marker or the sign that it needs; it is kept."""
        is_right = finding.supported or "wrong_source" in finding.reasons
        added = finding.source if finding.is_claim and finding.source not in cited else None
        if is_right and added is not None:
            rest = _with(strip(rest), f"[{added}]")
            cited = (added,)
        elif not finding.supported:
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
            told = judge.judge([(plain, self._by_number[source].text)])[0]
        except JudgeError as exc:
            logger.warning("the judge was not asked: %s", exc, extra={"action": "judge_failed"})
            # Each further sentence would wait for it as long.
            self._judge = None
            return finding
        if told is None:
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


def without_signs(text: str) -> str:
    """An earlier answer without the signs and notes of its checking."""
    return _SIGNS.sub("", text).rstrip() if SIGN in text else text


def _end_of_first(line: str) -> int:
    """End of the first sentence of a line, markers behind it included."""
    found = spans(line)
    ends = [found[0][1]] if found else [len(line)]
    glued = _GLUED.search(line)
    if glued:
        ends.append(glued.end())
    end = min(ends)
    behind = _BEHIND.match(line, end)
    return behind.end() if behind else end


def _with(text: str, sign: str) -> str:
    """A sentence's end with a sign behind it, within the last cell of a table's row."""
    body = text.rstrip()
    space = text[len(body) :]
    if body.endswith("|"):
        return f"{body[:-1].rstrip()} {sign} |{space}"
    return f"{body} {sign}{space}"
