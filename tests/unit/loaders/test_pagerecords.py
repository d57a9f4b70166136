from __future__ import annotations

import time

import pytest

from docrag.loaders import pagerecords
from docrag.loaders.pagerecords import WORTH, PageRecords
from tests.unit.loaders.scribes import Notebook


def record(number: int, text: str = "") -> dict[str, str]:
    return {"number": str(number), "text": text}


def test_records_are_kept_when_they_took_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds) * WORTH * 0.3)
    notebook = Notebook()
    records = PageRecords(notebook)
    for number in range(1, 11):
        records.add(record(number))
    assert notebook.steps == [4, 4]
    records.keep()
    records.keep()
    assert notebook.steps == [4, 4, 2]


def test_pages_of_text_are_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagerecords, "WORTH", 60.0)
    notebook = Notebook()
    records = PageRecords(notebook)
    records.add(record(1))
    records.keep_if_worth()
    assert notebook.steps == []
    assert len(records) == 1


def test_slow_pages_are_kept_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagerecords, "WORTH", 0.0)
    notebook = Notebook()
    records = PageRecords(notebook)
    records.add(record(1))
    records.add(record(2))
    assert notebook.steps == [1, 1]


def test_later_record_of_a_page_counts() -> None:
    records = PageRecords(Notebook([record(1, "a"), record(2, "b"), record(1, "ç")]))
    assert len(records) == 2
    assert [page["text"] for page in records.pages()] == ["ç", "b"]


def test_records_need_no_checkpoint() -> None:
    records = PageRecords(None)
    records.add(record(1, "ı"))
    records.keep()
    assert records.pages() == [record(1, "ı")]
