"""The context window that prompt and answer share, learnt from the model's server."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from docrag.api import LLMError, check_counts

logger = logging.getLogger(__name__)

#: Tokens where neither the operator nor the server says more: rules, five passages, a few turns and
#: an answer fit, and a model of 7 billion parameters keeps it in about half a gigabyte.
DEFAULT_WINDOW: Final = 8192
#: Seconds that a server may take to tell about its model; it reads a file, and a person waits.
ASK_SECONDS: Final = 3.0
#: Seconds after which a server that told nothing is asked again.
RETRY_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a server tells of a model's window, tokens; ``None`` where it tells nothing."""

    #: More than this the model cannot take.
    most: int | None = None
    #: What the server was set up with, if that is another number.
    chosen: int | None = None


class Window:
    """A model's window, asked for once on first use. Thread-safe.

    The number that is found stays until the process ends, because Ollama loads a model anew when
    it changes. As long as the server tells nothing, the default counts and it is asked again later.
    """

    def __init__(self, ask: Callable[[], Told], *, wanted: int | None, label: str) -> None:
        """Remember whom to ask; nothing is sent yet.

        :param ask: asks the server; an :class:`LLMError` means later.
        :param wanted: the operator's option, tokens.
        :param label: what the log calls model and server.
        :raises SettingsError: ``wanted`` is no whole number of at least 1.
        """
        if wanted is not None:
            check_counts(context_window=wanted)
        self._ask = ask
        self._wanted = wanted
        self._label = label
        self._lock = threading.Lock()
        self._tokens: int | None = None
        self._not_before = 0.0

    def tokens(self) -> int:
        """Tokens that prompt and answer share; may wait for the server, and never fails."""
        with self._lock:
            if self._tokens is None and time.monotonic() >= self._not_before:
                self._tokens = self._learnt()
            return self._tokens or self._wanted or DEFAULT_WINDOW

    def _learnt(self) -> int | None:
        try:
            told = self._ask()
        except LLMError as exc:
            self._not_before = time.monotonic() + RETRY_SECONDS
            logger.info(
                "%s does not tell its context window: %s",
                self._label,
                exc,
                extra={"action": "window_unknown"},
            )
            return None
        if self._wanted and told.most and self._wanted > told.most:
            logger.warning(
                "%s takes %d tokens, not %d; lower the option context_window",
                self._label,
                told.most,
                self._wanted,
                extra={"action": "window_lowered"},
            )
        tokens = self._wanted or told.chosen or DEFAULT_WINDOW
        return min(tokens, told.most) if told.most else tokens


def count(value: object) -> int | None:
    """A number of tokens, if the value is one above 0."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return None
