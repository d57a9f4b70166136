"""The language of a question, as far as its words tell."""

from __future__ import annotations

from typing import Final

from docrag.api import fold, words

#: Folded words that only one of the languages has, and that questions are full of.
_TELLING: Final = {
    "tr": frozenset(
        """
        ve veya ile bir bu icin nedir ne nasil neden nicin niye kim kimler kimin kac hangi hangisi
        nerede nereye ne midir mudur mi mu miyim misin musun midir var varsa yok yoktur kadar gore
        daha en olarak olan olur olursa olmali gerekir gerekli lazim zaman peki ya benim bana sure
        suresi edilir yapilir verilir olunur kimdir nelerdir hakkinda
        """.split()
    ),
    "en": frozenset(
        """
        the is are was were of to in on at by for from with and or not what which who whom whose how
        many much when where why does did can could must should may will would an it there about
        than i we you they my our your
        """.split()
    ),
}
#: Letters that hardly any other language has. Not the dotless i, which every capital I is read as.
_LETTERS: Final = frozenset("ğş")


def language_of(text: str) -> str | None:
    """``tr`` or ``en``; ``None`` for a text that tells neither, or both equally."""
    said = words(text)
    folded = [fold(word) for word in said]
    turkish = sum(word in _TELLING["tr"] for word in folded)
    english = sum(word in _TELLING["en"] for word in folded)
    turkish += sum(not _LETTERS.isdisjoint(word) for word in said)
    if turkish == english:
        return None
    return "tr" if turkish > english else "en"
