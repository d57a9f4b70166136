"""Every built-in loader keeps the contract of loaders."""

from __future__ import annotations

import pytest

from docrag import samples
from docrag.api import Loader
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.txt import TextLoader
from docrag.testing.loaders import LoaderContract


class TestPdfLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return PdfLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return samples.read("is_guvenligi_talimati.pdf")


class TestTextLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return TextLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return samples.read("forklift_is_talimati.txt")


class TestMarkdownLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return MarkdownLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return samples.read("yillik_izin_proseduru.md")
