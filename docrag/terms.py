"""What of a text is searched by words: its header, and the terms of each lexical field.

The fields are ``f5`` (in postings; English has stems instead), ``c4`` and pairs of ``f5`` terms.
All work on folded words, so that spelling without Turkish letters, capitals and circumflexes find
the same. Fixed-length prefixes match lemmatisers for Turkish (Can et al., 2008, "Information
retrieval on Turkish texts", JASIST 59(3)); letter grams inside words stand misspelt endings
(McNamee and Mayfield, 2004, "Character n-gram tokenization for European language text retrieval",
Information Retrieval 7).
"""

from __future__ import annotations

import Stemmer

from docrag.textnorm import fold, words

#: Characters of a folded word that make its F5 term; measured best for Turkish without a stemmer.
PREFIX_LENGTH = 5
#: Characters of a gram.
GRAM_LENGTH = 4
#: Stands at both ends of a word in its grams; no word holds one.
EDGE = " "
#: Most neighbouring chunks that count as one window, evenly cut: 3 to 20 find the same on TQuAD.
WINDOW = 12
#: Letters of a question's word that stands for its five-letter terms as well (``kaza`` for
#: ``kazasını``): an F5 term is exact for shorter words, and three letters begin too many others.
STEM_LENGTH = 4
#: Ends a question's term that stands for all five-letter terms that it begins; no word holds one.
CLASS = "*"
#: Ends a question's word that stands for terms near to it where no document has its own.
NEAR = "~"
#: Letters that a misspelt one may be.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Language of a text where nothing else is known, ISO 639-1; prefixes serve any language of words.
DEFAULT_LANGUAGE = "tr"
#: Languages with a Snowball stemmer of their own, and its name.
_STEMMERS = {"en": "english"}


def header(title: str, section: str) -> str:
    """What stands in front of a chunk's text where it is indexed and embedded: title, headings.

    An underscore of a file name separates words. Empty for neither.
    """
    parts = (title.replace("_", " ").strip(), section.strip())
    return " ".join(part for part in dict.fromkeys(parts) if part)


def indexed(title: str, section: str, text: str) -> str:
    """The text of a chunk as it is indexed and embedded: its header on a line of its own first."""
    first = header(title, section)
    return f"{first}\n{text}" if first else text


def f5(text: str) -> list[str]:
    """F5 terms in order, repeats kept: the first five characters of every folded word."""
    return [word[:PREFIX_LENGTH] for word in _folded(text)]


def analysed(text: str, language: str = DEFAULT_LANGUAGE) -> list[str]:
    """The terms of a text that are put into the postings, in order, repeats kept.

    :param language: ISO 639-1; one with a stemmer has its own terms (``en:…``), since a stem and a
        prefix that look alike may be of different words; any other has F5 terms.
    """
    if language not in _STEMMERS:
        return f5(text)
    # One a call: a stemmer is cheap and not thread-safe.
    stemmer = Stemmer.Stemmer(_STEMMERS[language])
    return [f"{language}:{stem}" for stem in stemmer.stemWords(_folded(text))]


def asked_terms(text: str) -> list[str]:
    """The terms of a question, in every language that documents may have; repeats kept.

    A word of four letters is marked as a class (``kaza*``): itself and the terms that it begins. A
    longer one comes with its sixth letter and a mark (``guvenl~``): its F5 term or, where no
    document has that, the terms that are :func:`near`.
    """
    prefixes = [_marked(word) for word in _folded(text)]
    return prefixes + [term for language in _STEMMERS for term in analysed(text, language)]


def plain(term: str) -> str:
    """The term in postings that an asked term names: without its mark, of five letters."""
    if term.endswith(NEAR):
        return term[:PREFIX_LENGTH]
    return term.removesuffix(CLASS)


def exact(term: str) -> str:
    """The asked term of a well-spelt word, for which no near one stands in; a class stays one."""
    return plain(term) if term.endswith(NEAR) else term


def near(term: str) -> list[str]:
    """F5 terms of the words that one slip of the hand makes of a marked word, sorted.

    A slip is a letter left out, added, put for another, or changed with the next one (Damerau,
    1964, "A technique for computer detection and correction of spelling errors", CACM 7(3)).

    :param term: an asked term; one without the mark of :data:`NEAR` has none.
    """
    if not term.endswith(NEAR):
        return []
    word = term.removesuffix(NEAR)
    found: set[str] = set()
    for place in range(len(word)):
        before, letter, after = word[:place], word[place], word[place + 1 :]
        found.add(before + after)
        found.add(before + after[:1] + letter + after[1:])
        for other in _LETTERS:
            found.add(before + other + after)
            found.add(before + other + letter + after)
    return sorted({other[:PREFIX_LENGTH] for other in found} - {plain(term)})


def _marked(word: str) -> str:
    if len(word) == STEM_LENGTH:
        return word + CLASS
    return word[: PREFIX_LENGTH + 1] + NEAR if len(word) > STEM_LENGTH else word


def c4(text: str) -> list[str]:
    """Letter grams in order, repeats kept: all runs of four signs of every folded word.

    A word counts with an :data:`EDGE` at both ends; one of a single letter is its own gram.
    """
    return [gram for word in _folded(text) for gram in _grams(f"{EDGE}{word}{EDGE}")]


def _folded(text: str) -> list[str]:
    """Folded words in order, none empty."""
    return [folded for word in words(text) if (folded := fold(word))]


def _grams(word: str) -> list[str]:
    return [word[start : start + GRAM_LENGTH] for start in range(max(1, len(word) - 3))]
