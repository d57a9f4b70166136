from __future__ import annotations

import pytest

from docrag.symbols import named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oksijen \uf0b3 19, hız \uf0a3 20, pay \uf0b1 2", "Oksijen ≥ 19, hız ≤ 20, pay ± 2"),
        (
            "25\uf0b0C, 5 \uf06dm, 2 \uf0b4 3 \uf0b8 4 \uf0b9 5 \uf057",
            "25°C, 5 µm, 2 × 3 ÷ 4 ≠ 5 Ω",
        ),
        ("\uf0b3 19\n\uf0fc uygun\n\uf0fb uygunsuz", "≥ 19\n✓ uygun\n✗ uygunsuz"),
        ("\uf0b7 bir\n  \uf0d8 iki\n\uf06c üç\n\uf0a7", "• bir\n  • iki\n• üç\n•"),
        ("x \uf03c 5, \uf031\uf030 adet", "x < 5, 10 adet"),
        ("çizgisiz", "çizgisiz"),
    ],
)
def test_signs_of_symbol_fonts_are_named(text: str, expected: str) -> None:
    assert named(text) == expected
