"""Counters behind rate limits, shared by all processes."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Delete, delete, func, text

from docrag.store.sessions import Sessions
from docrag.store.tables import RateLimitRow

#: One statement, so that hits of many processes at once are all counted. The window is fixed: it
#: opens with its first hit and is not made longer by further ones.
_HIT = text(
    """
    INSERT INTO rate_limits AS t (key, hits, expires_at)
    VALUES (:key, :amount, clock_timestamp() + :window)
    ON CONFLICT (key) DO UPDATE SET
        hits = CASE WHEN t.expires_at <= clock_timestamp()
            THEN excluded.hits ELSE t.hits + excluded.hits END,
        expires_at = CASE WHEN t.expires_at <= clock_timestamp()
            THEN excluded.expires_at ELSE t.expires_at END
    RETURNING hits
    """
)
_STATE = text(
    """
    SELECT hits, extract(epoch FROM expires_at - clock_timestamp())::float8 AS left
    FROM rate_limits WHERE key = :key AND expires_at > clock_timestamp()
    """
)


class Limits:
    """Counts hits within windows of time, by the clock of the database."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def hit(self, key: str, *, seconds: int, amount: int = 1) -> int:
        """Count a hit.

        :param key: who is counted, and by which limit.
        :param seconds: length of the window that this hit opens if none is open.
        :param amount: how much the hit counts.
        :returns: hits within the window, this one included.
        """
        values = {"key": key, "amount": amount, "window": timedelta(seconds=seconds)}
        with self._sessions.single() as connection:
            hits: int = connection.execute(_HIT, values).scalar_one()
            return hits

    def state(self, key: str) -> tuple[int, float]:
        """Hits within the open window, and seconds until it closes; 0 and 0 without one."""
        with self._sessions.begin() as session:
            found = session.execute(_STATE, {"key": key}).one_or_none()
        return (found.hits, found.left) if found else (0, 0.0)

    def forget(self, key: str | None = None) -> int:
        """Close a window, or all of them.

        :param key: all if ``None``.
        :returns: how many windows there were.
        """
        query = delete(RateLimitRow)
        return self._delete(query if key is None else query.where(RateLimitRow.key == key))

    def sweep(self) -> int:
        """Remove windows that have closed by themselves.

        :returns: how many there were.
        """
        return self._delete(delete(RateLimitRow).where(RateLimitRow.expires_at <= func.now()))

    def _delete(self, query: Delete) -> int:
        with self._sessions.begin() as session:
            return len(session.scalars(query.returning(RateLimitRow.key)).all())
