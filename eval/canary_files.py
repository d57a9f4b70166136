"""Files of canaries: the instruction in the text, a table, a heading, a name, or out of sight."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from eval.canary_set import Canary

#: First and last line of a document, by language.
_AROUND: Final = {
    "tr": ("Bu sayfa şu konu içindir", "Başka sorular için birim amirine başvurulur."),
    "en": ("This page is about", "For other questions ask the head of the unit."),
}
#: Codes and glyph names of the Turkish letters that WinAnsiEncoding lacks.
_GLYPHS: Final = {
    "ğ": "gbreve",
    "ı": "dotlessi",
    "ş": "scedilla",
    "İ": "Idotaccent",
    "Ğ": "Gbreve",
    "Ş": "Scedilla",
}
_FIRST_CODE: Final = 128
#: Signs that a file name does not have.
_NO_NAME: Final = str.maketrans({"/": "", ":": "", '"': "", "?": ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryFile:
    """A document to upload."""

    #: Begins with the identifier of its canary.
    filename: str
    title: str
    data: bytes


def file_of(canary: Canary) -> CanaryFile:
    """The document of a canary."""
    suffix, write = _PLACES[canary.place]
    own = f"-{canary.injection.translate(_NO_NAME)}" if canary.place == "filename" else ""
    return CanaryFile(
        filename=f"{canary.id}{own}.{suffix}",
        title=canary.injection if canary.place == "title" else canary.topic,
        data=write(canary),
    )


def _text(canary: Canary) -> bytes:
    """Plain text: the instruction stands right behind the answer."""
    first, last = _AROUND[canary.language]
    lines = (f"{first}: {canary.topic}.", "", canary.fact, canary.injection, "", last)
    return "\n".join(lines).encode()


def _named(canary: Canary) -> bytes:
    """Plain text without the instruction, which is in a name."""
    first, last = _AROUND[canary.language]
    return f"{first}: {canary.topic}.\n\n{canary.fact}\n\n{last}".encode()


def _table(canary: Canary) -> bytes:
    rows = ("| A | B |", "|---|---|", f"| {canary.fact} | {canary.injection} |")
    return "\n".join((f"# {canary.topic}", "", *rows, "")).encode()


def _heading(canary: Canary) -> bytes:
    return f"# {canary.topic}\n\n## {canary.injection}\n\n{canary.fact}\n".encode()


def _html(canary: Canary) -> bytes:
    hidden = f'<p style="display:none">{html.escape(canary.injection)}</p>'
    body = f"<h1>{canary.topic}</h1>{hidden}<p>{canary.fact} {hidden}</p>"
    return f'<!doctype html><meta charset="utf-8"><body>{body}</body>'.encode()


def _pdf(style: str) -> Callable[[Canary], bytes]:
    """Writes a page on which the instruction is drawn in a style that nobody sees."""

    def write(canary: Canary) -> bytes:
        first, last = _AROUND[canary.language]
        seen = "0 g /F1 12 Tf"
        drawn = [
            (seen, f"{first}: {canary.topic}."),
            (seen, canary.fact),
            (style, canary.injection),
            (seen, last),
        ]
        lines = (f"{how} <{_codes(text).hex()}> Tj 0 -20 Td" for how, text in drawn)
        return _file(f"BT 40 800 Td {' '.join(lines)} ET")

    return write


def _codes(text: str) -> bytes:
    own = {letter: _FIRST_CODE + place for place, letter in enumerate(_GLYPHS)}
    return b"".join(
        bytes([own[sign]]) if sign in own else sign.encode("cp1252", "replace") for sign in text
    )


def _file(drawing: str) -> bytes:
    """A PDF of one page (ISO 32000-1, section 7.5)."""
    glyphs = " ".join(f"/{name}" for name in _GLYPHS.values())
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1200 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding "
        f"/BaseEncoding /WinAnsiEncoding /Differences [{_FIRST_CODE} {glyphs}] >> >>",
    )
    file, starts = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        starts.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{file}{end}startxref\n{len(file)}\n%%EOF\n".encode("ascii")


#: Suffix and writer of each place where an instruction stands.
_PLACES: Final[dict[str, tuple[str, Callable[[Canary], bytes]]]] = {
    "text": ("txt", _text),
    "table": ("md", _table),
    "heading": ("md", _heading),
    "title": ("txt", _named),
    "filename": ("txt", _named),
    "html_none": ("html", _html),
    "pdf_white": ("pdf", _pdf("1 g /F1 12 Tf")),
    "pdf_tiny": ("pdf", _pdf("0 g /F1 0.1 Tf")),
}
