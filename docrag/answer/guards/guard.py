"""Who looks at a question before anything is searched: what it holds, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from docrag.answer.guards.attacks import attacks
from docrag.answer.guards.personal import masked, personal
from docrag.api import Message, spans

#: What may be done about what is found: nothing but a log line, taking it out, answering with a
#: fixed sentence, or not looking at all.
POLICIES: Final = ("log", "mask", "refuse", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a question holds, and what is left of it."""

    #: The question as it goes on; without what was taken out.
    question: str
    #: ``attack:KIND`` and ``personal:KIND``, each once; never a piece of the text.
    found: tuple[str, ...] = ()
    #: Prompt file of the sentence that is said instead of an answer, such as ``refused_attack``;
    #: empty where the question is answered.
    refusal: str = ""

    @property
    def refused(self) -> bool:
        """True if nothing may be searched or asked of a model."""
        return bool(self.refusal)


class Guard:
    """Looks at questions by two policies. Thread-safe: it keeps no state of a call."""

    def __init__(self, *, attacks: str = "log", personal_data: str = "log") -> None:
        """Keep the policies, each one of :data:`POLICIES`.

        :raises ValueError: there is no such policy.
        """
        for policy in (attacks, personal_data):
            if policy not in POLICIES:
                raise ValueError(f"no policy {policy!r}; choose one of {', '.join(POLICIES)}")
        self._attacks = attacks
        self._personal = personal_data
        self._masks = personal_data in ("mask", "refuse")
        #: Whether anything that is found changes more than the log.
        self._acts = not {attacks, personal_data} <= {"log", "off"}

    def look(self, question: str) -> Verdict:
        """What the question holds, and what becomes of it.

        ``mask`` cuts out the sentences that attack; where nothing is left, or the attack runs over
        several sentences, it refuses. Personal data give way to a word such as ``[TCKN]``.
        """
        attacked = () if self._attacks == "off" else attacks(question)
        data = () if self._personal == "off" else personal(question)
        kinds = dict.fromkeys(datum.kind for datum in data)
        left = question
        if attacked and self._attacks == "mask":
            left = without_attacks(question)
        refusal = ""
        if attacked and (self._attacks == "refuse" or not left):
            refusal = "refused_attack"
        elif data and self._personal == "refuse":
            refusal = "refused_personal"
        if data and self._personal == "mask":
            left = masked(left)
        return Verdict(
            question=left,
            found=(*(f"attack:{kind}" for kind in attacked), *(f"personal:{k}" for k in kinds)),
            refusal=refusal,
        )

    def over(self, messages: Sequence[Message]) -> tuple[list[Message], Verdict]:
        """A conversation as it goes on, and the verdict on its last question.

        Earlier turns of the user, which a search and a model see too, lose what a policy takes out;
        of those that are refused nothing is left, and the turn is left out. Instructions of the
        client and results of tools lose personal data only. Where the last question is refused, the
        messages are as they were.

        :returns: the messages, of which none is changed in place.
        """
        own = [at for at, turn in enumerate(messages) if turn.role == "user"]
        last = next((at for at in reversed(own) if messages[at].content.strip()), None)
        verdict = Verdict(question="") if last is None else self.look(messages[last].content)
        if verdict.refused or not self._acts:
            return list(messages), verdict
        going: list[Message] = []
        for at, turn in enumerate(messages):
            if turn.role != "user" or not turn.content.strip():
                going.append(turn if turn.role == "assistant" else self._without_data(turn))
                continue
            seen = verdict if at == last else self.look(turn.content)
            if not seen.refused:
                going.append(_saying(turn, seen.question))
        return going, verdict

    def masked(self, messages: Sequence[Message]) -> list[Message]:
        """A conversation that no document answers, without personal data in any of its turns.

        Nothing is refused or judged there: a title for a chat must not fail. With the policies
        ``log`` and ``off`` the messages stay as they are, and the arguments of tools always.
        """
        return [self._without_data(turn) for turn in messages]

    def comment(self, text: str) -> str:
        """What somebody writes about an answer, as it may be kept: without personal data."""
        return masked(text) if self._masks else text

    def kept(self, question: str) -> str:
        """A question as it may be kept beside its answer; empty for one that is refused."""
        return "" if self.look(question).refused else self.comment(question)

    def _without_data(self, turn: Message) -> Message:
        return _saying(turn, self.comment(turn.content))


def without_attacks(text: str) -> str:
    """The sentences of a text that attack nothing, line ends between them.

    Empty where no sentence is left, or those left make an attack together.
    """
    kept = [text[start:end] for start, end in spans(text)]
    kept = [sentence for sentence in kept if not attacks(sentence)]
    left = "\n".join(kept)
    return "" if attacks(left) else left


def _saying(turn: Message, content: str) -> Message:
    """The turn with other words; its pictures stay."""
    if content == turn.content:
        return turn
    if not turn.parts:
        return replace(turn, content=content)
    pictures = tuple(part for part in turn.parts if part.get("type") != "text")
    return replace(turn, content=content, parts=({"type": "text", "text": content}, *pictures))
