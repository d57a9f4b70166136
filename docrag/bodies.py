"""The body of a server's answer, read in time and of a sane size."""

from __future__ import annotations

import time
from typing import Final

import requests

from docrag.errors import DocragError

#: Most bytes taken from the socket at once.
BLOCK_SIZE: Final = 65_536


class BodyTooLarge(DocragError):
    """An answer has more bytes than anything that was asked for."""


def whole_body(response: requests.Response, *, end: float, most: int) -> bytes:
    """All bytes of an answer; requests alone would wait for every last one.

    :param response: of a request with ``stream=True``.
    :param end: moment of :func:`time.monotonic` after which nothing is read any more.
    :param most: bytes.
    :raises TimeoutError: it has not ended in time, though no single wait was too long.
    :raises BodyTooLarge: it has more than ``most`` bytes.
    :raises urllib3.exceptions.HTTPError: it broke off, or a single wait was too long.
    """
    data = bytearray()
    while block := response.raw.read1(BLOCK_SIZE, decode_content=True):
        data += block
        if time.monotonic() >= end:
            raise TimeoutError("the answer has not ended in time")
        if len(data) > most:
            raise BodyTooLarge(f"the answer has more than {most} bytes")
    return bytes(data)
