"""What a further sentence is worth beside the one that most likely answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from docrag.answer.quoting.pointing import points_back
from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.quoting.verbs import Deed
from docrag.answer.subject import uncovered

#: Worth from which on a further sentence is quoted, of running text and of articles and sections,
#: whose sentences are rules of their own. On TQuAD's training questions -3.75 loses .2 % of the
#: answers and a sixth of what was quoted, -3 1.6 % and a third; of 315 on laws, a third of which
#: nothing was learnt from, -3.5 loses none, -3.1 four.
LEAST_WORTH: Final = {False: -3.75, True: -3.5}
#: What the log odds against the best sentence count, and what adds to them: the share of the
#: question's words that no sentence before it speaks of, that which it speaks of (a sentence that
#: says the question again answers it less), holding nothing of the kind that is asked for, telling
#: of the deed that is asked of where the best does not, or the other way round, and going on right
#: behind the best ("Bunlardan biri …"). By a logistic regression over 3,773 further sentences, of
#: which 203 hold the answer first.
_ODDS: Final = 0.9
_ADDS: Final = 2.65
_SAID: Final = -1.6
_LACKS: Final = -1.05
_DEED: Final = 0.5
_GOES_ON: Final = 1.1
#: The same for a sentence of an article or section, where it has no word of the question (2 of 77
#: such hold an answer; elsewhere the subject often stands in the one before), and beside a best one
#: that says all that the question does and holds what is asked for.
_OTHER: Final = -0.9
_WHOLE: Final = -1.0
#: Log odds that telling of the deed and holding nothing of the kind add where the best is chosen.
#: Set by hand for short rules ("Forklifti … çalışanlar kullanır"): on training questions half and
#: twice of it do as well, and as none.
_BEST_DEED: Final = 1.0
_BEST_LACKS: Final = -0.5
#: Fewest words of a question that a sentence can say whole.
_FEWEST: Final = 2
#: Log odds beyond which none is surer.
_SUREST: Final = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What sentences are worth for a question."""

    #: Content words of the question, folded.
    wanted: Sequence[str]
    #: What its verb asks of.
    deed: Deed
    #: Texts that were looked at, and whether they tell of it.
    _told: dict[str, bool] = field(default_factory=dict)

    def first(self, one: ScoredSentence) -> float:
        """Log odds that a sentence is the one to be quoted first."""
        told = self._tells(one.text)
        return _odds(one.probability) + _BEST_DEED * told + _BEST_LACKS * (one.holds is False)

    def is_whole(self, one: ScoredSentence) -> bool:
        """True if a sentence itself holds every word of a question of two or more, and its deed."""
        if len(self.wanted) < _FEWEST or self._left(self.wanted, one.text):
            return False
        return not self.deed.root or self._tells(one.text)

    def left(self, missing: Sequence[str], one: ScoredSentence) -> tuple[str, ...]:
        """Those of the words that neither a sentence nor the headings above it speak of."""
        return self._left(missing, f"{one.text} {one.piece.section}")

    def is_enough(self, one: ScoredSentence, best: ScoredSentence, missing: Sequence[str]) -> bool:
        """True if a sentence is likely enough to hold what those before it lack.

        :param best: the first that is quoted.
        :param missing: those of the question's words that none before it speaks of.
        """
        least = LEAST_WORTH[_is_rule(one)]
        return self._further(one, best, missing) >= least

    def _further(self, one: ScoredSentence, best: ScoredSentence, missing: Sequence[str]) -> float:
        total = max(len(self.wanted), 1)
        adds = (len(missing) - len(self.left(missing, one))) / total
        said = (len(self.wanted) - len(self.left(self.wanted, one))) / total
        deed = self._tells(one.text) - self._tells(best.text)
        against = _odds(one.probability) - _odds(best.probability)
        worth = (
            _ODDS * against
            + _ADDS * adds
            + _SAID * said
            + _LACKS * (one.holds is False)
            + _DEED * deed
        )
        worth += _GOES_ON * _goes_on(one, best)
        if not _is_rule(one):
            return worth
        is_all_said = bool(best.holds) and self.is_whole(best)
        return worth + _OTHER * self._has_none(one) + _WHOLE * is_all_said

    def _has_none(self, one: ScoredSentence) -> bool:
        return len(self._left(self.wanted, one.text)) == len(self.wanted)

    def _tells(self, text: str) -> bool:
        if text not in self._told:
            self._told[text] = self.deed.is_told(text)
        return self._told[text]

    def _left(self, missing: Sequence[str], text: str) -> tuple[str, ...]:
        """Those of the words that a text lacks; another form of the question's verb counts."""
        left = uncovered(missing, text)
        if left and left[-1] == self.wanted[-1] and self._tells(text):
            return left[:-1]
        return left


def _goes_on(one: ScoredSentence, best: ScoredSentence) -> bool:
    is_next = one.citation == best.citation and one.position == best.position + 1
    return is_next and points_back(one.text)


def _is_rule(one: ScoredSentence) -> bool:
    """True for a sentence below a heading or of an article, unlike one of a running text."""
    return one.piece.article is not None or bool(one.piece.section)


def _odds(probability: float) -> float:
    if not 0 < probability < 1:
        return _SUREST if probability else -_SUREST
    return max(-_SUREST, min(math.log(probability / (1 - probability)), _SUREST))
