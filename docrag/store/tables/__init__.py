"""The schema as typed SQLAlchemy classes; ``Base.metadata`` is the whole of it."""

from __future__ import annotations

from docrag.store.tables.answers import AnswerRow as AnswerRow
from docrag.store.tables.documents import ChunkRow as ChunkRow
from docrag.store.tables.documents import DocumentFileRow as DocumentFileRow
from docrag.store.tables.documents import DocumentRoleRow as DocumentRoleRow
from docrag.store.tables.documents import DocumentRow as DocumentRow
from docrag.store.tables.documents import PageRow as PageRow
from docrag.store.tables.feedback import FeedbackRow as FeedbackRow
from docrag.store.tables.foreign import GroupRoleRow as GroupRoleRow
from docrag.store.tables.foreign import IdentityRow as IdentityRow
from docrag.store.tables.jobs import IngestRecordRow as IngestRecordRow
from docrag.store.tables.jobs import IngestVectorRow as IngestVectorRow
from docrag.store.tables.jobs import JobRow as JobRow
from docrag.store.tables.limits import RateLimitRow as RateLimitRow
from docrag.store.tables.metadata import Base as Base
from docrag.store.tables.people import ApiKeyRow as ApiKeyRow
from docrag.store.tables.people import KeyRoleRow as KeyRoleRow
from docrag.store.tables.people import RoleRow as RoleRow
from docrag.store.tables.people import UserRoleRow as UserRoleRow
from docrag.store.tables.people import UserRow as UserRow
from docrag.store.tables.search import DocumentGramsRow as DocumentGramsRow
from docrag.store.tables.search import DocumentTermsRow as DocumentTermsRow
from docrag.store.tables.search import EmbeddingRow as EmbeddingRow
from docrag.store.tables.search import GramRow as GramRow
from docrag.store.tables.search import PostingRow as PostingRow
from docrag.store.tables.search import SpaceDocumentRow as SpaceDocumentRow
from docrag.store.tables.search import SpaceRow as SpaceRow
from docrag.store.tables.search import TermRow as TermRow
from docrag.store.tables.throttle import LoginThrottleRow as LoginThrottleRow
