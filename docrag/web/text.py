"""Text as a request brings it, without what neither a database nor UTF-8 can hold."""

from __future__ import annotations

from docrag.web.errors import INVALID, RequestRefused


def plain(text: str) -> str:
    """The text without NUL characters; lone surrogates become question marks."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def printable(text: str, param: str) -> str:
    """A name without blanks around it.

    :param param: the request field that it came in, for the message.
    :raises RequestRefused: nothing is left, or it holds characters that cannot be seen or stored;
        a name is never changed into another one.
    """
    name = text.strip()
    if not name or not name.isprintable():
        raise RequestRefused(
            INVALID, f"{param} must have printable characters and not be empty.", param=param
        )
    return name
