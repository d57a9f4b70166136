"""The language models of a process, by the names that callers choose them by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from docrag.api import LLM, UnknownName


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Who may write."""

    #: Writes when nobody else is asked for; ``None`` quotes passages.
    default: LLM | None = None
    #: Further models by alias.
    aliases: Mapping[str, LLM] = field(default_factory=dict)
    #: Writes when the chosen one fails; ``None`` leaves that to quoted passages.
    fallback: LLM | None = None

    def chosen(self, alias: str) -> LLM | None:
        """The model of an alias, the default one for an empty one.

        :raises UnknownName: there is no such alias.
        """
        if not alias:
            return self.default
        if alias not in self.aliases:
            raise UnknownName("model", alias, sorted(self.aliases))
        return self.aliases[alias]
