"""Triggers that keep every ``allowed_roles`` equal to ``document_roles``, and protect ``admin``."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

FUNCTIONS = (
    # The truth: document_roles without retired roles, plus admin. FOR SHARE makes a role that is
    # being retired wait for us, or us for it; otherwise neither would see the other.
    """
    CREATE FUNCTION docrag_document_roles() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.allowed_roles := (
            SELECT array_agg(name ORDER BY name COLLATE "C") FROM (
                SELECT s.name FROM (
                    SELECT r.name FROM document_roles d JOIN roles r ON r.name = d.role
                    WHERE d.document_id = NEW.id AND r.retired_at IS NULL
                    FOR SHARE OF r
                ) s
                UNION
                SELECT 'admin'
            ) allowed
        );
        RETURN NEW;
    END $$
    """,
    # Touches the documents whose roles changed; their own trigger works out the new array.
    """
    CREATE FUNCTION docrag_touch_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE documents SET allowed_roles = allowed_roles
        WHERE id IN (SELECT document_id FROM changed);
        RETURN NULL;
    END $$
    """,
    """
    CREATE FUNCTION docrag_touch_documents_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE documents SET allowed_roles = allowed_roles
        WHERE id IN (SELECT document_id FROM document_roles WHERE role = NEW.name);
        RETURN NULL;
    END $$
    """,
    """
    CREATE FUNCTION docrag_propagate_roles() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE chunks SET allowed_roles = NEW.allowed_roles WHERE document_id = NEW.id;
        UPDATE embeddings SET allowed_roles = NEW.allowed_roles WHERE document_id = NEW.id;
        RETURN NULL;
    END $$
    """,
    # FOR SHARE: a concurrent change of the roles waits until this row can be seen by it.
    """
    CREATE FUNCTION docrag_copy_roles() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.allowed_roles := '{}';
        SELECT d.allowed_roles INTO NEW.allowed_roles
        FROM documents d WHERE d.id = NEW.document_id FOR SHARE;
        IF NOT FOUND THEN
            NEW.allowed_roles := '{}';  -- the foreign key refuses the row
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE FUNCTION docrag_protect_admin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND NEW.name = OLD.name AND NEW.retired_at IS NULL THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'the role admin cannot be renamed, retired or deleted'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'roles_protect_admin';
    END $$
    """,
)

TRIGGERS = (
    """
    CREATE TRIGGER roles_protect_admin BEFORE UPDATE OR DELETE ON roles
    FOR EACH ROW WHEN (OLD.name = 'admin') EXECUTE FUNCTION docrag_protect_admin()
    """,
    """
    CREATE TRIGGER roles_retired AFTER UPDATE OF retired_at ON roles
    FOR EACH ROW WHEN (OLD.retired_at IS DISTINCT FROM NEW.retired_at)
    EXECUTE FUNCTION docrag_touch_documents_of_role()
    """,
    """
    CREATE TRIGGER documents_roles BEFORE INSERT OR UPDATE OF allowed_roles ON documents
    FOR EACH ROW EXECUTE FUNCTION docrag_document_roles()
    """,
    """
    CREATE TRIGGER documents_propagate_roles AFTER UPDATE OF allowed_roles ON documents
    FOR EACH ROW WHEN (OLD.allowed_roles IS DISTINCT FROM NEW.allowed_roles)
    EXECUTE FUNCTION docrag_propagate_roles()
    """,
    """
    CREATE TRIGGER document_roles_inserted AFTER INSERT ON document_roles
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_touch_documents()
    """,
    """
    CREATE TRIGGER document_roles_deleted AFTER DELETE ON document_roles
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_touch_documents()
    """,
    # Two for an update, since a row may also move from one document to another.
    """
    CREATE TRIGGER document_roles_updated_from AFTER UPDATE ON document_roles
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_touch_documents()
    """,
    """
    CREATE TRIGGER document_roles_updated_to AFTER UPDATE ON document_roles
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_touch_documents()
    """,
    """
    CREATE TRIGGER chunks_roles BEFORE INSERT OR UPDATE OF allowed_roles, document_id ON chunks
    FOR EACH ROW EXECUTE FUNCTION docrag_copy_roles()
    """,
    """
    CREATE TRIGGER embeddings_roles
    BEFORE INSERT OR UPDATE OF allowed_roles, document_id ON embeddings
    FOR EACH ROW EXECUTE FUNCTION docrag_copy_roles()
    """,
)


def upgrade() -> None:
    for statement in (*FUNCTIONS, *TRIGGERS):
        op.execute(statement)


def downgrade() -> None:
    for name in (
        "docrag_document_roles",
        "docrag_touch_documents",
        "docrag_touch_documents_of_role",
        "docrag_propagate_roles",
        "docrag_copy_roles",
        "docrag_protect_admin",
    ):
        op.execute(f"DROP FUNCTION {name}() CASCADE")
