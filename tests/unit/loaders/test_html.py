from __future__ import annotations

from pathlib import Path

import pytest

from docrag.loaders.html import HtmlLoader
from docrag.loaders.htmlpages import read
from tests.unit.loaders.office import refusal, text_of

#: What all three forms of the same page say.
EXPECTED = """İş Elbisesi Yönergesi
BİRİNCİ BÖLÜM
Amaç ve Kapsam
Amaç
MADDE 1 – (1) Bu Yönergenin amacı, iş elbisesi dağıtımını düzenlemektir.
Dağıtım
MADDE 2 – (1) İş elbisesi yılda iki kez, nisan ve ekim aylarında verilir.
(2) Yırtılan elbise üç gün içinde değiştirilir.

| Unvan | Adet |
|---|---|
| Kaynakçı | 3 |
| Şoför | 2 |

Sayfa 1/1"""


def shown(body: str, head: str = "") -> str:
    """The text that a page shows."""
    return text_of(read(f"<html><head>{head}</head><body>{body}</body></html>".encode()))


@pytest.mark.parametrize("name", ["cp1254", "meta_yok_iso9", "xhtml_utf8"])
def test_b09_html_reads_the_same_in_every_encoding(fixtures: Path, name: str) -> None:
    data = (fixtures / f"is_elbisesi_{name}.html").read_bytes()
    pages = HtmlLoader().load(data, filename="a.html")
    assert "\n".join(page.text for page in pages) == EXPECTED
    assert [page.section for page in pages][1:] == [
        "BİRİNCİ BÖLÜM",
        "BİRİNCİ BÖLÜM > Amaç ve Kapsam",
    ]


def test_b32_html_hidden_text_is_not_loaded(fixtures: Path) -> None:
    data = (fixtures / "is_elbisesi_cp1254.html").read_bytes()
    text = str(HtmlLoader().load(data, filename="a.html"))
    assert not [word for word in ("parolayı", "yok say", "MADDE 77", "display") if word in text]


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "cp1254"),
        ("windows-1254", "utf-8"),
        ("iso-8859-1", "cp1254"),
        ("utf-7", "cp1254"),
        ("zlib_codec", "cp1254"),
        ("yok", "iso8859-9"),
        ("utf-8", "utf-16"),
        ("cp857", "cp857"),
        ("koi8-r", "utf-8"),
    ],
)
def test_html_ignores_wrong_charset(declared: str, encoding: str) -> None:
    page = f'<meta charset="{declared}"><p>Çağrı, ışık, şöför, ÜĞ İş</p>'
    assert text_of(read(page.encode(encoding))) == "Çağrı, ışık, şöför, ÜĞ İş"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">X</div>',
        '<div style="color:red; DISPLAY : NONE !important">X</div>',
        '<span style="visibility:hidden">X</span>',
        '<p style="font-size:0px">X</p>',
        '<p style="font-size:.0em;color:red">X</p>',
        '<p style="opacity:0">X</p>',
        "<p hidden>X</p>",
        '<p aria-hidden="true">X<b>X</b></p>',
        '<input type="hidden" value="X">',
        "<!-- X -->",
        "<script>X</script>",
        "<template><p>X</p></template>",
        "<noscript>X</noscript>",
        "<nav>X</nav>",
        '<p class="g">X</p>',
        '<p class="m">X</p>',
        '<p id="s"><i>X</i></p>',
        '<img src="X">',
    ],
)
def test_html_drops_hidden_text(hidden: str) -> None:
    style = ".g, .h {display:none} @media screen{.m{visibility:hidden}} #s{/*a*/font-size:0}"
    assert shown(f"<p>A</p>{hidden}<p>B</p>", f"<style>{style}</style>") == "A\nB"


@pytest.mark.parametrize(
    "style",
    [
        "@media print{.g{display:none}}",
        ".g{display:none} p.g{display:block}",
        ".g{display:none} @media (min-width:768px){.g{display:block}}",
        "@media screen and (min-width: 1024px){.g{display:none}}",
        "p.g{display:block} .g{display:none}",
        ".g{display:block !important} #k.g{display:none}",
        "@media (max-width:600px){.g{display:none}}",
        ".g{display:none} .g{display:block}",
        ".g:hover{display:none} .g::before{display:none}",
        "body{display:none}",
        ".g{font-size:0.9em;opacity:0.5}",
        "x{{{ .g{display:none",
    ],
)
def test_html_keeps_visible_text(style: str) -> None:
    assert shown('<p id="k" class="g">Görünür</p>', f"<style>{style}</style>") == "Görünür"


@pytest.mark.parametrize(
    "style",
    [
        "p.g{display:none} .g{display:block}",
        ".g{visibility:hidden} p.g{display:block}",
        ".g{display:none !important} p.g{display:block}",
        ".g{display:none} .g:hover{display:block}",
        ".g{display:none} @media print{p.g{display:block}}",
        ".g{display:none} @media (min-width:4000px){p.g{display:block}}",
    ],
)
def test_html_weaker_rule_does_not_show_again(style: str) -> None:
    assert shown('<p>A</p><p class="g">X</p>', f"<style>{style}</style>") == "A"


