"""How well one source covers a claim: its best lines, and what they do not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from docrag.answer.language import language_of
from docrag.answer.verification.binding import misplaced
from docrag.answer.verification.claim import Claim
from docrag.answer.verification.dates import Date, day_of
from docrag.answer.verification.denial import contradicts
from docrag.answer.verification.names import Mention
from docrag.answer.verification.number import Number
from docrag.answer.verification.source import ROW, Line, Source, told
from docrag.answer.verification.tables import crossed
from docrag.answer.verification.units import agree, is_amount

#: Least share of what a sentence says that its evidence holds, by weight, 0 to 1.
LEAST: Final = 0.4
#: Weight of a word or name that the question has, beside 1 of others: an answer repeats them.
ASKED: Final = 0.3
#: Weight of a value or name beside that of a word in the mean, where evidence is chosen.
VALUE: Final = 2.0
#: What a line more must add to be evidence, in weight.
LINE: Final = 0.1
#: Most neighbouring lines that are evidence together.
WINDOW: Final = 2
#: Share of the best lines' worth from which others are tried as well, and how many are.
NEARLY: Final = 0.999
TRIED: Final = 3
#: Words that may stand between those of one name.
LOOSE: Final = 3
#: Fewest words of a sentence that is supported since the source has it as it is.
VERBATIM: Final = 3
#: Failures from which on a sentence is no claim of this source's matter, and no more are sought.
MANY: Final = 12
#: Letters that no English sentence has.
_TURKISH: Final = frozenset("çğıöşüÇĞİÖŞÜ")
#: Score of a sentence of which only the values can be judged.
TRANSLATED: Final = 0.7
#: What each kind of failure leaves of the score.
PENALTY: Final = 0.6


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one source covers a claim."""

    source: int
    #: 0 to 1.
    score: float
    #: Machine words of what failed, each once; empty if the source supports the claim.
    reasons: tuple[str, ...]
    #: What the evidence does not hold, as written.
    missing: tuple[str, ...]

    @property
    def rank(self) -> tuple[bool, float]:
        """Greater for a source that supports the claim better."""
        return not self.reasons, self.score


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing that a claim says."""

    kind: str
    weight: float
    written: str
    #: Lines that hold it, a bit each.
    lines: int


def fit(claim: Claim, source: Source, asked: frozenset[str], *, briefly: bool = False) -> Fit:
    """How well a source covers a claim.

    :param asked: folded words of the question.
    :param briefly: True stops at the first failure, whose reasons are then not all.
    """
    if len(claim.tokens) >= VERBATIM and told(claim.tokens) in source.told:
        return Fit(source.number, 1.0, (), ())
    items = list(_items(claim, source, asked))
    if claim.values and _is_foreign(claim, source) and (found := _translated(source, items)):
        return found
    best: Fit | None = None
    for window in _windows(items, source.wholes):
        found = _judged(claim, source, items, window, asked, briefly)
        if best is None or found.rank > best.rank:
            best = found
        if not found.reasons:
            break
    return best or _judged(claim, source, items, 0, asked, briefly)


def _is_foreign(claim: Claim, source: Source) -> bool:
    """True if claim and source are in two languages, so that words say nothing."""
    said = language_of(claim.text)
    if said == "en" and not _TURKISH.isdisjoint(claim.text):  # English names in a Turkish sentence
        return False
    return said is not None and source.language is not None and said != source.language


def _translated(source: Source, items: Sequence[_Item]) -> Fit | None:
    """The fit of a claim in another language, all whose values and names stand together."""
    lines = [item.lines for item in items if item.kind != "word"]
    if any(all(held & window for held in lines) for window in _pairs(source.wholes)):
        return Fit(source.number, TRANSLATED, (), ())
    return None


def _pairs(wholes: Sequence[int]) -> Iterator[int]:
    yield from wholes
    yield from (one | other for one, other in zip(wholes, wholes[1:], strict=False))


def _judged(
    claim: Claim, source: Source, items: Sequence[_Item], window: int, asked: frozenset[str],
    briefly: bool,
) -> Fit:  # fmt: skip
    """How well these lines of a source cover a claim."""
    lacking = [item for item in items if not item.lines & window]
    failed = [(item.kind, item.written) for item in lacking if item.kind != "word"]
    total = sum(item.weight for item in items)
    coverage = 1 - sum(item.weight for item in lacking) / total if total else 1.0
    if coverage < LEAST:
        failed += [("coverage", item.written) for item in lacking if item.kind == "word"]
    if not failed or (not briefly and len(failed) <= MANY):
        failed += [pair for pair in misplaced(claim, source, asked) if pair not in failed]
        failed += [
            pair for pair in crossed(claim, source.lines, source.tables) if pair not in failed
        ]
        if window and contradicts(claim, source.within(window)):
            failed.append(("negation", ""))
    failed = [(_of_unit(kind, text, claim, source, window), text) for kind, text in failed]
    reasons = tuple(dict.fromkeys(kind for kind, _ in failed))
    missing = tuple(dict.fromkeys(text for _, text in failed if text))
    return Fit(source.number, coverage * PENALTY ** len(reasons), reasons, missing)


def _of_unit(kind: str, written: str, claim: Claim, source: Source, window: int) -> str:
    """``unit`` for a number that the evidence has with another unit only."""
    number = next((n for n in claim.numbers if n.written == written), None)
    if kind != "number" or number is None or not number.unit:
        return kind
    alike = [
        other
        for line in source.within(window)
        for other in line.numbers
        if other.is_sure and number.equals(other)
    ]
    others = bool(alike) and not any(agree(number.unit, other.unit) for other in alike)
    bare = bool(alike) and not any(other.unit for other in alike)
    return "unit" if others or bare else kind


def _items(claim: Claim, source: Source, asked: frozenset[str]) -> Iterator[_Item]:
    for word in claim.words:
        lines = source.having(word)
        rarity = math.log(1 + len(source.lines) / max(lines.bit_count(), 1))
        weight = ASKED if word.folded in asked else 1.0
        yield _Item("word", rarity * weight, word.written, lines)
    yield from _names(claim, source, asked)
    for number in claim.numbers:
        yield _Item("number", 1.0, number.written, _with_number(number, source))
    for date in claim.dates:
        yield _Item("date", 1.0, date.written, _with_date(date, source))
    for reference in claim.references:
        known = reference in source.references
        yield _Item("article", 1.0, reference.written, source.everywhere if known else 0)


def _names(claim: Claim, source: Source, asked: frozenset[str]) -> Iterator[_Item]:
    """The words of names; of those that the question has, half suffice, in any line."""
    names = [name for mention in claim.mentions for name in mention.names]
    lines = {name.folded: source.naming(name.folded) for name in names}
    repeated = {name.folded for name in names if name.folded in asked}
    known = {word for word in repeated if lines[word] or source.is_headed(word)}
    enough = 2 * len(known) >= len(repeated)
    for name in names:
        is_asked = name.folded in asked
        free = source.is_headed(name.folded) or (is_asked and (lines[name.folded] or enough))
        at = source.everywhere if free else lines[name.folded]
        yield _Item("name", ASKED if is_asked else 1.0, name.written, at)
    for mention in claim.mentions:
        if _is_scattered(mention, source, asked):
            yield _Item("name", 0.0, mention.written, 0)


def _is_scattered(mention: Mention, source: Source, asked: frozenset[str]) -> bool:
    """True if no line has the words of a name near each other, though they stand in the source."""
    told = dict.fromkeys(name.folded for name in mention.names if name.folded not in asked)
    forms = [forms for word in told if (forms := source.forms(word)) and not source.is_headed(word)]
    if len(forms) < 2:  # noqa: PLR2004 - two words to be near
        return False
    return not any(_is_near(forms, [t.folded for t in line.tokens]) for line in source.lines)


def _is_near(forms: Sequence[frozenset[str]], told: Sequence[str]) -> bool:
    """True if a run of words, a few more than these are, has one of each."""
    reach = len(forms) + LOOSE
    first = forms[0]
    return any(
        all(found.intersection(told[max(place - reach, 0) : place + reach]) for found in forms)
        for place, word in enumerate(told)
        if word in first
    )


def _with_number(number: Number, source: Source) -> int:
    """Lines that hold a number with its unit; a year may stand as a date."""
    as_year = number.unit in ("", "year")
    day = day_of(number.written)
    return source.where(
        lambda line: (
            any(_is_told(number, other, line) for other in line.numbers)
            or (day is not None and any((o.day, o.month) == day for o in line.dates))
            or (as_year and any(other.year == number.value for other in line.dates))
        )
    )


def _is_told(number: Number, other: Number, line: Line) -> bool:
    """True if a line's number is the claim's; one without a unit, if the line names it at all."""
    if not is_amount(number, other):
        return False
    if not number.unit or other.unit or line.text.startswith(ROW):
        return True
    return any(agree(number.unit, unit) for unit in line.units)


def _with_date(date: Date, source: Source) -> int:
    """Lines that hold a date; a bare year may stand as a number."""
    bare = date.day is None and date.month is None
    return source.where(
        lambda line: (
            any(o.holds(date) for o in line.dates)
            or (bare and any(o.value == date.year for o in line.numbers))
        )
    )


def _windows(items: Sequence[_Item], wholes: Sequence[int]) -> list[int]:
    """The lines that hold most together, a bit each, and others that hold hardly less."""
    words = [item.weight for item in items if item.kind == "word"]
    worth = VALUE * max(sum(words) / len(words) if words else 1.0, 1.0)
    weighed = [
        (item.lines, item.weight if item.kind == "word" else item.weight * worth)
        for item in items
        if item.lines
    ]
    found: list[tuple[float, int]] = []
    for length in range(1, WINDOW + 1):
        for start in range(len(wholes) - length + 1):
            window = reduce(or_, wholes[start : start + length])
            held = sum(weight for lines, weight in weighed if lines & window)
            found.append((held - LINE * (length - 1), window))
    most = max(found, default=(0.0, 0))[0]
    near = sorted((pair for pair in found if 0 < pair[0] >= NEARLY * most), key=lambda p: -p[0])
    return [window for _, window in near[:TRIED]]
