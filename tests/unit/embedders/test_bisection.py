from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from docrag.api import EmbedderError, Vectors
from docrag.embedders.bisection import PROBE, embed_batches
from docrag.embedders.endpoint import RefusedTexts
from docrag.embedders.rows import FaultyRow


class Model:
    """Embeds a text as its number; fails on batches that hold a bad text."""

    def __init__(self, *bad: str, error: EmbedderError | None = None) -> None:
        self.bad = bad
        self.error = error or FaultyRow("nan")
        self.batches: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        if any(text in self.bad for text in texts):
            raise self.error
        return np.array([[float(text) if text != PROBE else 0.0] for text in texts], np.float32)


def run(model: Model, texts: Sequence[str], *, batch_size: int = 16) -> Vectors:
    return embed_batches(texts, model, dim=1, batch_size=batch_size, model_id="m")


@pytest.mark.parametrize("batch_size", [1, 2, 7, 40, 100])
def test_batches_keep_order(batch_size: int) -> None:
    rows = run(Model(), [str(number) for number in range(40)], batch_size=batch_size)
    assert rows[:, 0].tolist() == list(range(40))


@pytest.mark.parametrize("bad", [("0",), ("17",), ("39",), ("3", "4", "30")])
def test_bisection_names_bad_texts(bad: tuple[str, ...]) -> None:
    with pytest.raises(EmbedderError) as caught:
        run(Model(*bad), [str(number) for number in range(40)])
    assert caught.value.indices == tuple(map(int, bad))
    assert caught.value.too_long == ()


def test_bisection_asks_a_bounded_number_of_times() -> None:
    model = Model("5")
    with pytest.raises(EmbedderError):
        run(model, [str(number) for number in range(16)])
    assert len(model.batches) <= 2 * 5 + 1


def test_bisection_tells_long_texts_from_others() -> None:
    refusal = RefusedTexts("400", length=True)
    with pytest.raises(EmbedderError, match="for their length") as caught:
        run(Model("2", error=refusal), ["1", "2", "3"])
    assert (caught.value.indices, caught.value.too_long) == ((1,), (1,))


def test_only_text_is_named_when_server_is_fine() -> None:
    with pytest.raises(EmbedderError) as caught:
        run(Model("7"), ["7"])
    assert caught.value.indices == (0,)


def test_broken_server_blames_no_text() -> None:
    model = Model("1", "2", "3", PROBE)
    with pytest.raises(EmbedderError) as caught:
        run(model, ["1", "2", "3"])
    assert caught.value.indices == ()
    assert model.batches == [["1", "2", "3"], [PROBE]]


def test_outage_ends_the_run_at_once() -> None:
    model = Model("1", error=EmbedderError("gone"))
    with pytest.raises(EmbedderError, match="gone"):
        run(model, ["1", "2"])
    assert len(model.batches) == 1


def test_no_texts_ask_nothing() -> None:
    model = Model()
    assert run(model, []).shape == (0, 1)
    assert model.batches == []
