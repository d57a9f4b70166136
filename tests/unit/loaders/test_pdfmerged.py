from __future__ import annotations

import pytest

from docrag.loaders.pdfmerged import merged

TYPED = "Oksijen sınırı %19,5 ve +4 °C"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Benzen 1 ppm\nOksijen sınırı %19,5 ve 44 *C", f"{TYPED}\nBenzen 1 ppm\n"
         "Oksijen sınırı %19,5 ve 44 *C"),
        ("Benzen 1 ppm\nOksijen sınırı %19,5 ve 4 *C", f"{TYPED}\nBenzen 1 ppm"),
        (f"Benzen 1 ppm\n{TYPED}", f"Benzen 1 ppm\n{TYPED}"),
        ("Oksijen sınırı %20,5", f"{TYPED}\nOksijen sınırı %20,5"),
        ("OKSİJEN SINIRI", TYPED),
        ("— | ge ~", TYPED),
        ("", TYPED),
    ],
)  # fmt: skip
def test_typed_lines_stay_and_recognised_ones_join_them(said: str, expected: str) -> None:
    assert merged(TYPED, said) == expected


def test_value_that_differs_is_no_typed_line() -> None:
    assert merged("Risk düzeyi: Yüksek", "Risk düzeyi: Orta").endswith("\nRisk düzeyi: Orta")
