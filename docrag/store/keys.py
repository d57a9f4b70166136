"""API keys, of which only the SHA-256 is stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from docrag.api import Access, NameTaken, UnknownName
from docrag.store.records import ApiKey, Principal
from docrag.store.sessions import Sessions
from docrag.store.tables import ApiKeyRow, UserRow
from docrag.store.users import user_of, user_row

#: ``last_used_at`` is written at most this often, so that a request usually only reads.
USED_RESOLUTION = timedelta(minutes=1)


class Keys:
    """Creates, checks, lists and revokes API keys."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(
        self,
        *,
        username: str,
        name: str,
        key_hash: bytes,
        prefix: str,
        expires_at: datetime | None = None,
    ) -> ApiKey:
        """A new key of a user.

        :param name: what the key is for, in words.
        :param key_hash: SHA-256 of the key, 32 bytes.
        :param prefix: first characters of the key, to tell keys apart.
        :param expires_at: moment with a time zone from which the key is refused; never by default.
        :raises UnknownName: no such user.
        :raises NameTaken: the key exists already.
        :raises StoreError: the name is empty or the hash has another length.
        """
        with self._sessions.begin() as session:
            query = insert(ApiKeyRow).values(
                user_id=user_row(session, username).id,
                name=name,
                key_hash=key_hash,
                prefix=prefix,
                expires_at=expires_at,
            )
            key_id = session.scalar(query.on_conflict_do_nothing().returning(ApiKeyRow.id))
            if key_id is None:
                raise NameTaken("key", prefix)
            return _key(session.get_one(ApiKeyRow, key_id), username)

    def principal(self, key_hash: bytes) -> Principal | None:
        """Who calls with this key, with the roles that they have at this moment.

        :param key_hash: SHA-256 of the key, 32 bytes.
        :returns: ``None`` for a key that is unknown, revoked or expired, or whose user is inactive.
        """
        with self._sessions.begin() as session:
            found = session.execute(
                select(ApiKeyRow.id, UserRow)
                .join(UserRow, UserRow.id == ApiKeyRow.user_id)
                .where(
                    ApiKeyRow.key_hash == key_hash,
                    ApiKeyRow.revoked_at.is_(None),
                    func.coalesce(ApiKeyRow.expires_at > func.now(), True),
                    UserRow.active,
                )
            ).one_or_none()
            if found is None:
                return None
            key_id, row = found
            _note_use(session, key_id)
            user = user_of(session, row)
        return Principal(user=user, key_id=key_id, access=Access.of(user.roles))

    def list(self, username: str | None = None) -> list[ApiKey]:
        """Keys that are not revoked, oldest first; expired ones are among them.

        :param username: only keys of this user; an unknown name has none.
        """
        query = (
            select(ApiKeyRow, UserRow.username)
            .join(UserRow, UserRow.id == ApiKeyRow.user_id)
            .where(ApiKeyRow.revoked_at.is_(None))
            .order_by(ApiKeyRow.id)
        )
        with self._sessions.begin() as session:
            rows = session.execute(query).all()
        return [_key(row, owner) for row, owner in rows if username in {None, owner}]

    def revoke(self, key_id: int) -> None:
        """Refuse a key from now on; a revoked one stays so.

        :raises UnknownName: no such key.
        """
        revoked = func.coalesce(ApiKeyRow.revoked_at, func.now())
        query = update(ApiKeyRow).where(ApiKeyRow.id == key_id).values(revoked_at=revoked)
        with self._sessions.begin() as session:
            if session.scalar(query.returning(ApiKeyRow.id)) is None:
                raise UnknownName("key", str(key_id))


def _note_use(session: Session, key_id: int) -> None:
    """Write down that the key was used, unless that was done within the last minute."""
    stale = func.coalesce(ApiKeyRow.last_used_at < func.now() - USED_RESOLUTION, True)
    query = update(ApiKeyRow).where(ApiKeyRow.id == key_id, stale).values(last_used_at=func.now())
    session.execute(query.execution_options(synchronize_session=False))


def _key(row: ApiKeyRow, username: str) -> ApiKey:
    """The record of a row."""
    return ApiKey(
        id=row.id,
        username=username,
        name=row.name,
        prefix=row.prefix,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
    )
