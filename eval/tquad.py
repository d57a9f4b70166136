"""TQuAD as a retrieval test: articles, questions with the place of their answers, and variants.

Dev and train part of TQuAD in the folder of ``DATA`` (``../shared/data``). Train articles that dev
articles repeat are left out, so that what is tuned on train questions is not known from dev.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from docrag.api import lower

#: Parts of TQuAD, a file each.
PARTS: Final = ("dev", "train")
#: Characters around an answer that must be the only ones of their kind for a tuning question.
AROUND: Final = 80
#: Tuning questions, drawn with this seed.
TUNE, SEED = 1_500, 0
#: Letters of a word below which it is not mistyped.
SHORT: Final = 4
_BLANKS: Final = re.compile(r"\s+")
_ASCII: Final = str.maketrans("ıİşŞğĞçÇöÖüÜâÂîÎûÛ", "iIsSgGcCoOuUaAiIuU")
_UPPER: Final = str.maketrans({"i": "İ", "ı": "I"})
_LETTERS: Final = "abcçdefgğhıijklmnoöprsştuüvyz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A text to be searched."""

    title: str
    #: Paragraphs with single blanks, joined by one.
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and where its first listed answer stands."""

    id: str
    text: str
    #: Place of the article in the corpus; start and end of the answer in its text, characters.
    article: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All articles, with the questions of either part."""

    articles: tuple[Article, ...]
    dev: tuple[Question, ...]
    train: tuple[Question, ...]

    def tuning(self) -> list[Question]:
        """Train questions whose answer, with what stands around it, occurs once in the corpus."""
        everything = "\0".join(article.text for article in self.articles)
        unique = [q for q in self.train if everything.count(self._around(q)) == 1]
        return random.Random(SEED).sample(unique, TUNE)  # noqa: S311 - a fixed draw

    def _around(self, question: Question) -> str:
        text = self.articles[question.article].text
        return text[max(0, question.start - AROUND) : question.end + AROUND]


def folder() -> Path:
    """Folder of the shared data.

    :raises SystemExit: TQuAD is not there, which is said in a line on standard error; status 2.
    """
    root = Path(os.environ.get("DATA") or "../shared/data")
    names = [f"{part}-v0.1.json" for part in PARTS]
    if not all((root / "tquad" / name).is_file() for name in names):
        # Every program that asks for it can do nothing but end.
        click.echo(
            f"no TQuAD in {root / 'tquad'}: put {' and '.join(names)} there, or name another "
            "folder with DATA",
            err=True,
        )
        raise SystemExit(2)
    return root


def load() -> Corpus:
    """The corpus: dev articles first, then the train articles that share nothing with them."""
    read = {name: _read(name) for name in PARTS}
    titles = {lower(item["title"].strip()) for item in read["dev"]}
    known = {part["context"] for item in read["dev"] for part in item["paragraphs"]}
    fresh = [
        item
        for item in read["train"]
        if lower(item["title"].strip()) not in titles
        and not any(part["context"] in known for part in item["paragraphs"])
    ]
    articles: list[Article] = []
    questions: dict[str, list[Question]] = {"dev": [], "train": []}
    for name, items in (("dev", read["dev"]), ("train", fresh)):
        for item in items:
            article, asked = _article(item, len(articles))
            articles.append(article)
            questions[name] += asked
    return Corpus(
        articles=tuple(articles), dev=tuple(questions["dev"]), train=tuple(questions["train"])
    )


def variants(questions: Sequence[Question], kind: str) -> list[Question]:
    """The questions written otherwise.

    :param kind: ``ascii`` without Turkish letters, ``upper`` in Turkish capitals, ``typos`` with
        one random edit in every second word of four letters or more (seed 0), which costs the
        floor 12 points of Recall@5; anything else leaves them as they are.
    """
    draw = random.Random(SEED)  # noqa: S311 - a fixed draw
    ways: dict[str, Callable[[str], str]] = {
        "ascii": lambda text: text.translate(_ASCII),
        "upper": lambda text: text.translate(_UPPER).upper(),
        "typos": lambda text: _mistyped(text, draw),
    }
    return [
        replace(question, text=ways[kind](question.text)) if kind in ways else question
        for question in questions
    ]


def _mistyped(text: str, draw: random.Random) -> str:
    words = text.split(" ")
    return " ".join(_edited(w, draw) if n % 2 == 0 else w for n, w in enumerate(words))


def _edited(word: str, draw: random.Random) -> str:
    """A long word with a letter dropped, added, changed, or put behind the next; a short one."""
    if len(word) < SHORT:
        return word
    place = draw.randrange(len(word) - 1)
    first, rest = word[:place], word[place + 1 :]
    return draw.choice(
        (
            first + rest,
            first + word[place] + draw.choice(_LETTERS) + rest,
            first + draw.choice(_LETTERS) + rest,
            first + rest[0] + word[place] + rest[1:],
        )
    )


def _read(part: str) -> list[dict[str, Any]]:
    path = folder() / "tquad" / f"{part}-v0.1.json"
    data: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["data"]
    return data


def _article(item: Mapping[str, Any], number: int) -> tuple[Article, list[Question]]:
    texts: list[str] = []
    questions: list[Question] = []
    shift = 0
    for part in item["paragraphs"]:
        paragraph = _BLANKS.sub(" ", part["context"]).strip()
        for asked in part["qas"]:
            start, end = _place(part["context"], asked["answers"][0], shift)
            questions.append(
                Question(
                    id=str(asked["id"]),
                    text=asked["question"],
                    article=number,
                    start=start,
                    end=end,
                )
            )
        if paragraph:
            texts.append(paragraph)
            shift += len(paragraph) + 1
    return Article(title=item["title"].strip(), text=" ".join(texts)), questions


def _place(context: str, answer: Mapping[str, Any], shift: int) -> tuple[int, int]:
    """Start and end of an answer in its article, where blanks are single.

    One answer in fifteen begins or ends with a blank, which is no part of it.
    """
    answered = answer["text"]
    first = int(answer["answer_start"]) + len(answered) - len(answered.lstrip())
    start = shift + len(_BLANKS.sub(" ", context[:first]).lstrip())
    return start, start + len(_BLANKS.sub(" ", answered.strip()))


def offsets(article: Article, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of an article's chunks, which stand in its text in order.

    :raises ValueError: a chunk is not in the text.
    """
    place = 0
    for text in texts:
        start = article.text.index(text, place)
        yield start, start + len(text)
        place = start + 1
