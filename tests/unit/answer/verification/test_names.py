"""Names are words with a capital where it tells something."""

from __future__ import annotations

import pytest

from docrag.answer.verification.names import mentions, names
from docrag.answer.verification.tokens import tokens


def _mentions(text: str) -> list[str]:
    found = tokens(text)
    return [mention.written for mention in mentions(text, found, names(text, found))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bitlis'te doğan Fuat Sezgin öldü.", ["Bitlis", "Fuat Sezgin"]),
        ("Ödülü TÜBİTAK verdi.", ["TÜBİTAK"]),
        ("Fuat Sezgin doğdu.", ["Fuat Sezgin"]),
        (
            "Marsilya'dan sonra Londra, Paris ve İzmir geldi.",
            ["Marsilya", "Londra", "Paris", "İzmir"],
        ),
        ("Başvuru 12 Mart günü yapılır.", []),
        ("Başvuru yapılır. İzin verilir.", []),
        ("İŞVEREN ÇALIŞANLARI BİLGİLENDİRİR", []),
        ("Sonra Sultan II. Mehmed geldi.", ["Sultan", "Mehmed"]),
    ],
)
def test_names_are_found(text: str, told: list[str]) -> None:
    assert _mentions(text) == told
