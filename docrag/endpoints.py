"""One HTTP address of a model's server: a JSON request in, a JSON answer or a named failure out."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import requests
import urllib3

from docrag.addresses import ServerAddress
from docrag.bodies import BodyTooLarge, whole_body
from docrag.errors import DocragError, SettingsError
from docrag.options import LONGEST_WAIT
from docrag.sockets import WatchedAdapter, ended_at

logger = logging.getLogger(__name__)

#: Seconds to wait for a connection: a server in the same building answers in milliseconds.
CONNECT_TIMEOUT: Final = 5.0
#: Seconds before the second and the third try, for a server that is just being started again.
PAUSES: Final = (0.2, 0.4)
#: Connections kept open: one for each request that a process of docrag answers at a time.
POOL_SIZE: Final = 64
#: Most bytes of an answer, 8 MiB: far above the scores, labels and texts of any request.
MOST_BYTES: Final = 8 * 1024 * 1024
#: Most characters of a server's own words that are looked at.
MOST_REASON: Final = 2_000
#: A machine word of an error; a key or a piece of text is not of this form.
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_]{2,39}")
#: What to do about a status, unless the words of a server say something else.
_REMEDIES: Final = {
    400: "the request does not suit this server or model; check the options shape and model",
    401: "check the option api_key",
    403: "check the option api_key",
    404: "the address or the model is not known there; check the options url and model",
    405: "the address takes no such request; check the option url",
    413: "the request is too large for it; lower the options batch_size and max_characters",
    422: "the request does not suit this server or model; check the options shape and model, and "
    "lower batch_size and max_characters",
    424: "its model failed; look at its log",
    429: "it takes no more requests now; raise its limit",
    500: "it failed; look at its log",
}
#: Statuses of a proxy or of a starting server, worth another try.
_STARTING: Final = (502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointWords:
    """What messages about a server say, to the operator who has to act."""

    #: What the server is called, such as ``the reranker``.
    name: str
    #: Whose address the option ``url`` should be, where the answer is no JSON.
    api: str = "API"
    #: What to do when the answer comes too late.
    late: str = "raise the option timeout"
    #: What to do about a status, where the usual advice does not fit: it names the options
    #: ``url``, ``api_key``, ``shape``, ``model``, ``batch_size`` and ``max_characters``.
    remedies: Mapping[int, str] = field(default_factory=dict)
    #: ``action`` of the log line about a refusal.
    action: str = "endpoint_refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What a server said instead of an answer, of a kind that another try would not change."""

    #: What, who and what to do, for a message.
    said: str
    status: int
    #: The server's own words and its machine word, at most :data:`MOST_REASON` characters. They may
    #: repeat a text or the key: for a look only, never for a message or a log above DEBUG.
    reason: str


class _Unsteady(Exception):
    """A failure after which another try may work."""


