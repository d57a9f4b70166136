from __future__ import annotations

import unicodedata
from copy import deepcopy
from pathlib import Path

import pytest
from docx.document import Document

from docrag.api import LoaderError
from docrag.loaders.docx import DocxLoader
from docrag.loaders.docxpages import read
from docrag.loaders.numbering import W
from tests.unit.loaders.office import W as OFFICE_W
from tests.unit.loaders.office import added, changed, refusal, text_of, word, word_body, zipped

RUN = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def run(text: str) -> str:
    return RUN.format(text)


def test_b10_table_stands_between_its_sections(fixtures: Path) -> None:
    data = (fixtures / "kkd_talimati.docx").read_bytes()
    text = "\n".join(page.text for page in DocxLoader().load(data, filename="a.docx"))
    row = text.index("| Kimyasal depo | Nitril eldiven (EN 374) | Her vardiya |")
    assert text.index("\n4. Uygulama") < row < text.index("\n5. Yaptırım")
    assert "İç tablo: numune alma noktası N-7" in text
    assert "Kontrollü kopya" not in text


def test_b10_text_box_stands_where_it_is(fixtures: Path) -> None:
    data = (fixtures / "metin_kutusu.docx").read_bytes()
    (page,) = DocxLoader().load(data, filename="a.docx")
    assert page.text.split("\n") == [
        "Metin kutusundan önce.",
        "KUTU: Acil duş en fazla 10 saniye uzaklıkta olmalıdır.",
        "Metin kutusundan sonra.",
    ]


def test_b11_section_is_named_and_page_is_not(fixtures: Path) -> None:
    data = (fixtures / "kkd_talimati.docx").read_bytes()
    pages = DocxLoader().load(data, filename="a.docx")
    (found,) = (page for page in pages if "baretler" in page.text)
    assert (found.section, found.number) == ("4. Uygulama", None)
    assert [page.section for page in pages][0] == "Kişisel Koruyucu Donanım Kullanım Talimatı"


def test_docx_gives_path_of_headings() -> None:
    def build(document: Document) -> None:
        for level, title in ((1, "Birinci"), (2, "Alt"), (1, "İkinci"), (3, "Derin")):
            document.add_heading(title, level)

    sections = [record["section"] for record in read(word(build))]
    assert sections == ["Birinci", "Birinci > Alt", "İkinci", "İkinci > Derin"]


def test_docx_counts_numbered_headings_and_lists() -> None:
    def build(document: Document) -> None:
        for text in ("Kask", "Gözlük"):
            document.add_paragraph(text, "List Number")
        document.add_paragraph("Baret", "List Bullet")
        document.add_paragraph("Eldiven", "List Bullet 2")

    assert text_of(read(word(build))).split("\n") == [
        "1. Kask",
        "2. Gözlük",
        "- Baret",
        "- Eldiven",
    ]


def test_docx_heading_has_the_number_of_its_style() -> None:
    def build(document: Document) -> None:
        listed = document.styles["List Number"].element.find(f"{W}pPr/{W}numPr")
        document.styles["Heading 1"].element.get_or_add_pPr().append(deepcopy(listed))
        for title in ("Amaç", "Uygulama"):
            document.add_heading(title, 1)

    assert [record["section"] for record in read(word(build))] == ["1. Amaç", "2. Uygulama"]


def test_docx_leaves_out_table_of_contents() -> None:
    data = word_body(
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/>"
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{paragraph(run('1. Amaç ... 3'))}</w:sdtContent>"
        "</w:sdt>",
        f"<w:sdt><w:sdtContent>{paragraph(run('Kalan'))}</w:sdtContent></w:sdt>",
    )
    assert text_of(read(data)) == "Kalan"


