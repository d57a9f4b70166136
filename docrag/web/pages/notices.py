"""What docrag noted of a document while it was taken in and read, in the language of a page.

Documents keep such notes in English, the language of the log, of programs and of plug-ins. A page
tells those that it knows in its own language, and a note of a plug-in as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from docrag.web.pages.translate import gettext


def N_(text: str) -> str:  # noqa: N802 - the name by which Babel finds texts that wait
    """The text itself: marked for the catalogue, translated when a page shows it."""
    return text


#: Longest note that is looked at, characters; notes are a line or two.
_LONGEST: Final = 1_000
#: Values that are digits; all others are any text.
_NUMBERS: Final = frozenset(
    {"code", "count", "first", "last", "most", "number", "page", "seconds", "size", "width"}
)
_DIGITS: Final = r"-?[\d.]+"
_TEXT: Final = ".+?"
#: Values that are notes themselves.
_NOTES: Final = frozenset({"advice", "kind", "where", "why"})

#: What is noted of files, the more particular before the more general.
NOTES: Final = (
    N_("%(name)s was refused: %(why)s"),
    N_("page %(page)s could not be read: %(why)s"),
    N_("page %(page)s was read by text recognition; %(why)s"),
    N_("page %(page)s: %(why)s"),
    N_("no page of it could be read: %(why)s"),
    # Files that are not what they should be.
    N_("%(name)s is named .pdf but holds no PDF header; save it as what it is"),
    N_("%(name)s is named .%(suffix)s but holds %(kind)s; %(advice)s"),
    N_("%(name)s cannot be read; %(advice)s"),
    N_("%(name)s is empty"),
    N_("%(name)s is no regular file; give one that is"),
    N_("%(name)s has %(size)s MiB; the limit is %(most)s MiB (DOCRAG_UPLOAD_LIMIT)"),
    N_("%(name)s holds more than %(most)s MiB of text"),
    N_("%(name)s holds no text that can be searched"),
    N_(
        "%(name)s has more text than %(most)s chunks hold; split it into smaller documents, or "
        "raise DOCRAG_DOCUMENT_CHUNKS"
    ),
    N_("the file has no name; give it one, with a suffix such as .pdf"),
    N_("the title has %(count)s characters; shorten it to %(most)s"),
    N_("the file is empty"),
    N_("the file holds no text, only blanks"),
    N_("the file holds no text for readers"),
    N_("the file is damaged or incomplete; open it in its program and save it again"),
    N_("it is not a text file but binary data"),
    N_("it is not a web page (.html)"),
    N_("it is not a PDF"),
    N_("it is not a PDF but %(kind)s"),
    N_("it is not %(kind)s, or damaged"),
    N_("it is an old Office file, not %(kind)s"),
    N_("it is not %(kind)s"),
    N_("it is protected with a password; save a copy without one"),
    N_("it is protected with a password; save a copy without protection"),
    N_("it is protected or encrypted; save a copy without a password and protection"),
    # Limits.
    N_("it has more than %(most)s lines; split it into smaller files"),
    N_("it has more than %(most)s tags; split it into smaller files"),
    N_("it has more than %(most)s parts; split it into smaller files"),
    N_("it has more than %(most)s elements and attributes; split it into smaller files"),
    N_("it has more than %(most)s sheets; split it into smaller files"),
    N_("it has %(count)s pages, more than the %(most)s allowed; split it"),
    N_("its elements are nested more than %(most)s deep; save it as text"),
    N_(
        "its text unpacks to %(size)s MiB, more than the %(most)s MiB that are read; split it into "
        "smaller files"
    ),
    N_("its content unpacks to an unreasonable size; print it to a new PDF"),
    N_("it holds a document type with entities, which no Office program writes"),
    N_("a single text in it is longer than any program writes; split it"),
    N_(
        "a sheet reaches to row %(last)s and column %(width)s; delete what stands far outside, or "
        "split the sheet"
    ),
    N_(
        "it was not read within %(seconds)s seconds; split it into smaller files or save it again "
        "in a simpler form"
    ),
    N_(
        "reading it needs more than %(most)s MiB of memory; split it into smaller files or save it "
        "again in a simpler form"
    ),
    N_("the reader broke down (code %(code)s)"),
    N_("it could not be read; save it again"),
    # Files without text.
    N_("the PDF is damaged or incomplete; export it again from its source"),
    N_("it has no pages"),
    N_("it holds no text; if it holds pictures of pages, save it as a PDF"),
    N_("its slides hold no text; if they hold pictures of pages, save as PDF"),
    N_("its visible sheets hold no text"),
    N_("its sheets are empty"),
    N_("it shows no text; if a script fetches it, save the page from a browser"),
    N_(
        "the text of %(where)s is garbled, for its fonts name no letters; have its text recognised "
        "(OCR) first"
    ),
    N_("no text on %(where)s; none was recognised in its pictures"),
    N_(
        "no text on %(where)s; it holds only pictures (a scan); have its text recognised (OCR) "
        "first"
    ),
    N_("no text on %(where)s; nothing stands there, or it is damaged"),
    # Pages and parts with gaps.
    N_("no text on page %(page)s; none was recognised in its picture"),
    N_("no text on page %(page)s; it may be a scanned picture"),
    N_("no text on page %(page)s but %(count)s characters; it may be a scanned picture"),
    N_("no text on %(where)s"),
    N_("the text of page %(page)s was recognised with little confidence; check it"),
    N_("the text of page %(page)s may be garbled; it holds few Latin letters"),
    N_("the text of page %(page)s may be garbled; it cannot be read as words"),
    N_("page %(page)s has a large picture beside its text; what it says was not read"),
    N_("the lines of page %(page)s may be out of order; its columns were read across"),
    N_("its numbers and signs such as %(signs)s may be wrong; check them"),
    N_("page %(page)s cannot be opened to draw it"),
    N_("page %(page)s has no size to draw it in"),
    N_("slide %(number)s is hidden and was left out"),
    N_("slide %(number)s holds no text"),
    N_("hidden sheets were left out: %(names)s"),
    N_("%(count)s other files that are put in were left out; save it in Word"),
    N_("unreadable characters of the file stand as %(sign)s: %(count)s"),
    N_("text that the page hides or draws was left out: %(count)s characters"),
    # Text recognition.
    N_("no text could be recognised in it; scan it again"),
    N_(
        "its text was not recognised within %(seconds)s seconds; scan it with fewer dots an inch, "
        "or raise page_seconds of DOCRAG_OCR_OPTIONS"
    ),
    N_(
        "its text has more than %(most)s tokens, or the model does not end; raise max_tokens of "
        "DOCRAG_OCR_OPTIONS"
    ),
    N_("the vision model refused to transcribe it, or was shown no picture"),
    N_("the vision model refused to transcribe it"),
    N_("the vision model wrote nothing about it"),
    N_("the vision model repeated itself endlessly over it"),
    N_("%(name)s did not read it within %(seconds)s s; raise timeout of DOCRAG_OCR_OPTIONS"),
    N_("%(name)s answered %(code)s: it does not take this picture"),
    N_("%(name)s answered %(code)s: it failed over this page"),
    N_(
        "%(name)s answered %(code)s: the picture exceeds the model's context window; raise "
        "context_window"
    ),
    N_("text recognition could not be used; the operator finds why in the log"),
    # Vectors and workers.
    N_("chunk %(chunk)s on page %(page)s could not be embedded and is not found"),
    N_("chunk %(chunk)s in %(section)s could not be embedded and is not found"),
    N_("chunk %(chunk)s could not be embedded and is not found"),
    N_(
        "chunk %(chunk)s on page %(page)s could not be embedded by %(model)s and is found by its "
        "words only"
    ),
    N_("chunk %(chunk)s could not be embedded by %(model)s and is found by its words only"),
    N_(
        "the embedding model could not be reached or gave no usable answer; the operator finds why "
        "in the log"
    ),
    N_("the embedding model refused all of the text; the operator finds why in the log"),
    N_(
        "the worker died or stood still %(count)s times while it read this document; it may need "
        "more memory than there is, or the file is broken"
    ),
    N_("the database failed while the document was read"),
    N_("reading it was cancelled; retry it, or delete it"),
    N_("internal error: %(error)s; see the log"),
)
#: What stands in a note for advice, a place or a kind of file.
PARTS: Final = (
    N_("save a copy without the password"),
    N_("open it in its program and save it as %(suffix)s"),
    N_("save it as what it is"),
    N_("save it as .%(suffix)s"),
    N_("docrag reads: %(suffixes)s"),
    N_("page %(page)s"),
    N_("pages %(first)s–%(last)s"),
    N_("a PDF"),
    N_("an HTML page"),
    N_("a web page (HTML)"),
    N_("plain text"),
    N_("a PNG image"),
    N_("a JPEG image"),
    N_("an RTF file"),
    N_("a Word file (.docx)"),
    N_("a PowerPoint file (.pptx)"),
    N_("an Excel file (.xlsx)"),
    N_("a spreadsheet (.xlsx, .xls or .ods)"),
    N_("an OpenDocument spreadsheet (.ods)"),
    N_("an OpenDocument text (.odt)"),
    N_("an OpenDocument presentation (.odp)"),
    N_("a ZIP or Office file"),
    N_("an Office or ZIP file"),
    N_("an old Word file (.doc)"),
    N_("an old PowerPoint file (.ppt)"),
    N_("an old Excel file (.xls)"),
    N_("an old Office file"),
    N_("an Office file that is protected with a password"),
)


def told(text: str) -> str:
    """A note in the language of this request; as it is where it is not one of docrag's own."""
    return known(text) or text


def known(text: str) -> str | None:
    """A note in the language of this request; ``None`` for one that is not docrag's own."""
    if len(text) > _LONGEST:
        return None
    for pattern, template in _patterns():
        if found := pattern.fullmatch(text):
            values = {
                name: told(value) if name in _NOTES else value
                for name, value in found.groupdict().items()
            }
            return gettext(template, **values)
    # Several notes of one page stand behind each other.
    parts = [known(part) for part in text.split("; ")] if "; " in text else [None]
    kept = [part for part in parts if part is not None]
    return "; ".join(kept) if len(kept) == len(parts) else None


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The texts as patterns, each value a group, with the texts themselves."""
    return tuple((_pattern(template), template) for template in (*NOTES, *PARTS))


def _pattern(template: str) -> re.Pattern[str]:
    """The template with a group for each value; every second piece is the name of one."""
    pieces = re.split(r"%\((\w+)\)s", template)
    pieces[::2] = map(re.escape, pieces[::2])
    pieces[1::2] = (
        f"(?P<{name}>{_DIGITS if name in _NUMBERS else _TEXT})" for name in pieces[1::2]
    )
    return re.compile("".join(pieces), re.DOTALL)
