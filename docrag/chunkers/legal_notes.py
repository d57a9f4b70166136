"""The notes of amendments in a consolidated law, and the tables at its end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docrag.api import fold

#: Characters of a line that are looked at for the beginning of a table.
_TABLE_HEAD = 240
_NOTE = re.compile(
    r"\((?P<kind>Ek|EK|Değişik|DEĞİŞİK|Mülga|MÜLGA|İptal|İPTAL|Yeniden düzenleme|YENİDEN DÜZENLEME"
    r"|Başlığı ile birlikte değişik)(?P<scope>[^():;]{0,80}):(?P<source>[^()]{0,400})\)"
)
_PART = re.compile(
    r"(?:(?P<kind>Ek|Değişik|Mülga|İptal|Yeniden düzenleme)(?P<scope>[^:;]{0,80}):)?"
    r"(?P<source>[^;]*)"
)
_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{4}")
_LAW = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{4}[ \t\n]*[-–][ \t\n]*((?:KHK[-–/][ \t]?)?\d{1,5})")
_ARTICLE = re.compile(r"/[ \t]*([\w/]+)[ \t\n]*md")
_REPEALED = frozenset({"mulga", "yururlukten kaldirilmistir", "iptal edilmistir"})
_REPEALING = frozenset({"mülga", "iptal"})
_TABLE = re.compile(
    r"ek ve degisiklik getiren|degisiklik getiren mevzuat|yururluge giris tarihlerini gosterir"
    r"|sayili kanuna islenemeyen|^islenemeyen (?:hukumler|gecici|ek)"
    r"|islenemeyen hukumler\W*$"
    r"|^yonetmeligin yayimlandigi resmi gazete|^yonergenin kabul edildigi senato karar"
)
#: Words that every such title has; few lines have one, so that few are folded.
_HINT = re.compile(
    "GET[İI]REN|[Gg]etiren|[İI]ŞLENEMEYEN|şlenemeyen|GÖSTER[İI]R|ayımlandığı|AYIMLANDI|dildiği"
    "|D[İI]LD[İI]Ğ"
)
#: A court that annulled what the words stand at.
_COURT = re.compile(
    r"\((?:Danıştay|DANIŞTAY|Anayasa Mahkemesi|ANAYASA MAHKEMESİ)"
    r"[^()]{0,240}(?:iptal|İPTAL)[^()]{0,60}\)"
)
#: The whole of an article that names only what repealed it; an amending one has an object.
_REPEALED_BY = re.compile(
    r"\d{1,2}[./]\d{1,2}[./]\d{4} tarihli ve \d{1,5} sayılı [^.,;]{0,120}madde(?:siyle|si ile)"
    r" yürürlükten kaldırılmıştır\.?"
)
#: What is left beside a note: digits, brackets, stops.
_REST = re.compile(r"[\d\s()\[\].,;:*–—-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One amendment that the text itself names."""

    #: ``ek``, ``değişik``, ``mülga``, ``iptal`` or ``yeniden düzenleme``.
    kind: str
    #: What was amended, such as ``birinci fıkra``; empty for all that the note stands at.
    scope: str
    #: Day of the amending law as it is written; empty where none is named.
    date: str
    #: Number of the amending law; empty for a court or a regulation.
    law: str
    #: Its article; empty where none is named.
    article: str


def notes_of(text: str) -> list[Note]:
    """The notes of amendments in a text, in order; several may stand in one pair of brackets."""
    return [note for found in _NOTE.finditer(text) for note in _parts(found)]


def _parts(found: re.Match[str]) -> list[Note]:
    notes = [_note(found["kind"], found["scope"], found["source"].split(";")[0])]
    for part in found["source"].split(";")[1:]:
        piece = _PART.match(part.strip())
        if piece and piece["kind"]:
            notes.append(_note(piece["kind"], piece["scope"], piece["source"]))
    return notes


def _note(kind: str, scope: str, source: str) -> Note:
    date, law, article = _DATE.search(source), _LAW.search(source), _ARTICLE.search(source)
    return Note(
        kind=kind.replace("İ", "i").lower(),
        scope=" ".join(scope.split()),
        date=date[0] if date else "",
        law=law[1] if law else "",
        article=article[1] if article else "",
    )


def status_of(body: str) -> str:
    """``mulga`` or ``iptal`` if a whole article is repealed or annulled, empty for one in force.

    An article is repealed if it says nothing but that, or if a note without a scope stands before
    its first paragraph and none behind it gives a new wording: what follows then is the old text.
    One repealed paragraph, ``(1) (Mülga: …)`` before others, repeals no article.

    :param body: the article's text behind its number, without title and footnotes.
    """
    notes = notes_of(body[:2000])
    rest = _COURT.sub(" ", _NOTE.sub(" ", body))
    words = " ".join(filter(None, map(fold, re.findall(r"[^\W\d_]+", rest[:200]))))
    if not words or not _REST.sub("", rest):
        last = next((note.kind for note in notes[::-1] if note.kind in ("mülga", "iptal")), "")
        return fold(last) or ("iptal" if _COURT.search(body) else "")
    if words in _REPEALED and len(rest) < _TABLE_HEAD:
        return "iptal" if words.startswith("iptal") else "mulga"
    if _REPEALED_BY.fullmatch(" ".join(rest[: 2 * _TABLE_HEAD].split())):
        return "mulga"
    return _status_before(body.lstrip(), notes)


def _status_before(body: str, notes: list[Note]) -> str:
    """What the note says that a body begins with, if it stands for all of the article."""
    first = _NOTE.match(body)
    if first is None:
        return "iptal" if _COURT.match(body) else ""
    kinds = [note.kind for note in notes]
    is_whole = notes[0].scope in ("", "madde")
    if kinds[0] not in ("mülga", "iptal") or not is_whole or not _REPEALING.issuperset(kinds):
        return ""
    return fold(kinds[0])


def is_bare(text: str) -> bool:
    """True for a line of nothing but notes, marks and stops."""
    return not _REST.sub("", _NOTE.sub("", text))


def begins_table(line: str, following: str) -> bool:
    """True if the table of amendments at the end of a law begins with this line.

    :param following: the next line of text, into which its title may run on.
    """
    if not line[:1].isupper() and not line[:1].isdigit():
        return False
    whole = f"{line} {following}"[:_TABLE_HEAD]
    if not _HINT.search(whole):
        return False
    text = " ".join(map(fold, re.findall(r"\w+", whole)))
    found = _TABLE.search(text)
    return found is not None and found.start() < len(line)
