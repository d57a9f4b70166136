"""Prompts and fixed sentences: versioned files, by language."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

#: Languages that every prompt is there in.
LANGUAGES: Final = ("tr", "en")

#: Version of each prompt that is in use.
VERSIONS: Final = {
    "answer": 1,
    "dropped": 1,
    "fallback": 1,
    "goodbye": 1,
    "greeting": 1,
    "no_model": 1,
    "quoted": 1,
    "refused_attack": 1,
    "refused_personal": 1,
    "reply": 1,
    "rewrite": 1,
    "thanks": 1,
    "unverified": 1,
}
#: Of these, what people read: sentences of one line, the whole answer or beside one.
_SAID: Final = tuple(sorted(set(VERSIONS) - {"answer", "reply", "rewrite"}))
#: What a model may put around the fallback sentence.
AROUND: Final = ' \t\r\n*_"“”'


def prompt_id(name: str, language: str) -> str:
    """Identifier of the version in use, which is also the file's name without its suffix."""
    return f"{name}.{language}.v{VERSIONS[name]}"


@lru_cache(maxsize=64)
def text_of(identifier: str) -> str:
    """Text of a prompt file, without the final line break."""
    folder = files("docrag.answer.prompts")
    return folder.joinpath(f"{identifier}.md").read_text(encoding="utf-8").rstrip("\n")


def sentence(name: str, language: str) -> str:
    """Text of the version in use."""
    return text_of(prompt_id(name, language))


def fallback(language: str) -> str:
    """The sentence that says the documents do not hold the answer."""
    return sentence("fallback", language)


def in_language(text: str, language: str) -> str:
    """A text whose lines that docrag itself has said are in this language, whatever they were in.

    :param text: an answer; what a model or a document says in it stays as it is.
    :param language: one of :data:`LANGUAGES`.
    """
    return "\n".join(_line_in(line, language) for line in text.split("\n"))


def _line_in(line: str, language: str) -> str:
    plain = line.strip(AROUND)
    for form, name in _forms():
        found = form.fullmatch(plain)
        if found:
            return sentence(name, language).format(**found.groupdict())
    return line


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What the fixed sentences look like in every language, with the name of each."""
    return tuple(
        (re.compile(re.escape(sentence(name, each)).replace(r"\{n\}", r"(?P<n>\d+)")), name)
        for name in _SAID
        for each in LANGUAGES
    )
