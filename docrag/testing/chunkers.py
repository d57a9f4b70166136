"""The contract of chunkers, as tests that every chunker runs."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from docrag.api import Chunk, Chunker, Page, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARTICLE = (
    "MADDE {n} – (1) İşveren, çalışanların iş sağlığı ve güvenliğini sağlar. Gürültü 85 dB(A) "
    "değerini aşarsa kulak koruyucu takılır; kayıtlar 10. maddeye göre en az 5 yıl saklanır.\n"
)
#: What an article may be called.
_KINDS = ("madde", "ek", "gecici", "mukerrer")
_WORD = re.compile(r"\S+")


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

    @pytest.fixture
    def flowing(self) -> Sequence[Page]:
        """Numbered pages without sections that go on from one to the next; no word stands twice.

        There are headings, list items and a table that a page border cuts, and a blank page.
        """
        return [Page(number=n, text=text) for n, text in enumerate(_flowing(), start=1)]

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

    def test_chunker_cuts_from_the_text(self, chunker: Chunker, flowing: Sequence[Page]) -> None:
        """Every chunk is a part of the pages as they are, joined by line ends, in their order."""
        whole = "\n".join(page.text for page in flowing)
        places = [whole.find(chunk.text) for chunk in chunker.split(flowing)]
        assert min(places) >= 0
        assert all(before < place for before, place in pairwise(places))

    def test_chunker_knows_page_of_each_word(
        self, chunker: Chunker, flowing: Sequence[Page]
    ) -> None:
        """The page that a chunk tells for a place is the page that holds the word there."""
        held = [set(page.text.split()) for page in flowing]
        for chunk in chunker.split(flowing):
            for found in _WORD.finditer(chunk.text):
                number = chunk.page_at(found.start())
                assert number is not None
                word = found[0]
                assert word in held[number - 1] or not any(word in page for page in held)

    def test_chunker_breaks_at_pages(self, chunker: Chunker, flowing: Sequence[Page]) -> None:
        """There is one break for each further page of a chunk, in order, inside its text."""
        for chunk in chunker.split(flowing):
            assert chunk.page_first is not None
            assert chunk.page_last is not None
            assert len(chunk.page_breaks) == chunk.page_last - chunk.page_first
            assert list(chunk.page_breaks) == sorted(chunk.page_breaks)
            assert all(0 < place < len(chunk.text) for place in chunk.page_breaks)

    def test_chunker_breaks_no_unnumbered_page(self, chunker: Chunker) -> None:
        """A chunk of pages without numbers has no page borders."""
        texts = list(_flowing())
        pages = [Page(number=None, text=text, section=f"Bölüm {n}") for n, text in enumerate(texts)]
        for chunk in chunker.split(pages):
            assert chunk.page_breaks == ()
            assert any(chunk.text in text for text in texts)

    def test_chunker_names_pieces_shortly(self, chunks: Sequence[Chunk]) -> None:
        """Labels are of one line and short, and articles are named in the agreed way."""
        for chunk in chunks:
            assert len(chunk.label) <= 200
            assert chunk.label == " ".join(chunk.label.split())
            if chunk.article is not None:
                assert chunk.article.kind in _KINDS
                assert chunk.article.number == chunk.article.number.lower()
                first, last = chunk.article.paragraph_first, chunk.article.paragraph_last
                assert (first is None) == (last is None)
                assert first is None or last is None or 1 <= first <= last

    def test_chunker_reads_pages_once(self, chunker: Chunker, flowing: Sequence[Page]) -> None:
        """Pages may come from an iterator."""
        assert list(chunker.split(iter(flowing))) == list(chunker.split(flowing))


def _flowing() -> Sequence[str]:
    """Texts of pages; every word but the marks has a number of its own."""
    count = iter(range(1, 10_000))

    def told(words: int) -> str:
        return " ".join(f"iş{next(count)}ğ" for _ in range(words))

    def lines(number: int) -> str:
        return "".join(f"Çalışan{next(count)} {told(8)} {told(4)}.\n" for _ in range(number))

    items = [f"- Madde{next(count)} {told(14)};" for _ in range(6)]
    rows = [f"| {told(2)} | {told(3)} |" for _ in range(60)]
    return [
        f"AMAÇ{next(count)} VE KAPSAM{next(count)}\n{lines(30)}UYGULAMA{next(count)}\n{lines(1)}"
        + "\n".join(items[:3]) + f"\n- Yarım{next(count)} {told(20)}",
        f"{told(5)};\n" + "\n".join(items[3:]) + f"\nSorumlu{next(count)} {told(30)}",
        "",
        f"{told(9)}.\n" + "\n".join(rows[:30]),
        "\n".join(rows[30:]) + f"\n\n{lines(3)}",
    ]  # fmt: skip
