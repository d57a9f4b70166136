from __future__ import annotations

import pytest

from docrag import samples
from docrag.api import Loader, Page
from docrag.chunkers.auto import AutoChunker
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.txt import TextLoader

LOADERS: dict[str, type[Loader]] = {"pdf": PdfLoader, "md": MarkdownLoader, "txt": TextLoader}


def pages(filename: str) -> list[Page]:
    loader = LOADERS[filename.rsplit(".", 1)[1]]()
    return list(loader.load(samples.read(filename), filename=filename))


def test_samples_show_every_built_in_format() -> None:
    suffixes = {sample.filename.rsplit(".", 1)[1] for sample in samples.manifest()}
    assert suffixes == {"pdf", "md", "txt"}


def test_samples_have_roles_and_questions() -> None:
    roles = {role for sample in samples.manifest() for role in sample.roles}
    assert roles == {"isg", "personel", "ik", "uretim"}
    assert all(len(sample.questions) >= 2 for sample in samples.manifest())


@pytest.mark.parametrize("sample", samples.manifest(), ids=lambda sample: sample.filename)
def test_sample_loads_without_warning(sample: samples.Sample) -> None:
    assert not [page.warning for page in pages(sample.filename) if page.warning]


@pytest.mark.parametrize("sample", samples.manifest(), ids=lambda sample: sample.filename)
def test_sample_answers_its_questions_where_it_says(sample: samples.Sample) -> None:
    chunks = list(AutoChunker().split(pages(sample.filename)))
    for question in sample.questions:
        place = question.page or question.section
        text = "".join(chunk.text for chunk in chunks if place in (chunk.page_first, chunk.section))
        assert all(words in text for words in question.must_contain)


def test_read_refuses_unknown_sample() -> None:
    with pytest.raises(FileNotFoundError):
        samples.read("yok.pdf")
