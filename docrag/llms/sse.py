"""Server-sent events: the data of each event in a stream of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def events(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Data of each event, in order; events without data are left out.

    Follows the HTML standard, section 9.2.6 "Interpreting an event stream", with two deviations: a
    lone CR does not end a line, and an event that the end of the stream cuts off is handed on,
    since several servers send no blank line after their last one.

    :param lines: lines without their ends.
    """
    data: list[bytes] = []
    for line in lines:
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            data.append(line[len(b"data:") :].removeprefix(b" "))
    if data:
        yield b"\n".join(data)
