"""Names as a request brings them."""

from __future__ import annotations

from docrag.web.errors import INVALID, RequestRefused


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
