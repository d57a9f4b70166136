"""What is looked for to answer a conversation, and what the sources found are judged by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docrag.answer.conversation import Conversation
from docrag.answer.dependence import depends
from docrag.answer.question import asked, core


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """One or two searches, and their gate."""

    #: What is searched; empty if only the earlier question's sources are wanted.
    searched: str
    #: The earlier question, whose sources are wanted again; empty if they are not.
    carried: str = ""
    #: The question made to stand alone by a model; empty if none did.
    rewritten: str = ""
    #: The sources suffice if they suffice for one of these.
    judged: tuple[str, ...]

    @property
    def question(self) -> str:
        """What is asked, in one text."""
        return self.searched or self.carried


def inquire(talk: Conversation, rewrite: Callable[[Conversation], str]) -> Inquiry:
    """What is looked for.

    An assent ("evet") wants the sources of the question before. A follow-up is searched as the
    model rewrote it; without a model it is joined to the question before if it hangs on it, and
    searched alone if not. One that hangs on the question before wants that one's sources as well.

    The gate judges a rewritten question by itself. What is only joined holds words of two or more
    questions, of which each may be answered in other words, so that it is not declined if what was
    asked before it would not be.

    :param rewrite: gives the stand-alone form of a follow-up, empty if it has none.
    """
    own = asked(talk.question)
    before = tuple(
        " ".join((core(talk.chain[0]), *talk.chain[1:last]))
        for last in range(len(talk.chain), 0, -1)
    )
    if talk.kind == "assent":
        return Inquiry(searched="", carried=talk.earlier, judged=before)
    if talk.kind != "follow_up":
        return Inquiry(searched=own, judged=(core(own),))
    rewritten = rewrite(talk)
    judged = (core(rewritten),) if rewritten else ()
    if not depends(talk.question):
        alone = rewritten or own
        return Inquiry(searched=alone, rewritten=rewritten, judged=judged or (core(own),))
    joined = asked(f"{talk.earlier} {own}")
    return Inquiry(
        searched=rewritten or joined,
        carried=talk.earlier,
        rewritten=rewritten,
        judged=(*judged, joined, *before),
    )
