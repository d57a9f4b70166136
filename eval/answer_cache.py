"""A language model that remembers on disk what it wrote, so that a killed run goes on.

An answer is found again by the whole request: model, its options, messages and sampling. So a
change of prompt, passages or settings asks anew; one of what is made of an answer does not.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from docrag.api import LLM, Delta, GenerationOptions, Message, Usage
from eval.report import RESULTS

#: Where answers are kept.
CACHE: Final = RESULTS / "cache" / "answers.sqlite3"
#: Options that say how a model is reached, and not what it writes.
_REACHING: Final = ("url", "api_key", "timeout", "connect_timeout", "ca_file", "keep_alive")
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, text TEXT, reason TEXT, "
    "prompt_tokens INTEGER, completion_tokens INTEGER, seconds REAL)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An answer that a model wrote to its end."""

    text: str
    #: Why it ended.
    reason: str
    prompt_tokens: int
    completion_tokens: int
    #: From the question to the last piece.
    seconds: float


class RememberedLLM:
    """Answers of another model, kept in one SQLite file; thoughts and calls of tools are not.

    For one process.
    """

    def __init__(self, llm: LLM, options: Mapping[str, Any], path: Path = CACHE) -> None:
        """Open or make the file.

        :param options: what the model was built with; another model has other ones.
        """
        self._llm = llm
        self._path = path
        self.model_id = llm.model_id
        told = {name: value for name, value in options.items() if name not in _REACHING}
        self._identity = [llm.model_id, type(llm).__name__, told]
        #: What this run took from the file or had written, in order.
        self.used: list[Written] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection, connection:
            connection.execute(_TABLE)

    @property
    def context_window(self) -> int:
        """Tokens that prompt and answer share."""
        return self._llm.context_window

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        """The answer in pieces, or in one as it was written before."""
        asked = {
            "model": self._identity,
            "messages": [asdict(message) for message in messages],
            "sampling": [max_tokens, temperature, asdict(options) if options else None],
        }
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        known = self._known(key)
        if known is not None:
            self.used.append(known)
            return _again(known)
        pieces = self._llm.stream(
            messages, max_tokens=max_tokens, temperature=temperature, options=options
        )
        return self._listened(key, pieces)

    def _listened(self, key: str, pieces: Iterator[Delta]) -> Iterator[Delta]:
        """The pieces, kept when the last one has come."""
        started, text = time.monotonic(), ""
        for delta in pieces:
            text += delta.text
            if delta.finish_reason:
                usage = delta.usage or Usage()
                written = Written(
                    text=text,
                    reason=delta.finish_reason,
                    prompt_tokens=usage.prompt_tokens,
                    completion_tokens=usage.completion_tokens,
                    seconds=time.monotonic() - started,
                )
                self._keep(key, written)
                self.used.append(written)
            yield delta

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)

    def _known(self, key: str) -> Written | None:
        columns = tuple(Written.__slots__)
        with closing(self._connect()) as connection:
            query = f"SELECT {', '.join(columns)} FROM answers WHERE key = ?"  # noqa: S608 - our own names
            row = connection.execute(query, (key,)).fetchone()
        return Written(**dict(zip(columns, row, strict=True))) if row else None

    def _keep(self, key: str, written: Written) -> None:
        values = (key, *asdict(written).values())
        with closing(self._connect()) as connection, connection:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", values)


def _again(written: Written) -> Iterator[Delta]:
    if written.text:
        yield Delta(text=written.text)
    usage = Usage(prompt_tokens=written.prompt_tokens, completion_tokens=written.completion_tokens)
    yield Delta(finish_reason=written.reason, usage=usage)
