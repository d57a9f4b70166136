from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from docrag.api import LoaderError, SettingsError
from docrag.loaders.pdf import PdfLoader


def written(writer: pypdf.PdfWriter) -> bytes:
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def refusal(data: bytes, **options: float) -> str:
    with pytest.raises(LoaderError) as caught:
        PdfLoader(**options).load(data, filename="belge.pdf")  # type: ignore[arg-type]  # by test
    return str(caught.value)


def test_pdf_keeps_turkish_letters(pdf_sample: bytes) -> None:
    pages = PdfLoader().load(pdf_sample, filename="a.pdf")
    assert "İŞ SAĞLIĞI VE GÜVENLİĞİ TALİMATI" in pages[0].text
    assert "çığ" not in pages[0].text


def test_pdf_counts_pages_from_one(pdf_sample: bytes) -> None:
    pages = PdfLoader().load(pdf_sample, filename="a.pdf")
    assert [page.number for page in pages] == [1, 2, 3, 4]
    assert "MADDE 10 " in pages[2].text


def test_pdf_takes_blank_page_for_blank(pdf_sample: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_sample))
    writer.insert_blank_page(index=1)
    pages = PdfLoader().load(written(writer), filename="a.pdf")
    assert [page.number for page in pages] == [1, 2, 3, 4, 5]
    assert [page.warning for page in pages] == [""] * 5


def test_pdf_keeps_number_of_broken_page(pdf_sample: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_sample))
    writer.pages[1][pypdf.generic.NameObject("/Contents")] = pypdf.generic.NumberObject(7)
    pages = PdfLoader().load(written(writer), filename="a.pdf")
    assert "MADDE 10 " in pages[2].text
    assert pages[1].text == ""


def test_pdf_refuses_blank_pages() -> None:
    writer = pypdf.PdfWriter()
    for _ in range(3):
        writer.add_blank_page(width=100, height=100)
    assert "no text on pages 1–3; nothing stands there" in refusal(written(writer))


def test_pdf_refuses_password(pdf_sample: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_sample))
    writer.encrypt("gizli", algorithm="RC4-128")
    message = refusal(written(writer))
    assert "protected with a password" in message
    assert "gizli" not in message


def test_pdf_reads_when_only_owner_password_is_set(pdf_sample: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_sample))
    writer.encrypt("", owner_password="sahip", algorithm="RC4-128")
    assert len(PdfLoader().load(written(writer), filename="a.pdf")) == 4


def test_pdf_refuses_document_without_pages() -> None:
    assert "it has no pages" in refusal(written(pypdf.PdfWriter()))


def test_pdf_refuses_too_many_pages(pdf_sample: bytes) -> None:
    assert "it has 4 pages, more than the 3 allowed" in refusal(pdf_sample, max_pages=3)


def test_pdf_names_html_with_wrong_suffix(fixtures: Path) -> None:
    data = (fixtures / "html_adi_pdf.pdf").read_bytes()
    assert "not a PDF but a web page" in refusal(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\0 ", "empty"),
        (b"PK\x03\x04" + b"x" * 99, "an Office or ZIP file"),
        (b"Merhaba", "not a PDF"),
        (b"%PDF-1.7\nyar", "damaged or incomplete"),
    ],
)
def test_pdf_says_why_it_refuses(data: bytes, reason: str) -> None:
    message = refusal(data)
    assert message.startswith("'belge.pdf' was refused")
    assert reason in message


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_pdf_survives_truncation(pdf_sample: bytes, kept: float) -> None:
    data = pdf_sample[: int(len(pdf_sample) * kept)]
    try:
        pages = PdfLoader().load(data, filename="yarim.pdf")
    except LoaderError as exc:
        assert "yarim.pdf" in str(exc)
    else:
        assert [page.number for page in pages] == list(range(1, len(pages) + 1))


def test_pdf_joins_broken_words(fixtures: Path) -> None:
    (page,) = PdfLoader().load((fixtures / "heceleme.pdf").read_bytes(), filename="a.pdf")
    for word in ("eğitim-öğretim", "değerlendirme", "değerlendirmesi", "İSG-KÂTİP", "işverence"):
        assert word in page.text


def test_pdf_flags_columns_read_across(fixtures: Path) -> None:
    data = (fixtures / "iki_sutun_satir_sirali.pdf").read_bytes()
    (page,) = PdfLoader().load(data, filename="a.pdf")
    assert "out of order" in page.warning


@pytest.mark.parametrize(
    ("option", "value"),
    [("timeout", 0), ("memory_limit", 16), ("max_pages", 0), ("page_seconds", 0)],
)
def test_pdf_refuses_useless_limit(option: str, value: int) -> None:
    with pytest.raises(SettingsError, match=f"{option}.*{value}"):
        PdfLoader(**{option: value})  # type: ignore[arg-type]  # numbers only


def test_pdf_refuses_page_that_names_a_picture_only() -> None:
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(width=100, height=100)
    picture = pypdf.generic.StreamObject()
    picture[pypdf.generic.NameObject("/Subtype")] = pypdf.generic.NameObject("/Image")
    drawn = pypdf.generic.DictionaryObject({pypdf.generic.NameObject("/A"): picture})
    page[pypdf.generic.NameObject("/Resources")] = pypdf.generic.DictionaryObject(
        {pypdf.generic.NameObject("/XObject"): drawn}
    )
    assert "no text on page 1" in refusal(written(writer))


def test_pdf_reason_names_no_class() -> None:
    assert not refusal(b"%PDF-1.7\nyar").endswith(")")
