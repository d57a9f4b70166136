"""Small files that the loader tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrag import samples


@pytest.fixture
def fixtures() -> Path:
    """Folder of the small files that were written for the project."""
    return Path(__file__).parents[2] / "fixtures"


@pytest.fixture(scope="session")
def pdf_sample() -> bytes:
    """A good PDF of four pages."""
    return samples.read("is_guvenligi_talimati.pdf")
