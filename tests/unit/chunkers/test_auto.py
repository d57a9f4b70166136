from __future__ import annotations

import pytest

from docrag.api import Chunk, Page, SettingsError
from docrag.chunkers.auto import AutoChunker
from docrag.chunkers.legal import LegalChunker
from docrag.chunkers.structure import StructureChunker

LAW = "\n".join(f"MADDE {n} – (1) İşveren {n}. önlemi alır." for n in range(1, 6))
PLAIN = "4. Uygulama\nMaske takılır.\n5. Denetim\nÖlçüm yapılır; bkz. madde 4."


def cut(text: str) -> list[Chunk]:
    return list(AutoChunker().split(iter([Page(number=1, text=text)])))


def test_auto_names_both_chunkers() -> None:
    found = AutoChunker(size=200, overlap=20).fingerprint
    assert LegalChunker(size=200, overlap=20).fingerprint in found
    assert StructureChunker(size=200, overlap=20).fingerprint in found


def test_auto_cuts_law_by_articles() -> None:
    found = cut(LAW)
    assert found == list(LegalChunker(size=1000).split([Page(number=1, text=LAW)]))
    assert [chunk.article.number for chunk in found if chunk.article] == list("12345")


def test_auto_cuts_other_text_by_structure() -> None:
    found = cut(PLAIN)
    assert found == list(StructureChunker().split([Page(number=1, text=PLAIN)]))
    assert [chunk.section for chunk in found] == ["4. Uygulama", "5. Denetim"]


def test_auto_chooses_for_each_document() -> None:
    chunker = AutoChunker()
    for text, articles in ((LAW, 5), (PLAIN, 0), (LAW, 5)):
        chunks = chunker.split([Page(number=None, text=text)])
        assert sum(chunk.article is not None for chunk in chunks) == articles


@pytest.mark.parametrize(("size", "overlap"), [(49, 0), (200, 101), (200, -1)])
def test_auto_names_itself_in_its_refusal(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match="^auto chunker: "):
        AutoChunker(size=size, overlap=overlap)
