from __future__ import annotations

import pytest

from docrag.loaders.quality import page_warning

GOOD = "Çalışanlar iş sağlığı ve güvenliği eğitimine katılır.\n" * 5


@pytest.mark.parametrize(
    "text", [GOOD, "5763 26/5/2008 1/7/2008 - 30\n" * 9, "12.03.2025 1.250,00 TL 45 adet\n" * 9]
)
def test_quality_accepts_readable_text(text: str) -> None:
    assert page_warning(text, 1) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no text on page 7"),
        (" \n\t", "no text on page 7"),
        ("Sayfa 7", "no text on page 7 but 6 characters"),
        ("/0/1/2 /3/4 /5/6/7 " * 20, "garbled"),
        ("(cid:12)(cid:7) " * 20, "garbled"),
        ("ഴൂ൴ " * 50, "garbled"),
        ("Önce haber ver;\nişini bırak.\nsayım bitmeden çıkma.\nKapıyı kilitleme.\n" * 2, "order"),
    ],
)
def test_quality_names_fault_and_page(text: str, words: str) -> None:
    warning = page_warning(text, 7)
    assert words in warning
    assert "page 7" in warning


def test_quality_expects_more_text_beside_picture() -> None:
    stamp = "(Kabul Tarihi ve Sayısı: 19.01.2022 / 2021-2022/11)"
    assert page_warning(stamp, 1) == ""
    assert "no text on page 1" in page_warning(stamp, 1, picture=True)
