from __future__ import annotations

from docrag.answer.probes import LENGTH, PROBES, probes
from docrag.api import words

TEXT = "Başlık. İşveren çalışanlara yıllık ücretli izni her yıl kesintisiz olarak eksiksiz verir."


def test_probe_is_a_run_of_a_sentence() -> None:
    (probe,) = probes([TEXT])
    assert len(probe.split()) == LENGTH
    assert probe in " ".join(words(TEXT))


def test_probes_are_the_same_every_time_and_bounded() -> None:
    texts = [TEXT] * (PROBES + 20)
    assert len(probes(texts)) == PROBES
    assert probes(texts) == probes(texts)


def test_short_texts_give_no_probes() -> None:
    assert probes(["", "Madde 1.", "Kısa bir cümle."]) == []
