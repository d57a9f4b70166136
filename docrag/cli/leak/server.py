"""The server under test, as its clients see it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import requests

from docrag.api import DocragError

#: Seconds that a client waits for a connection, and for the next bytes; a model may think long.
TIMEOUT: Final = (10.0, 180.0)
#: How often a request comes again that was refused for its rate.
PATIENCE: Final = 5
#: Longest wait for the rate to allow more, s; a day's quota is not waited for.
LONGEST_WAIT: Final = 70.0


class LeakTestFailed(DocragError):
    """The server could not be tested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request of the walk."""

    method: str
    path: str
    #: The route as ``/openapi.json`` writes it.
    route: str
    json: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back: the status, and everything in which a text can hide."""

    status: int
    text: str = field(repr=False)

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """The parsed body; ``None`` if it is no JSON."""
        try:
            return json.loads(self.text.partition("\n\n")[2])
        except ValueError:
            return None


class Server:
    """Sends requests with one key, or without. For one thread."""

    def __init__(self, url: str) -> None:
        """Nothing is sent yet.

        :param url: address of the server, without a path.
        """
        self._url = url.rstrip("/")
        self._session = requests.Session()
        # Neither a proxy nor a .netrc of the operator: the key goes to this server only.
        self._session.trust_env = False

    def send(self, call: Call, key: str | None, headers: Mapping[str, str] | None = None) -> Reply:
        """The reply to a request, however it ended; waits where the rate is limited.

        :param key: API key; ``None`` for nobody's.
        :raises LeakTestFailed: the server cannot be reached.
        """
        reply, wait = self._once(call, key, headers)
        for _ in range(PATIENCE):
            if wait is None:
                break
            time.sleep(wait)
            reply, wait = self._once(call, key, headers)
        return reply

    def ask(
        self,
        method: str,
        path: str,
        key: str,
        *,
        body: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        file: tuple[str, bytes] | None = None,
    ) -> Any:  # noqa: ANN401 - any JSON
        """The JSON of a request that must succeed; ``None`` for an empty body.

        :param form: fields of a multipart form, with ``file`` as its file.
        :raises LeakTestFailed: it did not succeed.
        """
        files = {"file": file} if file else None
        response = self._request(method, path, key, json=body, data=form, files=files)
        if not response.ok:
            raise LeakTestFailed(
                f"{method} {path} gave {response.status_code} with the administrator's key; "
                "check the address and the key"
            )
        return response.json() if response.content else None

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _once(
        self, call: Call, key: str | None, headers: Mapping[str, str] | None
    ) -> tuple[Reply, float | None]:
        """A reply, and how long to wait before the request comes again, if it should."""
        response = self._request(call.method, call.path, key, json=call.json, headers=headers)
        reply = Reply(status=response.status_code, text=_everything(response))
        limited = response.status_code == 429 and "x-should-retry" not in response.headers
        wait = float(response.headers.get("Retry-After", "1")) if limited else None
        return reply, None if wait is None or wait > LONGEST_WAIT else wait

    def _request(
        self,
        method: str,
        path: str,
        key: str | None,
        headers: Mapping[str, str] | None = None,
        **more: Any,  # noqa: ANN401 - arguments of requests
    ) -> requests.Response:
        own = {} if key is None else {"Authorization": f"Bearer {key}"}
        try:
            return self._session.request(
                method,
                self._url + path,
                headers={**own, **(headers or {})},
                timeout=TIMEOUT,
                allow_redirects=False,
                **more,
            )
        except requests.RequestException as exc:
            raise LeakTestFailed(
                f"{method} {path} did not reach the server ({type(exc).__name__})"
            ) from None


def _everything(response: requests.Response) -> str:
    """Headers, body, and the text of a stream put together, since it may be cut anywhere."""
    head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    body = response.content.decode("utf-8", "replace")
    return "\n".join((head, "", body, "".join(_pieces(body))))


def _pieces(body: str) -> Iterator[str]:
    """Contents of the chunks of a streamed answer; none for another body."""
    for line in body.splitlines():
        if not line.startswith("data: {"):
            continue
        try:
            choices = json.loads(line[len("data: ") :]).get("choices") or []
        except ValueError:
            continue
        yield from (str((choice.get("delta") or {}).get("content") or "") for choice in choices)
