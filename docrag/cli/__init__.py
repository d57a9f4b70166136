"""The command line: ``docrag serve``, ``ingest``, ``ask`` and the rest, over the library."""

from __future__ import annotations

import signal
import threading
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrag.cli.group import main as main

__all__ = ["main"]


def __getattr__(name: str) -> object:
    """``main``, imported on first use (PEP 562); Ctrl-C meanwhile ends the process in silence.

    The import takes a second, before there is anything that could turn an interrupt into a line.
    """
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL) if is_main else None
    try:
        return import_module("docrag.cli.group").main
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
