"""What a sentence of an answer was found to be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The verdict on one sentence."""

    #: False for what says nothing that could be checked: courtesy, headings, "Buna göre:", the
    #: fallback sentence, a question back.
    is_claim: bool
    #: True for what is no claim as well.
    supported: bool
    #: Number of the source that supports it best: one of those that it cites if they do, another
    #: for ``wrong_source`` and for a sentence that cites none; ``None`` if none supports it.
    source: int | None
    #: 0 to 1, how well the best of the judged sources covers it; 1 for what is no claim.
    score: float
    #: Machine words of what failed, empty if supported: ``number``, ``date``, ``unit``,
    #: ``article``, ``name``, ``negation``, ``coverage``, ``wrong_source``.
    reasons: tuple[str, ...] = ()
    #: Values or words that no cited source holds where it speaks of the matter, as written.
    missing: tuple[str, ...] = ()
