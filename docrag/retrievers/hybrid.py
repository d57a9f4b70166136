"""Hybrid retrieval: both searches in one statement, then every candidate scored by all fields."""

from __future__ import annotations

from docrag.api import (
    Access,
    ChunkStore,
    Embedder,
    ScoredChunk,
    SettingsError,
    asked_terms,
    exact,
    named_articles,
    plain,
)
from docrag.retrievers.equivalents import Equivalents, Groups
from docrag.retrievers.named import with_named
from docrag.retrievers.question import check_k, dated, searched
from docrag.retrievers.scoring import scored

#: Candidates of each search; nothing is lost on TQuAD from 100 on.
POOL = 100


class HybridRetriever:
    """Permitted chunks by words and meaning. Thread-safe if store and embedder are."""

    def __init__(
        self,
        *,
        store: ChunkStore,
        embedder: Embedder | None = None,
        pool: int = POOL,
        cosine_weight: float | None = None,
        equivalents: Groups = (),
    ) -> None:
        """Tie a store to the embedder of its active space.

        :param embedder: ``None`` searches by words only.
        :param pool: candidates of each search that are scored, 1 to 1,000.
        :param cosine_weight: worth of a cosine of 1 in units of BM25, instead of what ``docrag
            eval calibrate`` has stored with the space.
        :param equivalents: lists of phrases that mean the same, beside the built-in ones.
        :raises SettingsError: a value is out of its range.
        """
        _check("pool", pool, whole=True, least=1, most=1000)
        if cosine_weight is not None:
            _check("cosine_weight", cosine_weight, whole=False, least=0, most=1e6)
        self._store = store
        self._embedder = embedder
        self._pool = pool
        self._cosine_weight = cosine_weight
        self._equivalents = Equivalents(equivalents)

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first; the score is in units of BM25.

        Articles that the question names come before all others.

        :param query: its last 1,000 characters count; an empty one finds nothing.
        :param access: no roles find nothing; neither embedder nor store is then asked.
        :param k: more than the pool widens the pool.
        :raises ValueError: ``k`` is not 1 to 1,000.
        :raises EmbedderError: the question could not be embedded.
        """
        check_k(k)
        text = searched(query)
        if not text or not access.roles:
            return []
        access = dated(access)
        terms = self._terms(text)
        if not terms:  # signs without a word mean nothing to a model either
            return []
        vector = None if self._embedder is None else self._embedder.embed_query(text)
        found = self._store.candidates(
            terms=terms, vector=vector, access=access, k=max(k, self._pool)
        )
        model = self._embedder.model_id if self._embedder else ""
        ranked = scored(text, found, self._store, weight=self._weight(), k=k, model_id=model)
        return with_named(text, ranked, store=self._store, access=access, k=k, pool=found)

    def _terms(self, text: str) -> list[str]:
        """Terms of the question, then those of equivalent phrases, each of these once.

        The number of a law is one of the name that an article is asked of ("İş Kanunu madde 4"):
        a law tells it at its beginning, which shares no other rare word with such a question.
        """
        known = self._equivalents.known
        asked = [exact(term) if term in known else term for term in asked_terms(text)]
        naming = named_articles(text)
        phrases = [*self._equivalents.alternatives(text), *(naming.laws if naming else ())]
        others = [exact(term) for phrase in phrases for term in asked_terms(phrase)]
        own = {plain(term) for term in asked}
        return asked + [term for term in dict.fromkeys(others) if plain(term) not in own]

    def _weight(self) -> float | None:
        if self._cosine_weight is not None or self._embedder is None:
            return self._cosine_weight
        return self._store.cosine_weight()


def _check(name: str, value: object, *, whole: bool, least: float, most: float) -> None:
    """Refuse an option that is no number of its kind and range.

    :raises SettingsError: naming option, range and value.
    """
    kinds = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        raise SettingsError(
            f"hybrid retriever: {name} must be {kind} from {least:g} to {most:g}, not {value!r}"
        )
