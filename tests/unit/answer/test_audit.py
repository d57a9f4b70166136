"""The audit row of an answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from docrag.answer.audit import recorder
from docrag.api import Abstention, Answer, Usage
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.records import AuditedAnswer


@pytest.mark.parametrize(
    ("abstention", "uncited", "reason"),
    [
        (None, False, "stop"),
        (None, True, "uncited"),
        (Abstention(reason="no_passages"), False, "no_passages"),
    ],
)
def test_row_says_why_an_answer_is_none_or_has_no_source(
    abstention: Abstention | None,
    uncited: bool,  # noqa: FBT001 - a value of the case
    reason: str,
) -> None:
    rows: list[AuditedAnswer] = []
    store = SimpleNamespace(
        answers=SimpleNamespace(record=rows.append), spaces=SimpleNamespace(active=lambda: None)
    )
    answer = Answer(
        id="t1", question="Kaç gün?", text="Paris.", citations=(), context=(),
        abstention=abstention, model_id="m", prompt_id="p", finish_reason="stop", usage=Usage(),
        duration=0.1, is_uncited=uncited,
    )  # fmt: skip
    record = recorder(cast("Store", store), Settings(), principal=None, channel="library")
    record(answer)
    assert [(row.reason, row.abstained) for row in rows] == [(reason, abstention is not None)]
