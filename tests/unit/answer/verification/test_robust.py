"""No text stops the verifier or takes it long."""

from __future__ import annotations

import random
import time

import pytest

from docrag.answer.verification.verifier import Verifier
from tests.unit.answer.sources import source

_SIGNS = "aeıioöuüAEIİlrnmkdt 0123456789.,;:/%'’()[]|-–\n\u0307\u0301öç€½²ﬁ🙂"
#: Seconds; far above what is needed, far below what a slow pattern takes.
_LONGEST = 5.0
#: Seconds for a text of numbers by five sources; some 0.02 are needed.
_MOST_NUMBERS = 0.3


@pytest.mark.parametrize("seed", range(40))
def test_any_text_is_judged(seed: int) -> None:
    draw = random.Random(seed)
    sentence, text = ("".join(draw.choices(_SIGNS, k=n)) for n in (300, 1_200))
    verifier = Verifier([source(1, text), source(2, sentence)], question=sentence[:50])
    found = verifier.judge(sentence, draw.choice([(), (1,), (1, 2), (7,)]))
    assert 0 <= found.score <= 1
    assert found.is_claim or found.supported


@pytest.mark.parametrize(
    "piece",
    ["1/2/3/", "Ankara, ", "ma", "lerin", "yapılır ve ", "madde 5, 6 ve 7 ", "bin ", "AĞAÇ ", "1."],
)
def test_repeated_text_takes_no_long_time(piece: str) -> None:
    text = piece * (6_000 // len(piece))
    started = time.process_time()
    Verifier([source(1, text)]).judge(text, [1])
    assert time.process_time() - started < _LONGEST


@pytest.mark.parametrize("between", [" ", " gün sürer ve "])
def test_many_numbers_take_no_long_time(between: str) -> None:
    text = between.join(map(str, range(700)))[:2_000]
    rules = " ".join(f"Süre {n} gün, ceza {3 * n} lira." for n in range(60))
    verifier = Verifier([source(number, rules) for number in range(1, 6)])
    started = time.process_time()
    verifier.judge(text, {1})
    assert time.process_time() - started < _MOST_NUMBERS
