"""What the second stage of retrieval counts by; every document is queued to be indexed anew."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

APP_ROLE = "docrag_app"

TABLES = (
    """
    ALTER TABLE documents
        ADD language text DEFAULT 'tr' NOT NULL,
        ADD n_grams bigint DEFAULT 0 NOT NULL,
        ADD CONSTRAINT ck_documents_language_form CHECK (language ~ '^[a-z]{2}$'),
        ADD CONSTRAINT ck_documents_n_grams_positive CHECK (n_grams >= 0)
    """,
    """
    ALTER TABLE embedding_spaces
        ADD cosine_weight double precision,
        ADD calibration jsonb,
        ADD CONSTRAINT ck_embedding_spaces_calibrated CHECK (
            (cosine_weight IS NULL) = (calibration IS NULL)),
        ADD CONSTRAINT ck_embedding_spaces_cosine_weight_range CHECK (
            cosine_weight >= 0 AND cosine_weight < 'Infinity')
    """,
    """
    CREATE TABLE document_grams (
        document_id bigint NOT NULL,
        grams text[] NOT NULL,
        counts integer[] NOT NULL,
        CONSTRAINT pk_document_grams PRIMARY KEY (document_id),
        CONSTRAINT ck_document_grams_one_count_each CHECK (
            cardinality(grams) = cardinality(counts)),
        CONSTRAINT fk_document_grams_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    # Room in the pages, so that a changed count touches no index.
    """
    CREATE TABLE grams (
        gram text NOT NULL,
        df bigint NOT NULL,
        CONSTRAINT pk_grams PRIMARY KEY (gram),
        CONSTRAINT ck_grams_df_positive CHECK (df >= 0)
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX ix_terms_term_bytes ON terms (term text_pattern_ops)",
)

#: Whatever adds or removes a document's grams, the counts follow in the same transaction. One
#: writer at a time, so that two that meet at many common grams can never wait for each other.
COUNTING = (
    """
    CREATE FUNCTION docrag_count_grams() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(1685021554, 3);
        IF TG_OP <> 'INSERT' THEN
            UPDATE grams g SET df = g.df - o.n
            FROM unnest(OLD.grams, OLD.counts) o (gram, n) WHERE g.gram = o.gram;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            INSERT INTO grams (gram, df)
            SELECT gram, n FROM unnest(NEW.grams, NEW.counts) a (gram, n)
            ON CONFLICT (gram) DO UPDATE SET df = grams.df + EXCLUDED.df;
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER document_grams_counted AFTER INSERT OR UPDATE OR DELETE ON document_grams
    FOR EACH ROW EXECUTE FUNCTION docrag_count_grams()
    """,
)

_GRANTS = (
    "REVOKE EXECUTE ON FUNCTION docrag_corpus() FROM PUBLIC",
    f"GRANT EXECUTE ON FUNCTION docrag_corpus() TO {APP_ROLE}",
)
#: BM25 counts the whole corpus, whoever asks; only these numbers leave the function. A window is a
#: run of at most 12 neighbouring chunks.
CORPUS = (
    "DROP FUNCTION docrag_corpus()",
    """
    CREATE FUNCTION docrag_corpus(OUT n double precision, OUT avgdl double precision,
        OUT avgwindow double precision, OUT avggrams double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    BEGIN ATOMIC
        SELECT sum(n_chunks)::double precision,
            sum(n_tokens)::double precision / nullif(sum(n_chunks), 0),
            sum(n_tokens)::double precision / nullif(sum((n_chunks + 11) / 12), 0),
            sum(n_grams)::double precision / nullif(sum(n_chunks), 0)
        FROM documents;
    END
    """,
    *_GRANTS,
)
OLD_CORPUS = (
    "DROP FUNCTION docrag_corpus()",
    """
    CREATE FUNCTION docrag_corpus(OUT n double precision, OUT avgdl double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    BEGIN ATOMIC
        SELECT sum(n_chunks)::double precision,
            sum(n_tokens)::double precision / nullif(sum(n_chunks), 0)
        FROM documents;
    END
    """,
    *_GRANTS,
)

#: Text is indexed and embedded with its headings from now on: what was indexed without goes, and
#: workers make it anew from the stored files.
AGAIN = (
    """
    DO $$ DECLARE part regclass; BEGIN
        FOR part IN SELECT inhrelid::regclass FROM pg_inherits
            WHERE inhparent = 'embeddings'::regclass
        LOOP
            EXECUTE format('DROP TABLE %s', part);
        END LOOP;
    END $$
    """,
    "DELETE FROM embedding_spaces",
    "DELETE FROM chunks",
    """
    INSERT INTO ingest_jobs (document_id)
    SELECT d.id FROM documents d
    WHERE d.state IN ('ready', 'ready_with_warnings') AND NOT EXISTS (
        SELECT FROM ingest_jobs j WHERE j.document_id = d.id AND j.state IN ('queued', 'running'))
    """,
    """
    UPDATE documents SET state = 'queued', n_chunks = 0, n_tokens = 0, warnings = '[]'::jsonb
    WHERE state IN ('ready', 'ready_with_warnings')
    """,
)


def upgrade() -> None:
    for statement in (*TABLES, *COUNTING, *CORPUS, *AGAIN):
        op.execute(statement)
    op.execute(f"GRANT SELECT ON grams TO {APP_ROLE}")


def downgrade() -> None:
    for statement in OLD_CORPUS:
        op.execute(statement)
    op.execute("DROP INDEX ix_terms_term_bytes")
    op.drop_table("document_grams")
    op.execute("DROP FUNCTION docrag_count_grams()")
    op.execute(f"REVOKE ALL ON grams FROM {APP_ROLE}")
    op.drop_table("grams")
    op.execute("ALTER TABLE embedding_spaces DROP cosine_weight, DROP calibration")
    op.execute("ALTER TABLE documents DROP language, DROP n_grams")
