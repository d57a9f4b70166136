"""Answers without a model: the sentences that most likely answer, quoted with their marker."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from docrag.answer.markers import neutral
from docrag.answer.naming import of_article
from docrag.answer.passages import REPEALED
from docrag.answer.quoting.article_quotes import excerpts
from docrag.answer.quoting.blocks import blocks
from docrag.answer.quoting.choosing import chosen
from docrag.answer.quoting.items import form
from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.relevance import score_sentences
from docrag.answer.quoting.shortening import shortened
from docrag.answer.quoting.verbs import Deed
from docrag.answer.subject import content_words, uncovered, words_beside
from docrag.api import Citation, Delta, Naming, Usage, named_articles

#: Model id of quoted answers in responses and in the audit.
MODEL_ID: Final = "extractive"
#: Stands where something is left out, and behind a text that goes on in its source.
_CUT: Final = " …"
_OPEN: Final = (",", ";", ":")


def quote(question: str, context: Sequence[Citation], *, language: str = "tr") -> Iterator[Delta]:
    """The sentences that answer, those of the best source first, with their marker.

    Each is quoted with what it cannot be understood without: a list with the sentence that
    introduces it, a table's row with the names of its columns, a rule with its limits. What is
    quoted is verbatim but for blanks; of an article that is no longer in force it says so. Who
    only asks what an article says gets its beginning, or that of the paragraph.

    :param context: numbered sources, best first, at least one.
    :param language: ``tr`` or ``en``, of what is said besides.
    :returns: one delta a block, then a last one with ``finish_reason``; only the last where the
        sources hold nothing but headings.
    """
    naming = named_articles(question)
    article = of_article(naming, context) if naming else ()
    if naming and article and not _beside(naming, article):
        told = _article(naming, article, language)
    elif naming and article:
        told = _sentences(" ".join(naming.rest), article, language)
    else:
        told = _sentences(question, context, language)
    for index, text in enumerate(told):
        yield Delta(text=f"\n\n{text}" if index else text)
    yield Delta(finish_reason="stop", usage=Usage())


def _beside(naming: Naming, article: Sequence[Citation]) -> tuple[str, ...]:
    """What is asked beside the article and the names of its document ("Talimatın 6. maddesi")."""
    names = " ".join(f"{one.title} {one.filename} {one.section}" for one in article)
    return uncovered(words_beside(naming), names.replace("_", " "))


def _sentences(question: str, context: Sequence[Citation], language: str) -> Iterator[str]:
    """The chosen sentences in blocks."""
    scored = score_sentences(question, context)
    wanted = content_words(question)
    for block in blocks(chosen(wanted, scored, Deed.of(question)), scored, wanted):
        yield _quoted(block.pieces, wanted, language, gaps=block.gaps, limits=block.limits)


def _article(naming: Naming, context: Sequence[Citation], language: str) -> Iterator[str]:
    """A named article as far as it goes, and where it goes on."""
    for excerpt in excerpts(naming, context, language):
        text = _quoted(excerpt.pieces, (), language, is_cut=bool(excerpt.rest))
        yield text
        if excerpt.rest:
            yield excerpt.rest


def _quoted(
    pieces: Sequence[Piece],
    wanted: Sequence[str],
    language: str,
    *,
    gaps: Collection[int] = (),
    limits: Collection[int] = (),
    is_cut: bool = False,
) -> str:
    """Pieces of one source as one text: items and rows on lines of their own, the marker last.

    :param gaps: positions behind which something is left out.
    :param limits: positions of those that are cut behind their beginning, if they are too long.
    :param is_cut: the text goes on behind the last piece.
    """
    text = ""
    for before, piece in zip([None, *pieces], pieces, strict=False):
        own = neutral(shortened(piece.text, () if piece.position in limits else wanted))
        sign = _CUT if piece.position in gaps and not own.endswith(_CUT) else ""
        text += f"{_between(before, piece)}{own}{sign}"
    is_open = is_cut or text.endswith(_OPEN)
    cut = _CUT if is_open and not text.endswith(_CUT) else ""
    gone = f" ({REPEALED[language]})" if any(piece.is_repealed for piece in pieces) else ""
    return f"{text}{cut}{gone} [{pieces[0].citation}]"


def _between(before: Piece | None, piece: Piece) -> str:
    """What stands between two pieces: items, rows and what follows a row begin a line."""
    if before is None:
        return ""
    lines = ("row", "head", "columns", "heading")
    return "\n" if {before.kind, piece.kind} & set(lines) or form(piece.text) else " "
