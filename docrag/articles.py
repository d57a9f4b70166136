"""Articles of laws that a question names: "10. madde", "md. 10/2", "geçici 4", "onuncu madde"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from docrag.lawnames import MARK, named_document
from docrag.laws import KNOWN
from docrag.lawtitles import DocumentName
from docrag.numerals import cardinal, ordinal
from docrag.textnorm import ending, fold, lower, words
from docrag.types import Article

#: Name of the leg that a chunk of a named article has.
ARTICLE_LEG: Final = "article"
#: Characters of a question that are read, the last ones; people ask below what they paste.
LONGEST: Final = 2_000
#: Articles that one question looks up, the first ones; a text with more is no look-up.
MOST: Final = 10

_KIND = r"(?:ek|ge[çc][iı][çc][iı]|m[üu]kerrer)"
#: What makes a number an ordinal: "10.", "10'uncu", "10 uncu"; also "7 numaralı", "7 no'lu".
_NTH = r"(?:\s?\.|\s?['’]?\s?[ıiuü]?nc[ıiuü]\w*|\s?numaral[ıi](?!\w)|\s?no['’]?\s?l[uı](?!\w))"
#: A Roman number counts what stands inside the article, as an item's letter behind a paragraph.
_LETTER = (
    r"(?:\s?/\s?(?:(?P<letter>[a-zçğıöşü])(?!\w)|[ıiv]{2,4}(?!\w)(?:\s?-\s?[a-zçğıöşü](?!\w))?))?"
)
_PART = r"(?:\s?/\s?(?P<part>\d{1,2})(?![\d/])(?:\s?-\s?[a-zçğıöşü](?!\w))?)?"
#: What stands between two numbers of a list or a range.
_AND = r"\s*(?:,|ve(?!\w)|veya(?!\w)|ile(?!\w)|ila(?!\w)|[-–])\s*"
#: What is counted or measured by a number behind "madde", with the endings of a short word.
_UNIT = (
    r"(?:(?:kg|gr?|mg|lt?|ml|[ckm]?m|m[23²³]|dk|sn|sa|db|hz|bar|ton|kat|g[üu]n|ay|y[ıi]l|ya[şs]|kez"
    r"|defa|kere|t[üu]r)(?:['’]?(?:l[ıiuü]k|[dt][ae]n?|n?[ıiuü]n|y?[aeıiuü]|s[ıi]|l[ae]r)\w{0,4})?"
    r"|(?:litre|metre|santim|milim|kilo|gram|dakika|saniye|saat|hafta|derece|y[üu]zde|pp[mb]|adet"
    r"|adedi|tane|ki[şs]i|i[şs][çc]i|kutu|par[çc]a|[çc]e[şs]it|volt|watt|amper|desibel|lira|tl|hour"
    r"|minute|day|met(?:er|re)s?|percent)\w*|mg/\w+)(?!\w)|[%°º]"
)
#: The number first; others may be listed before it ("8, 9 ve 10. maddeler").
_BEFORE = re.compile(
    rf"(?<![\w.,/-])(?:(?P<kind>{_KIND})\s+)?"
    rf"(?P<listed>(?:\d{{1,4}}\s?(?:\.\s+(?=\d)|\.?{_AND})){{0,4}})"
    rf"(?P<number>\d{{1,4}}){_LETTER}(?:\s?-?\s?(?P<bare>[a-npr-zçğıöşü])(?!\w)(?=\s+maddes))?"
    rf"{_PART}(?P<nth>{_NTH})?\s*(?:(?P<inner>{_KIND})\s+)?(?P<word>madde(?!sel)\w*|md(?!\w))"
)
#: Words behind a number that ask for what it names; others would be counted by it ("ek 3 gün").
_ASKING_BEHIND = (
    r"(?:ne|neyi|neler|nedir|nas[ıi]l|hangi|diyor|der|h[üu]k[üu]m\w*|h[üu]km\w*|uyar[ıi]nca"
    r"|g[öo]re|gere[ğg]i\w*|kapsam\w*|hakk[ıi]nda|i[çc]eri\w*|metni|[öo]zet\w*|bend\w*)\b"
)
#: Nothing more, or one of these.
_ASKED_BEHIND = rf"(?:['’]\w+)?(?=\s*(?:$|[?!;:)]|[.,](?!\d)|{_ASKING_BEHIND}))"
#: The word first; others may be listed behind the number.
_AFTER = re.compile(
    rf"(?<![\w.])(?:(?P<kind>{_KIND})\s+)?"
    r"(?:madde(?:ler)?|md\.?|mad\.|article)(?!\w)\s*(?:(?:no|nr|numaras[ıi])(?!\w)\s*)?[:.-]?\s*"
    rf"(?P<number>\d{{1,4}}){_LETTER}{_PART}(?![\w/]|[.,]\d)(?:\s?\((?P<bracket>\d{{1,2}})\))?"
    rf"(?P<more>(?:{_AND}\d{{1,4}}(?![\w/]|[.,]\d|\s*\.?\s*(?:{_UNIT}|{_KIND}?\s*madde))){{0,4}})"
    rf"(?:['’]\w+)?(?P<until>(?=\s+aras))?(?!\s*[.-]?\s*(?:{_UNIT}))"
)
#: A bare "m" is metres or a name, and so is "m." before what is called by it ("M.5 cıvata").
_SHORT = re.compile(
    rf"(?<![\w.])(?<!\d )(?:m|art)\.\s*(?P<number>\d{{1,4}}){_LETTER}{_PART}(?![\w/]|[.,]\d)"
    rf"(?:\s?\((?P<bracket>\d{{1,2}})\))?{_ASKED_BEHIND}"
)
_ALONE = re.compile(
    rf"(?<![\w.])(?P<kind>{_KIND})\s+(?P<number>\d{{1,3}}){_LETTER}{_PART}"
    rf"(?:['’]\w+|{_NTH})?(?=\s*(?:$|[?!.,;:)]|{_ASKING_BEHIND}))"
)
#: Figures behind the number of a law ("4857/25").
_OF_LAW = re.compile(
    rf"(?<![\w.,/-])(?P<law>{'|'.join(sorted(KNOWN))})\s?/\s?(?P<number>\d{{1,3}}){_LETTER}{_PART}"
    r"(?![\w/-]|[.,]\d)"
)
#: Nothing but figures and what asks for them; other words before them are what they count.
_LETTERED = re.compile(
    r"(?P<head>^\W*|\b(?:kanun|yasa|y[öo]netmeli|y[öo]nerge|talimat|t[üu]z[üu]|tebli)[^\W\d]*(?:['’]\w+)?\s+)"
    r"(?P<number>\d{1,3})(?:\s?/\s?(?P<letter>[a-zçğıöşü])(?!\w)"
    rf"{_PART}|\s?\((?P<bracket>\d{{1,2}})\)){_ASKED_BEHIND}"
)
#: In this order, since each takes what it has read away from the next.
_FORMS: Final = (_BEFORE, _AFTER, _SHORT, _ALONE, _OF_LAW, _LETTERED)
#: A paragraph that stands by itself.
_PARAGRAPH = re.compile(
    rf"(?<![\w.,/-])(?P<first>\d{{1,2}})\)?{_NTH}\s*f[ıi]kra\w*"
    r"|(?<!\w)(?:f[ıi]kra|f[ıi]k\.|f\.|paragraph)\s*\(?(?P<second>\d{1,2})(?!\d)\)?"
)
#: A number in words behind the word.
_IN_WORDS = re.compile(
    rf"(?<!\w)madde\s+(?P<number>[^\W\d_]{{2,20}}(?:\s[^\W\d_]{{2,8}}){{0,2}}?){_ASKED_BEHIND}"
)
#: Up to three words before what an ordinal counts.
_SPELLED = re.compile(
    rf"(?<!\w)(?:(?!{_KIND}\s|madde|f[ıi]kra)[^\W\d_]{{2,20}}\s+){{1,3}}"
    rf"(?=(?:{_KIND}\s+)?(?:madde|f[ıi]kra))"
)
#: The last of the words before a listed ordinal.
_LISTED = re.compile(
    r"(?<!\w)(?:[^\W\d_]{2,20}\s+){0,2}[^\W\d_]{2,20}"
    r"(?=\s*(?:,|\sve|\sveya|\sile)\s+\d{1,3}\. )"
)
_NUMBER_OR_RANGE = re.compile(r"\d+|ila|[-–]")
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
    #: The document that is named, by numbers or words.
    document: DocumentName
    #: Folded words outside the names of the articles, in order.
    others: tuple[str, ...]

    @property
    def laws(self) -> tuple[str, ...]:
        """Numbers of the laws that are named ("6331 sayılı", "İSG Kanunu")."""
        return self.document.numbers

    @property
    def looked_up(self) -> tuple[Article, ...]:
        """The articles, then those of which a letter may name an item ("26/b" for 26, item b)."""
        wider = [
            replace(article, number=number)
            for article in self.articles
            if (number := article.number.partition("/")[0]) != article.number
        ]
        return tuple(dict.fromkeys((*self.articles, *wider)))

    @property
    def rest(self) -> tuple[str, ...]:
        """Those of the others that do not just ask what an article says, without the laws."""
        return tuple(
            word
            for word in self.others
            if word not in self.laws
            and word not in self.document.said
            and word not in _ASKS_WHOLE
            and not word.startswith(_ASKS)
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
    return Naming(
        articles=tuple(dict.fromkeys(found))[:MOST],
        document=named_document(text, ending(question, LONGEST)),
        others=tuple(folded for word in words(_ENDING.sub(" ", text)) if (folded := fold(word))),
    )


def _taken(match: re.Match[str], found: list[Article]) -> str:
    """Add the articles of a match; the text that stays, a mark if it names one."""
    articles = list(_articles(match))
    found += articles
    told = match.groupdict()
    left = told.get("head") or told.get("law") or ""
    return f"{left} {MARK} " if articles else match[0]


def _articles(match: re.Match[str]) -> Iterator[Article]:
    told = match.groupdict()
    letter = told.get("letter") or told.get("bare")
    if "nth" in told:
        possessive = told["word"].startswith(_POSSESSIVE)
        if not (told["nth"] or letter or possessive):
            return  # "10 madde" is a count, "7/24 madde" a habit
        yield from _listed(told, f"{told['listed']}{told['number']}", last=False)
    part = told.get("part") or told.get("bracket")
    number = str(int(told["number"]))
    if number == "0":
        return
    yield _article(told, f"{number}/{letter}" if letter else number, part)
    if told.get("more"):
        more = told["more"].replace("ile", "ila") if told["until"] is not None else told["more"]
        yield from _listed(told, f"{told['number']}{more}", last=True)


def _listed(told: dict[str, str | None], text: str, *, last: bool) -> Iterator[Article]:
    """The articles of a list or range without its first or last one, at most :data:`MOST`."""
    numbers: list[int] = []
    through = False
    for token in _NUMBER_OR_RANGE.findall(text):
        if not token.isdigit():
            through = True
            continue
        number = int(token)
        if through and numbers and numbers[-1] < number:
            numbers += range(numbers[-1] + 1, min(number, numbers[-1] + MOST))
        numbers.append(number)
        through = False
    for number in (numbers[1:] if last else numbers[:-1])[:MOST]:
        yield _article(told, str(number))


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
    """The text with numbers in figures where they count articles or paragraphs."""
    told = _SPELLED.sub(lambda match: _spelled(match[0]), text)
    if told != text:
        for _ in range(MOST - 1):
            changed = _LISTED.sub(lambda match: _spelled(match[0]), told)
            if changed == told:
                break
            told = changed
    return _IN_WORDS.sub(_counted, told)


def _counted(match: re.Match[str]) -> str:
    value = cardinal(match["number"])
    return match[0] if value is None else f"madde {value}"


def _spelled(text: str) -> str:
    parts = _BLANKS.findall(text)
    for first in range(len(parts)):
        value = ordinal("".join(parts[first:]))
        if value is not None:
            return f"{''.join(parts[:first])}{value}. "
    return text
