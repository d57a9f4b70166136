"""Answers over an organisation's own documents, cited by page, filtered by role."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrag.assistant import Assistant as Assistant

__all__ = ["Assistant", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """``Assistant``, imported on first use so that plugins load only ``docrag.api`` (PEP 562)."""
    if name == "Assistant":
        return import_module("docrag.assistant").Assistant
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
