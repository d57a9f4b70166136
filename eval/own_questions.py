"""Your own questions over your own documents, each with what an assistant finds for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docrag.answer.calibration import Expectation
from docrag.api import ADMIN_ROLE, Access, DocumentError
from docrag.assistant import Assistant
from docrag.store.records import Document
from eval.answer_sets import ANSWERABLE, UNANSWERABLE, AnswerCase
from eval.answering import key_of

#: The file is the operator's, who reads every document.
_OPERATOR = Access.of([ADMIN_ROLE])


def own_cases(path: Path, assistant: Assistant) -> tuple[list[AnswerCase], int]:
    """The questions of a JSONL file, in order, and how many lines nobody has completed.

    A line has ``question``; an answerable one ``document`` (title, file name or id), perhaps with
    ``page`` (a number or a list), or ``must_contain`` (a list of phrases with alternatives between
    ``|``), or both; one without either, or with ``answerable`` false, is to be declined. A line of
    ``docrag feedback export`` is complete when a person has filled in what it leaves open.

    :raises DocumentError: a line is no question or names a document that is not stored, or there
        is none.
    """
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    asked = [(n, _row(path, n, line)) for n, line in enumerate(lines, start=1) if line.strip()]
    whole = [(n, row) for n, row in asked if not _is_open(row)]
    if not whole:
        raise DocumentError(f"{path.name} holds no questions")
    documents = assistant.documents(access=_OPERATOR)
    cases = [
        _case(
            str(n), row, _file(row.get("document"), documents, f"{path.name}, line {n}"), assistant
        )
        for n, row in whole
    ]
    return cases, len(asked) - len(whole)


def _is_open(row: dict[str, Any]) -> bool:
    """True if a line says that it may be answered, or not whether, and nothing of the answer."""
    if row.get("document") or row.get("must_contain"):
        return False
    return "answerable" in row and row["answerable"] is not False


def _case(name: str, row: dict[str, Any], file: str, assistant: Assistant) -> AnswerCase:
    found = tuple(assistant.search(row["question"], access=_OPERATOR))
    reach, ids = assistant.settings.neighbours, [scored.chunk.chunk_id for scored in found]
    near = assistant.store.neighbours.around(ids, reach=reach, access=_OPERATOR) if reach else []
    phrases, pages = _listed(row.get("must_contain")), frozenset(map(int, _listed(row.get("page"))))
    is_declined = row.get("answerable") is False or not (file or phrases)
    holding = [s.chunk for s in found if s.chunk.filename == file]
    return AnswerCase(
        question=name,
        text=row["question"],
        gold="\n".join(phrases),
        group=UNANSWERABLE if is_declined else ANSWERABLE,
        gold_chunks=frozenset(
            key_of(chunk)
            for chunk in holding
            if not pages or not pages.isdisjoint(_pages(chunk.page_first, chunk.page_last))
        ),
        keys=tuple(key_of(scored.chunk) for scored in found),
        found=found,
        around=tuple(near),
        pages=pages,
        document=file,
    )


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    """The fields of a line.

    :raises DocumentError: it is no JSON object with a question.
    """
    try:
        row = json.loads(line)
    except ValueError as exc:
        raise DocumentError(f"{path.name}, line {number}: this is no JSON") from exc
    if not isinstance(row, dict) or not str(row.get("question") or "").strip():
        raise DocumentError(f"{path.name}, line {number}: write an object with a `question`")
    return row


def _file(name: object, documents: list[Document], where: str) -> str:
    """File name of the document that a line names; empty for none.

    :raises DocumentError: it is not stored.
    """
    if not name:
        return ""
    wanted = Expectation(question="", document=str(name))
    for document in documents:
        if wanted.names(document.id, document.title, document.filename):
            return document.filename
    raise DocumentError(
        f"{where}: the document is not stored; name it as `docrag documents list` does"
    )


def _listed(value: object) -> list[Any]:
    """A value as a list, also one that stands alone or is missing."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _pages(first: int | None, last: int | None) -> range:
    return range(first, (last or first) + 1) if first is not None else range(0)
