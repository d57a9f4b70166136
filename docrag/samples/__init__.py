"""Sample documents of an invented factory, with questions that they answer; for first steps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that one sample answers."""

    text: str
    #: Physical page of the answer, from 1; ``None`` for a format without pages.
    page: int | None
    #: Heading path of the answer; empty where the format shows none.
    section: str
    #: Words that a right answer contains, as they stand in the document.
    must_contain: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample document."""

    filename: str
    title: str
    #: Roles that may read it.
    roles: tuple[str, ...]
    questions: tuple[Question, ...]


def manifest() -> tuple[Sample, ...]:
    """All samples, in the order of the manifest."""
    entries = json.loads(read("manifest.json"))
    return tuple(_sample(entry) for entry in entries)


def read(filename: str) -> bytes:
    """The bytes of a sample.

    :param filename: a ``filename`` of the manifest.
    :raises FileNotFoundError: there is no such sample.
    """
    return files(__name__).joinpath(filename).read_bytes()


def _sample(entry: dict[str, Any]) -> Sample:
    return Sample(
        filename=entry["filename"],
        title=entry["title"],
        roles=tuple(entry["roles"]),
        questions=tuple(_question(question) for question in entry["questions"]),
    )


def _question(entry: dict[str, Any]) -> Question:
    return Question(
        text=entry["text"],
        page=entry["page"],
        section=entry["section"],
        must_contain=tuple(entry["must_contain"]),
    )
