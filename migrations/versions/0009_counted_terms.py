"""In how many chunks each term stands, kept; and a policy of documents that is evaluated once."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TABLES = (
    # Room in the pages, so that a changed count touches no index.
    """
    ALTER TABLE terms
        ADD df bigint DEFAULT 0 NOT NULL,
        ADD CONSTRAINT ck_terms_df_positive CHECK (df >= 0),
        SET (fillfactor = 50)
    """,
    """
    CREATE TABLE document_terms (
        document_id bigint NOT NULL,
        term_ids integer[] NOT NULL,
        counts integer[] NOT NULL,
        CONSTRAINT pk_document_terms PRIMARY KEY (document_id),
        CONSTRAINT ck_document_terms_one_count_each CHECK (
            cardinality(term_ids) = cardinality(counts)),
        CONSTRAINT fk_document_terms_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
)

#: As the grams are counted, one writer at a time and by the same lock.
COUNTING = (
    """
    CREATE FUNCTION docrag_count_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(1685021554, 3);
        IF TG_OP <> 'INSERT' THEN
            UPDATE terms t SET df = t.df - o.n
            FROM unnest(OLD.term_ids, OLD.counts) o (id, n) WHERE t.id = o.id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            UPDATE terms t SET df = t.df + a.n
            FROM unnest(NEW.term_ids, NEW.counts) a (id, n) WHERE t.id = a.id;
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER document_terms_counted AFTER INSERT OR UPDATE OR DELETE ON document_terms
    FOR EACH ROW EXECUTE FUNCTION docrag_count_terms()
    """,
)

#: What is stored already, counted without the trigger.
STORED = (
    """
    INSERT INTO document_terms (document_id, term_ids, counts)
    SELECT document_id, array_agg(term_id), array_agg(n) FROM (
        SELECT document_id, term_id, count(*)::integer AS n FROM postings GROUP BY 1, 2) counted
    GROUP BY document_id
    """,
    """
    UPDATE terms t SET df = p.n
    FROM (SELECT term_id, count(*) AS n FROM postings GROUP BY 1) p WHERE p.term_id = t.id
    """,
)

#: Evaluated once a statement and not once a row, which a search over all documents spent most of
#: its time with. Chunks and embeddings keep theirs: the planner must see their roles, and no search
#: reads all of them.
ONCE = "allowed_roles && (SELECT string_to_array(current_setting('docrag.roles', true), ','))"
EACH = "allowed_roles && string_to_array(current_setting('docrag.roles', true), ',')"


def upgrade() -> None:
    for statement in (*TABLES, *STORED, *COUNTING):
        op.execute(statement)
    op.execute(f"ALTER POLICY documents_readers ON documents USING ({ONCE})")


def downgrade() -> None:
    op.execute(f"ALTER POLICY documents_readers ON documents USING ({EACH})")
    op.drop_table("document_terms")
    op.execute("DROP FUNCTION docrag_count_terms()")
    op.execute("ALTER TABLE terms DROP df, RESET (fillfactor)")
