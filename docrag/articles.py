"""Articles of laws that a question names: "10. madde", "md. 10/2", "geçici 4", "onuncu madde"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from docrag.numerals import ordinal
from docrag.textnorm import ending, fold, lower, words
from docrag.types import Article

#: Name of the leg that a chunk of a named article has.
ARTICLE_LEG: Final = "article"
#: Characters of a question that are read, the last ones; people ask below what they paste.
LONGEST: Final = 2_000
#: Articles that one question looks up, the first ones; a text with more is no look-up.
MOST: Final = 5

_KIND = r"(?:ek|ge[çc][iı][çc][iı]|m[üu]kerrer)"
#: What makes a number an ordinal: "10.", "10'uncu", "10 uncu"; also a case ending ("10'a").
_NTH = r"(?:\s?\.|\s?['’]?\s?[ıiuü]?nc[ıiuü]\w*)"
#: A Roman number counts what stands inside the article, as an item's letter behind a paragraph.
_LETTER = r"(?:\s?/\s?(?:(?P<letter>[a-zçğıöşü])|[ıiv]{2,4})(?!\w))?"
_PART = r"(?:\s?/\s?(?P<part>\d{1,2})(?![\d/])(?:\s?-\s?[a-zçğıöşü](?!\w))?)?"
#: The number first; others may be listed before it ("8, 9 ve 10. maddeler").
_BEFORE = re.compile(
    rf"(?<![\w.,/-])(?:(?P<kind>{_KIND})\s+)?"
    r"(?P<listed>(?:\d{1,4}\s?\.?\s*(?:,|ve|veya|ile)\s*){0,4})"
    rf"(?P<number>\d{{1,4}}){_LETTER}{_PART}(?P<nth>{_NTH})?\s*"
    rf"(?:(?P<inner>{_KIND})\s+)?(?P<word>madde\w*)"
)
#: The word first; a bare "m" is metres or a name.
_AFTER = re.compile(
    rf"(?<![\w.])(?:(?P<kind>{_KIND})\s+)?"
    r"(?:madde(?:ler)?|md\.?|mad\.|article|(?<!\d )(?:m|art)\.)\s*(?:no\s*)?[:.-]?\s*"
    rf"(?P<number>\d{{1,4}}){_LETTER}{_PART}(?![\d/]|[.,]\d)(?:\s?\((?P<bracket>\d{{1,2}})\))?"
    r"(?:['’]\w+)?(?!\s*(?:kg|gr?|mg|lt?|ml|c?m|ton|litre|adet|tane|kişi|gün|ay|yıl|saat)\b)"
)
#: Words behind a number that ask for what it names; others would be counted by it ("ek 3 gün").
_ASKING_BEHIND = (
    r"(?:ne|neyi|neler|nedir|nas[ıi]l|hangi|diyor|der|h[üu]k[üu]m\w*|h[üu]km\w*|uyar[ıi]nca"
    r"|g[öo]re|gere[ğg]i\w*|kapsam\w*|hakk[ıi]nda|i[çc]eri\w*|metni|[öo]zet\w*)\b"
)
_ALONE = re.compile(
    rf"(?<![\w.])(?P<kind>{_KIND})\s+(?P<number>\d{{1,3}}){_LETTER}{_PART}"
    rf"(?:['’]\w+|{_NTH})?(?=\s*(?:$|[?!.,;:)]|{_ASKING_BEHIND}))"
)
_LETTERED = re.compile(
    r"(?<![\w/.,-])(?<!no )(?<!no: )(?P<number>\d{1,3})\s?/\s?(?P<letter>[a-zçğıöşü])(?!\w)"
    rf"{_PART}(?!\s*(?:s[ıi]n[ıi]f|[şs]ube|blok|kap[ıi]|daire|numara))"
)
#: In this order, since each takes what it has read away from the next.
_FORMS: Final = (_BEFORE, _AFTER, _ALONE, _LETTERED)
#: A paragraph that stands by itself.
_PARAGRAPH = re.compile(
    rf"(?<![\w.,/-])(?P<first>\d{{1,2}}){_NTH}\s*f[ıi]kra\w*"
    r"|(?<!\w)(?:f[ıi]kra|f[ıi]k\.|f\.|paragraph)\s*\(?(?P<second>\d{1,2})(?!\d)\)?"
)
_LAW = re.compile(r"(?<!\d)(\d{3,5})\s+say[ıi]l[ıi]")
#: Up to three words before what an ordinal counts.
_SPELLED = re.compile(
    rf"(?<!\w)(?:(?!{_KIND}\s|madde|f[ıi]kra)[^\W\d_]{{2,20}}\s+){{1,3}}"
    rf"(?=(?:{_KIND}\s+)?(?:madde|f[ıi]kra))"
)
#: A case ending behind an apostrophe.
_ENDING = re.compile(r"(?<=\w)['’]\w+")
_BLANKS = re.compile(r"\S+\s*")
_POSSESSIVE = ("maddesi", "maddeleri")
#: Beginnings of folded words that only ask for an article, or name the kind of its document.
_ASKS: Final = (
    "madde", "fikra", "bent", "bend", "kanun", "yonetmeli", "yonerge", "tuzu", "teblig", "sayili",
    "hukum", "hukm", "duzenle", "icerik", "icerig", "yaziyor", "yazar", "yazili", "soyl", "acikla",
    "anlat", "ozet", "metin", "metn", "kapsam", "uyarinca", "gerek", "goster", "oku", "diyor",
    "deniyor", "denir", "nedir", "neler", "hangi", "hakkinda", "ilgili", "lutfen", "demek",
    "article", "paragraph",
)  # fmt: skip
_ASKS_WHOLE: Final = frozenset(
    "ne neyi der da de mi mu var ver bana bul ile gore bu su o ki konu konusu olan olarak tam "
    "tamamini aynen yasa yasasi yasanin yasasinin yasaya yasada getir what does say the of law "
    "tell me about".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What a question says of articles, and what it says besides."""

    #: In order, each once; the paragraph first and last is the one that is named.
    articles: tuple[Article, ...]
    #: Numbers of the laws that are named ("6331 sayılı").
    laws: tuple[str, ...]
    #: Folded words outside the names of the articles, in order.
    others: tuple[str, ...]

    @property
    def rest(self) -> tuple[str, ...]:
        """Those of the others that do not just ask what an article says, without the laws."""
        return tuple(
            word
            for word in self.others
            if word not in self.laws and word not in _ASKS_WHOLE and not word.startswith(_ASKS)
        )


