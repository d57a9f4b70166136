"""The log of the web process: one handler on standard error, added once by the app."""

from __future__ import annotations

import logging
from typing import Final

#: Time, level, logger and message; ids travel in ``extra`` and are for other formats.
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def configure(level: str) -> None:
    """Send records of at least this level to standard error, unless the program logs already.

    :param level: ``DEBUG``, ``INFO``, ``WARNING`` or ``ERROR``.
    """
    logging.basicConfig(level=level, format=FORMAT)
    # Each look at the schema's revision, so each readiness probe, would be two lines.
    logging.getLogger("alembic").setLevel(logging.WARNING)
