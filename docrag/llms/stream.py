"""A model's answer as it is written, which may be closed at any time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from docrag.api import Delta, LLMError, LLMUnavailable
from docrag.llms.connection import Call
from docrag.llms.failures import BrokenOff
from docrag.llms.lines import lines


class Answering(Iterator[Delta]):
    """The deltas of one call; iterate in one thread, close in any.

    Nothing is sent before the first delta is asked for. The connection is closed after the last
    delta, on an error, by :meth:`close`, and when this object is dropped.
    """

    def __init__(self, call: Call, read: Callable[[Iterator[bytes]], Iterator[Delta]]) -> None:
        """Tie a call to the reader of its format.

        :param read: turns the lines of the body into deltas.
        """
        self._call = call
        self._deltas = _deltas(call, read)

    def __next__(self) -> Delta:
        """The next delta.

        :raises LLMError: the call failed, unless it was closed meanwhile, which just ends it.
        """
        try:
            return next(self._deltas)
        except LLMError:
            if self._call.closed:
                raise StopIteration from None
            raise

    def close(self) -> None:
        """Close the connection to the model at once; closing twice does nothing."""
        self._call.close()
        try:
            self._deltas.close()
        except ValueError:
            # Another thread is inside; the closed connection makes it leave.
            return


def _deltas(
    call: Call, read: Callable[[Iterator[bytes]], Iterator[Delta]]
) -> Generator[Delta, None, None]:
    # Not a method: a generator that knows its owner would keep both alive when they are dropped.
    blocks = call.blocks()
    begun = False
    try:
        for delta in read(lines(blocks)):
            begun = True
            yield delta
    except BrokenOff as exc:
        if begun:
            raise
        raise LLMUnavailable(str(exc)) from exc
    finally:
        blocks.close()
