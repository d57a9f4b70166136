from __future__ import annotations

import pytest

from docrag.loaders.pdffaults import Faults, refusal, warning

GOOD = "Çalışanlar iş sağlığı ve güvenliği eğitimine katılır."
NO_SIGNS: frozenset[str] = frozenset()


def record(text: str, number: int = 7, **more: str) -> dict[str, str]:
    return {"number": str(number), "text": text, "warning": "", "reader": "pdfium", **more}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (record(GOOD), ""),
        (record("", shows="blank"), ""),
        (record("Ek", shows="little"), ""),
        (record("Ek", shows="picture"), "no text on page 7 but 2 characters"),
        (record("", shows="picture"), "no text on page 7; it may be a scanned picture"),
        (record("", warning="it is damaged"), "page 7 could not be read: it is damaged"),
        (record("kısa", reader="ocr", confidence="0.9"), ""),
        (record("kısa", reader="ocr", confidence=""), ""),
        (record("kısa", reader="ocr", confidence="0.3"), "page 7 was recognised with little"),
        (record("", reader="ocr"), "no text on page 7; none was recognised"),
        (record("/0/1/2/3 " * 20), "the text of page 7 may be garbled"),
    ],
)
def test_warning_says_what_is_wrong_with_a_page(page: dict[str, str], expected: str) -> None:
    found = warning(page, Faults(NO_SIGNS))
    assert found.startswith(expected) or expected in found
    assert bool(found) == bool(expected)


def test_warning_knows_unreadable_signs() -> None:
    assert warning(record(GOOD.replace("i", "൴")), Faults(frozenset("൴"))) != ""
    assert warning(record(GOOD.replace("i", "൴")), Faults(NO_SIGNS)) == ""


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([record(GOOD), record("", shows="picture")], ""),
        ([record("", shows="picture"), record("damga", shows="picture")], "1–2; it holds only"),
        ([record("Ek", shows="little"), record("", shows="picture")], ""),
        ([record("", shows="blank")], "no text on page 1; nothing stands there"),
        ([record("", warning="it is damaged")], "no page of it could be read: it is damaged"),
        ([record("/0/1/2/3 " * 20)], "garbled"),
        ([record("", reader="ocr")], "none was recognised"),
        ([record("metin", reader="ocr"), record("", shows="picture")], ""),
        ([record("нет латинских букв, но это текст документа, да")], ""),
    ],
)
def test_refusal_is_for_a_file_without_text(pages: list[dict[str, str]], expected: str) -> None:
    found = refusal(pages, Faults(NO_SIGNS))
    assert expected in found
    assert bool(found) == bool(expected)
