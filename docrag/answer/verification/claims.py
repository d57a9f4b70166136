"""Is a sentence a claim that a source could hold, or courtesy, a heading, a question?"""

from __future__ import annotations

import re
from typing import Final

from docrag.answer.smalltalk import courtesy
from docrag.answer.templates import fallback
from docrag.answer.verification.claim import Claim
from docrag.api import fold, words

#: Most words of a line that ends in a colon and only introduces what follows.
_INTRODUCING: Final = 8
#: Most words of a Markdown heading or a line in stress.
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$)")
_ASKING: Final = re.compile(r"[?？][\"'”’)\s]*$")
#: What an answer says when it has none, folded beginnings of phrases.
_NOTHING: Final = re.compile(
    r"\b(?:bu bilgi|bu konuda|bu soru\w*|sorunuz\w*|yanit\w*|cevab\w*)\b.*"
    r"\b(?:bulunm|yer alm|yok|belirtilm|rastlanm|mevcut degil)\w*"
    r"|\b(?:belgelerde|kaynaklarda|pasajlarda)\b.*\b(?:bilgi|yanit|cevap)\w*\b.*"
    r"\b(?:bulunm|yok|yer alm|belirtilm)\w*"
    r"|\bnot (?:(?:found|contained|mentioned|stated) )?in the (?:documents|passages|sources)\b"
    r"|\bthe (?:documents|passages|sources) do not\b"
    r"|\bbilgim yok\b|\bbilmiyorum\b"
)


def is_claim(sentence: str, claim: Claim) -> bool:
    """True if the sentence says something that a source could hold.

    :param claim: the same sentence, read.
    """
    if _HEADING.match(sentence) or _ASKING.search(sentence):
        return False
    values = claim.numbers or claim.dates or claim.references
    spoken = words(claim.text)
    content = len(claim.words) + len([name for name in claim.names if name.is_sure])
    if not values and content <= (1 if len(spoken) <= 1 else 0):
        return False
    if sentence.rstrip().endswith(":") and len(spoken) <= _INTRODUCING and not values:
        return False
    return not (courtesy(claim.text) or says_nothing(claim.text))


def says_nothing(text: str) -> bool:
    """True for the sentence that says the documents do not hold the answer, in usual words."""
    folded = " ".join(filter(None, map(fold, words(text))))
    said = {" ".join(filter(None, map(fold, words(fallback(code))))) for code in ("tr", "en")}
    return folded in said or _NOTHING.search(folded) is not None
