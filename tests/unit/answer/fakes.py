"""Language models that say what a test tells them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from docrag.api import Delta, GenerationOptions, LLMError, Message, Usage

#: How one call goes: pieces, and errors where they are raised.
Script = Sequence[Delta | LLMError]


def says(*texts: str, reason: str = "stop") -> list[Delta | LLMError]:
    """A call that ends well."""
    usage = Usage(prompt_tokens=7, completion_tokens=3)
    return [*(Delta(text=text) for text in texts), Delta(finish_reason=reason, usage=usage)]


class ScriptedLLM:
    """Goes through its scripts, one a call, the last one over and over."""

    def __init__(self, *scripts: Script, model_id: str = "m", context_window: int = 8192) -> None:
        self.model_id = model_id
        self.context_window = context_window
        self.scripts = list(scripts)
        #: Messages, tokens, temperature and options of each call.
        self.calls: list[tuple[tuple[Message, ...], int, float, GenerationOptions | None]] = []
        #: Set when a stream was closed before its end.
        self.closed = threading.Event()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        """The next script."""
        self.calls.append((tuple(messages), max_tokens, temperature, options))
        script = self.scripts[min(len(self.calls), len(self.scripts)) - 1]
        try:
            for step in script:
                if isinstance(step, LLMError):
                    raise step
                yield step
        except GeneratorExit:
            self.closed.set()
            raise
