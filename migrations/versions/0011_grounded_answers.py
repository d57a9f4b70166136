"""How far answers stand on their sources, what people say of them, and when there is evidence."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

#: The role that reads for callers, see 0005.
APP_ROLE = "docrag_app"
#: Who calls, as the transaction says; nobody where it says nothing.
CALLER = "nullif(current_setting('docrag.user', true), '')::bigint"

UPGRADE = (
    """
    ALTER TABLE answers
        ADD retrieval real,
        ADD citation_coverage real,
        ADD completeness real,
        ADD unsupported integer DEFAULT 0 NOT NULL,
        ADD flags text[] DEFAULT '{}'::text[] NOT NULL,
        ADD CONSTRAINT ck_answers_confidence_range CHECK (
            retrieval BETWEEN 0 AND 1
            AND citation_coverage BETWEEN 0 AND 1
            AND completeness BETWEEN 0 AND 1),
        ADD CONSTRAINT ck_answers_unsupported_positive CHECK (unsupported >= 0)
    """,
    """
    ALTER TABLE embedding_spaces
        ADD evidence_threshold real,
        ADD CONSTRAINT ck_embedding_spaces_evidence_threshold_range CHECK (
            evidence_threshold BETWEEN 0 AND 1)
    """,
    """
    CREATE TABLE feedback (
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        answer_id uuid NOT NULL,
        user_id bigint,
        created_at timestamp with time zone DEFAULT now() NOT NULL,
        rating text NOT NULL,
        reason text,
        comment text,
        question text,
        CONSTRAINT pk_feedback PRIMARY KEY (id),
        CONSTRAINT uq_feedback_answer_id_user_id UNIQUE (answer_id, user_id),
        CONSTRAINT ck_feedback_rating_known CHECK (rating IN ('up', 'down')),
        CONSTRAINT ck_feedback_reason_known CHECK (reason IN (
            'wrong', 'incomplete', 'not_in_documents', 'wrong_source', 'outdated', 'unclear',
            'other')),
        CONSTRAINT ck_feedback_reason_of_down CHECK (rating = 'down' OR reason IS NULL),
        CONSTRAINT ck_feedback_comment_length CHECK (char_length(comment) BETWEEN 1 AND 2000),
        CONSTRAINT ck_feedback_question_length CHECK (char_length(question) BETWEEN 1 AND 8000),
        CONSTRAINT fk_feedback_answer_id_answers
            FOREIGN KEY (answer_id) REFERENCES answers (id) ON DELETE CASCADE,
        CONSTRAINT fk_feedback_user_id_users
            FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX ix_feedback_created_at ON feedback (created_at)",
    "CREATE INDEX ix_feedback_user_id ON feedback (user_id)",
    # The role sees and writes what its caller says of an answer that was given to the caller; an
    # administrator may rate every answer. All of it is read as the owner, for administrators.
    "ALTER TABLE feedback ENABLE ROW LEVEL SECURITY",
    f"""
    CREATE POLICY feedback_own ON feedback USING (user_id = {CALLER}) WITH CHECK (
        user_id = {CALLER}
        AND ('admin' = ANY (string_to_array(current_setting('docrag.roles', true), ','))
            OR EXISTS (
                SELECT FROM answers a WHERE a.id = feedback.answer_id AND a.user_id = {CALLER})))
    """,
    f"GRANT SELECT, INSERT, UPDATE ON feedback TO {APP_ROLE}",
)
DOWNGRADE = (
    "DROP TABLE feedback",
    "ALTER TABLE embedding_spaces DROP evidence_threshold",
    """
    ALTER TABLE answers
        DROP retrieval, DROP citation_coverage, DROP completeness, DROP unsupported, DROP flags
    """,
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
