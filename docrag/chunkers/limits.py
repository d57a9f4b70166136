"""The two limits that the chunkers share, and their check."""

from __future__ import annotations

from docrag.api import SettingsError

#: Least size of a chunk, characters: below it hardly a sentence fits.
MIN_SIZE = 50


def check_limits(name: str, *, size: int, overlap: int) -> None:
    """Return if every step of a chunker with these limits, in characters, goes forward.

    :param name: name of the chunker, for the message.
    :raises SettingsError: ``size`` is below 50, or ``overlap`` not between 0 and half of it.
    """
    if size < MIN_SIZE:
        raise SettingsError(f"{name} chunker: size must be {MIN_SIZE} or more, not {size}")
    if not 0 <= overlap <= size // 2:
        raise SettingsError(
            f"{name} chunker: overlap must be between 0 and half of size ({size // 2}), "
            f"not {overlap}"
        )
