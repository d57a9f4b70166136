"""Whether an answer says what was expected: phrases with Turkish endings, and shares of words.

Words are compared folded, without punctuation, so that capitals, circumflexes, apostrophes and
the composition of letters make no difference. A number is one word however it is written in
groups, so that "500" does not stand in "1.500", nor "3" in "3,5".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from docrag.answer.templates import fallback
from docrag.api import fold, lower

#: Share of the expected words from which an answer counts as correct without the phrase.
LEAST_RECALL: Final = 0.5
#: Letters by which two words count as the same one, as in the lexical index.
PREFIX: Final = 5
#: Languages that the fallback sentence may be in.
LANGUAGES: Final = ("tr", "en")
#: A number in groups of thousands, one with decimals, or a word; a date falls into its parts.
_WORD: Final = re.compile(
    r"(?<!\d[.,])\b(?:\d{1,3}(?:\.\d{3})+(?!\.?\d)(?:,\d+)?|\d+[.,]\d+(?![.,]?\d))|\w+"
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_MARKER: Final = re.compile(r"\[\d+(?:\s*,\s*\d+)*\]")


def tokens(text: str) -> list[str]:
    """Folded words and numbers in order; markers such as ``[1]`` are none."""
    found = _WORD.findall(lower(_MARKER.sub(" ", text)))
    return [word for word in map(_folded, found) if word]


def holds(text: str, phrase: str) -> bool:
    """True if the phrase stands in the text, from the beginning of a word on.

    Letters may follow its last word, as Turkish endings do, but nothing a final digit.

    :param phrase: one without words stands nowhere.
    """
    wanted, told = tokens(phrase), tokens(text)
    if not wanted:
        return False
    *first, last = wanted
    places = range(len(told) - len(wanted) + 1)
    return any(
        told[at : at + len(first)] == first and _ends(told[at + len(first)], last) for at in places
    )


def recall(text: str, phrase: str) -> float:
    """Share of the phrase's words that stand in the text, 0 to 1; words by five letters.

    :param phrase: one without words gives 0.
    """
    wanted, told = tokens(phrase), {_key(word) for word in tokens(text)}
    return sum(_key(word) in told for word in wanted) / len(wanted) if wanted else 0.0


def says(text: str, phrase: str) -> bool:
    """True if an answer says what is expected: the phrase, or half of its words."""
    return holds(text, phrase) or recall(text, phrase) >= LEAST_RECALL


def holds_all(text: str, expected: Iterable[str]) -> bool:
    """True if of each expected text one of its alternatives, parted by ``|``, stands there."""
    return all(any(holds(text, one) for one in each.split("|")) for each in expected)


def declines(text: str, *, is_cited: bool = False) -> bool:
    """True if an answer says that the documents do not hold it.

    It begins with the fallback sentence of any language, whatever stands behind it, such as the
    closest passages; or it has the sentence anywhere and cites nothing.
    """
    told = tokens(text)
    return any(_declines(told, tokens(fallback(name)), is_cited) for name in LANGUAGES)


def _declines(told: Sequence[str], sentence: list[str], is_cited: bool) -> bool:
    places = range(len(told) - len(sentence) + 1)
    found = [at for at in places if list(told[at : at + len(sentence)]) == sentence]
    return 0 in found or bool(found and not is_cited)


def _folded(word: str) -> str:
    """A word in plain letters, a number without the dots of its groups."""
    if _GROUPED.fullmatch(word):
        return word.replace(".", "")
    return word if word[0].isdigit() and not word.isalnum() else fold(word)


def _ends(word: str, last: str) -> bool:
    """True if a word is the last one of a phrase, perhaps with an ending."""
    ending = word.removeprefix(last)
    if ending == word:
        return False
    return not ending or (not last[-1].isdigit() and ending.isalpha())


def _key(word: str) -> str:
    """What two words have in common that count as the same; a number only itself."""
    return word if any(sign.isdigit() for sign in word) else word[:PREFIX]
