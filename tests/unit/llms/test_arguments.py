from __future__ import annotations

import pytest

from docrag.api import LLMRefused
from docrag.llms.arguments import arguments_of


@pytest.mark.parametrize(
    ("given", "expected"),
    [('{"ş": "ı"}', {"ş": "ı"}), ("", {}), (None, {}), ({"a": 1}, {"a": 1})],
)
def test_arguments_are_an_object(given: object, expected: dict[str, object]) -> None:
    assert arguments_of({"function": {"name": "ara", "arguments": given}}) == ("ara", expected)


@pytest.mark.parametrize("given", ["{", "[]", "5", ["a"]])
def test_arguments_of_another_kind_are_refused(given: object) -> None:
    with pytest.raises(LLMRefused, match="'ara' in the conversation are no JSON object"):
        arguments_of({"function": {"name": "ara", "arguments": given}})


@pytest.mark.parametrize("call", [{}, {"function": None}, {"function": {"arguments": "{}"}}])
def test_call_of_nothing_is_refused(call: dict[str, object]) -> None:
    with pytest.raises(LLMRefused, match="names no function"):
        arguments_of(call)
