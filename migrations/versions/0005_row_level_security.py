"""Row-level security: the second wall, for the role that reads for callers."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

#: The role that reads for callers.
APP_ROLE = "docrag_app"
#: Not in a subselect, which would hide the roles from the planner; on the table's own array, since
#: && is not leakproof and only the policy itself can use an index.
OWN_ROLES = "allowed_roles && string_to_array(current_setting('docrag.roles', true), ',')"
#: The policy of documents holds inside of it.
OWN_DOCUMENT = "EXISTS (SELECT FROM documents d WHERE d.id = {table}.document_id)"

POLICIES = {
    "documents": OWN_ROLES,
    "chunks": OWN_ROLES,
    "embeddings": OWN_ROLES,
    "pages": OWN_DOCUMENT,
    "ingest_jobs": OWN_DOCUMENT,
    "document_roles": OWN_DOCUMENT,
    "document_files": OWN_DOCUMENT,
}
#: Read without a policy: they hold no text of a document, and are joined to one that has.
OPEN = ("embedding_spaces", "terms", "postings")

#: BM25 counts the whole corpus, whoever asks; only the two numbers leave the function.
CORPUS = """
    CREATE FUNCTION docrag_corpus(OUT n double precision, OUT avgdl double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    BEGIN ATOMIC
        SELECT sum(n_chunks)::double precision,
            sum(n_tokens)::double precision / nullif(sum(n_chunks), 0)
        FROM documents;
    END
"""

#: Partitions made before: closed to a direct look, read through ``embeddings`` only.
PARTITIONS = """
    DO $$ DECLARE part regclass; BEGIN
        FOR part IN SELECT inhrelid::regclass FROM pg_inherits
            WHERE inhparent = 'embeddings'::regclass
        LOOP
            EXECUTE format('ALTER TABLE %s {action} ROW LEVEL SECURITY', part);
        END LOOP;
    END $$
"""


def upgrade() -> None:
    # The upgrade has made the role: it belongs to the server and not to this database.
    schema = op.get_bind().scalar(text("SELECT quote_ident(current_schema())"))
    op.execute(f"GRANT USAGE ON SCHEMA {schema} TO {APP_ROLE}")
    for table, condition in POLICIES.items():
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        using = condition.format(table=table)
        op.execute(f"CREATE POLICY {table}_readers ON {table} FOR SELECT USING ({using})")
    op.execute(PARTITIONS.format(action="ENABLE"))
    op.execute(f"GRANT SELECT ON {', '.join((*POLICIES, *OPEN))} TO {APP_ROLE}")
    op.execute(f"GRANT SELECT, INSERT ON answers TO {APP_ROLE}")
    op.execute(CORPUS)
    op.execute("REVOKE EXECUTE ON FUNCTION docrag_corpus() FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION docrag_corpus() TO {APP_ROLE}")


def downgrade() -> None:
    # The role stays: other databases of the server may use it.
    schema = op.get_bind().scalar(text("SELECT quote_ident(current_schema())"))
    op.execute("DROP FUNCTION docrag_corpus()")
    op.execute(f"REVOKE ALL ON answers, {', '.join((*POLICIES, *OPEN))} FROM {APP_ROLE}")
    op.execute(f"REVOKE USAGE ON SCHEMA {schema} FROM {APP_ROLE}")
    op.execute(PARTITIONS.format(action="DISABLE"))
    for table in POLICIES:
        op.execute(f"DROP POLICY {table}_readers ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
