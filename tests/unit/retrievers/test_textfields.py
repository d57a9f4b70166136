from __future__ import annotations

import math
from dataclasses import replace

import pytest

from docrag.api import Article, StoredChunk, c4, f5, fold, other_names, words
from docrag.retrievers.everyday import Everyday
from docrag.retrievers.letters import Letters
from docrag.retrievers.textfields import BEFORE, BELOW_HEADING, IN_ARTICLE, Weighed, text_fields

K1, B = 0.9, 0.5
#: Every gram and pair weighs as much, so that what is counted shows.
WEIGHT = 2.0


def chunk(
    text: str, *, ordinal: int = 0, document: str = "d", title: str = "", section: str = ""
) -> StoredChunk:
    return StoredChunk(
        chunk_id=ordinal + 1, document_id=document, title=title, filename="b.pdf", ordinal=ordinal,
        text=text, page_first=1, page_last=1, section=section,
    )  # fmt: skip


def article(text: str, *, document: str = "d", ordinal: int = 0) -> StoredChunk:
    return replace(
        chunk(text, document=document, ordinal=ordinal), article=Article(kind="madde", number="4")
    )


def fields(question: str, *chunks: StoredChunk, average: float = 10) -> dict[str, list[float]]:
    asked = Weighed(
        letters=Letters([question]),
        grams=[WEIGHT] * len(c4(question)),
        pairs=[WEIGHT] * max(0, len(f5(question)) - 1),
        everyday=Everyday(dict.fromkeys(map(fold, words(question)), WEIGHT)),
        average_grams=average,
        average_pairs=average,
    )
    return {name: scores.tolist() for name, scores in text_fields(asked, chunks).items()}


def saturated(count: int, length: float, average: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / average))


def test_words_of_one_sentence_tell_more_than_those_of_two() -> None:
    together = chunk("Yıllık izin ondört gündür. Ücret peşin ödenir her ay.")
    apart = chunk("Yıllık plan peşin ödenir. Ücret ondört gündür izin ay.", document="e")
    first, second = fields("yıllık izin", together, apart)["sentence"]
    assert first > second > 0


def test_sentence_counts_each_gram_once() -> None:
    """By BM25 with the mean length of all the sentences."""
    texts = ["İzin izin izin verilir.", "Rapor alınır."]
    lengths = [len(c4(text)) for text in texts]
    (score,) = fields("izin", chunk(" ".join(texts)))["sentence"]
    once = saturated(1, lengths[0], sum(lengths) / 2)
    assert score == pytest.approx(WEIGHT * len(c4("izin")) * once)


def test_header_is_in_every_sentence() -> None:
    text = "Rapor alınır hemen. İzin verilir sonra."
    (titled,) = fields("kıdem izin", chunk(text, title="Kıdem", section="Süre"))["sentence"]
    (untitled,) = fields("kıdem izin", chunk(text))["sentence"]
    assert titled > untitled > 0


@pytest.mark.parametrize("text", ["Dr. M. K. Atatürk 4. madde", "tek", "...", "a.\n b."])
def test_stops_of_short_words_end_no_sentence(text: str) -> None:
    (score,) = fields(text, chunk(text))["sentence"]
    grams = c4(text)
    once = saturated(1, 1, 1)
    assert score == pytest.approx(WEIGHT * len(grams) * once)


def test_chunk_before_lends_what_a_chunk_lacks() -> None:
    """A list names its subject once: the name stands in the chunk before."""
    named = chunk("Besim Atalay öğretmendir", ordinal=3)
    goes_on = chunk("Sonra Konya müdürü oldu", ordinal=4)
    found = fields("Besim müdürü", named, goes_on)
    worth = WEIGHT * saturated(1, len(c4(named.text)), 10) * len(c4("besim"))
    assert found["before"] == [0.0, pytest.approx(BEFORE * worth)]


def test_pair_of_the_chunk_before_counts_too() -> None:
    found = fields("a b", chunk("a b", ordinal=0), chunk("a x b", ordinal=1))
    assert found["bigram"][1] == 0
    assert found["before"][1] == pytest.approx(BEFORE * WEIGHT * saturated(1, 1, 10))


@pytest.mark.parametrize(("ordinal", "document"), [(3, "e"), (2, "d"), (5, "d")])
def test_only_the_chunk_right_before_lends(ordinal: int, document: str) -> None:
    named = chunk("Besim Atalay", ordinal=ordinal, document=document)
    assert fields("Besim", named, chunk("Konya", ordinal=4))["before"] == [0.0, 0.0]


def test_chunk_of_another_section_lends_nothing() -> None:
    named = chunk("Besim Atalay", ordinal=3, section="İzin")
    for section, lent in (("İzin", True), ("Ücret", False)):
        goes_on = chunk("Konya", ordinal=4, section=section)
        assert (fields("Besim", named, goes_on)["before"][1] > 0) is lent


def test_chunk_of_another_article_lends_nothing() -> None:
    first, second = Article(kind="madde", number="4"), Article(kind="madde", number="5")
    named = replace(chunk("Besim Atalay", ordinal=3), article=first)
    for article, lent in ((first, True), (second, False), (None, False)):
        goes_on = replace(chunk("Konya", ordinal=4), article=article)
        assert (fields("Besim", named, goes_on)["before"][1] > 0) is lent


def test_what_a_chunk_has_itself_is_not_lent() -> None:
    same = [chunk("izin verilir", ordinal=n) for n in range(3)]
    assert fields("izin verilir", *same)["before"] == [0.0] * 3


def test_pairs_cross_sentences() -> None:
    (score,) = fields("izin rapor", chunk("Yıllık izin. Rapor alınır."))["bigram"]
    assert score == pytest.approx(WEIGHT * saturated(1, 3, 10))


def test_everyday_word_counts_by_the_name_of_documents() -> None:
    """In the chunk and in its best sentence, which is all of it here."""
    texts = ["Bunu işveren bildirir", "Patron işverendir"]
    lengths = [len(c4(text)) for text in texts]
    found = fields("patron", *(article(text, ordinal=n) for n, text in enumerate(texts)))
    once = WEIGHT * dict(other_names("patron"))["isveren"]
    whole, sentence = saturated(1, 2, 10), saturated(1, lengths[0], sum(lengths) / 2)
    assert found["everyday"] == [pytest.approx(IN_ARTICLE * once * (whole + sentence)), 0.0]


def test_name_tells_most_in_an_article_and_nothing_in_prose() -> None:
    prose, headed = chunk("İşveren bildirir"), chunk("İşveren bildirir", section="İşveren")
    inside, below, found = fields("patron", article(prose.text), headed, prose)["everyday"]
    # The sentence below a heading is longer by it.
    assert inside > below > found == 0
    assert below / inside > BELOW_HEADING / IN_ARTICLE / 2


def test_names_of_one_sentence_tell_more_than_those_of_two() -> None:
    together = article("Ücreti işveren öder. Rapor sonra verilir.")
    apart = article("Rapor işveren öder. Ücreti sonra verilir.", document="e")
    first, second = fields("patron maaş", together, apart)["everyday"]
    assert first > second > 0


@pytest.mark.parametrize("question", ["", "🙂", "a"])
def test_question_without_pairs_has_finite_scores(question: str) -> None:
    found = fields(question, chunk("İzin verilir."), chunk("", ordinal=1), average=0)
    assert set(found) == {"c4", "sentence", "bigram", "before", "everyday"}
    assert all(math.isfinite(score) for scores in found.values() for score in scores)
