"""Where the articles of a law end: its last sentence, annexes, and the title of another law."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docrag.chunkers.legal_lines import BLANK, BODY, HEAD
from docrag.chunkers.legal_titles import division_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line

#: Lines above article 1 among which the title of a law is looked for.
_TITLE_WITHIN = 24
#: Lines between an annex's name and article 1 in which its own title stands.
_ANNEX_TITLE = 4
#: Characters of a line below which it need not end with a stop: a signature, a cell of a table.
_SHORT = 45
#: Who carries out the law, which is its last sentence.
_LAST = re.compile(r"(?:\(1\)[ \t]*)?Bu [^.]{0,300}(?:yürüt(?:ür|ürler)|yürütülür)[ \t]*\.?[”\"]?$")
_ANNEX = re.compile(
    r"(?:EK|Ek)[ \t]?[-–: ]?[ \t]?(?:\d{1,3}|[IVX]{1,4}|[A-ZÇĞİÖŞÜ])(?![\w'’/.,])|EKLER\b"
    r"|\([IVX0-9]{1,4}\) SAYILI (?:CETVEL|LİSTE)"
)
#: An annex's name alone in its line, or with a title that a mark parts from it.
_ALONE = re.compile(
    r"(?:(?:EK|Ek|TABLO|Tablo|ÇİZELGE|Çizelge|CETVEL|LİSTE|FORM)[ \t]?[-–: ]?[ \t]?"
    r"(?:\d{1,3}|[IVX]{1,4}|[A-ZÇĞİÖŞÜ])(?:[/.-]?[A-ZÇĞİÖŞÜ0-9]{1,2})?(?![\w'’/,])"
    r"[ \t]*(?:[-–—:.(][^\n]*)?|(?:EKLER|EK|TABLO|TABLOLAR)[ \t]*:?)"
)
#: The same with a title in small letters, which no mark parts from the name.
_TITLED = re.compile(r"(?:EK|Ek)[ \t]?[-–: ]?[ \t]?\w{1,4}[ \t]+[A-ZÇĞİÖŞÜÂÎÛ][^.;,]{0,100}")
_GOES_ON = re.compile(r"[a-zçğıöşü]")
_OPEN_END = re.compile(r"(?:,|\b(?:ve|veya|ile|ya da|olan|yer alan|göre))$")
#: A verb where the stop was forgotten; ``-ler`` and ``-lar`` are plurals.
_VERB = re.compile(r"[a-zçğıöşü]{2}(?:[ıiuü]r|(?<!l)[ae]r|[ae]z)$")
_ENDED = re.compile(rf"[.!?:;)\]”\"…][ \t]?\d{{0,3}}$|{_VERB.pattern}")
#: What laws are called, as their titles end.
_LAW = re.compile(
    r"\b(?:YÖNETMELİ[KĞ]|YÖNERGE|KANUN|TÜZÜ[KĞ]|TEBLİĞ|GENELGE|ESASLAR|TALİMAT|KARARNAME)\w{0,6}$"
)


def is_last_sentence(text: str) -> bool:
    """True for the sentence with which laws end: who carries them out."""
    return _LAST.match(text) is not None


def annex_of(text: str) -> str:
    """The line if it names an annex, else empty."""
    return text[:HEAD] if _ANNEX.match(text) and len(text) <= HEAD else ""


def annex_below(lines: Sequence[Line], at: int) -> str:
    """The name of an annex that a line below an article opens, else empty.

    The name stands alone in its line, and neither the sentence before nor the next line runs
    through it.
    """
    text = lines[at].text
    if len(text) > HEAD or not (_ALONE.fullmatch(text) or _is_titled(text)):
        return ""
    is_sentence = not text.isupper() and (text[-1] in ".;" or _VERB.search(text))
    if is_sentence or _OPEN_END.search(text) or _goes_on(lines, at):
        return ""
    return text


def _is_titled(text: str) -> bool:
    """True for the name of an annex with a title, and no sentence that begins with one."""
    if not annex_of(text):
        return False
    return text.isupper() or _TITLED.fullmatch(text) is not None


def _goes_on(lines: Sequence[Line], at: int) -> bool:
    """True if a sentence runs through a line."""
    for line in lines[at + 1 : at + 4]:
        if line.role == BODY:
            if _GOES_ON.match(line.text):
                return True
            break
    for place in range(at - 1, max(at - 4, -1), -1):
        line = lines[place]
        if line.role == BLANK or line.flow != lines[at].flow:
            return False
        if line.role == BODY:
            is_ended = _ENDED.search(line.text[-HEAD:]) or len(line.text) < _SHORT
            return bool(_OPEN_END.search(line.text[-HEAD:])) or not is_ended
    return False


def is_law_title(text: str) -> bool:
    """True for a line in capitals that ends as the titles of laws do."""
    return text.isupper() and len(text) <= HEAD and _LAW.search(text) is not None


def names_law(lines: Sequence[Line], first: int, at: int) -> bool:
    """True if the title of a law stands between an annex's name and article 1.

    What stands right below the annex's name is the annex's title.

    :param first: place of the annex's name.
    """
    places = [place for place in range(first, at) if lines[place].role == BODY]
    return any(is_law_title(lines[place].text) for place in places[_ANNEX_TITLE:][-_TITLE_WITHIN:])


def law_title(lines: Sequence[Line], first: int, at: int) -> tuple[str, int]:
    """The last lines in capitals, on one line: the title of a law; and the place of the first.

    Empty, and ``at``, where there are none.
    """
    run: list[str] = []
    begin = at
    for place in range(at - 1, max(first, at - 2 * _TITLE_WITHIN) - 1, -1):
        text = lines[place].text
        if lines[place].role == BODY and text.isupper() and division_of(text) is None:
            run.append(text)
            begin = place
        elif run and text:
            break
    return " ".join(reversed(run))[:HEAD], begin
