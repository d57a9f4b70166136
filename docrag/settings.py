"""Every setting of docrag: one frozen record, read once from environment, file and defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeAlias

from docrag.api import SettingsError
from docrag.sources import check, from_environment, from_file, setting
from docrag.sources import variable as variable

Options: TypeAlias = Mapping[str, Any]

#: Component kinds that have a ``DOCRAG_<KIND>`` name and ``DOCRAG_<KIND>_OPTIONS``.
KINDS: Final = ("chunker", "embedder", "retriever", "reranker", "llm")
#: Chunkers that take DOCRAG_CHUNK_SIZE and DOCRAG_CHUNK_OVERLAP.
SIZED: Final = ("auto", "fixed", "legal_tr", "recursive", "semantic", "structure")
#: Bytes that a shared secret must have (RFC 7518, section 3.2: the size of the hash).
LEAST_SECRET: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. Sources: ``DOCRAG_*`` variables, then ``instance/config.py``, then defaults."""

    instance: Path = setting(
        Path("instance"), "Folder of config.py, the embedded database and first-run.json."
    )
    database_url: str = setting(
        "",
        "PostgreSQL with pgvector; empty starts the embedded server under the instance folder.",
        variable="DATABASE_URL",
        secret=True,
    )
    secret_key: str = setting(
        "", "Key that signs sessions; empty is made once and kept in the instance folder.",
        variable="SECRET_KEY", secret=True,
    )  # fmt: skip
    host: str = setting("127.0.0.1", "Address that `docrag serve` listens on.")
    port: int = setting(
        8000, "Port that `docrag serve` listens on.", variable="PORT", least=1, most=65535
    )
    public_url: str = setting(
        "", "Address that people use, for links in citations; empty takes it from the request."
    )
    cors_origins: tuple[str, ...] = setting(
        (), "Origins whose pages may call /v1 from a browser, comma-separated; * for all."
    )
    language: str = setting(
        "tr", "Language of prompts and fixed sentences: tr or en.", choices=("tr", "en")
    )
    model_name: str = setting("docrag", "Model id that chat front ends see.")
    plugins: tuple[str, ...] | None = setting(
        None, "Distributions whose plugins may load; unset allows all, empty only the built-ins."
    )
    plugin_choice: tuple[str, ...] = setting(
        (), "For a name that two distributions offer: kind.name=distribution, comma-separated."
    )
    chunker: str = setting(
        "auto", "Chunker that cuts documents: auto (legal_tr for laws, else structure), legal_tr, "
        "structure, recursive, fixed or semantic.",
    )  # fmt: skip
    chunker_options: Options = setting({}, "Chunker options, a JSON object.")
    chunk_size: int = setting(
        1000, "Most characters of a chunk; one item of a law may have 2.5 times as many.",
        least=50, most=20000,
    )  # fmt: skip
    chunk_overlap: int = setting(
        150, "Characters that neighbouring chunks share; less than half of DOCRAG_CHUNK_SIZE.",
        least=0, most=10000,
    )  # fmt: skip
    document_chunks: int = setting(
        20_000, "Most chunks of one document; a longer one is refused.", least=1
    )
    embedder: str = setting("e5", "Embedder that makes vectors; `none` searches by words only.")
    embedder_options: Options = setting({}, "Embedder options, a JSON object.", secret=True)
    embed_batch: int = setting(8, "Chunks embedded at a time, at least.", least=1, most=1000)
    next_embedder: str = setting(
        "", "Embedder of the space that `docrag reindex` fills and switches to; empty for the "
        "same as DOCRAG_EMBEDDER.",
    )  # fmt: skip
    next_embedder_options: Options = setting(
        {}, "Options of that embedder, a JSON object; used only with its name.", secret=True
    )
    next_chunker: str = setting("", "Chunker of that space; empty for the same as DOCRAG_CHUNKER.")
    next_chunker_options: Options = setting(
        {}, "Options of that chunker, a JSON object; used only with its name."
    )
    retriever: str = setting("hybrid", "Retriever that finds chunks: hybrid, lexical or dense.")
    retriever_options: Options = setting({}, "Retriever options, a JSON object.")
    reranker: str = setting("identity", "Reranker that reorders what was found.")
    reranker_options: Options = setting({}, "Reranker options, a JSON object.", secret=True)
    llm: str = setting("none", "Language model backend; `none` answers by quoting passages.")
    llm_options: Options = setting(
        {}, "Backend options, a JSON object: model, url, context_window and so on.", secret=True
    )
    llm_aliases: Options = setting(
        {}, "Further models, a JSON object: alias to {\"llm\": name, \"options\": {…}}; each is "
        "offered as DOCRAG_MODEL_NAME-alias.", secret=True,
    )  # fmt: skip
    llm_retries: int = setting(
        1, "Further tries with a model that failed before its first word.", least=0, most=5
    )
    fallback_llm: str = setting(
        "none", "Backend that writes when the first one fails; `none` quotes passages then."
    )
    fallback_llm_options: Options = setting(
        {}, "Options of that backend, a JSON object.", secret=True
    )
    rewrite_seconds: float = setting(
        5.0, "Time that the model gets to make a follow-up question stand alone, s; 0 switches "
        "that off.", least=0, most=60,
    )  # fmt: skip
    tools: str = setting(
        "plain", "Models that are handed the tools a front end offers: plain (those without "
        "documents), always or never.", choices=("plain", "always", "never"),
    )  # fmt: skip
    task_header: str = setting(
        "X-Docrag-Task", "Request header by which a front end marks background tasks."
    )
    top_k: int = setting(5, "Chunks that an answer may use.", least=1, most=50)
    neighbours: int = setting(
        0, "Chunks before and after each found one that fill what is left of the prompt.",
        least=0, most=5,
    )  # fmt: skip
    rerank_k: int = setting(30, "Chunks handed to the reranker.", least=1, most=200)
    exact_threshold: int = setting(
        25_000, "Permitted chunks up to which dense search is exact.", least=0
    )
    hnsw_ef_search: int = setting(
        800, "Candidates that the HNSW scan keeps above the threshold.", least=1, most=1000
    )
    hnsw_overfetch: int = setting(
        200, "Rows that the HNSW scan fetches before they are sorted again.", least=1, most=10_000
    )
    evidence: float | None = setting(
        None, "Least evidence, 0 to 1, at which an answer is given; unset takes the threshold that "
        "is calibrated for the embedding space.", least=0, most=1,
    )  # fmt: skip
    verify: str = setting(
        "flag", "What happens to a sentence of a model that no source supports: flag (marked), "
        "drop (left out), block (no answer then) or off (nothing is checked).",
        choices=("flag", "drop", "block", "off"),
    )  # fmt: skip
    judge: str = setting("none", "Judge that is asked about such a sentence: llm, http or none.")
    judge_options: Options = setting({}, "Judge options, a JSON object.", secret=True)
    attacks: str = setting(
        "log", "What happens to a question that tries to change the rules: log, mask (those "
        "sentences are left out), refuse or off.", choices=("log", "mask", "refuse", "off"),
    )  # fmt: skip
    personal_data: str = setting(
        "log", "What happens to a question with an identity number, IBAN, card, phone number or "
        "e-mail address: log, mask, refuse or off.", choices=("log", "mask", "refuse", "off"),
    )  # fmt: skip
    answer_tokens: int = setting(800, "Most tokens of a generated answer.", least=16)
    temperature: float = setting(0.1, "Sampling temperature, 0 to 2.", least=0, most=2)
    upload_limit: int = setting(50, "Largest file that is taken, MiB.", least=1, most=1024)
    loader_timeout: float = setting(120.0, "Time that reading one file may take, s.", least=1)
    loader_memory: int = setting(1024, "Memory that reading one file may take, MiB.", least=128)
    ocr: str = setting(
        "auto", "What reads scanned pages: auto (tesseract if it is installed with the language), "
        "tesseract, vision (a model behind a server) or none.",
        choices=("auto", "tesseract", "vision", "none"),
    )  # fmt: skip
    ocr_options: Options = setting(
        {}, "Options of that engine, a JSON object: language, url, model and so on.", secret=True
    )
    job_retries: int = setting(
        5, "Further tries of a document whose embedder or text recognition cannot be reached, with "
        "growing pauses.", least=0, most=100,
    )  # fmt: skip
    stall_minutes: int = setting(
        20, "Time without progress after which another worker takes a document over, min.", least=1
    )
    pool_size: int = setting(10, "Database connections kept by a process.", least=1, most=100)
    web_workers: int = setting(1, "Processes that answer requests.", least=1, most=64)
    web_threads: int = setting(
        256, "Requests that one process answers at a time, streams included.", least=2, most=1024
    )
    web_streams: int = setting(
        0, "Answers that one process writes at a time, more are told to come back; 0 leaves 32 "
        "threads, at most half of them, to everything else.", least=0, most=1024,
    )  # fmt: skip
    session_hours: int = setting(
        12, "Time until a signed-in person must sign in again, h.", least=1
    )
    token_minutes: int = setting(
        15, "Life of a token that `POST /auth/token` gives, min.", least=1, most=1440
    )
    secure_cookies: str = setting(
        "auto",
        "Cookies over HTTPS only: yes, no, or auto (no only when listening on loopback).",
        choices=("auto", "yes", "no"),
    )
    proxy_hops: int = setting(
        0, "Reverse proxies in front whose X-Forwarded-* headers are believed.", least=0, most=5
    )
    rate_per_minute: int = setting(
        60, "Questions that one user or key may ask in a minute; 0 for no limit.", least=0
    )
    quota_per_day: int = setting(
        2000, "Questions that one user or key may ask in a day; 0 for no limit.", least=0
    )
    keep_questions: bool = setting(False, "Keep the text of questions in the audit.")
    question_days: int = setting(30, "Time after which kept questions are erased, days.", least=1)
    audit_days: int = setting(
        365, "Time after which audit rows are removed, days; 0 keeps them.", least=0
    )
    frontend_secret: str = setting(
        "", "Secret with which Open WebUI signs its user token (HS256); at least 32 bytes.",
        secret=True,
    )  # fmt: skip
    oidc_issuer: str = setting("", "OpenID Connect issuer URL; empty switches OIDC off.")
    oidc_client_id: str = setting("", "Client id of docrag at the issuer.")
    oidc_client_secret: str = setting("", "Client secret of docrag at the issuer.", secret=True)
    oidc_audience: str = setting(
        "", "Audience that access tokens must name; empty takes the client id."
    )
    oidc_groups_claim: str = setting("groups", "Claim that lists a person's groups.")
    ldap_url: str = setting("", "LDAP server, ldaps://host; empty switches LDAP off.")
    ldap_base: str = setting("", "Where people are searched, a distinguished name.")
    ldap_bind_dn: str = setting("", "Account that searches; empty searches anonymously.")
    ldap_bind_password: str = setting("", "Password of that account.", secret=True)
    ldap_user_filter: str = setting(
        "(sAMAccountName={username})", "Filter that finds a person; {username} is escaped."
    )
    ldap_groups: str = setting("memberOf", "Attribute that lists a person's groups.")
    samples: bool = setting(True, "Load the sample documents into an empty database.")
    log_level: str = setting(
        "INFO", "Least level that is logged: DEBUG, INFO, WARNING, ERROR.",
        choices=("DEBUG", "INFO", "WARNING", "ERROR"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check bounds and the rules between settings.

        :raises SettingsError: a value is out of its bounds, or two values contradict each other.
        """
        for item in fields(self):
            check(item, getattr(self, item.name))
        if self.chunk_overlap * 2 > self.chunk_size:
            raise SettingsError(
                f"DOCRAG_CHUNK_OVERLAP is {self.chunk_overlap}; it must be at most half of "
                f"DOCRAG_CHUNK_SIZE, which is {self.chunk_size}"
            )
        if self.frontend_secret and len(self.frontend_secret.encode()) < LEAST_SECRET:
            raise SettingsError(
                f"DOCRAG_FRONTEND_SECRET has fewer than {LEAST_SECRET} bytes; make it longer, "
                "for one with `openssl rand -hex 32`, in Open WebUI as well"
            )

    @classmethod
    def load(
        cls, environ: Mapping[str, str] | None = None, **overrides: Any  # noqa: ANN401 - values
    ) -> Settings:  # fmt: skip
        """Settings from environment, ``config.py`` of the instance folder, and defaults.

        :param environ: variables to read; the process's own if ``None``.
        :param overrides: values by field name that win over every source.
        :raises SettingsError: an unknown ``DOCRAG_*`` key, or a value of the wrong type or size.
        """
        env = dict(os.environ if environ is None else environ)
        given = from_environment(cls, env)
        instance = Path(overrides.get("instance", given.get("instance", cls().instance)))
        values = {**from_file(cls, instance / "config.py"), **given, **overrides}
        return cls(**{**values, "instance": Path(values.get("instance", instance))})

    def options(self, kind: str) -> dict[str, Any]:
        """Constructor options of a component.

        :param kind: one of :data:`KINDS`.
        """
        chosen: dict[str, Any] = dict(getattr(self, f"{kind}_options"))
        if kind == "chunker" and self.chunker in SIZED:
            chosen = {"size": self.chunk_size, "overlap": self.chunk_overlap, **chosen}
        return chosen


def documented() -> list[tuple[str, str, str]]:
    """Variable, default and effect of every setting, in order, for docs and ``docrag doctor``."""
    return [
        (variable(item), _shown(item.default), str(item.metadata["effect"]))
        for item in fields(Settings)
    ]


def _shown(default: object) -> str:
    """A default as documents show it."""
    if default is MISSING:
        return "{}"
    if isinstance(default, bool):
        return str(default).lower()
    return ",".join(default) if isinstance(default, tuple) else str(default)
