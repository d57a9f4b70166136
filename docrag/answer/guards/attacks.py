"""Prompt attacks in a question: what kinds of them it holds, whatever their disguise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docrag.answer.guards.disguise import bare, decoded, ends, joined, readings, spaced, turned
from docrag.answer.guards.instructions import IGNORING
from docrag.answer.guards.payloads import CODED, LEAVING
from docrag.answer.guards.phrase import Phrase
from docrag.answer.guards.revealing import REVEALING
from docrag.answer.guards.roles import CLAIMS, ROLES

#: Every machine word, in the order in which they are told.
KINDS: Final = (
    "ignore_instructions",
    "reveal_prompt",
    "role_change",
    "impersonation",
    "encoded_payload",
    "delimiter_injection",
    "exfiltration",
)
_PHRASES: Final = (*IGNORING, *REVEALING, *ROLES, *CLAIMS, *CODED, *LEAVING)
#: Signs of chat templates and of docrag's own passages, and turns that a text makes up.
_DELIMITERS: Final = re.compile(
    r"<\|[a-z_ ]{2,30}\|>|\[/?inst\]|<</?sys>>|</?s>|<(?:start|end)_of_turn>"
    r"|<\s{0,3}/?\s{0,3}(?:pasaj|passage|system|sistem|assistant|instructions?|prompt)\b[^>]{0,80}>"
    r"|^[ \t]{0,8}#{2,6} {0,4}(?:system|sistem|assistant|asistan|instruction|new instruction|"
    r"yeni talimat)\w{0,9}[ \t]{0,8}:"
    r"|^[ \t]{0,8}[\[({][ \t]{0,8}(?:system|sistem|assistant)"
    r"(?: (?:message|mesaji|prompt))?[ \t]{0,8}[\])}]"
    r"|\A[ \t]{0,8}(?:system|assistant)(?: (?:message|prompt))? {0,4}:(?![^\n?]{0,200}\?)"
    r"|\n[ \t]{0,8}[^\w\s]{0,3}[ \t]{0,8}(?:system|assistant|sistem|asistan|developer)"
    r"(?: (?:message|mesaji|prompt|istemi))?\W{0,3}:",
    re.MULTILINE,
)
#: An image from elsewhere is fetched without a click, with what its address holds.
_IMAGE: Final = re.compile(
    r"!\[[^\]]{0,200}\]\(\s{0,3}(?:https?:)?//|<img\b[^>]{0,200}\bsrc\s{0,3}="
)
#: The core of attacks without any blanks, for letters that were spaced out.
_SQUEEZED: Final = {
    "ignore_instructions": re.compile(
        r"(?:ignore|disregard|forget)[a-z]{0,12}(?:previous|prior|above|all|your)[a-z]{0,12}"
        r"(?:instruct|rule|prompt|guideline)"
        r"|(?:onceki|tum|butun|yukaridaki|verilen)[a-z]{0,12}(?:talimat|kural|komut|yonerge)"
        r"[a-z]{0,10}(?:yoksay|unut|gormezdengel|gozardiet|dikkatealma|uyma)"
    ),
    "reveal_prompt": re.compile(
        r"(?:show|reveal|print|repeat|tell|write)[a-z]{0,14}(?:prompt|yourinstruct)"
        r"|sistem(?:prompt|istem)[a-z]{0,14}(?:yaz|goster|soyle|acikla|paylas|tekrarla)"
    ),
    "role_change": re.compile(r"youarenow|doanythingnow|developermode|gelistiricimodu|jailbreak"),
}
#: Words before an English order that leave it one.
_STARTERS: Final = frozenset(
    "and then but now please just also so must kindly first simply instead ok okay hey next "
    "finally immediately or always never only lutfen ve simdi ayrica".split()
)
#: A clause that begins so asks what others do, unless it asks "you".
_ASKS: Final = re.compile(
    r"(?:can|may|could|should|must|do|does|did|will|would|is|are|has|have|who|when|where|if|why|"
    r"how|whether|what (?:happens|if|will|would|can|should)|which)\b(?! you\b)"
)
_YOU: Final = re.compile(
    r"(?:(?:want|need|ask|order|tell|command|instruct|require|urge|like)\w* you(?: all)? to|"
    r"your (?:new )?(?:task|job|goal|mission|role|only task) is(?: now)? to|"
    r"you (?:must|should|can|may|will|have to|need to|are to|shall|could|would)|"
    r"(?:can|could|will|would|should) you(?: please| just)?|you|feel free to|"
    r"it is (?:ok|okay|fine) to)$"
)
_MARK: Final = re.compile(r"[.,?]")


def attacks(text: str) -> tuple[str, ...]:
    """Machine words of the attacks that a question holds, each once, in the order of :data:`KINDS`.

    Case, Turkish letters, invisible characters, look-alike and spaced-out letters, figures for
    letters, entities, base64, hexadecimal, ROT13 and reversed text do not hide them. Only what is
    told to a model counts: "what if I ignored the instructions" asks, and orders nothing.

    :param text: a question, as its user wrote it; of a long one, both ends are read.
    :returns: empty for an ordinary question.
    """
    text = ends(text)
    found = set(_spoken(text))
    for hidden in decoded(text):
        found.add("encoded_payload")
        found.update(_spoken(hidden))
    if not found:
        for other in turned(bare(text)):
            if told := set(_phrased(other)):
                found |= {*told, "encoded_payload"}
    return tuple(kind for kind in KINDS if kind in found)


def _spoken(text: str) -> Iterator[str]:
    """Kinds of a text that is in no code."""
    plain = bare(text)
    if _DELIMITERS.search(plain):
        yield "delimiter_injection"
    if _IMAGE.search(plain):
        yield "exfiltration"
    yield from _phrased(plain)
    runs = tuple(spaced(plain))
    if runs:
        yield from _phrased(joined(plain))
    for run in runs:
        yield from (kind for kind, pattern in _SQUEEZED.items() if pattern.search(run))


def _phrased(plain: str) -> Iterator[str]:
    for reading in readings(plain):
        yield from (phrase.kind for phrase in _PHRASES if _says(phrase, reading))


def _says(phrase: Phrase, reading: str) -> bool:
    found = phrase.pattern.finditer(reading)
    if not phrase.is_order:
        return next(found, None) is not None
    return any(_is_order(reading[max(0, match.start() - 200) : match.start()]) for match in found)


def _is_order(before: str) -> bool:
    """True if the verb behind these words tells somebody to do it.

    English imperatives look like infinitives: the verb must begin its clause, or stand behind
    words that hand it to the reader ("and", "please", "I want you to").
    """
    clause = _MARK.split(before)[-1].strip()
    if not clause:
        return True
    asks = _ASKS.match(clause) is not None
    if _YOU.search(clause):
        return not clause.startswith(("if ", "what if", "when ", "whether ", "what happens"))
    return clause.rsplit(" ", 1)[-1] in _STARTERS and not asks
