"""The sample documents with the bundled embedder: every question that they promise to answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docrag import samples
from docrag.assistant import Assistant
from docrag.settings import Settings

CASES = [(sample, question) for sample in samples.manifest() for question in sample.questions]


@pytest.fixture(scope="module")
def sampled(
    shared_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Assistant]:
    """An assistant that holds the sample documents."""
    folder: Path = tmp_path_factory.mktemp("instance")
    settings = Settings(instance=folder, database_url=shared_database_url, embedder="e5")
    with Assistant.open(settings) as assistant:
        for role in ("isg", "personel", "ik", "uretim"):
            assistant.store.roles.create(role)
        for sample in samples.manifest():
            data = samples.read(sample.filename)
            assistant.ingest(data, filename=sample.filename, roles=sample.roles)
        yield assistant


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "question"), CASES, ids=[q.text for _, q in CASES])
def test_sample_question_is_answered_from_its_place(
    sampled: Assistant, sample: samples.Sample, question: samples.Question
) -> None:
    answer = sampled.ask(question.text, roles=sample.roles)
    # A place is a page, or a section where there are none.
    places = [(c.filename, c.page_first or c.section) for c in answer.citations]
    assert (sample.filename, question.page or question.section) in places, answer.text
    assert all(text in answer.text for text in question.must_contain), answer.text


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "question"), CASES, ids=[q.text for _, q in CASES])
def test_sample_question_is_declined_for_other_roles(
    sampled: Assistant, sample: samples.Sample, question: samples.Question
) -> None:
    others = {"isg", "personel", "ik", "uretim"} - set(sample.roles)
    answer = sampled.ask(question.text, roles=others)
    assert sample.filename not in {citation.filename for citation in answer.context}
