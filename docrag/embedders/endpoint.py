"""One HTTP endpoint that embeds: a JSON request in, a JSON answer or a named failure out."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from docrag.api import EmbedderError, SettingsError

logger = logging.getLogger(__name__)

#: Seconds to wait for a connection: a server in the same building answers in milliseconds.
CONNECT_TIMEOUT = 5.0
#: Answers that come from a proxy or a starting server and are worth another try.
RETRY_STATUS = (502, 503, 504)
#: Answers that may be about one text of the batch: refused input, or a crash while computing.
TEXT_STATUS = (400, 413, 422, 500)
#: Connections kept open, one a thread that embeds at the same time.
POOL_SIZE = 16
_TOO_LONG = re.compile(
    r"exceed\w* .*(context|length|token)|too (long|large)|maximum context"
    r"|exceed_context_size|context_length_exceeded",
    re.I,
)
_SECRET_FREE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")


class RefusedTexts(EmbedderError):
    """The server refused a batch for what may be in its texts."""

    def __init__(self, message: str, *, length: bool) -> None:
        super().__init__(message)
        #: True if the refusal names the length of a text.
        self.length = length


class Endpoint:
    """A server that embeds, with retries while it starts. Thread-safe.

    Proxies and credentials of the environment are not used, and redirects are not followed: texts
    go to the configured address and nowhere else.
    """

    def __init__(
        self, *, name: str, url: str, api_key: str, timeout: float, ca_file: str = ""
    ) -> None:
        """Check the address; nothing is sent yet.

        :param name: what messages call the server.
        :param url: start of every address, ``http://`` or ``https://``.
        :param api_key: sent as a bearer token; empty sends none. Never shown in any message.
        :param timeout: seconds between bytes of an answer.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: the address is not HTTP, or ``ca_file`` is not there.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"url of {name} must start with http:// or https:// and a host")
        if ca_file and not Path(ca_file).is_file():
            raise SettingsError(f"ca_file of {name} is not a file that can be read")
        self.name = name
        #: Scheme, host and port for messages, without a user name or a password.
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._session = _session(api_key)
        self._session.verify = ca_file or True

    def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - parsed JSON
        """The parsed JSON answer.

        :param path: appended to the address, with its leading slash.
        :raises RefusedTexts: the answer may be about one text of the batch.
        :raises EmbedderError: anything else: not reachable, not in time, not JSON, refused.
        """
        try:
            response = self._session.post(
                self._url + path,
                json=body,
                timeout=(CONNECT_TIMEOUT, self._timeout),
                allow_redirects=False,
            )
        except requests.Timeout as exc:
            raise EmbedderError(
                f"{self.name} at {self.address} did not answer within {self._timeout:g} s; "
                "raise the option timeout or lower batch_size"
            ) from exc
        except requests.exceptions.SSLError as exc:
            raise EmbedderError(
                f"{self.name} at {self.address} has no certificate that is trusted here; check "
                "the options url and ca_file"
            ) from exc
        except requests.RequestException as exc:
            raise EmbedderError(
                f"{self.name} at {self.address} cannot be reached; start it or change the option "
                "url"
            ) from exc
        return self._parsed(response)

    def _parsed(self, response: requests.Response) -> Any:  # noqa: ANN401 - parsed JSON
        if response.status_code != requests.codes.ok:
            raise self._failure(response)
        try:
            return response.json()
        except requests.JSONDecodeError as exc:
            raise EmbedderError(
                f"{self.name} at {self.address} answered with something that is not JSON; "
                "is the option url the address of the API?"
            ) from exc

    def _failure(self, response: requests.Response) -> EmbedderError:
        status = response.status_code
        reason, code = _reason(response)
        # The server's words may repeat the text that it could not embed.
        logger.debug(
            "%s answered %d: %s", self.name, status, reason, extra={"action": "embed_refused"}
        )
        said = f"{self.name} at {self.address} answered {status}{f' ({code})' if code else ''}"
        if status in TEXT_STATUS:
            return RefusedTexts(said, length=bool(_TOO_LONG.search(f"{code} {reason}")))
        if status in (requests.codes.unauthorized, requests.codes.forbidden):
            return EmbedderError(f"{said}: check the option api_key")
        if status == requests.codes.not_found:
            return EmbedderError(f"{said}: the model or the address is not known there")
        return EmbedderError(said)


def _session(api_key: str) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    if api_key:
        session.headers["Authorization"] = f"Bearer {api_key}"
    retries = Retry(
        total=3,
        connect=2,
        read=0,
        redirect=0,
        status=2,
        other=0,
        status_forcelist=RETRY_STATUS,
        allowed_methods=("POST",),
        backoff_factor=0.2,
        raise_on_status=False,
        respect_retry_after_header=False,
    )
    adapter = HTTPAdapter(max_retries=retries, pool_maxsize=POOL_SIZE)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def _reason(response: requests.Response) -> tuple[str, str]:
    """The server's own words, and its machine word if it is one."""
    try:
        error = response.json().get("error", "")
    except (requests.JSONDecodeError, AttributeError):
        return response.text[:200], ""
    if not isinstance(error, dict):
        return str(error), ""
    word = str(error.get("code") or error.get("type") or "")
    return str(error.get("message", "")), word if _SECRET_FREE.fullmatch(word) else ""
