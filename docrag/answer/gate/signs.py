"""Signs that passages answer a question: figures that a model of evidence adds up."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.answer.gate.asker_forms import asker_verbs
from docrag.answer.gate.clauses import cover_clauses
from docrag.answer.gate.counted import Counted
from docrag.answer.gate.model import MODEL_ID, Kind
from docrag.answer.gate.weighing import AskedWords, Figures, Matches, names, tokens
from docrag.answer.quoting.ranges import Amounts
from docrag.answer.quoting.relevance import score_sentences
from docrag.api import Citation, ScoredChunk, WordWeights, lower, spans

#: Fields whose sum is how well a chunk matches by words.
_LEXICAL: Final = ("lexical", "window", "c4", "bigram")
#: Share of the passages that are of articles, from which on they are those of a law.
_LAW: Final = 0.5
#: Chunks of a corpus from which on its words and ranks tell something, and of one of laws.
_SMALLEST, _SMALLEST_LAW = 300, 30
#: Chunks of a search that are compared, however many an answer may use.
_FIRST: Final = 5
#: From here on a word counts as held.
_HELD: Final = 0.6

#: A figure and what it counts, and the ending of who asks ("yaşındayım").
_COUNTED: Final = re.compile(r"(?<![\w.,-])(\d+) ([^\W\d_]+)")
_OWN: Final = re.compile(r"(?<=[dt][ae])y[ıi][mz]$")

#: Least and most chance that a sentence is given to hold the answer; their log odds are 14.
_RARE: Final = 1e-6

#: Share of what the best sentences cover from which on others are as good.
_NEARLY: Final = 0.6

#: Places of sources, one a sentence.
Places = npt.NDArray[np.int64]
#: One a sentence.
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What speaks for and against an answer."""

    kind: Kind
    #: By name; a sign that nobody measured (a leg that the retriever does not have) is left out.
    values: Mapping[str, float]
    #: How many words of the question tell something; light ones count in part.
    words: float
    #: Share of the words that the passages together hold, 0 to 1.
    coverage: float
    #: Words that they do not hold, in order.
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passages:
    """What the sources say, as words."""

    #: Words of title and section, one list a source.
    heads: list[list[str]]
    #: Words of each sentence, and the place of its source.
    words: list[list[str]]
    source: Places
    #: Each sentence.
    lines: list[str]


def signs(
    question: str, wanted: Sequence[str], context: Sequence[Citation], found: Sequence[ScoredChunk]
) -> Signs:
    """The signs of a question and the sources that were found for it.

    :param wanted: folded content words of the question, at least one.
    :param context: sources, best first, at least one.
    :param found: the chunks behind them, best first.
    """
    counted = [scored.weights for scored in found if scored.weights]
    idf = {k: v for item in counted for k, v in item.idf.items()}
    asked = AskedWords.of(wanted, idf, asker_verbs(question))
    passages = _passages(context)
    vocabulary = {word for said in (*passages.heads, *passages.words) for word in said}
    matches = Matches(asked, vocabulary)
    heads = np.array([matches.strengths(said) for said in passages.heads])
    heads = np.maximum(heads, _ranged(question, asked, context))
    lines = np.array([matches.strengths(said) for said in passages.words]).reshape(
        -1, len(asked.words)
    )
    counted_unit = Counted.of(question)
    told = _told(counted_unit, passages)
    if counted_unit and counted_unit.word in asked.words:
        place = asked.words.index(counted_unit.word)
        lines[:, place], heads[:, place] = told, 0.0
    sources = heads.copy()
    np.maximum.at(sources, passages.source, lines)
    named = names(question, [source.text for source in context], vocabulary)
    values = {
        **_covering(asked, sources),
        "cover_clauses": cover_clauses(question, asked, sources),
        "plain_first": float(asked.plain_share(sources)[0]),
        "plain_best": float(asked.plain_share(sources).max()),
        **_naming(asked, sources, named),
        **_lines(asked, passages.source, lines, heads),
        "unit_missing": _unit_missing(asked, passages.source, lines, heads, told)
        if counted_unit
        else 0.0,
        **_ranking(found, counted[0] if counted else None),
        "best_sentence": _best_sentence(question, context),
    }
    missing = _missing(asked, sources)
    return Signs(
        kind=_kind(found, counted),
        values=values,
        words=float(asked.plain.sum()),
        coverage=1 - len(missing) / len(asked.words),
        missing=missing,
    )


def _told(unit: Counted | None, passages: _Passages) -> npt.NDArray[np.bool_]:
    """Which lines tell an amount of what the question counts."""
    pairs = zip(passages.words, passages.lines, strict=True)
    return np.array([bool(unit and unit.is_told(said, text)) for said, text in pairs])


def _missing(asked: AskedWords, sources: Figures) -> tuple[str, ...]:
    """Words that no source holds, but for verbs of the asker."""
    pairs = zip(asked.words, sources.max(axis=0), strict=True)
    return tuple(word for word, held in pairs if held < _HELD and word not in asked.verbs)