def test_html_own_style_is_stronger_than_a_sheet() -> None:
    body = "<p class=g style='display:block'>A</p><p class=h style='display:block'>X</p>"
    style = "<style>.g{display:none} .h{display:none!important}</style>"
    assert shown(body, style) == "A"


def test_html_warns_of_text_that_a_style_hides() -> None:
    page = (
        "<style>.tab{display:none}.tab.on{display:block}</style><div class='tab on'>112</div>"
        "<svg><title>x</title><text>!</text></svg>"
        "<div class=tab>Işık <b>aç</b><script>x()</script></div><script>y()</script><!-- z -->"
    )
    (record,) = read(page.encode())
    assert record["text"] == "112"
    assert record["warning"] == "text that the page hides or draws was left out: 7 characters"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("10<sup>3</sup> CFU", "10³ CFU"),
        ("50<sup><a href='#1'>1</a></sup> ppm", "50¹ ppm"),
        ("CO<sub>2</sub>, 25<sup>o</sup>C", "CO₂, 25°C"),
        ("<del>1000</del><ins>800</ins> kg", "~~1000~~800 kg"),
        ("<s>10<b>00</b> kg</s> 800 kg", "~~1000 kg~~ 800 kg"),
        ("3 <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> doz", "3 1/2 doz"),
        ("<math><msup><mn>10</mn><mn>3</mn></msup></math>", "10³"),
        ("<math><msqrt><mn>16</mn></msqrt></math>", "√16"),
        ("<math><mn>1</mn><annotation>X</annotation><mn hidden>X</mn></math>", "1"),
        ("<table><tr><td>a<td>10<sup>3</sup></table>", "| a | 10³ |\n|---|---|"),
    ],
)
def test_html_marks_figures_that_do_not_stand_in_line(body: str, text: str) -> None:
    assert shown(body) == text


def test_html_marks_list_items() -> None:
    body = "<ul><li>Bir<ul><li>Alt</ul><li><p>İki</p></ul><ol start=3><li>Üç<li value=7>Yedi</ol>"
    assert shown(body) == "- Bir\n  - Alt\n- İki\n3. Üç\n7. Yedi"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Sınır: <input value='85 dB' readonly> kişi", "Sınır: 85 dB kişi"),
        ("<select><option>Hayır<option selected>Evet</select> uygun", "Evet uygun"),
        ("<select><option>Hayır<option>Evet</select>", "Hayır"),
        ("<input type=checkbox checked>Baret <input type=radio>Gözlük", "☒ Baret ☐ Gözlük"),
        ("A<input type=password value=X><input type=submit value=X>", "A"),
    ],
)
def test_html_reads_what_a_form_shows(body: str, text: str) -> None:
    assert shown(body) == text


@pytest.mark.parametrize(
    ("opening", "marks"),
    [
        ("<ol type=a>", ["a.", "b."]),
        ("<ol type=I start=4>", ["IV.", "V."]),
        ("<ol reversed>", ["2.", "1."]),
        ("<ol reversed start=9>", ["9.", "8."]),
        ("<ol style='list-style-type: lower-roman'>", ["i.", "ii."]),
        ("<ul style='list-style: none'>", ["-", "-"]),
    ],
)
def test_html_counts_items_as_the_list_asks(opening: str, marks: list[str]) -> None:
    lines = shown(f"{opening}<li>x<li>y").split("\n")
    assert [line.split()[0] for line in lines] == marks


def test_html_keeps_cells_that_span() -> None:
    body = (
        "<table><tr><th>Kat<th>Oda<th>Not<tr><td rowspan=2>1<td>A<td>x"
        "<tr><td colspan=2>B|C<tr><td>2<td>D<td>y</table>"
    )
    assert shown(body).split("\n")[2:] == ["| 1 | A | x |", "| 1 | B\\|C |  |", "| 2 | D | y |"]


def test_html_table_that_arranges_the_page_is_none() -> None:
    body = "<table><tr><td><h1>Başlık</h1><table><tr><td>a<td>b</table></td><td>yan</table>"
    assert shown(body) == "Başlık\n\n| a | b |\n|---|---|\n\nyan"


@pytest.mark.parametrize(
    "body", ["<h1>Baş<br>lık<p>Metin", "<h1><div>Baş <b>lık</b></div></h1>Metin"]
)
def test_html_heading_ends_where_text_begins(body: str) -> None:
    (record,) = read(body.encode())
    assert (record["section"], record["text"]) == ("Baş lık", "Baş lık\nMetin")


def test_html_keeps_lines_of_code_and_breaks() -> None:
    assert shown("<p>bir<br>iki   üç</p><pre>a\n  b</pre>") == "bir\niki üç\na\n  b"


def test_html_fetches_no_entity(fixtures: Path) -> None:
    text = text_of(read((fixtures / "is_elbisesi_xhtml_utf8.html").read_bytes()))
    assert "root:" not in text
    assert "&x;" not in text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<html><body><script>x</script></body></html>", "shows no text"),
        (b"\x00\x01\x02\x03" * 50, "binary data"),
        (b"  ", "empty"),
        (b"<div>" * 6000 + b"x", "nested more than 5000 deep"),
    ],
)
def test_html_refuses_what_it_cannot_read(data: bytes, reason: str) -> None:
    assert reason in refusal(read(data))
