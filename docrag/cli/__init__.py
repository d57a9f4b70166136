"""The command line: ``docrag serve``, ``ingest``, ``ask`` and the rest, over the library."""

from __future__ import annotations

from docrag.cli.group import main as main
