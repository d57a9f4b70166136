"""A connection to a model's server: one streamed request that can be closed at any time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any

import requests
import urllib3

from docrag.api import (
    BodyTooLarge,
    Cutoff,
    FreshAdapter,
    LLMError,
    LLMRefused,
    LLMTimeout,
    LLMUnavailable,
    ServerAddress,
    check_timeout,
    watching,
    whole_body,
)
from docrag.llms.failures import BrokenOff, refused
from docrag.llms.parsing import parsed

#: Most bytes taken from the socket at once; whatever is there is handed on, never waited for.
BLOCK_SIZE = 65_536
#: Most bytes of an answer that is read as a whole, a refusal too; what a server tells about a model
#: has hundreds, with its licence tens of thousands.
MAX_WHOLE = 4_194_304


class Server:
    """A model's server. Thread-safe.

    Proxies and credentials of the environment are not used, and redirects are not followed:
    prompts go to the configured address and nowhere else. Nothing is tried twice, because a second
    try would make the machine write a second answer.
    """

    def __init__(
        self,
        *,
        address: ServerAddress,
        timeout: float,
        connect_timeout: float,
        remedy: str = "the model or the address is not known there",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Remember the address; nothing is sent yet.

        :param address: start of every address.
        :param timeout: seconds between bytes of an answer.
        :param connect_timeout: seconds until a connection stands.
        :param remedy: what a message says about an answer 404.
        :param headers: sent with each request; never shown in any message.
        :raises SettingsError: a time is no time to wait.
        """
        check_timeout(timeout)
        check_timeout(connect_timeout, name="connect_timeout")
        #: Name, scheme, host and port for messages, without a user name or a password.
        self.label = address.label
        self._address = address
        self._remedy = remedy
        self._timeouts = (connect_timeout, timeout)
        self._session = address.session(FreshAdapter)
        self._session.headers["Connection"] = "close"
        self._session.headers.update(headers or {})

    def post(self, path: str, body: Mapping[str, Any]) -> requests.Response:
        """The response, its body not read yet.

        :param path: appended to the address unless it is there, with its leading slash.
        :raises LLMTimeout: no connection, or no first byte, in time.
        :raises LLMRefused: the server refused the request.
        :raises LLMUnavailable: the server cannot be reached, is busy or failed.
        :raises LLMError: anything else.
        """
        return self._sent("POST", path, body, self._timeouts)

    def get(
        self, path: str, body: Mapping[str, Any] | None = None, *, timeout: float
    ) -> dict[str, Any]:
        """The JSON object that the server tells, for one about a model.

        :param path: appended to the address unless it is there, with its leading slash.
        :param body: posted where the server wants to be asked so; else it is a GET.
        :param timeout: seconds for all of it.
        :raises LLMError: as :meth:`post`, or the answer is no JSON object or too large.
        """
        end = time.monotonic() + timeout
        method = "GET" if body is None else "POST"
        with self._sent(method, path, body, (min(timeout, self._timeouts[0]), timeout)) as response:
            try:
                whole = whole_body(response, end=end, most=MAX_WHOLE)
            except (BodyTooLarge, TimeoutError) as exc:
                raise LLMError(f"{self.label} told too much, or too slowly, of its models") from exc
            except (urllib3.exceptions.HTTPError, OSError) as exc:
                raise LLMError(f"the connection to {self.label} broke") from exc
        return parsed(whole, self.label)

    def _sent(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        timeouts: tuple[float, float],
    ) -> requests.Response:
        connect, read = timeouts
        try:
            response = self._session.request(
                method,
                self._address.at(path),
                json=body,
                stream=True,
                timeout=timeouts,
                allow_redirects=False,
            )
        except requests.ConnectTimeout as exc:
            raise LLMTimeout(f"{self.label} took no connection within {connect:g} s") from exc
        except requests.Timeout as exc:
            raise LLMTimeout(f"{self.label} sent nothing within {read:g} s") from exc
        except requests.exceptions.SSLError as exc:
            raise LLMError(
                f"{self.label} has no certificate that is trusted here; check the options url and "
                "ca_file"
            ) from exc
        except requests.exceptions.InvalidJSONError as exc:
            raise LLMRefused(
                f"the request to {self.label} has a value that JSON cannot hold, such as one that "
                "is not a number; send none"
            ) from exc
        except requests.RequestException as exc:
            raise LLMUnavailable(
                f"{self.label} cannot be reached; start it or change the option url"
            ) from exc
        if response.status_code == requests.codes.ok:
            return response
        with response:
            raise self._failure(response)

    def _failure(self, response: requests.Response) -> LLMError:
        end = time.monotonic() + self._timeouts[1]
        try:
            body: object = json.loads(whole_body(response, end=end, most=MAX_WHOLE))
        except (BodyTooLarge, ValueError, RecursionError, urllib3.exceptions.HTTPError, OSError):
            body = ""
        error = body.get("error", "") if isinstance(body, dict) else ""
        return refused(
            self.label,
            error,
            status=response.status_code,
            remedy=self._remedy,
            retry_after=response.headers.get("Retry-After", ""),
        )


class Call:
    """One streamed request; its blocks of bytes come as soon as the server sends them."""

    def __init__(self, server: Server, path: str, body: Callable[[], Mapping[str, Any]]) -> None:
        """Keep the request; it is sent when the first block is asked for.

        :param body: makes the request's body then; it may ask the server about its model, which
            :meth:`close` ends as well.
        """
        self.server = server
        self._path = path
        self._body = body
        self._cutoff = Cutoff()

    @property
    def closed(self) -> bool:
        """True from the first :meth:`close` on."""
        return self._cutoff.is_cut

    def blocks(self) -> Generator[bytes, None, None]:
        """Blocks of the answer's body, never empty, until its end or :meth:`close`.

        :raises LLMTimeout: the server was silent for too long.
        :raises LLMError: refused, or the connection broke.
        """
        if self.closed:
            return
        with watching(self._cutoff):
            response = self.server.post(self._path, self._body())
        with response:
            try:
                # requests' own iter_lines holds back what it has until more comes.
                while not self.closed and (
                    block := response.raw.read1(BLOCK_SIZE, decode_content=True)
                ):
                    yield block
            except urllib3.exceptions.ReadTimeoutError as exc:
                raise LLMTimeout(f"{self.server.label} stopped writing") from exc
            except (urllib3.exceptions.HTTPError, OSError) as exc:
                raise BrokenOff(f"the connection to {self.server.label} broke") from exc

    def close(self) -> None:
        """End the connection, also while another thread waits for an answer or its next block."""
        self._cutoff.cut()
