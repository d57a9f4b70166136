"""Notes of documents are told in the language of a page, and none of docrag's own is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import Babel

import docrag
from docrag.web.pages.notices import NOTES, PARTS, known, told

PACKAGE = Path(docrag.__file__).parent
#: Errors whose message a document keeps.
ERRORS = {"DocumentError", "LoaderError", "UnsupportedDocument"}
#: Not kept by a document (a re-embedding logs it), or put together from a variable, see below.
ELSEWHERE = {"filling.py", "visionserver.py"}


@pytest.fixture
def turkish() -> Iterator[None]:
    """A request of somebody who reads Turkish."""
    app = Flask("docrag.web")
    Babel(app, locale_selector=lambda: "tr", default_translation_directories="translations")
    with app.test_request_context():
        yield


def raised() -> Iterator[str]:
    """What loaders and the ingest say in errors, with samples for the values."""
    for path in sorted([*PACKAGE.glob("loaders/*.py"), *PACKAGE.glob("ingest/*.py")]):
        if path.name in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ERRORS and node.args:
                yield from sampled(node.args[0])


def sampled(node: ast.expr) -> Iterator[str]:
    """The text of a literal with values in it; nothing for a variable."""
    if isinstance(node, ast.IfExp):
        yield from (*sampled(node.body), *sampled(node.orelse))
    if isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else value(part)
            for part in node.values
        )
    if isinstance(node, ast.Constant):
        yield str(node.value)


def value(part: ast.expr) -> str:
    name = ast.unparse(part).strip("{}f'\"")
    return " was refused: " if name == "REFUSED" else "'ad.pdf'" if "!r" in name else "7"


def test_errors_are_found() -> None:
    assert len(set(raised())) > 30


@pytest.mark.parametrize("text", sorted(set(raised())))
def test_error_is_known_to_the_pages(text: str) -> None:
    assert known(text) is not None, "give it a text in docrag/web/pages/notices.py"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (
            "'a.pdf' was refused: no text on pages 1–12; it holds only pictures (a scan); have its "
            "text recognised (OCR) first",
            "'a.pdf' alınmadı: metin yok (sayfa 1–12); yalnızca resim içeriyor (tarama); önce "
            "metin tanıma (OCR) uygulayın",
        ),
        (
            "'ı.pdf' is named .pdf but holds an HTML page; save it as what it is",
            "'ı.pdf' okunamıyor: adı .pdf ile bitiyor, ama içeriği başka (HTML sayfası); gerçek "
            "türüyle kaydedin",
        ),
        (
            "the lines of page 3 may be out of order; its columns were read across",
            "sayfa 3: satırların sırası karışmış olabilir; sütunlar enlemesine okundu",
        ),
        ("hidden sheets were left out: Gizli, İç", "gizli sayfalar alınmadı: Gizli, İç"),
        ("slide 2 holds no text", "slayt 2 metin içermiyor"),
        (
            "unreadable characters of the file stand as \ufffd: 3; text that the page hides or "
            "draws was left out: 12 characters",
            "okunamayan karakterler \ufffd ile gösterildi: 3; sayfanın gizlediği ya da çizdiği "
            "metin alınmadı: 12 karakter",
        ),
        (
            "page 4 was read by text recognition; its numbers and signs such as %, ° may be wrong; "
            "check them",
            "sayfa 4 metin tanımayla okundu; sayılar ve %, ° gibi işaretler yanlış olabilir; "
            "denetleyin",
        ),
        (
            "chunk 3 (MADDE 5) on page 2 could not be embedded and is not found",
            "sayfa 2, parça 3 (MADDE 5): vektöre çevrilemedi, aramada bulunmaz",
        ),
        (
            "page 1 could not be read: vLLM answered 500: it failed over this page",
            "sayfa 1 okunamadı: vLLM 500 yanıtını verdi: bu sayfada başarısız oldu",
        ),
    ],
)
@pytest.mark.usefixtures("turkish")
def test_note_is_told_in_turkish(note: str, said: str) -> None:
    assert told(note) == said


@pytest.mark.usefixtures("turkish")
@pytest.mark.parametrize("note", ["", "'x.csv' has no row", "%(name)s; %s", "page 1: " * 500])
def test_note_of_others_stays_as_it_is(note: str) -> None:
    assert told(note) == note


def test_note_is_told_in_english_as_it_was_kept() -> None:
    for template in (*NOTES, *PARTS):
        text = template.replace("%(", "").replace(")s", "")
        assert told(text) == text


@pytest.mark.usefixtures("turkish")
def test_values_are_not_read_as_templates() -> None:
    assert told("'%(why)s' is empty") == "'%(why)s' boş"
