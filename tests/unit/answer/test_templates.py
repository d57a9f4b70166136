"""Fixed sentences in the language of whoever reads them."""

from __future__ import annotations

import pytest

from docrag.answer.templates import in_language, sentence


@pytest.mark.parametrize("name", ["fallback", "greeting", "refused_personal", "no_model"])
@pytest.mark.parametrize(("kept", "asked"), [("tr", "en"), ("en", "tr"), ("tr", "tr")])
def test_fixed_sentence_is_said_in_another_language(name: str, kept: str, asked: str) -> None:
    assert in_language(sentence(name, kept), asked) == sentence(name, asked)


def test_notes_around_an_answer_are_said_in_another_language() -> None:
    notes = sentence("quoted", "tr"), sentence("dropped", "tr").format(n=3)
    text = f"{notes[0]}\n\nİzin 14 gündür [1].\n\n{notes[1]}"
    assert in_language(text, "en").splitlines() == [
        sentence("quoted", "en"),
        "",
        "İzin 14 gündür [1].",
        "",
        sentence("dropped", "en").format(n=3),
    ]


def test_sentence_is_known_as_a_model_sets_it() -> None:
    assert in_language(f"**{sentence('fallback', 'tr')}**\n", "en") == (
        f"{sentence('fallback', 'en')}\n"
    )


@pytest.mark.parametrize(
    "text", ["", "Işık 14 gündür.", "Bu bilgi belgelerde bulunmuyor, ama", "{n}"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert in_language(text, "en") == text
