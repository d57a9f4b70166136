"""The question as it is searched for: cleaned and of bounded length."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from docrag.api import Access, ending, fold, words

#: Characters that are searched for, the last ones. Who pastes a text asks below it, and a missed
#: background task of a chat front end must stay cheap; people's questions have about 60.
MAX_CHARACTERS = 1_000
#: Most chunks that one search gives; whoever wants all of a document reads the document.
MAX_K = 1_000
#: Folded words that ask and stand in hardly any passage ("hangi" in two of those of TQuAD's 2,425
#: training questions with it): they would count as rare, and their letters as other words'.
_ASKING: Final = re.compile(
    r"hangi\w*|nere\w*|nasil\w*|neler\w*|kimler\w*|kim(?:dir|di|in|indir|e|i|den)?|mi|mu|midir|mudur"
    r"|ne(?:dir|den|yi|ye|yin|yle|si|sidir)?|nicin|niye|kac(?:tir|ta|i|inci|incisi)?|acaba"
    r"|what|which|who|whom|whose|where|how|why"
)


def searched(query: str) -> str:
    """The end of the question, without surrounding space; empty for an empty question.

    At most :data:`MAX_CHARACTERS` characters; a word that the cut would split is left out.
    """
    return ending(query.replace("\0", " "), MAX_CHARACTERS)


def without_asking(question: str) -> str:
    """The question's words without those that only ask; all of them if it has no others."""
    said = words(question)
    return " ".join([word for word in said if not _ASKING.fullmatch(fold(word))] or said)


def dated(access: Access) -> Access:
    """The access with its day, today if it has none: a question has one day, also at midnight."""
    return access if access.on is not None else replace(access, on=date.today())


def check_k(k: int) -> None:
    """Return if so many chunks may be asked for.

    :raises ValueError: ``k`` is not 1 to :data:`MAX_K`.
    """
    if not 1 <= k <= MAX_K:
        raise ValueError(f"k is {k}; ask for 1 to {MAX_K} chunks")