def named_articles(question: str) -> Naming | None:
    """The articles that a question names, ``None`` if it names none.

    Read are number and word in either order, ordinals in figures and words, the kinds ``ek``,
    ``geçici`` and ``mükerrer``, letters (``25/A``) and paragraphs (``10/2``, ``ikinci fıkra``).
    Whether there is such an article, only a store knows.
    """
    text = _figures(lower(ending(question, LONGEST)))
    found: list[Article] = []
    for form in _FORMS:
        text = form.sub(lambda match: _taken(match, found), text)
    if not found:
        return None
    if len(found) == 1 and found[0].paragraph_first is None:
        text, found = _with_paragraph(text, found[0])
    laws = tuple(dict.fromkeys(_LAW.findall(text)))
    return Naming(
        articles=tuple(dict.fromkeys(found))[:MOST],
        laws=laws,
        others=tuple(folded for word in words(_ENDING.sub(" ", text)) if (folded := fold(word))),
    )


def _taken(match: re.Match[str], found: list[Article]) -> str:
    """Add the articles of a match; the text that stays, a blank if it names one."""
    articles = list(_articles(match))
    found += articles
    return " " if articles else match[0]


def _articles(match: re.Match[str]) -> Iterator[Article]:
    told = match.groupdict()
    if "nth" in told:
        sure = told["nth"] or told["letter"] or told["part"]
        if not sure and not told["word"].startswith(_POSSESSIVE):
            return  # "10 madde" is a count
        for number in re.findall(r"\d+", told["listed"]):
            yield _article(told, number)
    letter = told.get("letter")
    part = told.get("part") or told.get("bracket")
    number = str(int(told["number"]))
    yield _article(told, f"{number}/{letter}" if letter else number, part)


def _article(told: dict[str, str | None], number: str, part: str | None = None) -> Article:
    kind = fold(told.get("kind") or told.get("inner") or "madde")
    paragraph = int(part) if part and int(part) else None
    return Article(kind=kind, number=number, paragraph_first=paragraph, paragraph_last=paragraph)


def _with_paragraph(text: str, article: Article) -> tuple[str, list[Article]]:
    """The text without the paragraph that it names, and the article with it."""
    found = _PARAGRAPH.search(text)
    number = int(found["first"] or found["second"]) if found else 0
    if found is None or not number:
        return text, [article]
    told = Article(
        kind=article.kind, number=article.number, paragraph_first=number, paragraph_last=number
    )
    return f"{text[: found.start()]} {text[found.end() :]}", [told]


def _figures(text: str) -> str:
    """The text with ordinals in figures where they count articles or paragraphs."""
    return _SPELLED.sub(lambda match: _spelled(match[0]), text)


def _spelled(text: str) -> str:
    parts = _BLANKS.findall(text)
    for first in range(len(parts)):
        value = ordinal("".join(parts[first:]))
        if value is not None:
            return f"{''.join(parts[:first])}{value}. "
    return text
