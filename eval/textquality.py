"""How Turkish text survived extraction: split words, wrong letters, hyphens at line ends."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docrag.api import lower

#: Times that a joined form stands in the corpus, and how much rarer a part is, in a split word.
MIN_JOINED, RARER = 6, 20
#: Letters that no Turkish text holds, and NUL, which no database takes.
WRONG: Final = "ĠġĢ\0"
#: Line-end hyphens of the shared files, each with the right form between its neighbours,
#: checked by hand.
HYPHENS: Final = Path(__file__).parent / "hyphens.json"
_TOKEN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """Split words of some files."""

    #: Per 10,000 words.
    rate: float
    count: int
    #: Files that have one.
    files: int
    words: int


def splits(texts: Mapping[str, str]) -> Splits:
    """Split words of files, with all of them as the corpus.

    Two neighbouring tokens are a split word if the corpus holds their joined form `MIN_JOINED`
    times or more and one of them is `RARER` times rarer or more.

    :param texts: by name of the file.
    """
    tokens = {name: _TOKEN.findall(lower(text)) for name, text in texts.items()}
    corpus = Counter(token for each in tokens.values() for token in each)
    counts = {name: _splits(each, corpus) for name, each in tokens.items()}
    words = max(1, sum(len(each) for each in tokens.values()))
    total = sum(counts.values())
    return Splits(
        rate=round(10_000 * total / words, 2),
        count=total,
        files=sum(count > 0 for count in counts.values()),
        words=words,
    )


def _splits(tokens: Sequence[str], corpus: Mapping[str, int]) -> int:
    return sum(
        _is_split(first, second, corpus) for first, second in zip(tokens, tokens[1:], strict=False)
    )


def _is_split(first: str, second: str, corpus: Mapping[str, int]) -> bool:
    joined = corpus.get(first + second, 0)
    rarer = min(corpus[first], corpus[second])
    return joined >= MIN_JOINED and RARER * rarer <= joined


def wrong_letters(texts: Iterable[str]) -> int:
    """Number of letters of `WRONG`."""
    return sum(text.count(sign) for text in texts for sign in WRONG)


def hyphen_errors(pages: Mapping[tuple[str, int], str]) -> tuple[int, int]:
    """Line-end hyphens that came out wrong, and how many were looked at.

    :param pages: texts by name of the file and physical page.
    """
    hyphens = json.loads(HYPHENS.read_text(encoding="utf-8"))
    known = [each for each in hyphens if (each["file"], each["page"]) in pages]
    wrong = sum(
        each["right"] not in " ".join(pages[each["file"], each["page"]].split()) for each in known
    )
    return wrong, len(known)
