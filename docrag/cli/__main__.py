"""``python -m docrag.cli``: the same as ``docrag``, with a known interpreter."""

from __future__ import annotations

from docrag.cli import main

if __name__ == "__main__":
    main(prog_name="docrag")
