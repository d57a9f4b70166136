"""How a phrase of a prompt attack is written: a pattern over plain words, and common words.

They are matched against what ``docrag.answer.guards.disguise.readings`` gives: lower-case ASCII
words with ``.``, ``,`` and ``?`` as clause marks. In a phrase ``~`` stands for a blank with at most
three words before the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One way to say an attack."""

    #: Machine word of the attack.
    kind: str
    pattern: re.Pattern[str]
    #: True if it is one only as an order: an English verb that its clause begins with.
    is_order: bool = False


def phrase(kind: str, text: str, *, is_order: bool = False) -> Phrase:
    """A phrase from its text.

    :param kind: machine word of the attack.
    :param text: regular expression in which ``~`` is a blank with up to three words behind it.
    :param is_order: as of :class:`Phrase`.
    """
    pattern = rf"(?<![\w])(?:{text})(?!\w)".replace("~", r"(?: \w+){0,3} ")
    return Phrase(kind=kind, pattern=re.compile(pattern), is_order=is_order)


def any_of(text: str) -> str:
    """A pattern for any of these words."""
    return f"(?:{'|'.join(text.split())})"


#: Not "… diyen usta", "… derse", "… düğmesi": then somebody or something else says it.
SAID: Final = (
    r"(?! (?:diy|der|dey|dedi|dese|den|deme|diye|seklinde|yazan|yazili|dugme|buton|tusu|secene)\w*)"
)
#: Word for word.
VERBATIM_TR: Final = (
    "(?:kelimesi kelimesine|harfi harfine|aynen|birebir|oldugu gibi|noktasi virgulune|eksiksiz)"
)
#: Where a clause begins.
FIRST: Final = r"(?:(?<=^)|(?<=[.,?] ))"
#: Imperative and polite endings of a folded Turkish verb.
DO: Final = (
    r"(?:(?:y?[iu]n(?:[iu]z)?|sana|sene)?"
    r"|(?:y?[aei]?(?:bil)?[aeiu]?r|[iu]yor) m[iu]s[iu]n(?:[iu]z)?)\b" + SAID
)
#: What a model is told, by any name.
RULES_EN: Final = (
    "(?:instructions?|prompts?|rules|directions|directives|guidelines|orders|commands|programming|"
    "constraints|restrictions|limitations|safeguards|guardrails|filters|safety (?:rules|protocols)"
    "|system message)"
)
RULES_TR: Final = (
    r"(?:talimat|kural|komut|yonerge|yonlendirme|direktif|istem|prompt|emir|emr|sinirlama|"
    r"kisitlama|ilke|programlama|sistem mesaj)\w*"
)