class Endpoint:
    """A model's server, asked again while it starts. Thread-safe.

    Proxies and credentials of the environment are not used, and redirects are not followed:
    questions and texts go to the configured address and nowhere else. No message holds the key, a
    text, or what the server says beyond one machine word.
    """

    def __init__(
        self,
        *,
        url: str,
        words: EndpointWords,
        error: Callable[[str], DocragError],
        paths: tuple[str, ...] | list[str] = (),
        api_key: str = "",
        ca_file: str = "",
        refused: Callable[[Refusal], DocragError] | None = None,
        most_bytes: int = 0,
    ) -> None:
        """Check the address; nothing is sent yet.

        :param url: ``http://`` or ``https://``.
        :param error: makes the error of every failure out of its message; usually its class.
        :param paths: ends of a whole address, the first of which is appended to one that has none
            of them; each begins with ``/``. Empty takes the address as it is.
        :param api_key: sent as a bearer token; empty sends none. Never shown in any message.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :param refused: makes the error of a refusal, where the caller tells them apart; ``None``
            leaves it to ``error``.
        :param most_bytes: of an answer; 0 for :data:`MOST_BYTES`.
        :raises SettingsError: the address is not HTTP or has no host that can be, the key cannot be
            sent, ``ca_file`` is not there, or one of them is no text; ``paths`` are of another
            form.
        """
        ends = _ends(paths, words.name)
        address = ServerAddress(name=words.name, url=url, api_key=api_key, ca_file=ca_file)
        #: What messages call the server, without a user name or a password.
        self.label = address.label
        self._words, self._error, self._refused = words, error, refused
        self._most_bytes = most_bytes or MOST_BYTES
        self._url = address.at(*ends)
        self._session = address.session(_adapter)

    def post(self, body: Mapping[str, Any], *, end: float) -> Any:  # noqa: ANN401 - parsed JSON
        """The parsed JSON answer.

        :param end: moment of :func:`time.monotonic` at which the caller waits no longer.
        :raises DocragError: not reachable, not in time, refused, too large, or not JSON, or a body
            that is none; made by the ``error`` of the constructor.
        """
        sent = self._written(body)
        pauses = iter(PAUSES)
        while True:
            try:
                return self._once(sent, end)
            except _Unsteady as exc:
                pause = next(pauses, None)
                if pause is None or time.monotonic() + pause >= end:
                    raise self._error(str(exc)) from exc
            time.sleep(pause)

    def _written(self, body: Mapping[str, Any]) -> bytes:
        try:
            return json.dumps(body, allow_nan=False).encode("ascii")
        except (TypeError, ValueError, RecursionError):
            # Without the cause: it can repeat a value.
            raise self._error(
                f"the request to {self.label} is not JSON; send texts, finite numbers, lists and "
                "objects only"
            ) from None

    def _once(self, sent: bytes, end: float) -> Any:  # noqa: ANN401 - parsed JSON
        left = min(end - time.monotonic(), LONGEST_WAIT)
        # Written so that NaN is late too.
        if not left > 0:
            raise self._late()
        try:
            with (
                ended_at(end),
                self._session.post(
                    self._url,
                    data=sent,
                    headers={"Content-Type": "application/json"},
                    stream=True,
                    timeout=(min(CONNECT_TIMEOUT, left), left),
                    allow_redirects=False,
                ) as response,
            ):
                data = whole_body(response, end=end, most=self._most_bytes)
        except (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError) as exc:
            raise self._late() from exc
        except BodyTooLarge as exc:
            raise self._error(
                f"{self.label} answered with more than {self._most_bytes // 1024**2} MiB; check "
                "the option url"
            ) from exc
        except requests.exceptions.SSLError as exc:
            raise self._error(
                f"{self.label} has no certificate that is trusted here; check the options url and "
                "ca_file"
            ) from exc
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as exc:
            raise _Unsteady(
                f"{self.label} cannot be reached or broke off; start it or change the option url"
            ) from exc
        if response.status_code != requests.codes.ok:
            raise self._failure(response.status_code, data)
        return self._parsed(data)

    def _parsed(self, data: bytes) -> Any:  # noqa: ANN401 - parsed JSON
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as exc:
            raise self._error(
                f"{self.label} answered with something that is not JSON; is the option url the "
                f"address of its {self._words.api}?"
            ) from exc

    def _late(self) -> DocragError:
        return self._error(f"{self.label} did not answer in time; {self._words.late}")

    def _failure(self, status: int, data: bytes) -> DocragError | _Unsteady:
        word, reason = _told(data)
        # The server's words may repeat the question or a text.
        logger.debug("%s: %d %s", self.label, status, reason, extra={"action": self._words.action})
        said = f"{self.label} answered {status}{f' ({word})' if word else ''}"
        if status in _STARTING:
            return _Unsteady(f"{said}: it is starting or overloaded; look at its log")
        if 300 <= status < 400:
            return self._error(
                f"{said}, a redirect, which is not followed; set the option url to where it leads"
            )
        usual = _REMEDIES.get(status, "look at its log and check the option url")
        said = f"{said}: {self._words.remedies.get(status, usual)}"
        if self._refused is None:
            return self._error(said)
        return self._refused(Refusal(said=said, status=status, reason=reason))


def _adapter() -> WatchedAdapter:
    return WatchedAdapter(pool_maxsize=POOL_SIZE)


def _ends(paths: tuple[str, ...] | list[str], name: str) -> tuple[str, ...]:
    """The ends of a whole address; a text alone would be read as letters."""
    if isinstance(paths, list | tuple) and all(
        isinstance(path, str) and path.startswith("/") for path in paths
    ):
        return tuple(paths)
    raise SettingsError(
        f"paths of {name} must be a tuple of texts that begin with '/', not {paths!r:.80}"
    )


def _told(data: bytes) -> tuple[str, str]:
    """The machine word in the body of a refusal, empty if it has none, and the server's words."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return "", data[:MOST_REASON].decode("utf-8", "replace")
    error = body.get("error")
    places = error if isinstance(error, dict) else body
    words = [str(places.get(name) or "") for name in ("code", "type", "error_type")]
    told = error if isinstance(error, str) else places.get("message")
    reason = " ".join([*words, str(told or "")])[:MOST_REASON]
    return next((word for word in words if _WORD.fullmatch(word)), ""), reason
