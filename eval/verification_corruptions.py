"""Supported sentences made wrong in one place."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from docrag.api import fold
from eval.verification_turkish import SPELLED, affirmed, denied, harmonised, spelled
from eval.verification_variants import MONTHS

Draw: TypeAlias = random.Random
#: A sentence, the text of its source and others' texts; the wrong sentence, empty for none.
Corruption: TypeAlias = Callable[[str, str, Sequence[str], Draw], str]

#: Draws until a text is given up.
TRIES: Final = 50
_YEAR: Final = re.compile(r"(?<![\w.,/-])(?:1[0-9]\d\d|20[0-2]\d)(?![\w/]|[.,]\d)")
_DAY: Final = re.compile(rf"(?<![\w.,/-])(\d{{1,2}}) ({'|'.join(MONTHS)})(?!\w)")
_NUMBER: Final = re.compile(
    r"(?<![\w.,/:-])(?:\d{1,3}(?:\.\d{3})+|\d+(?:,\d+)?)(?![\w/:-]|[.,]\d"
    rf"| (?:{'|'.join(MONTHS)})\b)"
)
_COUNTED_BY_WORDS: Final = (
    "yıl gün ay saat kişi yaş farklı ayrı adet cilt çocuk kez iş hafta dil ki[şl] büyük önemli "
    "dönem kredi puan üye".split()
)
_SPELLED: Final = re.compile(
    rf"(?<!\w)({'|'.join(SPELLED)}) (?=(?:{'|'.join(_COUNTED_BY_WORDS)})\w*)"
)
_NAME: Final = re.compile(
    r"(?<=[a-zçğıöşü,] )[A-ZÇĞİÖŞÜ][\wâîû-]+(?: [A-ZÇĞİÖŞÜ][\wâîû-]+){0,3}(?=['’ .,;)])"
)
_NO_NAMES: Final = frozenset(
    (*MONTHS, *"Bu Ancak Daha Ayrıca Onun Bunun Prof Dr Doç Sayın Yine Fakat Ve İlk".split())
)
_UNITS: Final = (
    "saniye dakika saat gün hafta ay yıl".split(),
    "milimetre santimetre metre kilometre".split(),
    "gram kilogram ton".split(),
    "mm cm m km".split(),
    "TL dolar euro".split(),
    "lira dolar euro".split(),
)
_UNIT: Final = re.compile(
    r"(?<=\w )("
    + "|".join(sorted({u for g in _UNITS for u in g}, key=len, reverse=True))
    + r")(l[ıiuü]k\w*|dır|den|dan|[ıiuü]|da|de|)(?!\w)"
)
_COUNTED: Final = re.compile(r"(?:\d|\b(?:" + "|".join(SPELLED) + r"))\)?(?: iş)? $")
_POLES: Final = (
    ("en az", "en çok"), ("en fazla", "en az"), ("en çok", "en az"), ("asgari", "azami"),
    ("azami", "asgari"), ("zorunludur", "zorunlu değildir"), ("zorundadır", "zorunda değildir"),
    ("zorunda değildir", "zorundadır"), ("zorunlu değildir", "zorunludur"),
    ("yasaktır", "serbesttir"), ("hariç", "dahil"), ("dahil", "hariç"), ("vardır", "yoktur"),
    ("yoktur", "vardır"), ("önce", "sonra"), ("sonra", "önce"), ("gereklidir", "gerekli değildir"),
)  # fmt: skip


def number(sentence: str, source: str, others: Sequence[str], draw: Draw) -> str:
    """Another number of the same order, in half of the cases one of the same source."""
    figures = [m for m in _NUMBER.finditer(sentence) if not _YEAR.fullmatch(m[0]) and m[0] != "1"]
    words = list(_SPELLED.finditer(sentence))
    if not figures and not words:
        return ""
    found = draw.choice([*figures, *words])
    if found in words:
        value = SPELLED[found[1]]
        other = _near(value, sentence, draw)
        return f"{sentence[: found.start(1)]}{spelled(other)}{sentence[found.end(1) :]}"
    there = [
        m[0] for m in _NUMBER.finditer(source)
        if len(m[0]) == len(found[0]) and m[0] not in sentence and not _YEAR.fullmatch(m[0])
    ]  # fmt: skip
    if there and draw.random() < 0.5:  # noqa: PLR2004 - half
        other_text = draw.choice(there)
    else:
        plain = int(re.sub(r"\D", "", found[0]))
        other_text = _like(found[0], _near(plain, sentence, draw))
    return f"{sentence[: found.start()]}{other_text}{sentence[found.end() :]}"


def _near(value: int, sentence: str, draw: Draw) -> int:
    """Another number of the same order that the sentence has not; the same where it has all."""
    low, high = (2, 10) if value < 10 else (10 ** (len(str(value)) - 1), 10 ** len(str(value)))  # noqa: PLR2004
    for _ in range(TRIES):
        other = draw.randrange(low, high)
        small = other < 1000 and spelled(other) in sentence  # noqa: PLR2004 - written in words
        if other != value and str(other) not in sentence and not small:
            return other
    return value


def _like(written: str, value: int) -> str:
    if "," in written:
        places = len(written.partition(",")[2])
        text = str(value).rjust(places + 1, "0")
        return f"{text[:-places]},{text[-places:]}"
    return f"{value:,}".replace(",", ".") if "." in written else str(value)


def date(sentence: str, source: str, others: Sequence[str], draw: Draw) -> str:
    """Another year, day or month; in half of the cases a year of the same source."""
    years, days = list(_YEAR.finditer(sentence)), list(_DAY.finditer(sentence))
    if days and (not years or draw.random() < 0.5):  # noqa: PLR2004 - half
        found = draw.choice(days)
        day, month = found[1], found[2]
        if draw.random() < 0.5:  # noqa: PLR2004 - half
            day = str(draw.choice([n for n in range(1, 29) if str(n) != day]))
        else:
            month = draw.choice([name for name in MONTHS if name != month])
        return f"{sentence[: found.start()]}{day} {month}{sentence[found.end() :]}"
    if not years:
        return ""
    found = draw.choice(years)
    there = [m[0] for m in _YEAR.finditer(source) if m[0] not in sentence]
    if there and draw.random() < 0.5:  # noqa: PLR2004 - half
        other = draw.choice(there)
    else:
        near = [n for n in range(-20, 21) if n and str(int(found[0]) + n) not in sentence]
        other = str(int(found[0]) + draw.choice(near))
    return f"{sentence[: found.start()]}{other}{sentence[found.end() :]}"


def name(sentence: str, source: str, others: Sequence[str], draw: Draw) -> str:
    """Another name, in half of the cases one of the same source."""
    ours = [m for m in _NAME.finditer(sentence) if m[0].split()[0] not in _NO_NAMES]
    if not ours:
        return ""
    found = draw.choice(ours)
    beginnings = {fold(word)[:4] for word in re.findall(r"\w+", sentence)}
    same = draw.random() < 0.5  # noqa: PLR2004 - half
    pool = _names(source, beginnings) if same else []
    tries = 0
    while not pool and tries < TRIES:
        pool = _names(draw.choice(others), beginnings)
        tries += 1
    if not pool:
        return ""
    other = draw.choice(pool)
    return f"{sentence[: found.start()]}{other}{sentence[found.end() :]}"


def _names(text: str, beginnings: set[str]) -> list[str]:
    return [
        m[0] for m in _NAME.finditer(text)
        if m[0].split()[0] not in _NO_NAMES
        and not any(fold(word)[:4] in beginnings for word in re.findall(r"\w+", m[0]))
    ]  # fmt: skip


def unit(sentence: str, source: str, others: Sequence[str], draw: Draw) -> str:
    """Another unit of the same kind behind a number."""
    ours = [m for m in _UNIT.finditer(sentence) if _COUNTED.search(sentence[: m.start()])
            and not _YEAR.search(sentence[max(m.start() - 5, 0) : m.start()])]  # fmt: skip
    if not ours:
        return ""
    found = draw.choice(ours)
    group = next(group for group in _UNITS if found[1] in group)
    other = draw.choice([word for word in group if word != found[1]])
    ending = found[2]
    for form in ("lIk", "DIr", "DAn", "DA", "I"):
        if ending and re.fullmatch(re.sub("[ADI]", "\\\\w", form) + r"\w*", ending):
            ending = harmonised(other, form)[len(other) :]
            break
    return f"{sentence[: found.start()]}{other}{ending}{sentence[found.end() :]}"


def negation(sentence: str, source: str, others: Sequence[str], draw: Draw) -> str:
    """The verb denied or affirmed, or a word with its opposite for it."""
    poles = [(one, other) for one, other in _POLES if re.search(rf"(?<!\w){one}(?!\w)", sentence)]
    last = re.search(r"(\w+)(\W*)$", sentence)
    flipped = _flipped(sentence, last) if last else ""
    if poles and (not flipped or draw.random() < 0.5):  # noqa: PLR2004 - half
        one, other = draw.choice(poles)
        return re.sub(rf"(?<!\w){one}(?!\w)", other, sentence, count=1)
    return flipped


def _flipped(sentence: str, last: re.Match[str]) -> str:
    word, before = last[1], sentence[: last.start()]
    if word.startswith("değil"):
        return f"{before.rstrip()}{last[2]}"
    verb = affirmed(word) or (denied(word) if not re.search(r"m[ae]z(?:l[ae]r)?$", word) else None)
    if (
        re.search(r"(?<!m[ıiuü]ş)(?<!m[ae]kta)(?<!m[ae]kte)(?<![ae]c[ae]k)[dt][ıiuü]r$", word)
        and len(word) > 5
    ):  # noqa: PLR2004
        stem = re.sub(r"['’]?[dt][ıiuü]r$", "", word)
        return f"{before}{stem} değildir{last[2]}"
    return f"{before}{verb}{last[2]}" if verb else ""


#: By the name that they have in the table.
CORRUPTIONS: Final[dict[str, Corruption]] = {
    "number": number, "date": date, "name": name, "unit": unit, "negation": negation,
}  # fmt: skip
