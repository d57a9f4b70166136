from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from docrag.api import LoaderError
from docrag.loaders.encoding import damage, decode

TEXT = "İş sağlığı ve güvenliği için çalışanlar ölçü alır.\nIğdır, Çığ, Şölen, Üye, ÖĞRENCİ.\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1254", "iso8859-9"]
    + ["cp857"],
)
def test_decode_finds_encoding(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), filename="a.txt") == TEXT


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_decode_unifies_line_ends(line_end: str) -> None:
    assert decode(TEXT.replace("\n", line_end).encode(), filename="a.txt") == TEXT


def test_decode_composes_letters() -> None:
    assert decode(unicodedata.normalize("NFD", TEXT).encode(), filename="a.txt") == TEXT


def test_decode_takes_file_that_ends_within_letter() -> None:
    assert decode("Vardiya başı".encode()[:-1], filename="a.txt") == "Vardiya baş"


@pytest.mark.parametrize("bad", [b"\xb0", b"\xff", b"\xc5("])
def test_decode_takes_utf8_with_a_bad_byte(bad: bytes) -> None:
    text = decode(TEXT.encode() + b"25 " + bad + b"C", filename="a.txt")
    assert text.startswith(TEXT)
    assert damage(text) == "unreadable characters of the file stand as \ufffd: 1"
    assert damage(TEXT) == ""


@pytest.mark.parametrize("encoding", ["cp1252", "cp1254"])
def test_decode_repairs_text_read_twice(encoding: str) -> None:
    text = "çalışanlar için güvenliği ölçü"
    twice = text.encode().decode(encoding).encode()
    assert decode(twice, filename="a.txt") == text


@pytest.mark.parametrize("name", ["empty.txt", "whitespace_only.txt", "binary_renamed.txt"])
def test_decode_refuses_file_without_text(fixtures: Path, name: str) -> None:
    with pytest.raises(LoaderError, match=name):
        decode((fixtures / name).read_bytes(), filename=name)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b"\xff\xfe \0\n\0", b"\0" * 50])
def test_decode_refuses_blank_file(data: bytes) -> None:
    with pytest.raises(LoaderError, match="no text"):
        decode(data, filename="a.txt")


def test_decode_restores_letter_behind_nul(fixtures: Path) -> None:
    text = decode((fixtures / "nul_bytes.txt").read_bytes(), filename="a.txt")
    assert text == "Madde 1 – Nisan ayında yapılır.\n"
