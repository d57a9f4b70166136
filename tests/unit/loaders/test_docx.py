from __future__ import annotations

import unicodedata
from copy import deepcopy
from pathlib import Path

import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE

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


def test_docx_counts_an_empty_item() -> None:
    def build(document: Document) -> None:
        for text in ("Gazı kapat", "", "Pencereyi aç"):
            document.add_paragraph(text, "List Number")

    assert text_of(read(word(build))) == "1. Gazı kapat\n\n3. Pencereyi aç"


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


@pytest.mark.parametrize(
    ("property_", "text"),
    [
        ("<w:vertAlign w:val='superscript'/>", "10³ adet"),
        ("<w:vertAlign w:val='subscript'/>", "10₃ adet"),
        ("<w:strike/>", "10~~3~~ adet"),
        ("<w:dstrike/>", "10~~3~~ adet"),
        ("<w:strike w:val='0'/>", "103 adet"),
    ],
)
def test_docx_marks_figures_that_do_not_stand_in_line(property_: str, text: str) -> None:
    marked = f"<w:r><w:rPr>{property_}</w:rPr><w:t>3</w:t></w:r>"
    assert text_of(read(word_body(paragraph(run("10"), marked, run(" adet"))))) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<m:f><m:num>{1}</m:num><m:den>{2}</m:den></m:f>", "1/2"),
        ("<m:f><m:num>{a+b}</m:num><m:den>{2}</m:den></m:f>", "(a+b)/2"),
        ("<m:sSup><m:e>{10}</m:e><m:sup>{3}</m:sup></m:sSup>", "10³"),
        ("<m:sSub><m:e>{L}</m:e><m:sub>{max}</m:sub></m:sSub>", "L_max"),
        ("<m:rad><m:deg/><m:e>{16}</m:e></m:rad>", "√16"),
        ("{2}<m:d><m:e>{3+4}</m:e></m:d>", "2(3+4)"),
    ],
)
def test_docx_writes_formula_in_line(formula: str, text: str) -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    body = formula.replace("{", "<m:r><m:t>").replace("}", "</m:t></m:r>")
    data = word_body(paragraph(f"<m:oMath xmlns:m='{math}'>{body}</m:oMath>"))
    assert text_of(read(data)) == text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("<w:checkBox><w:checked/></w:checkBox>", "Uygun ☒"),
        ("<w:checkBox><w:default w:val='0'/></w:checkBox>", "Uygun ☐"),
        (
            "<w:ddList><w:result w:val='1'/><w:listEntry w:val='Hayır'/><w:listEntry w:val='Evet'/>"
            "</w:ddList>",
            "Uygun Evet",
        ),
    ],
)
def test_docx_reads_form_fields(field: str, text: str) -> None:
    begin = f"<w:fldChar w:fldCharType='begin'><w:ffData>{field}</w:ffData></w:fldChar>"
    assert text_of(read(word_body(paragraph(run("Uygun "), f"<w:r>{begin}</w:r>")))) == text


def test_docx_raises_what_its_character_style_raises() -> None:
    def build(document: Document) -> None:
        style = document.styles.add_style("Dipnot", WD_STYLE_TYPE.CHARACTER)
        style.font.superscript = True
        line = document.add_paragraph("50")
        line.add_run("1", "Dipnot")
        line.add_run(" ppm")

    assert text_of(read(word(build))) == "50¹ ppm"


def test_docx_reads_signs_of_symbol_fonts() -> None:
    sign = "<w:r><w:sym w:font='Symbol' w:char='F0B3'/></w:r>"
    assert text_of(read(word_body(paragraph(run("O "), sign, run(" 19"))))) == "O ≥ 19"


def test_docx_row_that_begins_late_keeps_its_columns() -> None:
    cells = "<w:tc>{}</w:tc>".format
    full = "".join(cells(paragraph(run(text))) for text in ("Gaz", "Sınır", "Alarm"))
    late = "<w:trPr><w:gridBefore w:val='1'/></w:trPr>" + cells(paragraph(run("30")))
    data = word_body(f"<w:tbl><w:tr>{full}</w:tr><w:tr>{late}</w:tr></w:tbl>")
    assert text_of(read(data)).endswith("\n|  | 30 |  |")


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


def test_docx_warns_of_files_that_are_put_in() -> None:
    (record,) = read(word_body("<w:altChunk/>", paragraph(run("Metin"))))
    assert record["warning"] == "1 other files that are put in were left out; save it in Word"


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
