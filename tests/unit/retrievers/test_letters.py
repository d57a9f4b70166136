from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import c4, f5, fold, words
from docrag.retrievers.letters import Letters, occurrences

#: Turkish, decomposed and typographic signs, other alphabets, and what folding makes several of.
SIGNS = "aAbeiıİIşŞçğöüâî1²½_'’-. \n\tﬁŒßΩжم漢🙂e\u0301I\u0307\ufe70⒈"
TEXTS = st.lists(
    st.text(st.sampled_from(SIGNS) | st.characters(exclude_characters="\0"), max_size=40)
)


def counted(texts: list[str], question: str, field: str) -> tuple[list[list[int]], list[int]]:
    """How often the question's own grams or pairs stand in each text, and the lengths."""
    asked = np.unique(getattr(Letters([question]), field)()[0])
    codes, owner = getattr(Letters(texts), field)()
    counts, lengths = occurrences(codes, owner, asked, len(texts))
    return [sorted(int(n) for n in row if n) for row in counts], [int(n) for n in lengths]


def pairs(text: str) -> list[tuple[str, str]]:
    terms = f5(text)
    return list(zip(terms, terms[1:], strict=False))


@given(texts=TEXTS, question=st.text(st.sampled_from(SIGNS), max_size=30))
def test_grams_equal_definition(texts: list[str], question: str) -> None:
    asked = set(c4(question))
    wanted = [Counter(gram for gram in c4(text) if gram in asked) for text in texts]
    counts, lengths = counted(texts, question, "grams")
    assert counts == [sorted(one.values()) for one in wanted]
    assert lengths == [len(c4(text)) for text in texts]


@given(texts=TEXTS, question=st.text(st.sampled_from(SIGNS), max_size=30))
def test_pairs_equal_definition(texts: list[str], question: str) -> None:
    asked = set(pairs(question))
    wanted = [Counter(pair for pair in pairs(text) if pair in asked) for text in texts]
    counts, lengths = counted(texts, question, "pairs")
    assert counts == [sorted(one.values()) for one in wanted]
    assert lengths == [len(pairs(text)) for text in texts]


def test_every_gram_of_a_question_has_its_place() -> None:
    """Numbers come in the order of the definition, so that weights can be put beside them."""
    codes, _ = Letters(["İşveren, iş kazasını bildirir."]).grams()
    names = c4("İşveren, iş kazasını bildirir.")
    assert len(codes) == len(names)
    assert dict(zip(names, codes, strict=True)) == dict(
        zip(reversed(names), codes[::-1], strict=True)
    )


@pytest.mark.parametrize("field", ["grams", "pairs"])
@pytest.mark.parametrize("texts", [[], [""], ["", "!?"], ["\n"]])
def test_texts_without_words_have_nothing(texts: list[str], field: str) -> None:
    codes, owner = getattr(Letters(texts), field)()
    counts, lengths = occurrences(codes, owner, np.array([7], dtype=np.uint64), len(texts))
    assert counts.sum() == lengths.sum() == 0


@given(texts=TEXTS)
def test_pairs_of_wholes_cross_their_parts(texts: list[str]) -> None:
    """As in one text with blanks between the parts."""
    half = len(texts) // 2
    wholes = np.repeat([0, 1], [half, len(texts) - half])
    codes, owner = Letters(texts).pairs(wholes)
    joined, owners = Letters([" ".join(texts[:half]), " ".join(texts[half:])]).pairs()
    assert codes.tolist() == joined.tolist()
    assert owner.tolist() == owners.tolist()


@given(texts=TEXTS)
def test_beginnings_equal_definition(texts: list[str]) -> None:
    asked = ["ab", "abe", "ab ", "is", "is ", "sc ", "beeee", "11"]
    folded = [[f"{fold(word)} " for word in words(text)] for text in texts]
    wanted = [[sum(w.startswith(one) for w in said) for one in asked] for said in folded]
    assert Letters(texts).begun(asked).tolist() == wanted


def test_beginnings_of_inflected_words() -> None:
    texts = ["İşverenin işi, iş İŞVERENLER", "", "iş"]
    assert Letters(texts).begun(["isveren", "is ", "is"]).tolist() == [
        [2, 1, 4],
        [0, 0, 0],
        [0, 1, 1],
    ]


@pytest.mark.parametrize("texts", [[], [""], ["a"]])
def test_no_beginnings_have_no_counts(texts: list[str]) -> None:
    assert Letters(texts).begun([]).shape == (len(texts), 0)
