"""The part of ``docrag eval calibrate`` that measures how much evidence is enough."""

from __future__ import annotations

from docrag.answer.calibration import Expectation
from docrag.answer.gate.calibration import Evidence, Point, best_point, measured, point
from docrag.api import Access
from docrag.assistant import Assistant
from docrag.cli.output import counted, progress, say

#: Answerable questions, and others, below which the stored threshold stays as it is.
FEW = 20


def gauge(
    assistant: Assistant, questions: list[Expectation], *, access: Access, dry_run: bool
) -> None:
    """Measure refusals and needless refusals, and store the threshold that does best.

    :param access: that of the operator.
    """
    with progress(len(questions), "weighing", "question") as bar:
        evidence = measured(
            questions,
            lambda question, k: assistant.search(question, access=access, k=k),
            top_k=assistant.settings.top_k,
            progress=bar.update,
        )
    usual, best = point(evidence), best_point(evidence)
    say(_told("the usual", usual, evidence))
    if assistant.settings.evidence is not None:
        say("DOCRAG_EVIDENCE is set, which wins over what is stored here")
    if min(len(evidence.answerable), len(evidence.others)) < FEW:
        say(f"{FEW} questions of both kinds are needed to change the evidence that is enough")
        return
    least = best.least if best.worth > usual.worth else None
    if least is not None:
        say(_told("the best", best, evidence))
    _keep(assistant, least, dry_run=dry_run)


def _told(name: str, at: Point, evidence: Evidence) -> str:
    return (
        f"evidence: {name} threshold {at.least:.2f} declines {at.refused:.0%} of "
        f"{counted(len(evidence.others), 'question')} whose document is left out, and needlessly "
        f"{at.needless:.0%} of {len(evidence.answerable)} whose place is found"
    )


def _keep(assistant: Assistant, least: float | None, *, dry_run: bool) -> None:
    """Store the threshold, or forget an earlier one where the usual one does as well."""
    spaces = assistant.store.spaces
    if least == spaces.required():
        say("the evidence that is enough stays as it is")
    elif dry_run:
        say(f"{_called(least)} would be enough evidence; nothing is stored")
    else:
        spaces.require(least)
        say(f"{_called(least)} is enough evidence from the next question on")


def _called(least: float | None) -> str:
    return "the usual" if least is None else f"{least:.2f}"
