"""Sign-in against an LDAP server or Active Directory, when ``DOCRAG_LDAP_URL`` is set."""

from __future__ import annotations

import logging
import ssl
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import urlsplit

from docrag.access.assertion import Assertion
from docrag.access.names import email_key
from docrag.api import DocragError, SettingsError
from docrag.settings import Settings

logger = logging.getLogger(__name__)

#: The issuer of the directory's people and groups in the tables of identities and groups.
ISSUER: Final = "ldap"
#: Seconds that the server has to answer.
TIMEOUT: Final = 5
#: Attributes that name a person for ever, the best first; else the distinguished name does.
SUBJECTS: Final = ("objectGUID", "entryUUID")
#: Most groups that are read of a person.
MOST_GROUPS: Final = 500


class DirectoryUnavailable(DocragError):
    """The directory cannot be reached, or refuses the account that searches."""


class Directory:
    """Checks passwords with a directory; a connection lasts for one sign-in."""

    def __init__(self, settings: Settings) -> None:
        """Connect nothing yet.

        :raises SettingsError: the extra ``ldap`` is not installed, or the URL, base or filter
            cannot be right.
        """
        # Optional, so imported where it is asked for. Its pyasn1 use warns on newer Pythons.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                import ldap3
                import ldap3.utils.conv
            except ImportError as exc:
                raise SettingsError(
                    "DOCRAG_LDAP_URL is set but ldap3 is missing; install docrag[ldap]"
                ) from exc
        parts = urlsplit(settings.ldap_url)
        if parts.scheme not in ("ldap", "ldaps") or not parts.hostname:
            raise SettingsError("DOCRAG_LDAP_URL must look like ldaps://host")
        if not settings.ldap_base or "{username}" not in settings.ldap_user_filter:
            raise SettingsError(
                "DOCRAG_LDAP_URL needs DOCRAG_LDAP_BASE, and {username} in DOCRAG_LDAP_USER_FILTER"
            )
        self._ldap: Any = ldap3
        self._settings = settings
        self._server = ldap3.Server(
            settings.ldap_url,
            connect_timeout=TIMEOUT,
            get_info="NO_INFO",
            # ldap3 would take any certificate.
            tls=ldap3.Tls(validate=ssl.CERT_REQUIRED),
        )
        #: In the clear only where nobody can listen.
        self._start_tls = parts.scheme == "ldap" and parts.hostname not in (
            "127.0.0.1",
            "localhost",
        )

    def verify(self, username: str, password: str) -> Assertion | None:
        """The person of this name, if it is their password; ``None`` for anything else.

        :raises DirectoryUnavailable: nothing can be said.
        """
        # An empty password would be an unauthenticated bind, which succeeds (RFC 4513, 5.1.2).
        if not username or not password:
            return None
        settings = self._settings
        try:
            with self._connection(settings.ldap_bind_dn, settings.ldap_bind_password) as connection:
                if not connection.bind():
                    raise DirectoryUnavailable("the directory refuses the account that searches")
                entry = self._find(connection, username)
            if entry is None:
                return None
            with self._connection(entry["dn"], password) as connection:
                return self._assertion(entry) if connection.bind() else None
        except (self._ldap.core.exceptions.LDAPException, DirectoryUnavailable) as exc:
            logger.warning("LDAP failed: %s", type(exc).__name__, extra={"action": "ldap_failed"})
            raise DirectoryUnavailable("the directory cannot be reached just now") from exc

    @contextmanager
    def _connection(self, name: str, password: str) -> Iterator[Any]:
        """A connection that binds as this account, anonymously without a name."""
        connection = self._ldap.Connection(
            self._server,
            user=name or None,
            password=password or None,
            read_only=True,
            receive_timeout=TIMEOUT,
            # A referral would be sent the password too.
            auto_referrals=False,
            client_strategy=self._ldap.SYNC,
        )
        try:
            if self._start_tls:
                connection.open()
                connection.start_tls()
            yield connection
        finally:
            with suppress(self._ldap.core.exceptions.LDAPException):
                connection.unbind()
            # ldap3 leaves the socket of a connection open that never came about.
            if connection.socket is not None:
                connection.socket.close()

    def _find(self, connection: Any, username: str) -> dict[str, Any] | None:  # noqa: ANN401
        """The one entry that the filter finds; several are as bad as none."""
        settings = self._settings
        escaped = self._ldap.utils.conv.escape_filter_chars(username)
        connection.search(
            settings.ldap_base,
            settings.ldap_user_filter.replace("{username}", escaped),
            attributes=["mail", settings.ldap_groups, *SUBJECTS],
            size_limit=2,
            time_limit=TIMEOUT,
        )
        found = [item for item in connection.response or [] if item["type"] == "searchResEntry"]
        return found[0] if len(found) == 1 else None

    def _assertion(self, entry: dict[str, Any]) -> Assertion:
        raw: dict[str, list[bytes]] = entry["raw_attributes"]
        listed = [_text(value) for value in raw.get(self._settings.ldap_groups, [])]
        mails = [email_key(_text(value)) for value in raw.get("mail", [])]
        return Assertion(
            issuer=ISSUER,
            subject=next(
                (_identifier(raw[name]) for name in SUBJECTS if raw.get(name)), entry["dn"]
            ),
            email=next((mail for mail in mails if mail), None),
            groups=tuple(dict.fromkeys(listed))[:MOST_GROUPS],
        )


def _identifier(values: list[bytes]) -> str:
    """An identifier as text: Active Directory's are binary."""
    try:
        text = values[0].decode("ascii")
    except UnicodeDecodeError:
        return values[0].hex()
    return text if text.isprintable() else values[0].hex()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
