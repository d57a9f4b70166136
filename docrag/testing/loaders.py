"""The contract of loaders, as tests that every loader runs."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from docrag.api import Loader, LoaderError, Page

if TYPE_CHECKING:
    from collections.abc import Sequence


class LoaderContract:
    """Derive a test class and override the fixtures ``loader`` and ``sample``."""

    @pytest.fixture
    def loader(self) -> Loader:
        """A loader as the registry would build it."""
        raise NotImplementedError

    @pytest.fixture
    def sample(self) -> bytes:
        """A good file with text that the loader reads."""
        raise NotImplementedError

    @pytest.fixture
    def garbage(self) -> bytes:
        """A file of another kind; replace it if the loader reads these bytes rightly."""
        return b"\x89\x01\x02\x8d\x03\x04\xff\x05\x06\x07\x9d\x1b" * 50

    @pytest.fixture
    def pages(self, loader: Loader, sample: bytes) -> Sequence[Page]:
        """The pages of the sample."""
        return list(loader.load(sample, filename="sample"))

    def test_loader_satisfies_protocol(self, loader: Loader) -> None:
        """It has the methods of a loader."""
        assert isinstance(loader, Loader)

    def test_loader_finds_text(self, pages: Sequence[Page]) -> None:
        """At least one page holds text."""
        assert any(page.text.strip() for page in pages)

    def test_loader_numbers_pages(self, pages: Sequence[Page]) -> None:
        """Pages count from 1 without gaps, or none has a number."""
        numbers = [page.number for page in pages]
        assert numbers in (list(range(1, len(pages) + 1)), [None] * len(pages))

    def test_loader_gives_clean_text(self, pages: Sequence[Page]) -> None:
        """Text is in NFC, without NUL, carriage return and byte order mark."""
        text = "".join(page.text + page.section for page in pages)
        assert unicodedata.is_normalized("NFC", text)
        assert not set(text) & {"\x00", "\r", "\ufeff"}

    def test_loader_gives_storable_text(self, pages: Sequence[Page]) -> None:
        """Text can be written as UTF-8, so the database takes it."""
        assert "".join(page.text for page in pages).encode("utf-8")

    def test_loader_repeats_itself(
        self, loader: Loader, sample: bytes, pages: Sequence[Page]
    ) -> None:
        """Loading again gives equal pages: nothing is kept from call to call."""
        assert list(loader.load(sample, filename="again")) == list(pages)

    def test_loader_refuses_empty(self, loader: Loader) -> None:
        """A file without bytes is refused by name."""
        with pytest.raises(LoaderError, match=r"bos\.bin"):
            list(loader.load(b"", filename="bos.bin"))

    def test_loader_refuses_garbage(self, loader: Loader, garbage: bytes) -> None:
        """A file of another kind is refused by name."""
        with pytest.raises(LoaderError, match=r"bozuk\.bin"):
            list(loader.load(garbage, filename="bozuk.bin"))

    def test_loader_serves_threads(
        self, loader: Loader, sample: bytes, pages: Sequence[Page]
    ) -> None:
        """Two threads at once get the same pages."""

        def load(name: str) -> list[Page]:
            return list(loader.load(sample, filename=name))

        with ThreadPoolExecutor(2) as threads:
            first, second = threads.map(load, ["a", "b"])
        assert first == second == list(pages)
