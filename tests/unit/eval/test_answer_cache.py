from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from docrag.api import Delta, GenerationOptions, LLMError, Message, Usage
from eval.answer_cache import RememberedLLM

ASKED = [Message(role="user", content="Işık nerede?")]


class Counts:
    """A model that counts what it is asked."""

    model_id = "sayaç"
    context_window = 512

    def __init__(self, *, fails: bool = False) -> None:
        self.calls = 0
        self.fails = fails

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        self.calls += 1
        yield Delta(text="Iğdır'da ")
        if self.fails:
            raise LLMError("kesildi")
        yield Delta(text="[1].")
        yield Delta(finish_reason="stop", usage=Usage(prompt_tokens=7, completion_tokens=3))


def ask(llm: RememberedLLM, heat: float = 0.0) -> list[Delta]:
    return list(llm.stream(ASKED, max_tokens=9, temperature=heat))


def test_answer_is_taken_from_the_file(tmp_path: Path) -> None:
    model, path = Counts(), tmp_path / "a.sqlite3"
    first = ask(RememberedLLM(model, {}, path))
    again = ask(RememberedLLM(model, {"url": "http://127.0.0.1:9"}, path))
    assert model.calls == 1
    assert "".join(d.text for d in again) == "".join(d.text for d in first) == "Iğdır'da [1]."
    assert again[-1] == first[-1]


@pytest.mark.parametrize(("options", "heat"), [({"seed": 1}, 0.0), ({}, 1.0)])
def test_other_request_is_asked(tmp_path: Path, options: dict[str, int], heat: float) -> None:
    model = Counts()
    ask(RememberedLLM(model, {}, tmp_path / "a.sqlite3"))
    ask(RememberedLLM(model, options, tmp_path / "a.sqlite3"), heat)
    assert model.calls == 2


def test_broken_answer_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with pytest.raises(LLMError):
        ask(RememberedLLM(Counts(fails=True), {}, path))
    llm = RememberedLLM(whole := Counts(), {}, path)
    ask(llm)
    assert whole.calls == 1
    assert [(w.prompt_tokens, w.completion_tokens) for w in llm.used] == [(7, 3)]
