"""Supported sentences: a source's own, cut, rewritten, or made of a question and its answer."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

from eval.verification_turkish import SPELLED, harmonised, retold, spelled

#: Characters of a sentence that another one is joined to, at most.
MOST_JOINED: Final = 200
MONTHS: Final = "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split()
_DATE: Final = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})")
_DOTTED: Final = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
_YEAR: Final = re.compile(r"\b(1\d{3}|20[0-2]\d)['’](?:de|da|te|ta)\b")
_YEAR_IN: Final = re.compile(r"\b(1\d{3}|20[0-2]\d) (?:yılında|senesinde)\b")
_FIGURES: Final = re.compile(
    r"(?<![\w.,/’'-])(?<!Yirmi )([2-9]|[1-9]\d)(?= (?!mayıs|nisan|ekim|mart)[a-zçğıöşü])"
)
_WORDS: Final = re.compile(
    rf"(?<!\w)(?<!irmi )({'|'.join(SPELLED)}) "
    r"(?=(?:yıl|gün|ay|saat|kişi|yaş|farklı|ayrı|adet|cilt|çocuk|kez|bin|iş)\w*)"
)
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_LAST: Final = re.compile(r"(\w+)([.!]*)$")
_LOCATIVE: Final = re.compile(r"(?:[dt][ae]|[dt][ae]ki)\W*$")


def rewritten(sentence: str, answer: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Name and text of every other way to write a sentence that rules find.

    :param answer: what stays in a sentence that is cut.
    """
    ways = {
        "short": _short(sentence, answer, draw),
        "numbers": _numbers(sentence),
        "dates": _dates(sentence),
        "forms": _forms(sentence),
    }
    yield from ((name, text) for name, text in ways.items() if text and text != sentence)


def joined(sentence: str, others: Sequence[str], draw: random.Random) -> Iterator[tuple[str, str]]:
    """A sentence and another one of its source as one, in either order; nothing without another.

    :param others: sentences of the source, the same one left out.
    """
    left = [other for other in others if other != sentence and other.endswith(".")]
    if left and sentence.endswith(".") and len(sentence) < MOST_JOINED:
        pair = [sentence, draw.choice(left)]
        draw.shuffle(pair)
        yield "joined", f"{pair[0][:-1]}; {pair[1]}"


def _short(sentence: str, answer: str, draw: random.Random) -> str:
    """Without brackets, and without some of the parts between commas."""
    bare = _BRACKETS.sub("", sentence) if answer in _BRACKETS.sub("", sentence) else sentence
    parts = bare.split(", ")
    first, last = parts[0], parts[-1]
    kept = [part for part in parts[1:-1] if answer in part or draw.random() < 0.4]  # noqa: PLR2004
    text = ", ".join([first, *kept, last]) if len(parts) > 2 else bare  # noqa: PLR2004
    return text if answer in text else bare


def _numbers(sentence: str) -> str:
    text = _FIGURES.sub(lambda found: spelled(int(found[1])), sentence)
    if text != sentence:
        return text
    return _WORDS.sub(lambda found: f"{SPELLED[found[1]]} ", sentence)


def _dates(sentence: str) -> str:
    text = _DATE.sub(lambda m: f"{int(m[1]):02}.{MONTHS.index(m[2]) + 1:02}.{m[3]}", sentence)
    if text != sentence:
        return text
    text = _DOTTED.sub(lambda m: f"{int(m[1])} {MONTHS[(int(m[2]) - 1) % 12]} {m[3]}", sentence)
    text = _YEAR.sub(r"\1 yılında", text)
    return text if text != sentence else _YEAR_IN.sub(lambda m: f"{m[1]}'{_locative(m[1])}", text)


def _locative(year: str) -> str:
    ends = {"0": "da", "1": "de", "2": "de", "3": "te", "4": "te", "5": "te", "6": "da", "7": "de",
            "8": "de", "9": "da"}  # fmt: skip
    return ends[year[-1]]


def _forms(sentence: str) -> str:
    """The verb in another tense, and what stands before the first comma behind its neighbours."""
    found = _LAST.search(sentence)
    other = retold(found[1]) if found else None
    text = f"{sentence[: found.start()]}{other}." if found and other else sentence
    parts = text.split(", ")
    if len(parts) > 1 and 1 < len(parts[0].split()) < 7:  # noqa: PLR2004 - a short clause
        first, rest = parts[0], ", ".join(parts[1:])
        spoken = rest.rsplit(" ", 1)
        if len(spoken) == 2:  # noqa: PLR2004 - a verb and what is before it
            small = first if first.split()[0][1:2].isupper() or "'" in first.split()[0] else first
            text = f"{spoken[0]} {small} {spoken[1]}"
    return text


def merged(question: str, answer: str) -> str:
    """A statement of a question's words and its answer; empty where no rule fits."""
    asked = re.sub(r"\s+", " ", question).strip().rstrip("?").strip()
    told = answer.strip().strip(".,;").strip()
    if not told or len(told.split()) > 12:  # noqa: PLR2004 - a phrase
        return ""
    for pattern, way in _FORMS:
        found = pattern.search(asked)
        if found and (text := way(found, told)):
            whole = f"{asked[: found.start()]}{text}{asked[found.end() :]}".strip()
            return f"{whole[0].upper() if whole[0] != 'i' else 'İ'}{whole[1:]}."
    return ""


def _in_year(found: re.Match[str], told: str) -> str:
    if re.fullmatch(r"\d{3,4}", told):
        return f"{told} yılında"
    if re.search(r"\d{4}$", told):
        return f"{told} tarihinde"
    return told if re.search(r"\d", told) else ""


def _counted(found: re.Match[str], told: str) -> str:
    return told if re.fullmatch(r"[\d.,]+(?: (?:bin|milyon|milyar))?", told) else ""


def _where(found: re.Match[str], told: str) -> str:
    return told if _LOCATIVE.search(told) else harmonised(f"{told}'", "DA")


def _is(found: re.Match[str], told: str) -> str:
    ended = re.search(r"[dt][ıiuü]r$", told)
    return f" {told}" if ended else harmonised(f" {told}'", "DIr")


def _which(found: re.Match[str], told: str) -> str:
    return told


_FORMS: Final = (
    (re.compile(r"\b(?:kaç|hangi) (?:yılında|yılda|yıl|senesinde|senede)(?= )"), _in_year),
    (re.compile(r"\bhangi tarihte(?= )"), _in_year),
    (re.compile(r"\bne zaman(?= )"), _in_year),
    (re.compile(r"\bkaç(?= [a-zçğıöşü]+)"), _counted),
    (re.compile(r"\bnerede(?= )"), _where),
    (re.compile(r"\bhangi [a-zçğıöşü]+(?:da|de|ta|te)(?= )"), _where),
    (re.compile(r"\bkim(?= tarafından)"), _which),
    (re.compile(r" (?:kimdir|nedir|kaçtır|neresidir|hangisidir)$"), _is),
    (re.compile(r"\bhangi [a-zçğıöşü]+(?= )"), _which),
    (re.compile(r"\bkim(?:i|den|le|e)?(?= )"), _which),
)  # fmt: skip
