"""What says that nothing was found is told from claims that deny something."""

from __future__ import annotations

import pytest

from docrag.answer.verification.claim import read
from docrag.answer.verification.claims import is_claim


def _is_claim(text: str) -> bool:
    return is_claim(text, read(text))


@pytest.mark.parametrize(
    "text",
    [
        "Belgelerde bu konuda bilgi bulunmuyor.",
        "Bu bilgi verilen kaynaklarda yer almamaktadır.",
        "Bu soruya ilişkin bir açıklama yoktur.",
        "Yanıt pasajlarda yer almıyor.",
        "The documents do not mention this.",
        "Bilmiyorum.",
        "Teşekkürler!",
        "Evet.",
        "Özetle:",
    ],
)
def test_nothing_found_is_no_claim(text: str) -> None:
    assert not _is_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        "Bu konuda yetki Bakanlıkta bulunmaktadır.",
        "Bu konuda zorunluluk yoktur.",
        "Kaydı bulunmayan işçi çalıştırılamaz.",
        "Belgesi yoktur, eğitim verilmez.",
        "Hayır, zorunda değildir.",
        "30 gün",
        "Süresi: 15 saat",
        "Madde 10",
    ],
)
def test_denial_is_a_claim(text: str) -> None:
    assert _is_claim(text)
