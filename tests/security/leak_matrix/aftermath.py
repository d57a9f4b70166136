"""After a walk: what the audit says of the prompts, and that nobody changed anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from sqlalchemy import text

from tests.security.leak_matrix.faces import Face
from tests.security.leak_matrix.model import ADMIN
from tests.security.leak_matrix.visits import Visit
from tests.security.leak_matrix.world import OWNER, World

#: Documents whose chunks were offered or cited, by answer.
OFFERED: Final = text(
    """
    SELECT DISTINCT a.id::text AS answer, d.public_id::text AS document
    FROM answers a
        CROSS JOIN unnest(a.context_chunk_ids || a.cited_chunk_ids) AS offered (chunk)
        JOIN chunks c ON c.id = offered.chunk
        JOIN documents d ON d.id = c.document_id
    """
)
#: Who said something of an answer that somebody else got.
MEDDLED: Final = text(
    """
    SELECT DISTINCT u.username
    FROM feedback f JOIN answers a ON a.id = f.answer_id JOIN users u ON u.id = f.user_id
    WHERE a.user_id IS DISTINCT FROM f.user_id
    """
)


def audited(
    world: World, asked: Mapping[str, tuple[Face, Visit]]
) -> Iterator[tuple[Face, Visit, str]]:
    """Answers of this state that stood on a chunk which their reader may not read."""
    with world.stage.engine.connect() as connection:
        rows = connection.execute(OFFERED).all()
    for answer, document in rows:
        if answer not in asked:
            continue  # of an earlier state
        face, visit = asked[answer]
        if document not in {doc.id for doc in world.model.visible(face.api or ())}:
            yield face, visit, f"the prompt held a chunk of document {document}"


def unchanged(world: World) -> Iterator[str]:
    """What is not as the model has it, though only those who may not have tried to change it."""
    model, store = world.model, world.stage.store
    stored = {doc.id: set(doc.roles) for doc in store.documents.list(access=OWNER)}
    right = {doc.id: set(model.names(doc.roles)) for doc in model.docs if not doc.deleted}
    if stored != right:
        yield f"documents have the roles {stored}, not {right}"
    users = {user.username: (set(user.roles), user.active) for user in store.users.list()}
    people = {who.username: (set(model.roles_of(who)), who.active) for who in model.people}
    if users != people:
        yield f"users are {users}, not {people}"
    roles = {role.name: role.retired for role in store.roles.list()}
    known = {ADMIN: False, **{role.name: role.retired for role in model.roles}}
    if roles != known:
        yield f"roles are {roles}, not {known}"
    keys = {key.id for key in store.keys.list(model.people[0].username)}
    if not keys >= set(world.key_ids):
        yield "keys of the administrator are revoked"
    admins = {who.username for who in model.people if who.is_admin}
    with world.stage.engine.connect() as connection:
        meddled = set(connection.scalars(MEDDLED))
    if meddled - admins:
        yield f"{meddled - admins} rated answers of others"
