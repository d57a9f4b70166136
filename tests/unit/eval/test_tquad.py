from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from docrag.api import fold, words
from eval import gate, quoting, retrieval, tquad, verification
from eval.floor import Floor
from eval.tquad import Article, Question, offsets, variants

QUESTION = Question(id="1", text="Işığın hızı nasıl ölçülür?", article=0, start=0, end=1)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tquad.Corpus:
    """Two dev articles, and three of train of which one repeats a paragraph and one a title."""

    def part(*articles: tuple[str, str, str]) -> str:
        data = [
            {
                "title": title,
                "paragraphs": [
                    {"context": "Giriş.", "qas": []},
                    {
                        "context": context,
                        "qas": [
                            {
                                "id": n,
                                "question": "Nerede?",
                                "answers": [
                                    {"answer_start": str(context.index(answer)), "text": answer}
                                ],
                            }
                        ],
                    },
                ],
            }
            for n, (title, context, answer) in enumerate(articles)
        ]
        return json.dumps({"data": data})

    folder = tmp_path / "tquad"
    folder.mkdir()
    dev = part(("Işık ", "Ankara'da  \n doğdu,  Konya'da öldü.", "Konya'da"), ("İzmir", "x y", "y"))
    train = part(("IŞIK", "başka", "başka"), ("Yeni", "x y", "x"), ("Taze", "Van'da kaldı", "Van"))
    (folder / "dev-v0.1.json").write_text(dev, "utf-8")
    (folder / "train-v0.1.json").write_text(train, "utf-8")
    monkeypatch.setenv("DATA", str(tmp_path))
    return tquad.load()


def test_train_articles_that_dev_repeats_are_left_out(corpus: tquad.Corpus) -> None:
    # "Giriş." stands in all, so the third goes as well: raw paragraphs decide.
    assert [article.title for article in corpus.articles] == ["Işık", "İzmir"]


def test_answers_are_found_where_blanks_are_single(corpus: tquad.Corpus) -> None:
    question = corpus.dev[0]
    text = corpus.articles[question.article].text
    assert text == "Giriş. Ankara'da doğdu, Konya'da öldü."
    assert text[question.start : question.end] == "Konya'da"


@pytest.mark.parametrize("answered", ["Van'da", " Van'da", "Van'da "])
def test_blanks_around_an_answer_are_no_part_of_it(answered: str) -> None:
    context = "Önce  Van'da kaldı."
    answer = {"answer_start": context.index(answered), "text": answered}
    assert tquad._place(context, answer, 10) == (15, 21)


@pytest.mark.parametrize("program", [quoting.main, gate.main, verification.main, retrieval.main])
def test_missing_data_are_told_in_one_line(
    program: Callable[[Sequence[str]], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path / "yok"))
    monkeypatch.setattr(logging, "disable", lambda level: None)
    with pytest.raises(SystemExit) as ended:
        program([])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        f"no TQuAD in {tmp_path}/yok/tquad: put dev-v0.1.json and train-v0.1.json there, or name "
        "another folder with DATA"
    ]


def test_one_part_of_the_data_is_not_enough(
    corpus: tquad.Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tquad" / "train-v0.1.json").unlink()
    with pytest.raises(SystemExit):
        tquad.load()
    assert "train-v0.1.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("plain", "Işığın hızı nasıl ölçülür?"),
        ("ascii", "Isigin hizi nasil olculur?"),
        ("upper", "IŞIĞIN HIZI NASIL ÖLÇÜLÜR?"),
    ],
)
def test_questions_are_written_otherwise(kind: str, text: str) -> None:
    assert variants([QUESTION], kind)[0].text == text


def test_every_second_word_is_mistyped() -> None:
    before, after = QUESTION.text.split(), variants([QUESTION], "typos")[0].text.split()
    assert [one == other for one, other in zip(before, after, strict=True)] == [
        False, True, False, True,
    ]  # fmt: skip


def test_chunks_are_found_in_their_order() -> None:
    article = Article(title="", text="bir iki bir iki")
    assert list(offsets(article, ["bir iki", "bir iki"])) == [(0, 7), (8, 15)]


def test_floor_finds_words_as_they_are() -> None:
    floor = Floor(["ışık hızı", "ışığın hızı", "su"])
    assert [n for n, _ in floor.search("IŞIK", 5)] == [0]
    assert floor.search("isik", 5) == []
    assert fold(words("IŞIK")[0]) == "isik"
