"""Whether a question hangs on the one before, judged by its words alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docrag.answer.gate.evidence import content_words
from docrag.api import words

# The words are in small letters with their own spelling: "şu" is not "su" (water), "ise" (if) not
# "işe" (to work). Spellings without Turkish letters stand beside where they mean nothing else.

#: Beginnings of a question that goes on with what was said.
LEADS: Final = tuple(
    phrase.split()
    for phrase in (
        "ya", "peki", "yani", "ve", "öyleyse", "oyleyse", "o zaman", "o halde", "and", "so", "then",
        "what about", "what if", "how about",
    )
)  # fmt: skip
#: Last words of a question that leaves the rest to what was said.
ENDS: Final = frozenset(
    """
    olursa olsa olsaydı olsaydi olmazsa olmasa olacaksa ise değilse degilse varsa yoksa olunca için
    icin ya instead otherwise then
    """.split()
)
#: Words that show something said before; they may also show what follows in the question itself.
SHOWING: Final = frozenset(
    """
    bu o şu böyle boyle öyle oyle orada burada aynı ayni aynısı aynisi diğeri digeri diğerleri
    digerleri ikincisi öteki oteki it its this these those they them their same
    """.split()
)
#: Words that stand for something said before, and hardly for anything else.
POINTING: Final = frozenset(
    """
    bunun bunu buna bunda bundan bununla bunlar bunların bunları bunlara bunlardan bunlarla onun onu
    ona ondan onunla onlar onların onları onlara onlardan onlarla şunun şunu şuna şundan şunlar
    bunlarin bunlari onlarin onlari
    """.split()
)
#: Most words of its own that a question with a tie has; with more it has a topic of its own.
FEW: Final = 3
#: The same for a question with a pointing word.
FEW_POINTED: Final = 5
#: The same without any tie, and with a number among the words ("620 kişi kaç?").
FEW_BARE, FEW_COUNTED = 1, 2


def depends(question: str) -> bool:
    """True if a question is understood only with the one before ("ya 620 kişi olursa?").

    It has hardly a word of its own, or few beside one that ties it to what was said. A question
    with a topic of its own stands alone, whatever it begins with.
    """
    said = words(question)
    tied, pointed = _is_tied(said), not POINTING.isdisjoint(said)
    rest = " ".join(word for word in said if word not in SHOWING | POINTING | ENDS)
    own = [word for word in content_words(rest) if [word] not in LEADS]
    if pointed:
        return len(own) <= FEW_POINTED
    if tied:
        return len(own) <= FEW
    return len(own) <= (FEW_COUNTED if any(word[0].isdigit() for word in own) else FEW_BARE)


def _is_tied(said: Sequence[str]) -> bool:
    leads = any(list(said[: len(phrase)]) == phrase for phrase in LEADS)
    return leads or bool(said and said[-1] in ENDS) or not SHOWING.isdisjoint(said)
