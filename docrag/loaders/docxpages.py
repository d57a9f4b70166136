"""Reads the sections of a Word file with python-docx; runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from docx.opc.constants import RELATIONSHIP_TYPE

from docrag.api import LoaderError, Page
from docrag.loaders.docxtext import BOX, HIDDEN, alternative, alternatives, pieces
from docrag.loaders.numbering import Element, Numbering, W, attribute, integer
from docrag.loaders.outline import Outline
from docrag.loaders.raised import joined
from docrag.loaders.records import Record, records
from docrag.loaders.tables import markdown, repeatable
from docrag.loaders.wordparts import WordParts
from docrag.loaders.wordstyles import Styles

#: Blanks in front of a list item for each level.
_INDENT = "  "
#: What text may stand in: content controls, custom tags, and what was inserted or moved here.
_WRAPPERS = frozenset(W + name for name in ("sdtContent", "customXml", "ins", "moveTo"))


def read(data: bytes) -> Iterator[Record]:
    """One record a section, or one ``error`` for a refusal."""
    return records(lambda: _pages(data))


def _pages(data: bytes) -> list[Page]:
    pages = _Document(WordParts(data)).pages()
    if not pages:
        raise LoaderError("it holds no text; if it holds pictures of pages, save it as a PDF")
    return pages


class _Document:
    """One document while it is read."""

    def __init__(self, parts: WordParts) -> None:
        self._body = parts.main().find(W + "body")
        self._numbering = Numbering(parts.related(RELATIONSHIP_TYPE.NUMBERING))
        self._styles = Styles(parts.related(RELATIONSHIP_TYPE.STYLES))
        self._notes = {
            kind: {note.get(W + "id"): note for note in root.iterchildren(W + kind)}
            for kind, relation in (
                ("footnote", RELATIONSHIP_TYPE.FOOTNOTES),
                ("endnote", RELATIONSHIP_TYPE.ENDNOTES),
            )
            if (root := parts.related(relation)) is not None
        }
        self._outline = Outline()
        #: Texts of the notes whose marks stand in the section that is being read.
        self._waiting: list[str] = []
        self._marks: dict[tuple[str, str | None], str] = {}

    def pages(self) -> list[Page]:
        """One page for each section with text."""
        if self._body is not None:
            self._styles.place(self._body)
            self._read(self._body)
        self._put_notes()
        pages = self._outline.pages()
        return [replace(pages[0], warning=self._warning()), *pages[1:]] if pages else []

    def _warning(self) -> str:
        """What is lost of the document; empty for nothing."""
        foreign = () if self._body is None else self._body.iter(W + "altChunk")
        count = sum(1 for _ in foreign)
        return (
            f"{count} other files that are put in were left out; save it in Word" if count else ""
        )

    def _read(self, parent: Element, *, boxed: bool = False) -> None:
        for block in _blocks(parent):
            if block.tag == W + "tbl":
                self._table(block, boxed=boxed)
            else:
                self._paragraph(block, boxed=boxed)

    def _paragraph(self, paragraph: Element, *, boxed: bool) -> None:
        style = self._styles.of(paragraph)
        if style.contents:
            return
        found = list(pieces(paragraph))
        text = self._text(found)
        label, depth = self._label(paragraph, text)
        if style.level and text and not boxed:
            self._put_notes()
            self._outline.heading(style.level, f"{label}{text}")
        else:
            self._outline.add(f"{_INDENT * depth}{label}{text}" if text else "")
        for box in found:
            if not isinstance(box, str) and box.tag == BOX:
                self._read(box, boxed=True)

    def _text(self, found: list[str | Element]) -> str:
        """The words of a paragraph, with marks where notes stand."""
        words = [piece if isinstance(piece, str) else self._mark(piece) for piece in found]
        text = joined("".join(words))
        return "\n".join(re.sub(r"[ \t]+", " ", part).strip() for part in _lines(text))

    def _mark(self, element: Element) -> str:
        """The mark of a note, whose text then waits for the end of the section."""
        if element.tag == BOX:
            return ""
        kind = "footnote" if element.tag == W + "footnoteReference" else "endnote"
        key = (kind, element.get(W + "id"))
        if key not in self._marks:  # a note that is referred to again is not told again
            note = self._notes.get(kind, {}).get(key[1])
            text = "" if note is None else self._flat(note)
            self._marks[key] = f"[^{len(self._marks) + 1}]" if text else ""
            self._waiting += [f"{self._marks[key]}: {text}"] if text else []
        return self._marks[key]

    def _put_notes(self) -> None:
        for note in self._waiting:
            self._outline.add(note)
        self._waiting = []

    def _label(self, paragraph: Element, text: str) -> tuple[str, int]:
        """Number or bullet with a blank behind it, and the depth of the list, from 0."""
        num, level = self._styles.list_of(paragraph, self._numbering)
        if not num or not (text or _counted(paragraph)):
            return "", 0
        # Word counts an empty item, too, and shows its number alone.
        label = self._numbering.label(num, level)
        return (f"{label} ", level) if label and text else ("", 0)

    def _table(self, table: Element, *, boxed: bool) -> None:
        rows = list(_rows(table))
        cells = list(_cells(rows[0])) if len(rows) == 1 else []
        if len(cells) == 1:  # a frame around text
            self._read(cells[0], boxed=boxed)
        else:
            self._outline.table(markdown(self._texts(rows)))

    def _texts(self, rows: list[Element]) -> list[list[str]]:
        """Texts of a table's cells; a cell that spans rows stands in each of them."""
        texts: list[list[str]] = []
        above: dict[int, str] = {}
        for row in rows:
            line = [""] * _span(row, "trPr/gridBefore", 0)
            for cell in _cells(row):
                merged = cell.find(f"{W}tcPr/{W}vMerge")
                goes_on = merged is not None and merged.get(W + "val", "continue") == "continue"
                text = above.get(len(line), "") if goes_on else self._flat(cell)
                above[len(line)] = repeatable(text)
                line += [text, *[""] * (_span(cell, "tcPr/gridSpan", 1) - 1)]
            texts.append(line + [""] * _span(row, "trPr/gridAfter", 0))
        return texts

    def _flat(self, parent: Element) -> str:
        """All text of a cell or a note on one line."""
        parts: list[str] = []
        for block in _blocks(parent):
            if block.tag == W + "tbl":
                rows = self._texts(list(_rows(block)))
                parts += ["; ".join(filter(None, (", ".join(filter(None, row)) for row in rows)))]
                continue
            found = list(pieces(block))
            text = self._text(found)
            parts.append("".join(self._label(block, text)[:1]) + text)
            parts += [
                self._flat(box) for box in found if not isinstance(box, str) and box.tag == BOX
            ]
        return " ".join(" ".join(parts).split())


