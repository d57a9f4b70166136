from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from docrag.answer.models import Models
from docrag.answer.templates import fallback
from docrag.api import Delta, GenerationOptions, LLMUnavailable, Message
from docrag.settings import Settings
from eval.answering import ModelAway, answered, from_line, to_line
from tests.unit.eval.answer_cases import case, chunk

TEXT = "Yangın tüpleri altı ayda bir kontrol edilir. Kontrolü bakım birimi yapar."

#: The gate lets everything pass: it is tested elsewhere.
OPEN = Settings(evidence=0.0)


class Writes:
    """A model that says the same to everybody."""

    model_id = "yazar"
    context_window = 8_192

    def __init__(self, text: str = "") -> None:
        self.text = text

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        if not self.text:
            raise LLMUnavailable("weg")
        yield Delta(text=self.text)
        yield Delta(finish_reason="stop")


def test_passages_are_quoted_without_a_model() -> None:
    ((_, told),) = answered([case(chunk(TEXT))], settings=OPEN, models=Models())
    assert "altı ayda bir" in told.text
    assert (told.model, told.declined, told.cited) == ("extractive", "", ("0:0",))


def test_question_without_passages_is_declined() -> None:
    ((_, told),) = answered([case()], settings=OPEN, models=Models())
    assert (told.declined, told.cited) == ("no_passages", ())


def test_model_writes_from_what_was_found() -> None:
    models = Models(default=Writes("Yangın tüpleri altı ayda bir kontrol edilir [1]."))
    ((_, told),) = answered([case(chunk(TEXT, page=3))], settings=OPEN, models=models)
    assert (told.model, told.has_failed) == ("yazar", False)
    assert told.pages == (("0.txt", 3),)


def test_declining_model_has_not_failed() -> None:
    models = Models(default=Writes(fallback("tr")))
    ((_, told),) = answered([case(chunk(TEXT))], settings=OPEN, models=models)
    assert (told.declined, told.has_failed) == ("model_declined", False)


def test_failed_model_is_told() -> None:
    settings = Settings(llm_retries=0, evidence=0.0)
    found = answered([case(chunk(TEXT))], settings=settings, models=Models(default=Writes()))
    assert next(found)[1].has_failed


def test_model_that_stays_away_ends_the_run() -> None:
    cases, settings = [case(chunk(TEXT))] * 3, Settings(llm_retries=0, evidence=0.0)
    with pytest.raises(ModelAway, match="3 questions in a row"):
        list(answered(cases, settings=settings, models=Models(default=Writes())))


def test_line_gives_what_was_told_again() -> None:
    ((_, told),) = answered([case(chunk(TEXT, page=3))], settings=OPEN, models=Models())
    assert from_line(json.loads(json.dumps(to_line(told)))) == told
