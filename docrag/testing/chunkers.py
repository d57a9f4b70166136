"""The contract of chunkers, as tests that every chunker runs."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from docrag.api import Chunk, Chunker, Page, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARTICLE = (
    "MADDE {n} – (1) İşveren, çalışanların iş sağlığı ve güvenliğini sağlar. Gürültü 85 dB(A) "
    "değerini aşarsa kulak koruyucu takılır; kayıtlar 10. maddeye göre en az 5 yıl saklanır.\n"
)


class ChunkerContract:
    """Derive a test class and override ``chunker``, and ``max_length`` if it is not 1000."""

    #: Most characters of a chunk of the chunker under test.
    max_length = 1000

    @pytest.fixture
    def chunker(self) -> Chunker:
        """A chunker as the registry would build it."""
        raise NotImplementedError

    @pytest.fixture
    def pages(self) -> Sequence[Page]:
        """Turkish pages: long, short, empty, blank, one endless word, decomposed letters."""
        texts = [
            "".join(_ARTICLE.format(n=n) for n in range(1, 41)),
            "Kısa sayfa.",
            "",
            " \n\t ",
            "ğ" * 5000,
            unicodedata.normalize("NFD", "İç yönetmelik: şu çığ gibi büyüyen iş. ") * 80,
        ]
        return [
            Page(number=number, text=text, section=f"Bölüm {number}")
            for number, text in enumerate(texts, start=1)
        ]

    @pytest.fixture
    def chunks(self, chunker: Chunker, pages: Sequence[Page]) -> Sequence[Chunk]:
        """The chunks of the pages."""
        return list(chunker.split(pages))

    def test_chunker_satisfies_protocol(self, chunker: Chunker) -> None:
        """It has the method and the attribute of a chunker."""
        assert isinstance(chunker, Chunker)

    def test_chunker_has_stable_fingerprint(self, chunker: Chunker, pages: Sequence[Page]) -> None:
        """The fingerprint is not empty and splitting leaves it as it is."""
        before = chunker.fingerprint
        list(chunker.split(pages))
        assert before
        assert chunker.fingerprint == before

    def test_chunker_counts_from_zero(self, chunks: Sequence[Chunk]) -> None:
        """Ordinals are 0, 1, 2 and so on over all pages."""
        assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))

    def test_chunker_keeps_length(self, chunks: Sequence[Chunk]) -> None:
        """No chunk is longer than allowed."""
        assert max(len(chunk.text) for chunk in chunks) <= self.max_length

    def test_chunker_gives_no_blank_chunk(self, chunks: Sequence[Chunk]) -> None:
        """Every chunk has visible text."""
        assert all(chunk.text.strip() for chunk in chunks)

    def test_chunker_names_true_pages(self, chunks: Sequence[Chunk], pages: Sequence[Page]) -> None:
        """A chunk names pages of the document, and its last word stands there."""
        for chunk in chunks:
            first, last = chunk.page_first or 0, chunk.page_last or 0
            assert 1 <= first <= last <= len(pages)
            source = "\n".join(page.text for page in pages[first - 1 : last])
            assert chunk.text.split()[-1] in source

    def test_chunker_orders_pages(self, chunks: Sequence[Chunk]) -> None:
        """Chunks come in the order of the pages."""
        firsts = [chunk.page_first or 0 for chunk in chunks]
        assert firsts == sorted(firsts)

    def test_chunker_loses_no_word(self, chunks: Sequence[Chunk], pages: Sequence[Page]) -> None:
        """Every word of a page that fits into a chunk stands in one of the page's chunks."""
        short = {w for page in pages for w in words(page.text) if len(w) < self.max_length}
        assert short <= {word for chunk in chunks for word in words(chunk.text)}

    def test_chunker_copies_section(self, chunker: Chunker) -> None:
        """A page without a number gives chunks without one, and its section stays."""
        page = Page(number=None, text="Izgara 12 saatte bir temizlenir.", section="4. Bakım")
        (chunk,) = chunker.split([page])
        assert (chunk.page_first, chunk.page_last) == (None, None)
        assert chunk.section == "4. Bakım"

    def test_chunker_gives_nothing_for_nothing(self, chunker: Chunker) -> None:
        """No pages, and pages without text, give no chunks."""
        assert list(chunker.split([])) == []
        assert list(chunker.split([Page(number=1, text=" \n ")])) == []

    def test_chunker_repeats_itself(
        self, chunker: Chunker, pages: Sequence[Page], chunks: Sequence[Chunk]
    ) -> None:
        """Splitting again gives equal chunks: nothing is kept from call to call."""
        assert list(chunker.split(pages)) == list(chunks)
