"""Files with secrets: written whole or not at all, readable by their owner only."""

from __future__ import annotations

import os
from pathlib import Path

from docrag.store.filelock import make_folder, open_private


def write_private(path: Path, text: str) -> None:
    """Write a file of mode 0600, replacing it in one step; as root, for the owner of the folder.

    :param path: its folder is made if it is missing.
    :raises OSError: it cannot be written.
    :raises ValueError: the text has half of a surrogate pair.
    """
    make_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    handle = open_private(draft, os.O_WRONLY | os.O_EXCL)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:  # also when it is interrupted: nothing with a secret stays behind
        draft.unlink(missing_ok=True)
        raise
