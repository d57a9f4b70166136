"""What a vision model wrote about a page: cleaned to plain text, or refused as no transcription."""

from __future__ import annotations

import re
from typing import Final

from docrag.api import LoaderError

#: What the model is told to write for a page without text.
BLANK: Final = "[BOŞ SAYFA]"
#: Characters at the end of a text that are looked at for a loop, and the longest looked-for round.
TAIL, ROUND = 1200, 400
#: Times that the same lines must follow each other to be a loop, and most lines of a round.
TIMES, ROUND_LINES = 10, 6
#: Characters up to which a text can be a refusal: a page that begins with such words is longer.
MOST_REFUSAL = 600
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_LEAD = re.compile(
    r"(?:here(?: is|'s|’s)|sure|certainly|işte)\b[^\n]{0,80}"
    r"(?:text|transcri|metin|metni|döküm)[^\n]{0,60}:[ \t]*\n+",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_REFUSAL = re.compile(
    r"\W*(?:i(?:'|’)?m sorry|i am sorry|sorry\b|i can(?:no|(?:'|’))t|i(?: a|'|’)m unable|as an ai\b"
    r"|i (?:don(?:'|’)t|do not|cannot|can(?:'|’)t) see|unfortunately,? i\b|there is no image"
    r"|please (?:provide|upload|share)|üzgünüm|özür dilerim|maalesef,? (?:bu|ben|görsel|resim)"
    r"|lütfen (?:bir )?(?:görsel|resm|resim)|bir yapay zek[aâ]\b|(?:bu )?(?:görsel|resm)i? "
    r"(?:göremiyorum|okuyamıyorum|işleyemiyorum))",
    re.IGNORECASE,
)
_LOOPED = re.compile(
    rf"(?:^|\n)((?:[^\n]*\n){{1,{ROUND_LINES}}}?)\1{{{TIMES - 1},}}",
)


def transcript(answer: str) -> str:
    """The page's text without what the model put around it; empty for a page that is blank.

    Thoughts, code fences, an opening remark and Markdown's marks of headings and bold are dropped.

    :raises LoaderError: nothing was written, the model refused, or it repeated itself endlessly.
    """
    text = _THOUGHTS.sub("", answer).replace("\r\n", "\n").strip()
    fenced = _FENCE.fullmatch(text)
    text = _LEAD.sub("", fenced[1] if fenced else text, count=1).strip()
    if not text:
        raise LoaderError("the vision model wrote nothing about it")
    if text == BLANK:
        return ""
    if len(text) <= MOST_REFUSAL and _REFUSAL.match(text):
        raise LoaderError("the vision model refused to transcribe it, or was shown no picture")
    if repeats(text):
        raise LoaderError("the vision model repeated itself endlessly over it")
    return _STRONG.sub(r"\2", _HEADING.sub("", text))


def repeats(text: str) -> bool:
    """True if a model was caught in a loop: the same words or lines over and over.

    Only what has letters counts, so that dotted lines of a form and columns of figures do not.
    """
    tail = text[-TAIL:]
    if len(tail) == TAIL and any(
        tail[size:] == tail[:-size] and _lettered(tail[:size]) for size in range(1, ROUND + 1)
    ):
        return True
    return any(_lettered(found[1]) for found in _LOOPED.finditer(f"{text}\n"))


def _lettered(text: str) -> bool:
    return any(sign.isalpha() for sign in text)
