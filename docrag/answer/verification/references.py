"""Articles, paragraphs and laws that a text names, as numbers of a kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from docrag.api import Citation, lower, named_articles

#: What a text that names an article or law has.
_HINT: Final = re.compile(
    r"madde|\bmd|\bart|\bm\.|f[ıi]kra|\bek\b|ge[çc]ici|\d\s?/\s?[\da-zçğıöşü]|say[ıi]l[ıi]"
)
_LAW: Final = re.compile(r"(?<![\w.,/-])(\d{3,5})\s+say[ıi]l[ıi]")
#: The number of a law in a title ("kanun_6331").
_FIGURES: Final = re.compile(r"(?<!\d)\d{3,5}(?!\d)")
#: Where numbers stand that belong to a reference, so that they are no amounts.
_SPAN: Final = re.compile(
    r"(?:(?:ek|ge[çc]ici|m[üu]kerrer)\s+)?\d{1,3}(?:\s?/\s?[\da-zçğıöşü]{1,2}(?!\w))?"
    r"(?:\s?\.|\s?['’]?\s?[ıiuü]?nc[ıiuü]\w*)?\s*(?:madde(?:s|n|y|d|l|\b)\w*|f[ıi]kra\w*|bend\w*|bent\w*)"
    r"|(?:madde|md\.?|f[ıi]kra)\s*\d{1,3}(?:\s?/\s?[\da-zçğıöşü]{1,2}(?!\w))?"
    r"|\bm\.\s*\d{1,3}(?:\s?/\s?[\da-zçğıöşü]{1,2}(?!\w))?(?:-\d{1,2}(?!\w))?"
    r"|(?<![\w.,/-])\d{3,5}\s+say[ıi]l[ıi]"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """An article or a law that a text names."""

    #: ``madde``, ``ek``, ``gecici``, ``mukerrer`` or ``law``.
    kind: str
    #: As it is counted, lower case: ``10``, ``25/a``, ``6331``.
    number: str

    @property
    def written(self) -> str:
        """What a person calls it."""
        return f"{self.kind} {self.number}"


def references(text: str) -> frozenset[Reference]:
    """Articles and laws that a text names; none for most texts."""
    small = lower(text)
    if not _HINT.search(small):
        return frozenset()
    laws = {Reference("law", number) for number in _LAW.findall(small)}
    naming = named_articles(text)
    articles = naming.articles if naming else ()
    return frozenset({*laws, *(Reference(item.kind, item.number) for item in articles)})


def of_source(citation: Citation) -> frozenset[Reference]:
    """Articles that the chunks of a source are of, and those that its title and sections name."""
    articles = {
        Reference(chunk.article.kind, chunk.article.number)
        for chunk in citation.chunks
        if chunk.article
    }
    laws = {Reference("law", found) for found in _FIGURES.findall(citation.title)}
    names = {citation.title, citation.section, *(chunk.section for chunk in citation.chunks)}
    return frozenset(articles | laws).union(*(references(name) for name in names))


def places(text: str) -> list[tuple[int, int]]:
    """Start and end of what names an article, paragraph or law, in characters."""
    return [match.span() for match in _SPAN.finditer(lower(text))]
