"""The address of a model's server, checked before anything is sent there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

import requests
from requests.adapters import HTTPAdapter

from docrag.errors import SettingsError

#: Header of a key that is a bearer token.
BEARER: Final = "Authorization"


class ServerAddress:
    """Where a server is, and what a request to it carries. Thread-safe; holds the key."""

    def __init__(
        self,
        *,
        name: str,
        url: str,
        api_key: str = "",
        ca_file: str = "",
        key_header: str = BEARER,
    ) -> None:
        """Check the address; nothing is sent.

        :param name: what messages call the server, such as ``the reranker``.
        :param url: ``http://`` or ``https://``; a user name and a password in it are sent as such,
            and stand in no message.
        :param api_key: empty sends none. Never shown in any message.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :param key_header: carries the key as it is, unless it is that of a bearer token.
        :raises SettingsError: the address is not HTTP or has no host that can be, the key cannot be
            sent or has a user name beside it, ``ca_file`` is not there, or one of them is no text.
        """
        self._parts = _parts(url, name)
        if not isinstance(api_key, str):
            raise SettingsError(f"api_key of {name} must be a text; an empty one sends none")
        if not (api_key.isascii() and api_key.isprintable()) or api_key != api_key.strip():
            raise SettingsError(f"api_key of {name} holds characters that no key can have")
        if api_key and key_header == BEARER and "@" in self._parts.netloc:
            # The library would send the user and silently leave the key out.
            raise SettingsError(
                f"url of {name} holds a user name and there is an api_key besides, of which a "
                "request can carry one; leave one of them out"
            )
        if not isinstance(ca_file, str):
            raise SettingsError(f"ca_file of {name} must be a text, the path of a PEM file")
        if ca_file and not Path(ca_file).is_file():
            raise SettingsError(f"ca_file of {name} is not a file that can be read")
        #: What messages call the server: name, scheme, host and port, no user name or password.
        self.label = f"{name} at {self._parts.scheme}://{self._parts.netloc.rpartition('@')[2]}"
        self._ca_file = ca_file
        sent = f"Bearer {api_key}" if key_header == BEARER else api_key
        self._headers = {key_header: sent} if api_key else {}

    def at(self, *ends: str) -> str:
        """The whole address of a request, without a fragment.

        :param ends: each begins with ``/``; the first is appended, before a query, unless the
            address has one of them at its end. Without any the address is taken as it is.
        """
        given = self._parts.path.rstrip("/") if ends else self._parts.path
        path = given if not ends or given.endswith(ends) else given + ends[0]
        return self._parts._replace(path=path, fragment="").geturl()

    def session(self, adapter: Callable[[], HTTPAdapter]) -> requests.Session:
        """A session without the environment's proxies and credentials.

        :param adapter: makes what opens connections, once a scheme.
        """
        session = requests.Session()
        session.trust_env = False
        session.verify = self._ca_file or True
        # A compressed stream is held back until its block is full, a few kilobytes are not worth
        # it, and a small answer cannot unfold into a huge one.
        session.headers["Accept-Encoding"] = "identity"
        session.headers.update(self._headers)
        for scheme in ("http://", "https://"):
            session.mount(scheme, adapter())
        return session


def _parts(url: str, name: str) -> SplitResult:
    wrong = f"url of {name} must start with http:// or https:// and a host"
    # Blanks and line breaks besides: the parser drops some of them.
    if not isinstance(url, str) or " " in url or not url.isprintable():
        raise SettingsError(f"{wrong}, without blanks")
    try:
        parts = urlsplit(url)
        _ = parts.port  # parsed only now: a port that is no number is an error
    except ValueError:
        # Without the cause: it can repeat a part of a password.
        raise SettingsError(wrong) from None
    if parts.scheme not in ("http", "https", ""):
        raise SettingsError(f"{wrong}, not with {parts.scheme!r:.80}")
    if not parts.scheme or not parts.hostname:
        raise SettingsError(wrong)
    try:
        requests.Request("POST", url).prepare()
        parts.hostname.encode("idna")  # what a connection does, which would be tried again
    except (requests.RequestException, ValueError):
        # Without the cause: it repeats the address, with a password in it.
        raise SettingsError(
            f"url of {name} has the host {parts.hostname!r:.80}, which no server can have; write "
            "its name or its IP address"
        ) from None
    return parts
