"""The question as it is searched for: cleaned and of bounded length."""

from __future__ import annotations

from docrag.api import ending

#: Characters that are searched for, the last ones. Who pastes a text asks below it, and a missed
#: background task of a chat front end must stay cheap; people's questions have about 60.
MAX_CHARACTERS = 1_000


def searched(query: str) -> str:
    """The end of the question, without surrounding space; empty for an empty question.

    At most :data:`MAX_CHARACTERS` characters; a word that the cut would split is left out.
    """
    return ending(query.replace("\0", " "), MAX_CHARACTERS)
