"""Turkish for sentences made by rule: endings in harmony, numbers in words, verbs denied."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = ("", *"bir iki üç dört beş altı yedi sekiz dokuz".split())
_TENS: Final = ("", *"on yirmi otuz kırk elli altmış yetmiş seksen doksan".split())
_BACK, _ROUND = "aıou", "oöuü"
_VOWELS: Final = re.compile("[aeıioöuüâîû]")
_PLAIN: Final = str.maketrans("âîû", "aiu")
_HARD: Final = "fstkçşhp"
#: Endings of an affirmed verb, and the denied ones; "A" and "I" stand for vowels in harmony.
_DENIED: Final = (
    (r"(?:m[ıiuü]ş)(t[ıiuü]r|t[ıiuü]|lar|ler|lardır|lerdir)?", "mAmIş"),
    (r"m[ae]kta(d[ıiuü]r|yd[ıiuü]|)|m[ae]kte(d[ıiuü]r|yd[ıiuü]|)", "mAmAktA"),
    (r"(?:[ae]c[ae]k)(t[ıiuü]r|t[ıiuü])?", "mAyAcAk"),
    (r"m[ae]l[ıi](d[ıi]r)?", "mAmAlI"),
)
_PAST: Final = re.compile(r"(?P<stem>\w{2,})[dt][ıiuü](?P<more>lar|ler)?")
_AORIST: Final = re.compile(r"(?P<stem>\w*[aeıioöuü]\w*?)(?:[aeıiuü]r)(?P<more>lar|ler)?")
_ABLE: Final = re.compile(r"(?P<stem>\w+)(?:abilir|ebilir)(?P<more>ler|lar)?")


def vowel(word: str) -> str:
    """The last vowel of a word in small letters; ``e`` for none."""
    found = _VOWELS.findall(word.lower().replace("i̇", "i").translate(_PLAIN))
    return found[-1] if found else "e"


def harmonised(stem: str, ending: str) -> str:
    """The stem with an ending in which ``A`` is a or e, and ``I`` one of ı, i, u, ü."""
    word = stem
    for sign in ending:
        last = vowel(word)
        if sign == "A":
            word += "a" if last in _BACK else "e"
        elif sign == "I":
            narrow = {"a": "ı", "ı": "ı", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
            word += narrow.get(last, "i")
        elif sign == "D":
            word += "t" if word.rstrip("'’")[-1] in _HARD else "d"
        else:
            word += sign
    return word


def spelled(value: int) -> str:
    """A number below a million in words."""
    if value >= 1000:  # noqa: PLR2004 - "bin"
        thousands, rest = divmod(value, 1000)
        return f"{spelled(thousands) if thousands > 1 else ''} bin {spelled(rest)}".strip()
    hundreds, rest = divmod(value, 100)
    first = "" if not hundreds else ("yüz" if hundreds == 1 else f"{_UNITS[hundreds]} yüz")
    return " ".join(filter(None, (first, _TENS[rest // 10], _UNITS[rest % 10])))


#: Numbers from 2 to 99 and whole hundreds in words, the longest first.
SPELLED: Final = {
    spelled(value): value
    for value in sorted({*range(2, 100), *range(100, 1000, 100)}, reverse=True)
}


def denied(verb: str) -> str | None:
    """A verb in a tense, denied; ``None`` for a word that is none by its form."""
    if able := _ABLE.fullmatch(verb):
        return harmonised(able["stem"], "AmAz") + (able["more"] or "")
    for ending, other in _DENIED:
        found = re.fullmatch(rf"(?P<stem>\w{{2,}}?)(?:{ending})", verb)
        if found:
            more = next((part for part in found.groups()[1:] if part), "")
            stem = found["stem"].removesuffix("y") if other == "mAyAcAk" else found["stem"]
            return _copula(harmonised(_soft(stem), other), more)
    if found := _PAST.fullmatch(verb):
        return harmonised(found["stem"], "mAdI") + (found["more"] or "")
    if found := _AORIST.fullmatch(verb):
        return harmonised(found["stem"], "mAz") + (found["more"] or "")
    return None


def affirmed(verb: str) -> str | None:
    """A denied verb, affirmed; ``None`` for other words."""
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)y?[ae]m[ae]z(?P<more>lar|ler)?", verb):
        return harmonised(found["stem"], "Abilir") + (found["more"] or "")
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ae]z(?P<more>lar|ler)?", verb):
        return harmonised(
            found["stem"], "Ar" if len(_VOWELS.findall(found["stem"])) == 1 else "Ir"
        ) + (found["more"] or "")
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ae]m[ıi]ş(?P<more>t[ıi]r)?", verb):
        return _copula(harmonised(found["stem"], "mIş"), found["more"] or "")
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ae]m[ae]kt[ae](?P<more>d[ıi]r)?", verb):
        return _copula(harmonised(found["stem"], "mAktA"), found["more"] or "")
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ae]d[ıi](?P<more>lar|ler)?", verb):
        return harmonised(found["stem"], "DI") + (found["more"] or "")
    return None


def retold(verb: str) -> str | None:
    """A verb in the other past tense ("doğmuştur" for "doğdu"); ``None`` for other words."""
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ıiuü]şt[ıiuü]r", verb):
        return harmonised(found["stem"], "DI")
    if found := re.fullmatch(r"(?P<stem>\w{2,}?)m[ae]kt[ae]d[ıi]r", verb):
        return harmonised(found["stem"].removesuffix("y"), "mAktA")
    if found := _PAST.fullmatch(verb):
        return None if found["more"] else harmonised(found["stem"], "mIştIr")
    return None


def _copula(word: str, ending: str) -> str:
    """A verb with what stood behind its tense, in harmony: "-tur" is "-tir" behind "-miş"."""
    if re.fullmatch("[td][ıiuü]r", ending):
        return harmonised(word, "DIr")
    return word + ending


def _soft(stem: str) -> str:
    return stem[:-1] + "t" if stem in ("ed", "gid", "güd", "tad") else stem