def _ranged(question: str, asked: AskedWords, context: Sequence[Citation]) -> Figures:
    """Which figures each source holds within a range ("20 yıl": "15 yıl ve daha fazla")."""
    held = np.zeros((len(context), len(asked.words)))
    for figure, unit in _COUNTED.findall(lower(question)):
        amounts = Amounts.of(f"{figure} {_OWN.sub('', unit)}")
        if figure in asked.words and amounts.amounts:
            held[:, asked.words.index(figure)] = [
                bool(amounts.within(item.text)) for item in context
            ]
    return held


def _kind(found: Sequence[ScoredChunk], counted: Sequence[WordWeights]) -> Kind:
    articles = sum(scored.chunk.article is not None for scored in found) / max(len(found), 1)
    units = max((item.n_units for item in counted), default=0)
    if articles >= _LAW and units >= _SMALLEST_LAW:
        return "law"
    return "text" if units >= _SMALLEST else "small"


def _passages(context: Sequence[Citation]) -> _Passages:
    words: list[list[str]] = []
    source: list[int] = []
    lines: list[str] = []
    for place, citation in enumerate(context):
        text = citation.text
        own = [text[start:end] for start, end in spans(text)]
        lines += own
        words += map(tokens, own)
        source += [place] * len(own)
    return _Passages(
        heads=[tokens(f"{item.title.replace('_', ' ')} {item.section}") for item in context],
        words=words,
        source=np.array(source, dtype=np.int64),
        lines=lines,
    )


def _covering(asked: AskedWords, sources: Figures) -> dict[str, float]:
    shares = asked.share(sources)
    best = int(np.argmax(shares))
    lost = (1 - sources[best]) * asked.weights
    return {
        "cover_best": float(shares[best]),
        "cover_first": float(shares[0]),
        "rarest_missing": float(lost.max() / asked.weights.max()),
    }


def _naming(asked: AskedWords, sources: Figures, named: frozenset[str]) -> dict[str, float]:
    kinds = {
        "names_missing": [word in named for word in asked.words],
        "numbers_missing": [word[0].isdigit() for word in asked.words],
    }
    best = sources[int(np.argmax(asked.share(sources)))]
    return {
        name: float(np.mean(1 - best[those])) if any(those) else 0.0
        for name, those in kinds.items()
    }


def _lines(asked: AskedWords, source: Places, lines: Figures, heads: Figures) -> dict[str, float]:
    """How two sentences in a row cover the words at best, with what stands above them."""
    if not len(lines):
        return {"cover_lines": 0.0, "plain_lines": 0.0}
    pairs = _pairs(source, lines, heads)
    return {
        "cover_lines": float(asked.share(pairs).max()),
        "plain_lines": float(asked.plain_share(pairs).max()),
    }


def _pairs(source: Places, lines: Figures, heads: Figures) -> Figures:
    """How surely each word is in a sentence, the one behind it in its source, or its heading."""
    goes_on = np.append(source[1:] == source[:-1], False)
    after = np.vstack([lines[1:], np.zeros_like(lines[:1])]) * goes_on[:, np.newaxis]
    pairs: Figures = np.maximum(np.maximum(lines, after), heads[source])
    return pairs


def _unit_missing(
    asked: AskedWords, source: Places, lines: Figures, heads: Figures, told: Flags
) -> float:
    """1 if no sentence among those that cover the words best has a number of what is counted."""
    if not len(lines):
        return 1.0
    shares = asked.share(_pairs(source, lines, heads))
    best = shares >= _NEARLY * shares.max()
    after = np.append((source[1:] == source[:-1]) & told[1:], False)
    return 0.0 if (best & (told | after)).any() else 1.0


def _best_sentence(question: str, context: Sequence[Citation]) -> float:
    """Log odds that the likeliest sentence of the sources has the answer, as quotes are chosen."""
    told = [one.probability for one in score_sentences(question, context) if one.piece.is_body]
    chance = min(max(max(told, default=0.0), _RARE), 1 - _RARE)
    return math.log(chance / (1 - chance))


def _ranking(found: Sequence[ScoredChunk], weights: WordWeights | None) -> dict[str, float]:
    """What the search says of the first chunks, without those that another search has put in."""
    first = [scored for scored in found if scored.weights is weights][:_FIRST]
    legs = [{leg.name: leg.score for leg in scored.legs} for scored in first]
    values: dict[str, float] = {}
    if weights and weights.best > 0 and any("c4" in own for own in legs):
        sums = [sum(own.get(name, 0.0) for name in _LEXICAL) for own in legs]
        values["match"] = max(sums) / weights.best
        values["neighbours"] = max(own.get("bigram", 0.0) for own in legs) / weights.best
        if len(sums) == _FIRST:
            values["lead"] = (max(sums) - min(sums)) / weights.best
    cosines = [own["dense"] for own in legs if "dense" in own]
    if cosines and weights and weights.model_id.startswith(MODEL_ID):
        values["cosine"] = max(cosines)
    if first:
        document = first[0].chunk.document_id
        same = sum(scored.chunk.document_id == document for scored in first)
        values["one_document"] = same / len(first)
    return values
