"""Files with secrets: written whole or not at all, readable by their owner only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

#: Read and write for the owner, nothing for anybody else.
MODE: Final = 0o600


def write_private(path: Path, text: str) -> None:
    """Write a file of mode 0600, replacing it in one step.

    :param path: its folder is made if it is missing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
