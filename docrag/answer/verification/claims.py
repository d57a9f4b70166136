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
#: A Markdown heading, or a line in stress.
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$)")
_ASKING: Final = re.compile(r"[?？][\"'”’)\s]*$")
#: A question that only asks to agree with what was said.
_AGREEING: Final = re.compile(
    r"(?:,\s*(?:de[ğg]il mi|[öo]yle mi|do[ğg]ru mu|right|correct|isn't it|aren't they)\s*[?？])"
    r"|^\W*(?:biliyor mu(?:ydu)?(?:sun(?:uz)?|nuz)|did you know)\b.*\w",
    re.IGNORECASE,
)
#: Folded: what the documents are called, what they were to hold, and that it is not there.
_DOCUMENTS: Final = r"\b(?:belge|kaynak|pasaj|metin|metn)\w*"
_TOLD: Final = r"\b(?:bilgi|yanit|cevap|cevab|hukum|hukm|aciklama)\w*"
_ABSENT: Final = (
    r"\b(?:bulun(?:mu|ma[mzd]|ama)|yer al(?:mi|ma[mzd])|(?:belirtil|gec|verilm)(?:mi|me[mzd])"
    r"|rastlan(?:mi|ma)|yok|mevcut degil)\w*"
)
#: What an answer says when it has none.
_NOTHING: Final = re.compile(
    rf"{_DOCUMENTS} .*{_TOLD} .*{_ABSENT}|^(?:bu )?{_TOLD} .*{_DOCUMENTS} .*{_ABSENT}"
    rf"|^bu (?:konu|soru)\w* .*{_TOLD} .*{_ABSENT}"
    r"|\bnot (?:(?:found|contained|mentioned|stated) )?in the (?:documents|passages|sources)\b"
    r"|\bthe (?:documents|passages|sources) do not (?:mention|contain|say|state|hold)\b"
    r"|^(?:bu konuda )?bilgim yok$|^bilmiyorum$"
    r"|^(?:umarim|uzgunum|maalesef|sorry|i hope)\b(?:(?! \d).){0,40}$(?<=ur|um|im|lp|ps|ed|nd)"
)


def is_claim(sentence: str, claim: Claim) -> bool:
    """True if the sentence says something that a source could hold.

    :param claim: the same sentence, read.
    """
    if _HEADING.match(sentence):
        return False
    if _ASKING.search(sentence) and not _AGREEING.search(sentence):
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
