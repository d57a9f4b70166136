"""The language of a document, for the words that it is indexed by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

from docrag.api import DEFAULT_LANGUAGE, fold, lower

#: Characters of a document that are looked at; more tell nothing new.
SAMPLE = 20_000
#: Pieces that these are taken in, spread evenly, since a cover or an annex may be in another
#: language.
PIECES = 20
#: Fewest English function words that count; fewer are a name or a loan ("of", "the").
FEWEST = 3
#: Least share of them among all words: English prose has 0.25 to 0.45, manuals full of numbers and
#: commands 0.1 to 0.25, prose of most other languages less (of Danish sometimes as much).
LEAST = 0.1
#: How many times the signs of Turkish they must be; half and half is Turkish.
AHEAD = 3
#: Frequent English words that are no frequent words of Turkish, even without its letters ("on",
#: "her"), nor of its neighbours and German, French, Dutch, Italian ("in", "was", "so", "no").
_ENGLISH = frozenset(
    "the of and to is that for with as be by are or this not from which shall may must any have "
    "has had were would should can could it its their they them there these those when where who "
    "what how why if your you we our she his been being such than then into but does did each "
    "other only within about between more also after before use used during through without both "
    "my out because while against an under until upon some every".split()
)
#: Frequent Turkish words, folded, that are none of English.
_TURKISH = frozenset(
    "ve ile bu bir icin olarak olan veya gibi daha en da de mi mu ise ya o su ki ne sonra once "
    "kadar gore ilgili tarafindan uzere olup oldugu olmak olur edilir yapilir var yok degil ancak "
    "hem cok tum ayni diger kendi ait dair nasil kac kim hangi bunlar madde eden edilen dolayi "
    "gerekir zorunda zorundadir iliskin".split()
)
#: Letters of Turkish in a word as it is written, which English spells without.
_LETTER = re.compile("[ğışçöüĞİŞÇÖÜ]")
_WORD = re.compile(r"\w+")


def detect(texts: Sequence[str]) -> str:
    """ISO 639-1 code of the language that a document is written in: ``tr`` or ``en``.

    By the shares of frequent function words (Grefenstette, 1995, "Comparing two language
    identification schemes", JADT) and, for Turkish, of words with its letters. English must be
    clear: in doubt, and for short, tabular or other-language text, it is
    :data:`docrag.api.DEFAULT_LANGUAGE`, whose terms serve any language.

    :param texts: the document's pages or chunks in order; none give the default.
    """
    found = _WORD.findall(normalize("NFC", _sample("\n".join(texts))))
    english = sum(word.lower() in _ENGLISH for word in found)
    turkish = sum(
        _LETTER.search(word) is not None or fold(lower(word)) in _TURKISH for word in found
    )
    clear = english >= max(FEWEST, LEAST * len(found), AHEAD * turkish)
    return "en" if clear else DEFAULT_LANGUAGE


def _sample(text: str) -> str:
    """The text, or pieces of a long one; the words that a cut splits do not matter."""
    if len(text) <= SAMPLE:
        return text
    length = SAMPLE // PIECES
    last = len(text) - length
    starts = (last * piece // (PIECES - 1) for piece in range(PIECES))
    return " ".join(text[start : start + length] for start in starts)
