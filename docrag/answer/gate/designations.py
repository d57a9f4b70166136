"""Codes and letters of a question: only what has the very same is what it asks of.

"F-04" is no other truck than "F-03", and "C binası" no other building than "A binası", however
well all other words fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from docrag.answer.subject import without_suffixes
from docrag.api import Citation, fold, lower, spans, words

#: Letters and figures with hyphens between them ("FR-İK-013"), or capitals before figures ("F03").
_CODE: Final = re.compile(r"(?<![\w-])(?:(?:[^\W\d_]{1,5}-)+\d+|[A-ZÇĞİÖŞÜ]{1,4}\d+)(?![\w-])")
_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
#: A letter by itself, and the word behind it. "O", "I" and "İ" may be words, and small vowels.
_LETTER: Final = re.compile(
    r"(?<![\w.,:'’°/-])\(?([A-HJ-NP-ZÇĞÖŞÜb-df-hj-np-zç])\)? +([^\W\d_]{3,})"
)
#: Parts of an article, which are named in another way, and mail.
_NO_NOUN: Final = re.compile(r"bend\w*|bent\w*|fikra\w*|sikk\w*|post\w*|mail\w*")
#: Letters by which the word behind a letter is the same.
_STEM: Final = 4


def absent(question: str, context: Sequence[Citation]) -> tuple[str, ...]:
    """Codes and letters with their noun that no source has, as the question writes them.

    :param context: sources that an answer could use; their titles and headings count.
    """
    plain = without_suffixes(question)
    codes = list(dict.fromkeys(found[0] for found in _CODE.finditer(plain)))
    letters = [found for found in _LETTER.finditer(plain) if _is_named(found)]
    if not codes and not letters:
        return ()
    heads = [f"{item.title} {item.section} {item.filename}".replace("_", " ") for item in context]
    said = " | ".join(_folded(text) for text in (*heads, *(item.text for item in context)))
    lines = [*heads, *(line for item in context for line in _lines(item.text))]
    return (
        *(code for code in codes if not _form(code).search(said)),
        *(f"{found[1]} {found[2]}" for found in letters if not _has_letter(found, lines)),
    )


def _is_named(found: re.Match[str]) -> bool:
    return _NO_NOUN.fullmatch(fold(lower(found[2]))) is None


def _form(code: str) -> re.Pattern[str]:
    """How a folded text with blanks between its words may have the code."""
    parts = " ?".join(fold(part) for part in _PARTS.findall(lower(code)))
    return re.compile(rf"(?<![a-z0-9]){parts}(?![0-9])")


def _has_letter(found: re.Match[str], lines: Sequence[str]) -> bool:
    letter = re.compile(rf"(?<!\w){re.escape(_capital(found[1]))}(?!\w)")
    stem = fold(lower(found[2]))[:_STEM]
    return any(letter.search(line) and f" {stem}" in f" {_folded(line)}" for line in lines)


def _capital(letter: str) -> str:
    return "İ" if letter == "i" else letter.upper()


def _folded(text: str) -> str:
    return " ".join(fold(word) for word in words(text))


def _lines(text: str) -> Iterator[str]:
    for start, end in spans(text):
        yield text[start:end]
