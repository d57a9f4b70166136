"""Logging of the command line: one handler on standard error, added once by the program."""

from __future__ import annotations

import logging
from typing import Final

#: Time, level, logger and message; ids travel in ``extra`` and are for other formats.
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def configure_logging(level: str) -> None:
    """Send log records of at least this level to standard error.

    :param level: ``DEBUG``, ``INFO``, ``WARNING`` or ``ERROR``.
    """
    logging.basicConfig(level=level, format=_FORMAT)
    # Alembic tells what dialect it found at each look; people want its warnings only.
    logging.getLogger("alembic").setLevel(logging.WARNING)
