"""One HTTP server with a vision model: a JSON request in, a JSON object or a named failure out."""

from __future__ import annotations

import json
import logging
import re
import time
from typing import Any, Final

import requests
import urllib3
from requests.adapters import HTTPAdapter

from docrag.api import BodyTooLarge, LoaderError, OcrUnavailable, ServerAddress, whole_body

logger = logging.getLogger(__name__)

#: Seconds until a connection stands, and in which a server that is there tells its version.
CONNECT_SECONDS = 5.0
#: Most bytes of an answer: a full page of text has ten thousand.
MOST_BYTES = 4 * 1024 * 1024
_SERVER_FAILED: Final = 500
#: Answers of a proxy, or of a server that starts or is busy: the same page may be read later.
_BUSY: Final = (429, 502, 503, 504)
_KEY_REFUSED: Final = (401, 403)
_REDIRECTS: Final = range(300, 400)
_PAGE_REFUSED: Final = (400, 413, 422)
#: A model that takes no pictures, in the words of several servers.
_BLIND = re.compile(
    r"(?:image|vision|multimodal|picture)[^.]{0,80}(?:not (?:be )?support|unsupported|missing)"
    r"|(?:not support|unsupported|missing)[^.]{0,80}(?:image|vision|multimodal)"
    r"|not a (?:multimodal|vision)|mmproj",
    re.IGNORECASE,
)
#: A picture that does not fit, in the words of several servers.
_TOO_LONG = re.compile(
    r"exceed\w* .{0,60}(?:context|token)|context_length_exceeded|maximum context|too many tokens",
    re.IGNORECASE,
)


class VisionServer:
    """A server that reads pictures. Thread-safe.

    Proxies and credentials of the environment are not used, and redirects are not followed: pages
    go to the configured address and nowhere else.
    """

    def __init__(
        self, *, name: str, url: str, api_key: str, timeout: float, ca_file: str, alive: str
    ) -> None:
        """Check the address; nothing is sent yet.

        :param name: what messages call the server.
        :param url: start of every address, ``http://`` or ``https://``.
        :param api_key: sent as a bearer token; empty sends none. Never shown in any message.
        :param timeout: seconds for one whole answer.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :param alive: path that a running server answers at once.
        :raises SettingsError: address, key or file cannot be right.
        """
        address = ServerAddress(name=name, url=url, api_key=api_key, ca_file=ca_file)
        #: Name, scheme, host and port for messages, without a user name or a password.
        self.label = address.label
        self._address = address
        self._alive = alive
        self._timeout = timeout
        self._session = address.session(HTTPAdapter)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The parsed answer.

        :param path: appended to the address unless it is there, with its leading slash.
        :raises LoaderError: this page was not read, others may be: too slow, refused, failed.
        :raises OcrUnavailable: the server cannot be reached, is busy, or is not such a server.
        """
        status, data = self._answer(path, body)
        if status == _SERVER_FAILED:  # a model that broke down is loaded anew by the next request
            status, data = self._answer(path, body)
        return self._parsed(status, data)

    def _answer(self, path: str, body: dict[str, Any]) -> tuple[int, bytes]:
        """Status and body of one request."""
        end = time.monotonic() + self._timeout
        try:
            with self._sent("POST", path, body, self._timeout) as response:
                return response.status_code, whole_body(response, end=end, most=MOST_BYTES)
        except (
            requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError, BodyTooLarge
        ) as exc:  # fmt: skip
            raise self._slow() from exc
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as exc:
            raise OcrUnavailable(
                f"{self.label} cannot be reached; start it, or change url or ca_file of "
                "DOCRAG_OCR_OPTIONS"
            ) from exc

    def _sent(
        self, method: str, path: str, body: dict[str, Any] | None, seconds: float
    ) -> requests.Response:
        return self._session.request(
            method,
            self._address.at(path),
            json=body,
            stream=True,
            timeout=(CONNECT_SECONDS, seconds),
            allow_redirects=False,
        )

    def _slow(self) -> LoaderError | OcrUnavailable:
        """Whose fault it is: the page's if the server still answers something else."""
        said = f"{self.label} did not read it within {self._timeout:g} s"
        try:
            self._sent("GET", self._alive, None, CONNECT_SECONDS).close()
        except (requests.RequestException, OSError):
            return OcrUnavailable(f"{said}, and answers nothing else; restart it")
        return LoaderError(f"{said}; raise timeout of DOCRAG_OCR_OPTIONS")

    def _parsed(self, status: int, data: bytes) -> dict[str, Any]:
        if status != requests.codes.ok:
            raise self._failure(status, data)
        try:
            answer = json.loads(data)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise OcrUnavailable(
                f"{self.label} answered with something that is not a JSON object; is url of "
                "DOCRAG_OCR_OPTIONS the address of the API?"
            )
        return answer

    def _failure(self, status: int, data: bytes) -> LoaderError | OcrUnavailable:
        reason = data[:2000].decode("utf-8", "replace")
        logger.debug("%s answered %d: %s", self.label, status, reason, extra=_REFUSED)
        said = f"{self.label} answered {status}"
        if _BLIND.search(reason):
            return OcrUnavailable(f"{said}: the model takes no pictures; choose a vision model")
        if status in _PAGE_REFUSED:
            long = "the picture exceeds the model's context window; raise context_window"
            fits = not _TOO_LONG.search(reason)
            return LoaderError(f"{said}: {'it does not take this picture' if fits else long}")
        if status >= _SERVER_FAILED and status not in _BUSY:
            return LoaderError(f"{said}: it failed over this page")
        return OcrUnavailable(f"{said}: {_advice(status)}")


_REFUSED: Final = {"action": "ocr.refused"}


def _advice(status: int) -> str:
    """What to do about an answer that every page would get."""
    if status in _KEY_REFUSED:
        return "check api_key of DOCRAG_OCR_OPTIONS"
    if status in _BUSY:
        return "it is busy or starting, try again later"
    if status in _REDIRECTS:
        return "it leads elsewhere; name the last address as url of DOCRAG_OCR_OPTIONS"
    return "the model or the address is not known there"
