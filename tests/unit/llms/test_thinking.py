from __future__ import annotations

import pytest

from docrag.api import Delta
from docrag.llms.thinking import Thinking

BODY = "<think>\nİş güvenliği mi, ışık mı?</think>\n\nIğdır'da <think> denmez. [1]"


def split(*pieces: str) -> tuple[str, str]:
    """Thoughts and text of an answer that comes in these pieces."""
    thinking = Thinking()
    deltas = [delta for piece in pieces for delta in thinking.split(piece)] + thinking.end()
    assert not any(delta.text and delta.reasoning for delta in deltas)
    assert all(delta.text or delta.reasoning for delta in deltas)
    return "".join(each.reasoning for each in deltas), "".join(each.text for each in deltas)


@pytest.mark.parametrize("size", range(1, len(BODY) + 1))
def test_split_does_not_depend_on_pieces(size: int) -> None:
    pieces = [BODY[start : start + size] for start in range(0, len(BODY), size)]
    assert split(*pieces) == ("\nİş güvenliği mi, ışık mı?", "Iğdır'da <think> denmez. [1]")


@pytest.mark.parametrize(
    ("pieces", "thoughts", "text"),
    [
        (["Evet."], "", "Evet."),
        ([" \n", "<th", "ink>a</think>b"], "a", "b"),
        (["<th", "orium>"], "", "<thorium>"),
        (["  iki boşluk"], "", "  iki boşluk"),
        (["<think>bitmedi </thi"], "bitmedi </thi", ""),
        (["<think>a </th b</think>c"], "a </th b", "c"),
        (["<think></think>", "\n", " x ", "\n y"], "", "x \n y"),
        (["<thin"], "", "<thin"),
        (["  "], "", "  "),
        ([""], "", ""),
        ([], "", ""),
    ],
)
def test_split_gives_thoughts_and_text(pieces: list[str], thoughts: str, text: str) -> None:
    assert split(*pieces) == (thoughts, text)


def test_split_holds_back_only_what_may_be_a_tag() -> None:
    thinking = Thinking()
    assert thinking.split("<think>düşün") == [Delta(reasoning="düşün")]
    assert thinking.split("ce</") == [Delta(reasoning="ce")]
    assert thinking.split("think>Ya") == [Delta(text="Ya")]
    assert thinking.split("nıt </think") == [Delta(text="nıt </think")]
