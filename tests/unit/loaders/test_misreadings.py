"""Article headings are put right where nothing else can stand."""

from __future__ import annotations

import pytest

from docrag.loaders.misreadings import corrected


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("MADDE 8 — (1) İşveren", "MADDE 8 – (1) İşveren"),
        ("MADDE 8 —(1) İşveren", "MADDE 8 – (1) İşveren"),
        ("MADDE 8 -—(1) İşveren", "MADDE 8 – (1) İşveren"),
        ("MADDE 8- (2) Ilık su", "MADDE 8 – (2) Ilık su"),
        ("Madde 8 - — (1) İşveren", "Madde 8 – (1) İşveren"),
        ("GEÇİCİ MADDE 3 —(1) Bu", "GEÇİCİ MADDE 3 – (1) Bu"),
        ("MADDE 8 — () İşveren", "MADDE 8 – (1) İşveren"),
        ("MADDE 8 — (I) Çalışan", "MADDE 8 – (1) Çalışan"),
        ("MADDE 8 — 0 İşveren", "MADDE 8 – (1) İşveren"),
        ("MADDE 25S/A — (Ek: 4/4/2015-6645/4 md.)", "MADDE 25/A — (Ek: 4/4/2015-6645/4 md.)"),
        ("MADDE 25S/A —(1) İşin", "MADDE 25/A – (1) İşin"),
        ("MADDE $ — (1) Öğrenim", "MADDE 8 – (1) Öğrenim"),
        ("MADDE 1O — (1) İşveren", "MADDE 10 – (1) İşveren"),
        ("MADDE I2 —(1) İşveren", "MADDE 12 – (1) İşveren"),
        ("Bu Kanunun 25S/A maddesi", "Bu Kanunun 25/A maddesi"),
        ("Başlık\n  MADDE 8 —(1) İşveren\n(2) Su", "Başlık\n  MADDE 8 – (1) İşveren\n(2) Su"),
    ],
)
def test_heading_is_as_printed(read: str, printed: str) -> None:
    assert corrected(read) == printed
    assert corrected(printed) == printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5S/A yöntemi",
        "MADDE II — (1) İşveren",
        "MADDE $ ödenir",
        "Sıcaklık — (1) numaralı tabloda",
        "MADDE 8 uyarınca — () boş",
        "MADDE 8 — ORTAK HÜKÜMLER",
        "MADDE 8 — 0 derece",
        "MADDE 8 — 05 Ocak",
        "Ürün 25S/A kodludur",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert corrected(text) == text
