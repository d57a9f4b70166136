"""Lines of a streamed body, each as soon as its end has arrived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrag.api import LLMError

#: Most bytes of one line. A piece of an answer has hundreds; a server that never ends its line
#: must not fill the memory.
MAX_LINE = 4_194_304


def lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their end (LF or CRLF); the last one may lack its end.

    Bytes stay bytes, because the charset that HTTP assumes for text is not the UTF-8 that is sent.

    :param blocks: pieces of the body, cut anywhere, also inside a character.
    :raises LLMError: a line is longer than :data:`MAX_LINE` bytes.
    """
    rest = bytearray()
    for block in blocks:
        rest += block
        *whole, tail = rest.split(b"\n")
        for line in whole:
            yield bytes(line.removesuffix(b"\r"))
        rest = tail
        if len(rest) > MAX_LINE:
            raise LLMError(f"the model's server sent a line of more than {MAX_LINE} bytes")
    if rest:
        yield bytes(rest.removesuffix(b"\r"))
