"""What an uploaded file is, by name and by content."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrag.api import DocumentError, UnsupportedDocument
from docrag.ingest.detect import check, check_suffix, clean_filename, clean_title

KNOWN = ("pdf", "txt", "md")
OFFICE = (*KNOWN, "docx", "pptx", "xlsx", "xls", "html")


@pytest.fixture
def fixtures() -> Path:
    """Folder of the small files that were written for the project."""
    return Path(__file__).parents[2] / "fixtures"


def test_pdf_is_known_by_its_header() -> None:
    assert check(b"%PDF-1.7\n...", filename="Kanun.PDF", known=KNOWN) == "pdf"


def test_junk_before_the_pdf_header_is_allowed() -> None:
    assert check(b"\r\n" * 100 + b"%PDF-1.4", filename="a.pdf", known=KNOWN) == "pdf"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"<!DOCTYPE html><p>x", "an HTML page"),
        (b"\xef\xbb\xbf <html>", "an HTML page"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"merhaba", "no PDF header"),
    ],
)
def test_wrong_content_of_a_pdf_is_named(data: bytes, word: str) -> None:
    with pytest.raises(UnsupportedDocument, match=word):
        check(data, filename="belge.pdf", known=KNOWN)


def test_pdf_named_txt_is_refused() -> None:
    with pytest.raises(UnsupportedDocument, match=r"\.txt but holds a PDF"):
        check(b"%PDF-1.7", filename="a.txt", known=KNOWN)


@pytest.mark.parametrize("filename", ["a.docx", "a", "pdf", ".pdf"])
def test_unknown_suffix_lists_what_is_read(filename: str) -> None:
    with pytest.raises(UnsupportedDocument, match="md, pdf, txt"):
        check(b"x", filename=filename, known=KNOWN)


def test_empty_file_is_refused() -> None:
    with pytest.raises(DocumentError, match="is empty"):
        check(b"", filename="a.pdf", known=KNOWN)


def test_suffix_of_a_plugin_is_left_to_its_loader() -> None:
    assert check(b"PK\x03\x04", filename="a.epub", known=("epub",)) == "epub"


def test_damaged_office_file_is_left_to_its_loader(fixtures: Path) -> None:
    data = (fixtures / "bozuk.docx").read_bytes()
    assert check(data, filename="bozuk.docx", known=("docx",)) == "docx"


@pytest.mark.parametrize(
    ("fixture", "filename", "advice"),
    [
        ("html_adi_pdf.pdf", "a.pdf", r"holds an HTML page; save it as what it is"),
        ("heceleme.pdf", "a.txt", r"holds a PDF; save it as what it is"),
        ("heceleme.pdf", "a.html", r"holds a PDF"),
        ("kkd_talimati.docx", "a.xlsx", r"holds a Word file \(\.docx\)"),
        ("kkd_stok.xlsx", "a.docx", r"holds an Excel file \(\.xlsx\)"),
        ("isg_oryantasyon.pptx", "a.txt", r"holds a PowerPoint file \(\.pptx\)"),
        ("is_elbisesi_cp1254.html", "a.docx", r"holds an HTML page"),
        ("talimat_utf8_lf.txt", "a.docx", r"holds plain text"),
    ],
)
def test_wrong_suffix_is_named(fixtures: Path, fixture: str, filename: str, advice: str) -> None:
    data = (fixtures / fixture).read_bytes()
    with pytest.raises(UnsupportedDocument, match=advice):
        check(data, filename=filename, known=OFFICE)


@pytest.mark.parametrize(
    ("stream", "filename", "advice"),
    [
        ("WordDocument", "a.docx", r"an old Word file \(\.doc\); open it .* save it as \.docx"),
        ("Workbook", "a.xlsx", r"an old Excel file \(\.xls\); save it as what it is"),
        ("EncryptedPackage", "a.xlsx", "protected with a password; save a copy without"),
    ],
)
def test_old_and_protected_office_file_is_named(stream: str, filename: str, advice: str) -> None:
    data = b"\xd0\xcf\x11\xe0" + stream.encode("utf-16-le")
    with pytest.raises(UnsupportedDocument, match=advice):
        check(data, filename=filename, known=OFFICE)


def test_old_excel_file_is_read() -> None:
    data = b"\xd0\xcf\x11\xe0" + "Workbook".encode("utf-16-le")
    assert check(data, filename="a.xls", known=OFFICE) == "xls"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1254"])
def test_text_in_any_encoding_is_text(encoding: str) -> None:
    for suffix in ("txt", "md", "html"):
        data = "İş güvenliği".encode(encoding)
        assert check(data, filename=f"a.{suffix}", known=OFFICE) == suffix


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/İş güvenliği.pdf", "İş güvenliği.pdf"),
        ("C:\\belgeler\\a.pdf", "a.pdf"),
        ("a\x00\nb.pdf", "ab.pdf"),
        ("a\u202efdp.pdf", "afdp.pdf"),
    ],
)
def test_filename_keeps_only_its_printable_last_part(given: str, kept: str) -> None:
    assert clean_filename(given) == kept


@pytest.mark.parametrize("given", ["", "/", "..", "\x00", "a/.."])
def test_filename_without_a_name_is_refused(given: str) -> None:
    with pytest.raises(DocumentError, match="no name"):
        clean_filename(given)


def test_long_filename_keeps_its_suffix() -> None:
    kept = clean_filename("ğ" * 300 + ".txt")
    assert (len(kept), kept[-5:]) == (255, "ğ.txt")


def test_filename_is_composed() -> None:
    assert clean_filename("I\u0307zin.txt") == "İzin.txt"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" İzin\nYönergesi ", "İzin Yönergesi"),
        ("a\u202eb\x00c", "abc"),
        ("I\u0307zin", "İzin"),
        ("", "belge"),
        ("\u200b", "belge"),
    ],
)
def test_title_is_one_printable_line(given: str, kept: str) -> None:
    assert clean_title(given, filename="belge.txt") == kept


def test_given_title_is_limited() -> None:
    assert clean_title("ş" * 200, filename="a.txt") == "ş" * 200
    with pytest.raises(DocumentError, match="201 characters"):
        clean_title("ş" * 201, filename="a.txt")


def test_title_of_a_long_filename_is_cut() -> None:
    title = clean_title("", filename="ş" * 230 + ".txt")
    assert (len(title), title[-2:]) == (200, "ş…")


@pytest.mark.parametrize(
    ("raw", "name"), [(b"\xfc\xf0.txt", "üğ.txt"), ("İ".encode() + b"\xfe.txt", "İş.txt")]
)
def test_name_of_turkish_windows_is_read(raw: bytes, name: str) -> None:
    assert clean_filename(raw.decode(errors="surrogateescape")) == name


@pytest.mark.parametrize(("name", "better"), [("eski.doc", "docx"), ("not.RTF", "docx")])
def test_old_format_is_refused_with_what_to_save(name: str, better: str) -> None:
    with pytest.raises(UnsupportedDocument, match=rf"save it as \.{better}"):
        check_suffix(name, known=["pdf", "docx"])
