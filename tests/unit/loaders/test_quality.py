from __future__ import annotations

import pytest

from docrag.loaders.quality import VERDICTS, page_warning, verdict, visible

GOOD = "Çalışanlar iş sağlığı ve güvenliği eğitimine katılır.\n" * 5
LIST = "\n".join(f"{n} Ayşe Yılmaz Ğülümser Işık Öztürk" for n in range(30))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "5763 26/5/2008 1/7/2008 - 30\n" * 9,
        "12.03.2025 1.250,00 TL 45 adet\n" * 9,
        "Amaç ................ 3\nKapsam .............. 4\nTanımlar ............ 5\n",
        LIST,
        "L'employeur évalue les risques pour la santé et la sécurité des travailleurs. " * 9,
    ],
)
def test_verdict_accepts_readable_text(text: str) -> None:
    assert verdict(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "none"),
        (" \n\t", "none"),
        ("Sayfa 7", "short"),
        ("/0/1/2 /3/4 /5/6/7 " * 20, "garbled"),
        ("/i255/15 /i26 /93/i8 " * 20, "garbled"),
        ("(cid:12)(cid:7) " * 20, "garbled"),
        ("ഴൂ൴ " * 50, "garbled"),
        ("K\x0fl\x0em\x05 nedir ve ne için\n" * 9, "garbled"),
        ("xqrt zwkl vbnm prst klmn " * 20, "garbled"),
        ("это русский текст документа, а не мусор " * 3, "script"),
        ("N\0san ayında eğ\0t\0m\n" * 9, "nul"),
        ("Önce haber ver;\nişini bırak.\nsayım bitmeden çık.\nKapıyı kapat.\n" * 2, "columns"),
    ],
)
def test_verdict_names_the_fault(text: str, expected: str) -> None:
    assert verdict(text) == expected
    assert expected in VERDICTS


def test_verdict_expects_more_text_beside_picture() -> None:
    stamp = "(Kabul Tarihi ve Sayısı: 19.01.2022 / 2021-2022/11)"
    assert verdict(stamp) == ""
    assert verdict(stamp, shows="picture") == "short"
    assert verdict(stamp * 3, shows="picture") == ""
    assert verdict(stamp * 3, shows="scan") == "short"
    assert verdict(stamp * 9, shows="scan") == ""


def test_verdict_takes_little_text_for_whole_where_nothing_else_is() -> None:
    assert verdict("Ek 1", shows="little") == ""


@pytest.mark.parametrize("fault", VERDICTS)
def test_page_warning_names_the_page(fault: str) -> None:
    assert ("page 7" in page_warning(fault, 7, characters=6)) == (fault not in {"", "nul"})


@pytest.mark.parametrize(
    "text", ["", " \r\n\t", "iş\r\ngüvenliği", "a\xa0b\u2003c\x85d\x1ce", "\x00"]
)
def test_visible_counts_what_is_no_white_space(text: str) -> None:
    assert visible(text) == sum(not sign.isspace() for sign in text)
