from __future__ import annotations

import os
from pathlib import Path

import pytest

from eval import tquad
from eval.floor import Floor
from eval.measures import rank, value
from eval.protocol import chunked


def test_chunks_begin_with_the_end_of_the_one_before() -> None:
    text = "Bir iki üç. Dört beş altı. Yedi sekiz dokuz on. Son."
    assert [text[start:end] for start, end in chunked(text, 30)] == [
        "Bir iki üç. Dört beş altı.",
        "Yedi sekiz dokuz on. Son.",
    ]


def test_long_sentence_is_cut_at_a_blank() -> None:
    text = "kelime " * 20
    assert all(end - start <= 50 for start, end in chunked(text.strip(), 50))
    assert chunked("", 50) == []


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> tquad.Corpus:
    folder = Path(os.environ.get("DATA", Path(__file__).parents[4] / "shared" / "data"))
    if not (folder / "tquad").is_dir():
        pytest.skip(f"SHARED TEST DATA ABSENT: no tquad in {folder.name!r}; set DATA")
    monkeypatch.setenv("DATA", str(folder))
    return tquad.load()


def test_floor_is_the_published_one(corpus: tquad.Corpus) -> None:
    """2,007 chunks; Recall@5 .878 and MRR@10 .739 (published: .736) over 892 dev questions."""
    chunks = [
        (number, start, end)
        for number, article in enumerate(corpus.articles)
        for start, end in chunked(article.text, 1_000)
    ]
    floor = Floor([corpus.articles[number].text[start:end] for number, start, end in chunks])
    places = []
    for question in corpus.dev:
        relevant = {
            str(n)
            for n, (article, start, end) in enumerate(chunks)
            if article == question.article and start <= question.start and question.end <= end
        }
        places.append(rank([str(n) for n, _ in floor.search(question.text, 10)], relevant))
    assert (len(corpus.articles), len(corpus.dev), len(chunks)) == (697, 892, 2_007)
    figures = [sum(value(name, p) for p in places) / 892 for name in ("recall@5", "mrr@10")]
    assert figures == pytest.approx([0.878, 0.739], abs=0.001)
