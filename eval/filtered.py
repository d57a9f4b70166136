"""The synthetic set of the filtered-search benchmark: clustered vectors, roles, exact answers.

Vectors of an embedding model lie in clusters on a few directions, so these do too: a common
direction, one direction for each topic, and within a topic a low-rank spread of its own. Roles are
random documents (``r10`` is a tenth of them) or whole topics (``c10``), since a department's
documents are about its own matters. Questions are about anything, so most of them are about
documents that the asker may not read, which is where filtered index scans lose their results.

Numpy alone, so that it also loads where docrag is not installed. One seed, one set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
Flags: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.int64]

#: Numbers of a vector, as with multilingual-e5-small.
DIM: Final = 384
TOPICS: Final = 200
#: Chunks of a document.
CHUNKS: Final = 10
#: Results asked for.
K: Final = 10
#: Share of the documents that a role reads, by the number in its name.
SHARES: Final = {"50": 0.5, "10": 0.1, "1": 0.01, "01": 0.001}

#: Directions that topics and chunks vary in, and how fast their weight falls: a participation
#: dimension of about 18.
RANK, DECAY = 64, 0.68
#: The same within a topic.
LOCAL_RANK, LOCAL_DECAY = 40, 0.45
#: Weight of the common direction, of the topic, and of the spread within it: a question's median
#: cosine is about 0.29, its tenth best 0.81.
COMMON, TOPIC, SPREAD = 0.55, 0.6, 0.68
#: Length of what is added to a chunk to make a question: its best cosine is about 0.95.
NOISE: Final = 0.32
#: Questions compared with all vectors at once.
STEP: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Who asks: one column of the table in two."""

    #: Roles of the asker; ``("admin",)`` reads everything.
    roles: tuple[str, ...]

    @property
    def name(self) -> str:
        """Roles as one word."""
        return "+".join(self.roles)

    @property
    def is_correlated(self) -> bool:
        """True if a role is of whole topics."""
        return any(role.startswith("c") for role in self.roles)


