"""Signs that Tesseract's Turkish lacks come from a second reading, or are told to be in doubt."""

from __future__ import annotations

import time

import pytest

from docrag.loaders.ocrsigns import doubtful, merged
from docrag.loaders.ocrwords import Word, text


def line(*words: str | tuple[str, str]) -> tuple[list[Word], list[Word]]:
    """Both readings of one line; a word that they read alike stands alone."""
    both: tuple[list[Word], list[Word]] = ([], [])
    for at, pair in enumerate(words):
        for side, reading in zip(
            both, (pair, pair) if isinstance(pair, str) else pair, strict=True
        ):
            parts = reading.split(" ")
            for place, part in enumerate(parts):
                width = 90 // len(parts)
                side.append(
                    Word(
                        line=("1",),
                        left=100 * at + place * width,
                        top=50,
                        width=width,
                        height=20,
                        confidence=90.0,
                        text=part,
                    )  # fmt: skip
                )
    return both


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["oran", ("9019,5", "%19,5")], "oran %19,5"),
        (["nem", ("9660'ı", "%60'1")], "nem %60'ı"),
        (["oran", ("96", "%"), "18"], "oran % 18"),
        (["ceza", ("10", "%10"), "artar"], "ceza %10 artar"),
        (["-18", ("*Cile", "°C ile"), "-25", ("“C", "°C")], "-18 °C ile -25 °C"),
        (["en", ("259C'yi", "25°C'yi")], "en 25°C'yi"),
        ([("44", "+4"), ("“*C", "°C")], "+4 °C"),
    ],
)
def test_lacking_sign_is_taken(words: list[str | tuple[str, str]], expected: str) -> None:
    found, doubt = merged(*line(*words))
    assert (text(found), doubt) == (expected, False)


@pytest.mark.parametrize(
    "pair", [("4", "%"), ("4", "%4"), ("14", "%4"), ("1018", "101%8"), ("7", "+"), ("85", "86")]
)
def test_number_that_is_read_in_two_ways_stays_and_is_doubtful(pair: tuple[str, str]) -> None:
    found, doubt = merged(*line("en", pair, "litre"))
    assert (text(found), doubt) == (f"en {pair[0]} litre", True)


def test_letters_of_the_second_reading_are_not_taken() -> None:
    found, doubt = merged(*line(("Gürültü", "Guriilti"), "80", ("ışık", "1s1k")))
    assert (text(found), doubt) == ("Gürültü 80 ışık", False)


def test_number_without_a_second_reading_is_doubtful() -> None:
    assert merged(line("80")[0], [])[1]
    assert merged([], []) == ([], False)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("oran > %19", True), ("alan 12 m?'yi", True), ("pH 7 + 0,2", True), ("5 um toz", True),
     ("2 - 8 bar", False), ("12 m, 5 kg", False), ("", False)],
)  # fmt: skip
def test_signs_that_no_reading_knows_are_doubtful(said: str, expected: bool) -> None:
    assert doubtful(said) == expected


def test_many_words_and_signs_take_linear_time() -> None:
    both = line(*["%" * 5000] * 5, *["9%" * 12] * 5000)
    start = time.monotonic()
    merged(*both)
    assert time.monotonic() - start < 2
