"""Titles of articles are headings, which name what they do not answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.headings import is_heading
from tests.unit.answer.sources import chunk, source

SECTION = "BİRİNCİ BÖLÜM > Madde 8 (İşyeri hekimleri (ve uzmanlar)), fıkra 1"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("İşyeri hekimleri (ve uzmanlar)", True),
        ("Birinci Bölüm", True),
        ("İşyeri hekimleri", False),
        ("Hekim atanır", False),
    ],
)
def test_title_of_a_later_chunk_is_a_heading(line: str, expected: bool) -> None:
    own = chunk(2, line, section=SECTION).chunk
    citation = replace(source(1, "metin"), chunks=(chunk(1, "metin").chunk, own))
    assert is_heading(line, citation) is expected
