from __future__ import annotations

from docrag.loaders.pagerecords import STEP, PageRecords
from tests.unit.loaders.scribes import Notebook


def record(number: int, text: str = "") -> dict[str, str]:
    return {"number": str(number), "text": text}


def test_records_are_kept_in_steps() -> None:
    notebook = Notebook()
    records = PageRecords(notebook)
    for number in range(1, 2 * STEP + 4):
        records.add(record(number))
    assert notebook.steps == [STEP, STEP]
    records.keep()
    records.keep()
    assert notebook.steps == [STEP, STEP, 3]


def test_later_record_of_a_page_counts() -> None:
    records = PageRecords(Notebook([record(1, "a"), record(2, "b"), record(1, "ç")]))
    assert len(records) == 2
    assert [page["text"] for page in records.pages()] == ["ç", "b"]


def test_records_need_no_checkpoint() -> None:
    records = PageRecords(None)
    records.add(record(1, "ı"))
    records.keep()
    assert records.pages() == [record(1, "ı")]