def test_docx_puts_footnotes_below_their_section() -> None:
    mark = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    data = word_body(
        paragraph(run("dayanarak;"), mark, run(" yine"), mark),
        "<w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr>" + run("Amaç") + "</w:p>",
    )
    notes = f"<w:footnotes {OFFICE_W}><w:footnote w:id='2'>{paragraph(run('Not'))}</w:footnote>"
    relation = (
        b'<Relationship Id="rIdN" Target="footnotes.xml" Type="http://schemas.openxmlformats.org/'
        b'officeDocument/2006/relationships/footnotes"/></Relationships>'
    )
    data = changed(
        data,
        "word/_rels/document.xml.rels",
        lambda xml: xml.replace(b"</Relationships>", relation),
    )
    data = added(data, "word/footnotes.xml", f"{notes}</w:footnotes>".encode())
    first, second = read(data)
    assert first["text"] == "dayanarak;[^1] yine[^1]\n[^1]: Not"
    assert second["section"] == "Amaç"


def test_docx_composes_letters() -> None:
    decomposed = unicodedata.normalize("NFD", "İşçi ığdır")
    assert text_of(read(word_body(paragraph(run(decomposed))))) == "İşçi ığdır"


def test_docx_leaves_out_what_is_not_seen() -> None:
    data = word_body(
        paragraph(
            run("Kalan "),
            f"<w:del>{run('silinen ')}</w:del>",
            "<w:r><w:rPr><w:vanish/></w:rPr><w:t>gizli </w:t></w:r>",
            "<w:r><w:instrText>KOMUT</w:instrText></w:r>",
            f"<w:ins>{run('eklenen')}</w:ins>",
        )
    )
    assert text_of(read(data)) == "Kalan eklenen"


def test_docx_reads_one_form_of_a_text_box() -> None:
    box = "<w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r>".format(
        paragraph(run("Kutu"))
    )
    both = f"<mc:AlternateContent><mc:Choice Requires='wps'>{box}</mc:Choice><mc:Fallback>{box}"
    data = word_body(paragraph(run("Önce"), f"{both}</mc:Fallback></mc:AlternateContent>"))
    assert text_of(read(data)) == "Önce\nKutu"


def test_docx_repeats_a_cell_that_spans_rows() -> None:
    def build(document: Document) -> None:
        table = document.add_table(3, 2)
        for row, texts in zip(table.rows, (("Kat", "Oda"), ("1", "A"), ("", "B|C")), strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
        table.cell(1, 0).merge(table.cell(2, 0))

    assert "| 1 | A |\n| 1 | B\\|C |" in text_of(read(word(build)))


def test_docx_reads_strict_form() -> None:
    usual = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    strict = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
    data = changed(
        word_body(paragraph(run("Işık"))),
        "word/document.xml",
        lambda xml: xml.replace(usual, strict),
    )
    assert text_of(read(data)) == "Işık"


def test_docx_reads_macro_file() -> None:
    data = changed(
        word_body(paragraph(run("Makro"))),
        "[Content_Types].xml",
        lambda xml: xml.replace(
            b"vnd.openxmlformats-officedocument.wordprocessingml.document.main",
            b"vnd.ms-word.document.macroEnabled.main",
        ),
    )
    assert text_of(read(data)) == "Makro"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"duz metin", "not a Word file"),
        (b"PK\x03\x04 bozuk", "damaged or incomplete"),
        (zipped({"a.xml": b"<a/>"}), "not a Word file"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le"), "an old Office file"),
    ],
)
def test_docx_refuses_what_it_cannot_read(data: bytes, reason: str) -> None:
    assert reason in refusal(read(data))


def test_docx_refuses_damaged_file_by_name(fixtures: Path) -> None:
    with pytest.raises(LoaderError, match=r"'bozuk\.docx' was refused: the file is damaged"):
        DocxLoader().load((fixtures / "bozuk.docx").read_bytes(), filename="bozuk.docx")


def test_docx_refuses_file_without_text() -> None:
    assert "holds no text" in refusal(read(word(lambda document: None)))
