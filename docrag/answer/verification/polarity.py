"""What a text denies, and words that have an opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from docrag.answer.verification.tokens import Token

#: Letters of a denied verb ("almaz"), and those of a verb; longer ones are no words.
SHORTEST, LONGEST = 5, 40
#: A folded verb that is denied: stem, "-ma", and the ending of a tense, a participle or a noun.
_DENIED: Final = re.compile(
    r"(?P<stem>\w{2,}?)[ae]?(?:"
    r"m[ae](?:z(?!l[iu])\w{0,6}|d[iu](?:l[ae]r|k|m|n)?|m[iu]s\w*|y[ae]c[ae][kg]\w*|y[ae]n\w*|d[iu][kg]\w*"
    r"|m[ae]k\w*|m[ae]s[iu]\w*|m[ae]l[iu]\w*|y[iu]p|ks[iu]z[iu]n|s[iu]n(?:l[ae]r)?"
    r"|m[ae](?:l[ae]r\w*|n[iu]n|y[ae]|n[iu]z)?)"
    r"|m[iu]yor\w*)"
)
#: Folded words that look denied and are not.
_OTHERS: Final = re.compile(
    r"(?:namaz|ramazan|sermaye|damad|ahmed|mehmed|muhammed|elmas|yilmaz|sonmez|korkmaz|solmaz"
    r"|kacinilmaz|vazgecilmez|tasinmaz(?=\w)|tartisilmaz|degismez|tukenmez|memned)\w*"
)
#: Endings of a folded verb that is affirmed.
_TENSES: Final = re.compile(
    r"(?P<stem>\w{2,}?)(?:y?[ae]bil)?(?:[aiue]?r(?:l[ae]r)?|(?:m[iu]s|[dt][iu]|[iu]yor|[ae]c[ae][kg]|m[ae]l[iu]|m[ae]kt[ae]"
    r"|[ae]n|[dt][iu][kg]|m[ae]k|m[ae]s[iu]|[iu]p|[iu]nc[ae]|[ae]r[ae]k)\w*)"
)
#: Stems that say little without the word before them.
_LIGHT: Final = frozenset(
    "et ed ol yap ver al bulun kal edil olun yapil veril alin gel git gid".split()
)
#: Endings of a verb that ends a sentence, folded.
_FINITE: Final = re.compile(
    r".*(?:r|rlar|rler|z|zlar|zler|d[iu]|t[iu]|d[iu]l[ae]r|t[iu]l[ae]r|m[iu]s|m[iu]sl[ae]r|[dt][iu]r(?:l[ae]r)?"
    r"|[ae]c[ae]k|iyor|uyor|m[ae]l[iu])"
)
#: A denied verb as a noun, which the verb behind it states ("çalıştırılmaması esastır").
_STATED: Final = re.compile(r"m[ae]m[ae](?:s|k|l[ae]r)")
#: A denied verb that is also a noun or adjective ("taşınmaz mal"), where a word goes on with it.
_NOUN: Final = "tasinmaz"
_JOINING: Final = frozenset({"ve", "veya", "ya", "ancak", "fakat", "ama"})
#: Words that deny what stands by them, Turkish and English.
_DENYING: Final = re.compile(r"degil\w*|yok(?:tur|tu|mus|sa)?")
_BEFORE: Final = frozenset({"not", "no", "never", "cannot", "without"})
#: Ending of the passive.
_PASSIVE: Final = re.compile(
    r"(?<=\w\w)(?:[iu]l|[iu]n|(?<=[aeiu])n)$|(?<=^as)il$|(?<=^ed)il$|(?<=^al)in$"
)
#: What a short stem may have before its tense: a vowel, or the passive.
_GROWN: Final = ("", *"aeiuln", "il", "ul", "in", "un")
#: Stems that say the same where they are denied or affirmed.
_GROUPS: Final = (
    ("gerek", "zorun", "mecbur", "sart", "yukumlu", "lazim"),
    ("as", "gec"),
    ("uygulan", "tabi", "gecerli", "kapsamind", "kapsar"),
)
#: Words that say as much as a denied verb.
_FORBIDDING: Final = re.compile(
    r"yasak\w*|haric\w*|disinda\w*|muaf\w*|istisna\w*|aykiri\w*|engel\w*|\w+s[iu]z(?:in)?|hicbir|hic|except\w*|prohibit\w*|forbid\w*"
)
#: Two poles, folded patterns; a text that has one of a pair only says the opposite of one that has
#: the other only.
_POLES: Final = (
    (
        r"(?:once\w{0,6}|evvel\w*|onceki|before)",
        r"(?:sonra\w{0,4}|muteakip|takiben|takip eden|izleyen|after|following)",
    ),
    (r"(?:yasak\w*|prohibited|forbidden)", r"(?:serbest\w*|izin veril\w+|allowed|permitted)"),
    (
        r"(?:zorunlu\w*|zorunda\w*|mecburi\w*|sart\w*|mandatory|compulsory|required)",
        r"(?:istege bagli\w*|ihtiyari\w*|optional|secmeli\w*)",
    ),
    (r"(?:haric\w*|disinda\w*|excluding|except)", r"(?:dahil\w*|including)"),
    (r"(?:kapsam\w* disi\w*)", r"(?:kapsaminda\w*|kapsar|tabi|tabidir\w*)"),
    (r"(?:alti|altinda\w*|altindaki|below|under)", r"(?:ustu|ustunde\w*|uzerinde\w*|above|over)"),
    (r"(?:(?<!en )fazla(?:dan)?|more)", r"(?:(?<!en )az(?:dan)?|less|fewer)"),
    (r"(?:yoktur|yok)", r"(?:vardir|var)"),
    (
        r"(?:artir\w*|artar|artti|artmis\w*|yuksel\w*|increase\w*)",
        r"(?:azal\w*|dusur\w*|decrease\w*)",
    ),
    (r"(?:kabul ed\w+)", r"(?:reddet\w+|reddedi\w+)"),
)
_PAIRS: Final = tuple(
    (re.compile(rf"(?<!\w){one}(?!\w)"), re.compile(rf"(?<!\w){other}(?!\w)"))
    for one, other in _POLES
)


@dataclass(frozen=True, slots=True)
class Denial:
    """A verb that is denied, or a word beside "değil" or "not"."""

    stem: str
    #: Place among the tokens.
    place: int
    #: Folded word before it; empty for none.
    before: str


def denials(found: Sequence[Token]) -> Iterator[Denial]:
    """What the tokens deny, in order."""
    for place, token in enumerate(found):
        if (token.is_capital and place) or _is_noun(token, found, place):
            continue
        beside = _beside(token.folded, place)
        if beside is not None:
            if 0 <= beside < len(found):
                yield _denial(found[beside].folded, beside, found)
        elif stem := denied_stem(token.folded):
            yield _denial(stem, place, found)


def _is_noun(token: Token, found: Sequence[Token], place: int) -> bool:
    if token.folded != _NOUN or place + 1 == len(found):
        return False
    following = found[place + 1]
    return following.start == token.end + 1 and following.folded not in _JOINING


def is_denying(folded: str) -> bool:
    """True for a word that says as much as a denial: "yasak", "hariç", "hiçbir"."""
    return _FORBIDDING.fullmatch(folded) is not None


def poles(found: Sequence[Token]) -> list[tuple[bool, bool]]:
    """Whether either pole of every pair of opposites stands in the tokens, in fixed order."""
    line = " ".join(token.folded for token in found)
    return [(bool(one.search(line)), bool(other.search(line))) for one, other in _PAIRS]


def _beside(folded: str, place: int) -> int | None:
    """Place of the word that a word such as "değil" or "not" denies; ``None`` for other words."""
    if folded in _BEFORE:
        return place + 1
    return place - 1 if _DENYING.fullmatch(folded) else None


def _denial(stem: str, place: int, found: Sequence[Token]) -> Denial:
    return Denial(stem, place, found[place - 1].folded if place else "")


@lru_cache(maxsize=50_000)
def denied_stem(folded: str) -> str:
    """Stem of a verb that is denied, such as "yapil" of "yapılamaz"; empty for other words."""
    if not SHORTEST <= len(folded) <= LONGEST or _OTHERS.match(folded):
        return ""
    found = _DENIED.fullmatch(folded)
    return found["stem"] if found else ""


@lru_cache(maxsize=50_000)
def verb_stem(folded: str) -> str:
    """Stem of a verb in a tense, denied or not, such as "dog" of "doğmuştur"; empty for others."""
    if stem := denied_stem(folded):
        return stem
    found = _TENSES.fullmatch(folded) if len(folded) <= LONGEST else None
    return found["stem"] if found else ""


@lru_cache(maxsize=10_000)
def stems(stem: str) -> tuple[str, ...]:
    """A stem, the one without its passive ending, and those that say the same."""
    active = _PASSIVE.sub("", stem)
    found = {stem: None, active: None}
    for group in _GROUPS:
        if any(stem == one or (len(one) > 3 and stem.startswith(one)) for one in group):  # noqa: PLR2004 - long enough to tell
            found |= dict.fromkeys(group)
    return tuple(found)


def is_light(stem: str) -> bool:
    """True for a verb that says little without the word before it ("kabul et")."""
    return stem in _LIGHT


@lru_cache(maxsize=50_000)
def is_finite(folded: str) -> bool:
    """True for a verb that may end a sentence, by its ending."""
    return _FINITE.fullmatch(folded) is not None


def is_weak(folded: str) -> bool:
    """True for a denied participle, which denies nothing of its sentence ("olmayan")."""
    return denied_stem(folded) != "" and not (is_finite(folded) or _STATED.search(folded))


@lru_cache(maxsize=100_000)
def affirms(stem: str, folded: str) -> bool:
    """True if a folded word is one of the :func:`stems` with endings, and not denied."""
    if denied_stem(folded) or folded.endswith(("meden", "madan")):
        return False
    return any(_is_of(one, folded) for one in stems(stem))


def denies(stem: str, other: str) -> bool:
    """True if two stems of denied words are of one verb."""
    return not set(stems(stem)).isdisjoint(stems(other))


def _is_of(stem: str, folded: str) -> bool:
    soft = stem[:-1] + "d" if stem.endswith("t") else stem
    if not folded.startswith((stem, soft)):
        return False
    if len(stem) > 3:  # noqa: PLR2004 - a long stem tells by itself
        return True
    found = _TENSES.fullmatch(folded)
    return found is not None and found["stem"] in {stem + end for end in _GROWN} | {soft}