#: Most columns that one cell is spread over; Word has 63, but a table of that many is an attack.
_MAX_SPAN = 24


def _counted(paragraph: Element) -> bool:
    """True for a paragraph without words that stands on a line of its own all the same."""
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is None or (mark.find(W + "vanish") is None and mark.find(W + "del") is None)


def _span(element: Element, path: str, otherwise: int) -> int:
    """Number of columns that a cell or the room beside a row takes."""
    return min(integer(attribute(element, path), otherwise), _MAX_SPAN)


def _lines(text: str) -> list[str]:
    return text.strip().split("\n")


def _blocks(parent: Element) -> Iterator[Element]:
    """Paragraphs and tables in order, out of what may be wrapped around them."""
    for child in parent.iterchildren("*"):
        if child.tag in (W + "p", W + "tbl"):
            yield child
        elif child.tag == W + "sdt":
            if attribute(child, "sdtPr/docPartObj/docPartGallery") != "Table of Contents":
                yield from _blocks(child)
        elif alternatives(child):
            yield from _blocks(alternative(child))
        elif child.tag in _WRAPPERS:
            yield from _blocks(child)


def _rows(table: Element) -> Iterator[Element]:
    return _within(table, W + "tr")


def _cells(row: Element) -> Iterator[Element]:
    return _within(row, W + "tc")


def _within(parent: Element, tag: str) -> Iterator[Element]:
    """Children of one kind, out of what may be wrapped around them; deleted ones are left out."""
    for child in parent.iterchildren("*"):
        if child.tag == tag:
            if child.find(f"{W}trPr/{W}del") is None:
                yield child
        elif child.tag not in HIDDEN and (child.tag == W + "sdt" or child.tag in _WRAPPERS):
            yield from _within(child, tag)
