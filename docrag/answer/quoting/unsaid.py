"""Which words of a question no quoted sentence says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docrag.answer.markers import strip
from docrag.answer.quoting.verbs import Deed
from docrag.answer.subject import STOP_WORDS, as_written, sought_words, uncovered
from docrag.api import fold, named_articles, other_stems, words

#: Letters of a word that another one may be a longer form of: fewer begin too many others, and
#: longer ones are compared by their first five.
_STEMS: Final = range(3, 5)


def unsaid(question: str, quoted: str) -> tuple[tuple[str, ...], int]:
    """The question's words that a quoted answer lacks, as they are written, and how many it has.

    Another form of its verb counts as said ("arar" for "kim aranır"), and another word that stands
    for one ("ücret" for "maaş"). The number of an article that is asked for is not looked for.

    :param quoted: the answer, with its markers.
    """
    naming = named_articles(question)
    asked = " ".join(naming.rest) if naming else question
    wanted = tuple(word for word in sought_words(asked) if not word.startswith("zaman"))
    text = strip(quoted)
    missing = uncovered(wanted, text)
    if not missing:
        return (), len(wanted)
    told = [fold(word) for word in words(text)]
    verb = wanted[-1] if Deed.of(asked).is_told(text) else ""
    left = (word for word in missing if word != verb and not _is_said(word, told))
    return as_written(left, question), len(wanted)


def _is_said(word: str, told: Sequence[str]) -> bool:
    """True if a short word begins it ("izin" for "izinden"), or another one stands for it."""
    stems = (other for other in told if len(other) in _STEMS and other not in STOP_WORDS)
    if any(map(word.startswith, stems)):
        return True
    plain = f" {' '.join(told)} "
    return any(f" {stem}" in plain for stem in other_stems(word))
