"""A sentence is parted where a clause has its own verb."""

from __future__ import annotations

import pytest

from docrag.answer.verification.clauses import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sezgin Bitlis'te doğdu ve İstanbul'da öldü.", 2),
        ("Eğitim on beş saattir; başvuru otuz gündür.", 2),
        ("İşveren risk değerlendirmesi yapar, ancak çalışan yapmaz.", 2),
        ("Ankara, İzmir ve Bursa kentlerinde okudu.", 1),
        ("Bitlis'te doğdu.", 1),
        ("Bitlis'te doğdu. İstanbul'da öldü.", 2),
        ("", 0),
    ],
)
def test_clauses_are_counted(text: str, parts: int) -> None:
    assert len(clauses(text)) == parts
