"""The catalogues are complete, in step with the pages, and compiled."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import docrag.web

WEB = Path(docrag.web.__file__).parent
METHODS = [("pages/**.py", "python"), ("templates/**.html", "jinja2")]
LANGUAGES = ["tr"]


def catalogue(language: str) -> Catalog:
    path = WEB / "translations" / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


def texts() -> set[str]:
    """Every text of the pages that is marked for translation."""
    found = extract_from_dir(str(WEB), method_map=METHODS)
    return {message for _, _, message, _, _ in found if isinstance(message, str)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_has_the_texts_of_the_pages(language: str) -> None:
    assert {message.id for message in catalogue(language) if message.id} == texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    missing = [message.id for message in catalogue(language) if not message.string]
    assert missing == []
    assert [message.id for message in catalogue(language) if message.fuzzy and message.id] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_take_the_same_values(language: str) -> None:
    texts = catalogue(language)
    wrong = [message.id for message in texts if message.id and any(message.check(texts))]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_in_step(language: str) -> None:
    path = WEB / "translations" / language / "LC_MESSAGES" / "messages.mo"
    fresh = io.BytesIO()
    write_mo(fresh, catalogue(language))
    assert path.read_bytes() == fresh.getvalue()
    assert len(read_mo(io.BytesIO(path.read_bytes()))) == len(texts())


def test_mapping_of_the_command_is_the_same() -> None:
    mapping = (WEB / "translations" / "babel.cfg").read_text("utf-8")
    assert [line[1:-1] for line in mapping.splitlines() if line.startswith("[")] == [
        f"{method}: {pattern}" for pattern, method in METHODS
    ]
