"""Sentences with their sources for the verifier: of TQuAD and of laws, right and wrong ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from docrag.answer.context import number
from docrag.api import Citation, Page, ScoredChunk, StoredChunk, sentences, spans
from docrag.chunkers.auto import AutoChunker
from docrag.loaders.pdf import PdfLoader
from eval.floor import Floor
from eval.searching import placed
from eval.tquad import Corpus, Question
from eval.verification_corruptions import CORRUPTIONS
from eval.verification_variants import joined, merged, rewritten

#: Characters of a chunk and those that neighbours share; sources of one question.
SIZE, OVERLAP, SOURCES = 1_000, 150, 5
#: Words and characters of a sentence that is taken from a source.
FEWEST_WORDS, LONGEST = 5, 400
#: Statements about laws that were written by hand, for tuning.
LAW: Final = Path(__file__).with_name("verification_law.jsonl")
#: The law of the dev questions, and the file of these.
LAW_DEV, LAW_FILE = "kanun_6331.pdf", "law6331_dev.jsonl"
RIGHT: Final = "none"
WRONG_PASSAGE: Final = "wrong_passage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A sentence with the sources that it is judged by."""

    #: ``tquad`` or ``law``.
    source: str
    question: str
    sentence: str
    #: How the sentence was made: ``verbatim``, ``short``, ``merged`` and others.
    variant: str
    #: ``none`` for a supported sentence.
    corruption: str
    #: Numbers of the sources that it cites.
    cited: tuple[int, ...]
    context: tuple[Citation, ...]
    #: Equal for all cases of one supported sentence.
    group: str


def tquad_cases(corpus: Corpus, questions: Sequence[Question], seed: int) -> Iterator[Case]:
    """Supported sentences of these questions, each followed by its wrong ones."""
    draw = random.Random(seed)  # noqa: S311 - a fixed draw
    chunks = placed(corpus, SIZE)
    flat = [(at, n) for at, article in enumerate(chunks) for n in range(len(article))]
    floor = Floor([chunks[at][n].text for at, n in flat])
    texts = [chunks[at][n].text for at, n in flat]
    for question in questions:
        article = corpus.articles[question.article]
        around = [
            (a, b) for a, b in spans(article.text) if a <= question.start and question.end <= b
        ]
        if not around:
            continue
        start, end = around[0]
        sentence = " ".join(article.text[start:end].split())
        gold = next(
            (
                n
                for n, c in enumerate(chunks[question.article])
                if c.start <= start and end <= c.end
            ),
            None,
        )
        if gold is None or not fits(sentence):
            continue
        found = [flat[n] for n, _ in floor.search(question.text, SOURCES)]
        own = (question.article, gold)
        if own not in found:
            found = [*found[: SOURCES - 1], own]
        hits = [
            _hit(corpus.articles[at].title or "_", f"{at}", n, chunks[at][n].text)
            for at, n in found
        ]
        context = number(hits)
        answer = article.text[question.start : question.end]
        cited = (found.index(own) + 1,)
        told = [("verbatim", sentence), *rewritten(sentence, answer, draw)]
        others = [piece for piece in sentences(chunks[question.article][gold].text) if fits(piece)]
        told += joined(sentence, [" ".join(other.split()) for other in others], draw)
        if whole := merged(question.text, answer):
            told.append(("merged", whole))
        for variant, text in told:
            case = Case(
                source="tquad", question=question.text, sentence=text, variant=variant,
                corruption=RIGHT, cited=cited, context=context, group=f"{question.id}-{variant}",
            )  # fmt: skip
            yield case
            yield from wrong(case, sentence, texts, draw)


def fits(sentence: str) -> bool:
    """True if a source's sentence is one that an answer could say."""
    return len(sentence.split()) >= FEWEST_WORDS and len(sentence) <= LONGEST


def wrong(case: Case, said: str, others: Sequence[str], draw: random.Random) -> Iterator[Case]:
    """The wrong sentences that rules make of a supported one.

    :param said: the sentence of the source; a source that has it as well is no wrong passage.
    """
    text = "\n".join(item.text for item in case.context if item.number in case.cited)
    for name, corrupt in CORRUPTIONS.items():
        sentence = corrupt(case.sentence, text, others, draw)
        if sentence and sentence != case.sentence:
            yield replace(case, sentence=sentence, corruption=name)
    flat = " ".join(said.split())
    elsewhere = [
        item.number
        for item in case.context
        if item.number not in case.cited and flat not in " ".join(item.text.split())
    ]
    if elsewhere:
        yield replace(case, cited=(draw.choice(elsewhere),), corruption=WRONG_PASSAGE)


def _hit(title: str, document: str, place: int, text: str) -> ScoredChunk:
    """A chunk that stands on a page of its own, so that it is a source of its own."""
    chunk = StoredChunk(
        chunk_id=place, document_id=document, title=title, filename=f"{document}.txt",
        ordinal=place * 2, text=text, page_first=place + 1, page_last=place + 1,
    )  # fmt: skip
    return ScoredChunk(chunk=chunk, score=1.0)


def law_cases(folder: Path, lines: Sequence[dict[str, Any]], seed: int) -> Iterator[Case]:
    """Hand-written statements about laws, each followed by its wrong ones.

    :param lines: ``file``, ``page`` (one or a list, from 1), ``question``, ``sentence``.
    """
    draw = random.Random(seed)  # noqa: S311 - a fixed draw
    for name in dict.fromkeys(line["file"] for line in lines):
        hits = _law_chunks(folder / name)
        texts = [hit.chunk.text for hit in hits]
        floor = Floor(texts)
        for place, line in enumerate(lines):
            if line["file"] != name:
                continue
            pages = line["page"] if isinstance(line["page"], list) else [line["page"]]
            own = [hit for hit in hits if hit.chunk.page_first in pages]
            found = [hits[n] for n, _ in floor.search(line["question"], 2 * SOURCES)]
            beside = [hit for hit in found if hit not in own][:SOURCES]
            context = number([*own, *beside])
            cited = tuple(item.number for item in context if item.page_first in pages)
            case = Case(
                source="law", question=line["question"], sentence=line["sentence"],
                variant="written", corruption=RIGHT, cited=cited, context=context,
                group=f"{name}-{place}",
            )  # fmt: skip
            yield case
            yield from wrong(case, line["sentence"], texts, draw)


def _law_chunks(path: Path) -> list[ScoredChunk]:
    pages: list[Page] = list(PdfLoader(timeout=600).load(path.read_bytes(), filename=path.name))
    chunks = AutoChunker(size=SIZE, overlap=OVERLAP).split(pages)
    return [
        ScoredChunk(
            chunk=StoredChunk(
                chunk_id=chunk.ordinal, document_id=path.name, title=path.stem, filename=path.name,
                ordinal=chunk.ordinal, text=chunk.text, page_first=chunk.page_first,
                page_last=chunk.page_last, section=chunk.section, label=chunk.label,
                page_breaks=chunk.page_breaks, article=chunk.article,
            ),
            score=1.0,
        )
        for chunk in chunks
    ]  # fmt: skip


def written(path: Path) -> list[dict[str, Any]]:
    """The statements of a file, a JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def asked(path: Path) -> list[dict[str, Any]]:
    """The answers to the dev questions that the law answers, as statements of :func:`written`."""
    return [
        {"file": LAW_DEV, "page": line["page"], "question": line["question"],
         "sentence": line["answer"]}
        for line in written(path)
        if line["answerable"]
    ]  # fmt: skip
