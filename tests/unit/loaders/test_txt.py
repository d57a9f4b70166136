from __future__ import annotations

from pathlib import Path

import pytest

from docrag.loaders.txt import TextLoader


@pytest.mark.parametrize(
    "name",
    ["cp1254_crlf", "cr_only", "iso8859_9", "mojibake_double", "utf16le_bom", "utf8_bom_crlf"],
)
def test_text_is_the_same_in_every_encoding(fixtures: Path, name: str) -> None:
    expected = (fixtures / "talimat_utf8_lf.txt").read_text("utf-8")
    (page,) = TextLoader().load((fixtures / f"talimat_{name}.txt").read_bytes(), filename="a.txt")
    assert page.text == expected
    assert page.number is None


def test_text_keeps_what_a_truncated_file_has(fixtures: Path) -> None:
    expected = (fixtures / "talimat_utf8_lf.txt").read_text("utf-8")
    data = (fixtures / "talimat_truncated_utf8.txt").read_bytes()
    (page,) = TextLoader().load(data, filename="a.txt")
    assert page.text.endswith("3.1 Va")
    assert expected.startswith(page.text)
