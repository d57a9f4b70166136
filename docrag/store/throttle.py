"""Failed attempts to sign in, and how long the next one must wait.

Two counters slow guessing down, both by exponential back-off (OWASP Authentication Cheat Sheet,
"Account Lockout"). One counts a user name together with an address. The other counts a user name
over all strange addresses, those from which the user never signed in: it stops guessing from many
addresses, and since it does not hold for known addresses, nobody can lock the user out of them.
"""

from __future__ import annotations

import hashlib
import ipaddress
import unicodedata
from datetime import timedelta

from sqlalchemy import Row, bindparam, text
from sqlalchemy.orm import Session

from docrag.store.sessions import Sessions

#: Failures of a pair that cost no wait: people mistype. Each further one doubles the wait from 1 s.
PAIR_FREE = 3
#: Longest wait of a pair, s; 96 guesses a day.
PAIR_MOST = 900
#: Longest wait of an address from which the user signed in before, s: somebody in the same office
#: may be guessing.
KNOWN_MOST = 60
#: The same for all strange addresses of a user together: 2,880 guesses a day however many they are.
STRANGE_FREE = 20
STRANGE_MOST = 30
#: Failures are forgotten this long after the last one, and known addresses after the last sign-in.
FORGET_FAILURES = timedelta(days=1)
FORGET_ADDRESS = timedelta(days=90)
#: Expired rows that one failure clears away, so that made-up names cannot fill the table.
SWEEP = 100
#: Larger exponents would not change the wait, which is cut before.
_MOST_DOUBLINGS = 20

_WAIT = text(
    """
    SELECT coalesce(bool_or(known) FILTER (WHERE address_hash = :address), false) AS known,
        coalesce(extract(epoch FROM max(blocked_until) FILTER (
            WHERE address_hash = :address) - clock_timestamp()), 0)::float8 AS pair,
        coalesce(extract(epoch FROM max(blocked_until) FILTER (
            WHERE address_hash = '') - clock_timestamp()), 0)::float8 AS strange
    FROM login_throttle
    WHERE username_hash = :username AND address_hash IN (:address, '')
        AND expires_at > clock_timestamp()
    """
)
_FAILED = text(
    """
    INSERT INTO login_throttle AS t (username_hash, address_hash, failures, expires_at)
    VALUES (:username, :address, 1, clock_timestamp() + :forget)
    ON CONFLICT (username_hash, address_hash) DO UPDATE SET
        failures = CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.failures + 1 END,
        known = t.known AND t.expires_at > clock_timestamp(),
        blocked_until = CASE WHEN t.expires_at > clock_timestamp() THEN t.blocked_until END,
        expires_at = greatest(t.expires_at, excluded.expires_at)
    RETURNING failures, known
    """
)
_BLOCK = text(
    """
    UPDATE login_throttle SET blocked_until = clock_timestamp() + :wait
    WHERE username_hash = :username AND address_hash = :address
    """
)
_SUCCEEDED = text(
    """
    INSERT INTO login_throttle AS t (username_hash, address_hash, known, expires_at)
    VALUES (:username, :address, true, clock_timestamp() + :forget)
    ON CONFLICT (username_hash, address_hash) DO UPDATE SET
        failures = 0, known = true, blocked_until = NULL, expires_at = excluded.expires_at
    """
)
_SWEEP = text(
    """
    DELETE FROM login_throttle WHERE (username_hash, address_hash) IN (
        SELECT username_hash, address_hash FROM login_throttle
        WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT :most
        FOR UPDATE SKIP LOCKED)
    """
).bindparams(bindparam("most", SWEEP))


class Throttle:
    """Counts failed attempts to sign in; a name that nobody has is counted like any other."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def wait(self, username: str, address: str) -> float:
        """Seconds that this user name must still wait at this address; 0 to try now.

        :param username: as it was typed; letter case does not matter, and no user needs to exist.
        :param address: of the caller; an IPv6 address stands for its network of 64 bits.
        """
        with self._sessions.begin() as session:
            return _wait(session, _hashes(username, address))

    def attempt(self, username: str, address: str) -> float:
        """Like :meth:`wait`, and counts a failure at once when it returns 0.

        For who checks the password next and then calls :meth:`succeeded` or nothing: attempts that
        arrive together cannot all pass before the first of them has failed.
        """
        hashes = _hashes(username, address)
        with self._sessions.begin() as session:
            _lock(session, hashes)
            wait = _wait(session, hashes)
            if wait == 0:
                _count(session, hashes)
            return wait

    def failed(self, username: str, address: str) -> None:
        """Count a failed attempt."""
        hashes = _hashes(username, address)
        with self._sessions.begin() as session:
            _lock(session, hashes)
            _count(session, hashes)

    def succeeded(self, username: str, address: str) -> None:
        """Forget the failures of the pair, and know the address from now on."""
        values = {**_hashes(username, address), "forget": FORGET_ADDRESS}
        with self._sessions.begin() as session:
            session.execute(_SUCCEEDED, values)


def _lock(session: Session, hashes: dict[str, bytes]) -> None:
    """Have others that count for this user name wait, so that no two lock each other's rows."""
    key = int.from_bytes(hashes["username"][:8], "big", signed=True)
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def _wait(session: Session, hashes: dict[str, bytes]) -> float:
    """Seconds to wait, 0 or more."""
    row = session.execute(_WAIT, hashes).one()
    strange = 0.0 if row.known else float(row.strange)
    return max(float(row.pair), strange, 0.0)


def _count(session: Session, hashes: dict[str, bytes]) -> None:
    """Count a failure of the pair, and of all strange addresses if it is one of them."""
    pair = _add(session, hashes)
    _block(session, hashes, pair.failures - PAIR_FREE, KNOWN_MOST if pair.known else PAIR_MOST)
    if not pair.known:
        strange = {**hashes, "address": b""}
        _block(session, strange, _add(session, strange).failures - STRANGE_FREE, STRANGE_MOST)
    session.execute(_SWEEP)


def _add(session: Session, hashes: dict[str, bytes]) -> Row[tuple[int, bool]]:
    """One failure more; how many there are, and whether the address is known."""
    row: Row[tuple[int, bool]] = session.execute(
        _FAILED, {**hashes, "forget": FORGET_FAILURES}
    ).one()
    return row


def _block(session: Session, hashes: dict[str, bytes], over: int, most: int) -> None:
    """Have a row wait: 1 s after the first failure over the free ones, then doubled each time."""
    if over > 0:
        seconds = min(2 ** min(over - 1, _MOST_DOUBLINGS), most)
        session.execute(_BLOCK, {**hashes, "wait": timedelta(seconds=seconds)})


def _hashes(username: str, address: str) -> dict[str, bytes]:
    """What stands for a user name and an address in the table."""
    name = unicodedata.normalize("NFKC", username).casefold()
    pair = f"{name}\x00{_network(address)}"
    return {"username": _sha256(name), "address": _sha256(pair)}


def _sha256(value: str) -> bytes:
    """Digest of a text; halves of surrogate pairs are taken as they are."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest()


def _network(address: str) -> str:
    """What counts as one address: one of IPv4, a network of 64 bits of IPv6, else the text."""
    try:
        parsed = ipaddress.ip_address(address.strip())
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))