#: Every selectivity both ways, and one asker with both kinds of role.
CELLS: Final = (
    Cell(roles=("admin",)),
    *(Cell(roles=(f"{kind}{share}",)) for share in SHARES for kind in "rc"),
    Cell(roles=("r10", "c10")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilteredSet:
    """Vectors of chunks, who may read them, and questions."""

    #: float32 ``(n, DIM)``, rows of length 1; chunk ``i`` is of document ``i // CHUNKS``.
    vectors: Floats
    #: Topic of each document.
    topics: Numbers
    #: Which documents each role reads, bool ``(documents,)``; every one but ``admin``.
    roles: dict[str, Flags]
    #: float32 ``(questions, DIM)``, rows of length 1.
    queries: Floats

    def permitted(self, cell: Cell) -> Flags:
        """Which chunks an asker may read, bool ``(n,)``."""
        if "admin" in cell.roles:
            return np.ones(len(self.vectors), dtype=np.bool_)
        union = np.logical_or.reduce([self.roles[role] for role in cell.roles])
        return np.repeat(union, CHUNKS)

    def roles_of(self, document: int) -> list[str]:
        """Roles that may read a document, without ``admin``."""
        return [role for role, flags in self.roles.items() if flags[document]]

    def save(self, path: Path) -> None:
        """Write the set as ``.npz`` for another process."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "vectors": self.vectors,
            "topics": self.topics,
            "queries": self.queries,
            **{f"role_{name}": flags for name, flags in self.roles.items()},
        }
        np.savez(path, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: Path) -> FilteredSet:
        """Read what :meth:`save` wrote."""
        with np.load(path) as kept:
            roles = {name[5:]: kept[name] for name in kept.files if name.startswith("role_")}
            return cls(
                vectors=kept["vectors"],
                topics=kept["topics"],
                queries=kept["queries"],
                roles=roles,
            )


def make_set(n: int, *, queries: int, seed: int = 1) -> FilteredSet:
    """A set of ``n`` chunks.

    :param n: rounded down to whole documents; at least one document.
    :param queries: questions, each near a random chunk.
    """
    rng = np.random.default_rng(seed)
    documents = max(1, n // CHUNKS)
    topics = rng.integers(TOPICS, size=documents)
    base = np.linalg.qr(rng.standard_normal((DIM, DIM)))[0].astype(np.float32)
    frame = base[1 : RANK + 1] * _falling(RANK, DECAY)[:, None]
    vectors = _vectors(rng, np.repeat(topics, CHUNKS), base, frame)
    near = vectors[rng.integers(len(vectors), size=queries)]
    added = _unit(rng.standard_normal((queries, RANK)).astype(np.float32) @ frame)
    return FilteredSet(
        vectors=vectors,
        topics=topics,
        roles=_roles(rng, topics),
        queries=_unit(near + np.float32(NOISE) * added),
    )


def _vectors(rng: np.random.Generator, topics: Numbers, base: Floats, frame: Floats) -> Floats:
    """One vector for each chunk's topic."""
    centres = _unit(rng.standard_normal((TOPICS, RANK)).astype(np.float32) @ frame)
    tilted = base[1 : RANK + 1] * np.sqrt(_falling(RANK, DECAY))[:, None]
    falling = _falling(LOCAL_RANK, LOCAL_DECAY)[:, None]
    vectors = np.empty((len(topics), DIM), dtype=np.float32)
    for topic in range(TOPICS):
        own = np.flatnonzero(topics == topic)
        local = _unit(rng.standard_normal((LOCAL_RANK, RANK)).astype(np.float32) @ tilted) * falling
        spread = rng.standard_normal((len(own), LOCAL_RANK)).astype(np.float32) @ local
        vectors[own] = COMMON * base[0] + TOPIC * centres[topic] + SPREAD * spread
    return _unit(vectors)


def _roles(rng: np.random.Generator, topics: Numbers) -> dict[str, Flags]:
    """Which documents each role reads: random ones, and whole topics as far as they go."""
    roles: dict[str, Flags] = {}
    for name, share in SHARES.items():
        count = max(1, round(share * len(topics)))
        roles[f"r{name}"] = _first(rng.permutation(len(topics)), count)
        order = rng.permutation(TOPICS)
        roles[f"c{name}"] = _first(np.argsort(order[topics], kind="stable"), count)
    return roles


def _first(order: Numbers, count: int) -> Flags:
    """True for the first ones of an order."""
    flags = np.zeros(len(order), dtype=np.bool_)
    flags[order[:count]] = True
    return flags


def _falling(rank: int, decay: float) -> Floats:
    """Weights that fall by a power, of length 1."""
    weights = np.arange(1, rank + 1, dtype=np.float32) ** np.float32(-decay)
    scaled: Floats = weights / np.linalg.norm(weights)
    return scaled


def _unit(rows: Floats) -> Floats:
    """The rows with length 1."""
    scaled: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled.astype(np.float32)


def exact(data: FilteredSet, cell: Cell, k: int = K) -> list[list[int]]:
    """The true best chunks of each question, best first; fewer than ``k`` if fewer are permitted.

    Cosines are taken in float32, and those of the best ``4 k`` again in float64.
    """
    own = np.flatnonzero(data.permitted(cell))
    vectors, found = data.vectors[own], []
    for start in range(0, len(data.queries), STEP):
        asked = data.queries[start : start + STEP]
        rough = asked @ vectors.T
        wide = min(4 * k, len(own))
        for query, scores in zip(asked, rough, strict=True):
            best = np.argpartition(-scores, wide - 1)[:wide]
            fine = vectors[best].astype(np.float64) @ query.astype(np.float64)
            found.append([int(own[i]) for i in best[np.lexsort((best, -fine))][:k]])
    return found


def recall(found: Sequence[Sequence[int]], truth: Sequence[Sequence[int]]) -> float:
    """Mean share of the true results that were found; 1.0 where nothing is permitted."""
    shares = [
        len(set(some) & set(true)) / len(true) if true else 1.0
        for some, true in zip(found, truth, strict=True)
    ]
    return sum(shares) / len(shares)


def short(found: Sequence[Sequence[int]], truth: Sequence[Sequence[int]]) -> int:
    """Questions that got fewer results than ``k`` although as many were permitted."""
    return sum(len(some) < len(true) for some, true in zip(found, truth, strict=True))


def shape(data: FilteredSet) -> dict[str, float]:
    """What the set looks like: mean cosine of a question's best, tenth and median chunk, and the
    participation dimension of the vectors (squared sum of the covariance's eigenvalues over the
    sum of their squares).
    """
    some = data.queries[:STEP]
    cosines = -np.sort(-(some @ data.vectors.T), axis=1)
    values = np.linalg.eigvalsh(np.cov(data.vectors[:: max(1, len(data.vectors) // 20_000)].T))
    return {
        "top_1": round(float(cosines[:, 0].mean()), 3),
        "top_10": round(float(cosines[:, min(K, cosines.shape[1]) - 1].mean()), 3),
        "median": round(float(np.median(cosines)), 3),
        "dimension": round(float(values.sum() ** 2 / (values**2).sum()), 1),
    }
