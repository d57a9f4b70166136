"""Which sentences allow or deny the very thing that a yes/no question asks: "taşınır mı?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.quoting.persons import roles
from docrag.answer.quoting.verbs import LIGHT, root_of, term
from docrag.answer.subject import content_words, uncovered
from docrag.api import fold, words

#: Folded words that make what stands before them a question.
_ASKS: Final = re.compile(r"m[iu](?:y[iu]m|y[iu]z|s[iu]n|s[iu]n[iu]z|d[iu]r)?")
#: Folded words that allow or deny what is named before them.
_SAYS: Final = re.compile(r"(?:yasak|serbest|mumkun|izin|izn|caiz|uygun)\w*")
#: The same, and others that a question may have between its verb and the asking word.
_ASKED: Final = re.compile(rf"{_SAYS.pattern}|olur|var|hakk\w*|degil")
#: Ends of a folded verb that allows or denies: "-amaz", "-maz", "-abilir", "-mamalıdır".
_RULING: Final = re.compile(
    r"(\w+?)(?:y?[ae]m[ae]z(?:lar|ler)?|m[ae]z(?:lar|ler)?|y?[ae]bil(?:ir|me)\w*"
    r"|m[ae]m[ae]l[iu]\w*)"
)
#: Ends of one that names a deed: "-mak", "-ması".
_NAMING: Final = re.compile(r"(\w+?)m[ae](?:k\w*|[sy]\w*|n\w*|lar\w*|ler\w*)?")
#: Ends of one that asks: those, "-ır", "-ıyor", "-acak", "-sa".
_ASKING: Final = re.compile(
    rf"{_RULING.pattern}|{_NAMING.pattern}"
    r"|(\w+?)(?:[aeiu]?r(?:lar|ler)?|[iu]?yor\w*|y?[ae]c[ae][kg]\w*|s[ae](?:m|k|n)?)"
)
#: Folded word of a place or means, which is no subject.
_PLACE: Final = re.compile(r"\w{3,}[dt][ae]n?")
#: Least share of the subject's words that a sentence must hold.
_LEAST: Final = 0.5
_CLAUSE: Final = re.compile(r"[,;:]")
#: What a sentence has that allows or denies the deed to somebody else.
OTHERS: Final = -1.0
#: Words behind a named deed in which it is allowed or denied.
_NEAR: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a yes/no question asks, read once."""

    #: Root of its verb; empty for one that asks of a thing alone ("sigara yasak mı").
    root: str = ""
    #: F5 term of the word before a verb that means nothing without it; empty for any other.
    before: str = ""
    #: Folded content words beside the verb; empty if this is no such question.
    others: tuple[str, ...] = ()
    #: Whom it asks of ("uzman"); empty if it names nobody.
    roles: frozenset[str] = frozenset()

    @classmethod
    def of(cls, question: str) -> Ruling:
        """What a question asks; nothing if it is no yes/no question with a subject."""
        folded = [fold(word) for word in words(question)]
        asks = next((at for at, word in enumerate(folded) if at and _ASKS.fullmatch(word)), 0)
        at = asks - 1
        while at > 0 and _ASKED.fullmatch(folded[at]):
            at -= 1
        root = root_of(_ASKING, folded[at]) if at >= 0 else ""
        if asks <= 0 or not (root or at < asks - 1):
            return cls()
        own = {folded[at]} if root else set()
        others = [
            word
            for word in content_words(question)
            if word not in own and not _ASKS.fullmatch(word) and not _ASKED.fullmatch(word)
        ]
        before = term(folded[at - 1]) if root in LIGHT and at > 0 else ""
        if root in LIGHT and not before:
            return cls()
        return cls(root=root, before=before, others=tuple(others), roles=roles(question))

    def share(self, text: str, section: str = "") -> float:
        """Share of the question's other words that a sentence holds which allows or denies it.

        :param section: headings above the sentence, whose words count as its own.
        :returns: 0 for any other sentence, and for one of another subject; :data:`OTHERS` for one
            that speaks of somebody else than the question.
        """
        if not self.others or not self._rules([fold(word) for word in words(text)]):
            return 0.0
        if self.roles and roles(text).isdisjoint(self.roles) and self._is_of_others(text):
            return OTHERS
        whole = f"{text} {section}"
        subject = [word for word in self.others if not _PLACE.fullmatch(word)] or self.others
        if 1 - len(uncovered(subject, whole)) / len(subject) < _LEAST:
            return 0.0
        return 1 - len(uncovered(self.others, whole)) / len(self.others)

    def _is_of_others(self, text: str) -> bool:
        """True if the clause that allows or denies it names somebody."""
        clauses = (clause for clause in _CLAUSE.split(text) if roles(clause))
        return any(self._rules([fold(word) for word in words(clause)]) for clause in clauses)

    def _rules(self, folded: Sequence[str]) -> bool:
        """True if these words allow or deny the deed."""
        if not self.root:
            return any(_SAYS.fullmatch(word) for word in folded)
        for at, word in enumerate(folded):
            if self.before and (not at or term(folded[at - 1]) != self.before):
                continue
            if root_of(_RULING, word) == self.root:
                return True
            behind = folded[at + 1 : at + 1 + _NEAR]
            if root_of(_NAMING, word) == self.root and any(map(_SAYS.fullmatch, behind)):
                return True
        return False
