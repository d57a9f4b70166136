"""What the database holds, read in one snapshot and scored in plain Python by the definitions."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Event
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Engine, Row, text
from sqlalchemy.orm import Session

from docrag.api import Access, Chunk, StoreError, Vectors, analysed, c4, f5, indexed, near, plain
from docrag.store import Store
from docrag.store.approle import restrict
from docrag.store.chunks import Chunks
from docrag.store.records import GramCounts
from docrag.store.sessions import Sessions

from .conftest import ADMIN

Key = TypeVar("Key")
Term = TypeVar("Term")

K1, B, WINDOW = 0.9, 0.5, 12
STORED = text(
    "SELECT c.id, c.document_id AS document, c.ordinal, c.text, c.section, d.title, d.n_chunks,"
    " d.state IN ('ready', 'ready_with_warnings') AS ready, d.allowed_roles AS roles"
    " FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY c.document_id, c.ordinal"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A chunk by what it is scored by."""

    id: int
    document: int
    ordinal: int
    size: int
    roles: frozenset[str]
    terms: Counter[str]
    grams: Counter[str]
    pairs: Counter[tuple[str, str]]

    @property
    def window(self) -> tuple[int, int]:
        """Document, and number of the run of neighbours."""
        runs = -(-self.size // WINDOW)
        cuts = [run * self.size // runs for run in range(1, runs + 1)]
        return self.document, next(n for n, cut in enumerate(cuts) if self.ordinal < cut)


class Reference:
    """BM25 of every field over all chunks of a snapshot."""

    def __init__(self, session: Session) -> None:
        self.units = [_unit(row) for row in session.execute(STORED)]
        self.known = {term for unit in self.units for term in unit.terms}

    def readable(self, role: str) -> set[int]:
        """Chunks that the role may read."""
        return {unit.id for unit in self.units if role in unit.roles}

    def lexical(self, asked: Sequence[str], role: str = "admin") -> dict[int, float]:
        """Scores of all chunks; 0 for one without an asked term."""
        counts = {unit.id: unit.terms for unit in self.units}
        return _bm25(counts, self._weights(asked, role))

    def window(self, asked: Sequence[str], role: str = "admin") -> dict[int, float]:
        """The same of the window that each chunk stands in."""
        counts: dict[tuple[int, int], Counter[str]] = {}
        for unit in self.units:
            counts.setdefault(unit.window, Counter()).update(unit.terms)
        scores = _bm25(counts, self._weights(asked, role))
        return {unit.id: scores[unit.window] for unit in self.units}

    def c4(self, question: str) -> dict[int, float]:
        """Scores by letter grams."""
        frequency = Counter(gram for unit in self.units for gram in unit.grams)
        weights = [(gram, self._idf(frequency[gram])) for gram in c4(question)]
        return _bm25({unit.id: unit.grams for unit in self.units}, weights)

    def bigram(self, question: str) -> dict[int, float]:
        """Scores by pairs of F5 terms, each weighted by the mean of its words' own."""
        prefixes, stems = f5(question), analysed(question, "en")
        words = [
            self._idf(self.frequency(p) + self.frequency(s))
            for p, s in zip(prefixes, stems, strict=True)
        ]
        pairs = zip(prefixes, prefixes[1:], strict=False)
        means = [(one + other) / 2 for one, other in zip(words, words[1:], strict=False)]
        average = sum(unit.terms.total() for unit in self.units) / len(self.units) - 1
        counts = {unit.id: unit.pairs for unit in self.units}
        return _bm25(counts, list(zip(pairs, means, strict=True)), average)

    def frequency(self, term: str) -> int:
        """In how many chunks a term stands."""
        return sum(term in unit.terms for unit in self.units)

    def _weights(self, asked: Sequence[str], role: str) -> list[tuple[str, float]]:
        """Terms of the index with their weight, for each asked one."""
        weights = []
        for term in asked:
            members = [plain(term)]
            if not any(members[0] in unit.terms for unit in self.units if role in unit.roles):
                members += [k for k in near(term) if k in self.known]
            if term.endswith("*"):
                stem = members[0]
                members += [k for k in self.known if len(k) == 5 and k[:-1] == stem]
            weight = self._idf(sum(map(self.frequency, members)))
            weights += [(member, weight) for member in members]
        return weights

    def _idf(self, frequency: float) -> float:
        df = min(frequency, len(self.units))
        return math.log(1 + (len(self.units) - df + 0.5) / (df + 0.5))


def _bm25(
    counts: Mapping[Key, Counter[Term]],
    weights: Sequence[tuple[Term, float]],
    average: float | None = None,
) -> dict[Key, float]:
    """BM25 of each unit; ``weights`` has a term as often as it is asked."""
    lengths = {key: count.total() for key, count in counts.items()}
    average = average or sum(lengths.values()) / max(len(lengths), 1)
    return {
        key: sum(
            weight * count[term] * (K1 + 1)
            / (count[term] + K1 * (1 - B + B * lengths[key] / average))
            for term, weight in weights
            if term in count
        )
        for key, count in counts.items()
    }  # fmt: skip


def _unit(row: Row[Any]) -> Unit:
    whole = indexed(row.title, row.section, row.text)
    prefixes = f5(whole)
    return Unit(
        id=row.id,
        document=row.document,
        ordinal=row.ordinal,
        size=row.n_chunks,
        roles=frozenset(row.roles) if row.ready else frozenset(),
        terms=Counter(analysed(whole)),
        grams=Counter(c4(whole)),
        pairs=Counter(zip(prefixes, prefixes[1:], strict=False)),
    )


class _Pinned(Sessions):
    """Every transaction is this one, whose snapshot was taken already."""

    def __init__(self, engine: Engine, session: Session) -> None:
        super().__init__(engine)
        self._session = session

    @contextmanager
    def begin(self, *, snapshot: bool = False, access: Access | None = None) -> Iterator[Session]:
        """The session, as the caller's role for the time being."""
        if access is not None:
            restrict(self._session, access)
        yield self._session
        self._session.execute(text("RESET ROLE"))

    @contextmanager
    def single(self) -> Iterator[Connection]:
        """The session's connection, as the owner."""
        yield self._session.connection()


@contextmanager
def mirrored(engine: Engine, *, exact: bool = True) -> Iterator[tuple[Chunks, Reference]]:
    """A search and its reference that see the same snapshot, whatever others write meanwhile."""
    with Sessions(engine).begin(snapshot=True) as session:
        reference = Reference(session)
        yield (
            Chunks(
                _Pinned(engine, session),
                exact_threshold=10**9 if exact else 0,
                hnsw_ef_search=400,
                hnsw_overfetch=400,
            ),
            reference,
        )


class Writer:
    """Puts documents with header, postings and grams into a store, as the pipeline does."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, title: str, data: bytes, roles: Collection[str] = ("ik",)) -> str:
        """A queued document; its public id. The roles must exist."""
        document, _ = self.store.documents.create(
            filename="izin.pdf", title=title, suffix="pdf", data=data, roles=roles, uploaded_by=None
        )
        return document.id

    def fill(
        self,
        document_id: str,
        title: str,
        texts: Sequence[str],
        *,
        section: str = "",
        vectors: Vectors | None = None,
        broken: bool = False,
    ) -> None:
        """Give a document one chunk for each text.

        :param vectors: none leave it out of the dense search.
        :param broken: fail after everything was written.
        """
        whole = [indexed(title, section, words) for words in texts]
        space = None
        if vectors is not None:
            space = self.store.spaces.ensure(model_id="ints", dim=vectors.shape[1], chunking="one")
        self.store.documents.add(
            document_id,
            pages=[],
            chunks=[
                Chunk(ordinal=n, text=words, page_first=None, page_last=None, section=section)
                for n, words in enumerate(texts)
            ],
            vectors=vectors,
            space_id=space.id if space else None,
            terms=[analysed(words) for words in whole],
            # The language is checked with the document's row, after all of its contents.
            language="yok" if broken else "tr",
            grams=GramCounts(
                frequencies=Counter(gram for words in whole for gram in set(c4(words))),
                length=sum(len(c4(words)) for words in whole),
            ),
            warnings=[],
        )


class Crew:
    """Threads that add, replace, lose and delete documents until they are told to stop."""

    def __init__(self, engine: Engine, words: Sequence[str], *, threads: int = 3) -> None:
        self.writer = Writer(Store(engine))
        self.words = words
        #: How often each thing was done.
        self.done: Counter[str] = Counter()
        self._stop = Event()
        self._threads = threads

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(self._threads)
        self._running = [self._pool.submit(self._work, n) for n in range(self._threads)]
        return self

    def __exit__(self, *_: object) -> None:
        """Stop; what went wrong in a thread is raised."""
        self._stop.set()
        self._pool.shutdown()
        for running in self._running:
            running.result()

    def _work(self, seed: int) -> None:
        draw = random.Random(seed)  # noqa: S311 - fixed choices
        own: list[tuple[str, str]] = []
        for step in count():
            if self._stop.wait(0.002):
                return
            act = draw.choice(["add", "add", "replace", "fail", "delete"] if own else ["add"])
            if act == "delete" or len(own) > 12:  # noqa: PLR2004 - the corpus stays small
                document_id, _ = own.pop(draw.randrange(len(own)))
                self.writer.store.documents.delete(document_id, access=ADMIN)
            else:
                self._write(draw, act, own, f"{seed} {step}".encode())
            self.done[act] += 1

    def _write(
        self, draw: random.Random, act: str, own: list[tuple[str, str]], data: bytes
    ) -> None:
        size = draw.choice([1, 2, 3, 12, 13, 25])
        texts = [" ".join(draw.choices(self.words, k=draw.randint(1, 9))) for _ in range(size)]
        if act == "add":
            title = draw.choice(self.words)
            own.append((self.writer.create(title, data), title))
        document_id, title = own[-1] if act == "add" else draw.choice(own)
        try:
            self.writer.fill(document_id, title, texts, section="I. Kısım", broken=act == "fail")
        except StoreError:
            if act != "fail":
                raise
