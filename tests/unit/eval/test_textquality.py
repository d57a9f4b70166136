from __future__ import annotations

import json

import pytest

from eval.textquality import HYPHENS, hyphen_errors, splits, wrong_letters


def test_splits_counts_parts_that_are_rare() -> None:
    found = splits({"a": "uzmanlık " * 40 + "uzmanl ık", "b": "uzmanlık eğitimi"})
    assert (found.count, found.files, found.words) == (1, 1, 44)
    assert found.rate == pytest.approx(10_000 / 44, abs=0.01)


@pytest.mark.parametrize(
    "text",
    ["", "uzmanlık " * 5 + "uzmanl ık", "işyeri " * 9 + "iş yeri " * 9, "İŞVEREN işveren " * 9],
)
def test_splits_leaves_whole_words(text: str) -> None:
    assert splits({"a": text}).count == 0


def test_wrong_letters_are_counted() -> None:
    assert wrong_letters(["DEĞĠġĠKLĠK", "İŞ", "\0"]) == 5


def test_hyphen_errors_looks_for_the_right_form_on_its_page() -> None:
    (first, *_) = json.loads(HYPHENS.read_text(encoding="utf-8"))
    page = (first["file"], first["page"])
    assert (
        hyphen_errors({page: f"x {first['right']} y".replace(" ", "\n")})[0]
        == hyphen_errors({page: first["right"]})[0]
    )
    assert hyphen_errors({page: ""})[0] == hyphen_errors({page: ""})[1]
    assert hyphen_errors({}) == (0, 0)
