"""A fake server whose model tells how much of one text another holds, with real servers' faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Final

from docrag.api import f5
from docrag.testing.server import Exchange, FakeServer, Json

#: Statuses of refusals, with the machine word of each.
REFUSALS: Final = {
    "400": "bad_request",
    "401": "invalid_api_key",
    "404": "model_not_found",
    "413": "Validation",
    "422": "unprocessable_entity",
    "424": "Backend",
    "429": "Overloaded",
    "500": "server_error",
    "503": "Unhealthy",
}
#: Answers that hold no scores at all. ``drip`` sends a space each ``delay`` seconds for ever.
BROKEN_OFF: Final = ("slow", "drip", "cut", "half", "html", "empty", "deep", "redirect")
#: Most texts that TEI takes in one request unless it is told otherwise.
TEI_BATCH: Final = 32


class FakeScorer(FakeServer, ABC):
    """A server that scores texts by common words; use it in a ``with`` block.

    A kind of server derives from it, and routes its paths to :meth:`respond`.
    """

    #: Servers that it can be.
    servers: ClassVar[tuple[str, ...]]
    #: Ways to fail; the empty one works.
    faults: ClassVar[tuple[str, ...]]

    def __init__(self, *, server: str, fault: str = "", delay: float = 1.0) -> None:
        """Choose how it answers.

        :param server: one of :attr:`servers`.
        :param fault: one of :attr:`faults`; may be changed while it runs.
        :param delay: seconds that the fault ``slow`` waits, or between the bytes of ``drip``.
        :raises ValueError: an unknown server or fault.
        """
        super().__init__()
        if server not in self.servers:
            raise ValueError(f"unknown server {server!r}; known: {', '.join(self.servers)}")
        if fault not in self.faults:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(self.faults[1:])}")
        self.server, self.fault, self.delay = server, fault, delay
        #: The ``Authorization`` header of every request; empty where there was none.
        self.keys: list[str] = []

    @property
    def calls(self) -> int:
        """Requests so far."""
        return len(self.requests)

    def respond(self, exchange: Exchange) -> None:
        """Answer one request, or fail as the fault says."""
        self.keys.append(exchange.headers.get("Authorization") or "")
        if self.fault in REFUSALS:
            self._refuse(exchange, int(self.fault))
        elif self.fault in BROKEN_OFF:
            self._break(exchange)
        elif (wrong := self.misfit(exchange.body)) is not None:
            self._refuse(exchange, wrong)
        else:
            exchange.send_json(self.answer(exchange.body))

    @abstractmethod
    def answer(self, body: Json) -> object:
        """The JSON of an answer, its last score broken if the fault says so."""

    @abstractmethod
    def misfit(self, body: Json) -> int | None:
        """Status of a request that the real server would refuse."""

    def refusal(self, said: str, word: str) -> Json:
        """The JSON of a refusal, with its machine word."""
        return {"error": said, "error_type": word}

    def _refuse(self, exchange: Exchange, status: int) -> None:
        # As some real servers do, it repeats what it was sent.
        said = f"cannot score {exchange.body} for {self.keys[-1]}"
        exchange.send_json(self.refusal(said, REFUSALS[str(status)]), status=status)

    def _break(self, exchange: Exchange) -> None:
        if self.fault == "slow":
            exchange.wait(self.delay)
            exchange.send_json([])
        elif self.fault == "drip":
            exchange.start_stream("application/json")
            while True:
                exchange.wait(self.delay)
                exchange.send_piece(b" ")
        elif self.fault == "cut":
            exchange.cut()
        elif self.fault == "half":
            exchange.send_response(200)
            exchange.send_header("Content-Length", "1000")
            exchange.end_headers()
            exchange.wfile.write(b'{"results": [')
            exchange.cut()
        elif self.fault == "redirect":
            exchange.send_bytes(b"", status=307, headers={"Location": f"{self.url}/v2"})
        else:
            bodies = {"html": b"<html>upstream</html>", "empty": b"", "deep": b"[" * 100_000}
            exchange.send_bytes(bodies[self.fault], content_type="text/html")


def overlap(wanted: str, text: str) -> float:
    """Share of the F5 terms wanted that a text holds, 0 to 1; 0 where there are none."""
    terms = set(f5(wanted))
    return len(terms & set(f5(text))) / len(terms) if terms else 0.0
