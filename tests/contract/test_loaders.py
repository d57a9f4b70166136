"""Every built-in loader keeps the contract of loaders."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrag import samples
from docrag.api import Loader
from docrag.loaders.docx import DocxLoader
from docrag.loaders.html import HtmlLoader
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.pptx import PptxLoader
from docrag.loaders.txt import TextLoader
from docrag.loaders.xlsx import SpreadsheetLoader
from docrag.testing.loaders import LoaderContract

FIXTURES = Path(__file__).parents[1] / "fixtures"


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


class TestDocxLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return DocxLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return (FIXTURES / "kkd_talimati.docx").read_bytes()


class TestHtmlLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return HtmlLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return (FIXTURES / "is_elbisesi_cp1254.html").read_bytes()


class TestPptxLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return PptxLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return (FIXTURES / "isg_oryantasyon.pptx").read_bytes()


class TestSpreadsheetLoader(LoaderContract):
    @pytest.fixture
    def loader(self) -> Loader:
        return SpreadsheetLoader()

    @pytest.fixture
    def sample(self) -> bytes:
        return (FIXTURES / "kkd_stok.xlsx").read_bytes()
