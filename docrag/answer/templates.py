"""Prompts and fixed sentences: versioned files, by language."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Final

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
