"""The contract of every judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from docrag.api import Delta, GenerationOptions, Judge, Message

#: Threads that ask at the same time.
THREADS = 4
#: Sentences with the passages that are to support them.
CLAIMS = (
    ("Yangın tüpleri altı ayda bir kontrol edilir.", "İşveren, yangın tüplerini altı ayda bir "
     "kontrol ettirir."),
    ("Yıllık izin yirmi gündür.", "Kafeterya saat on ikide açılır."),
    ("Işık ölçümü yılda bir yapılır.", "Işık ölçümü yılda bir yapılır."),
)  # fmt: skip


class WordLLM:
    """A language model that always writes one word, for a judge that asks one. Thread-safe."""

    model_id = "word"
    context_window = 8192

    def __init__(self, word: str = "EVET") -> None:
        """Keep the word."""
        self.word = word

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        """The word, whatever is asked."""
        del messages, max_tokens, temperature, options
        yield Delta(text=self.word)
        yield Delta(finish_reason="stop")


class JudgeContract:
    """Inherit in a test class and give the judge; every test of this class must pass."""

    def judge(self) -> Judge:
        """The judge under test; the same object may be given to every test."""
        raise NotImplementedError

    def test_judge_offers_protocol(self) -> None:
        """It has the protocol's method."""
        assert isinstance(self.judge(), Judge)

    def test_every_claim_has_a_verdict(self) -> None:
        """One for each, 0 to 1 or none."""
        found = self.judge().judge(CLAIMS)
        assert len(found) == len(CLAIMS)
        assert all(verdict is None or 0.0 <= verdict <= 1.0 for verdict in found)

    def test_no_claims_have_no_verdicts(self) -> None:
        """Nothing asked, nothing said."""
        assert self.judge().judge([]) == []

    def test_verdicts_are_in_the_order_of_the_claims(self) -> None:
        """Each claim keeps its verdict wherever it stands."""
        judge = self.judge()
        assert judge.judge(CLAIMS[::-1]) == judge.judge(CLAIMS)[::-1]

    def test_claim_is_judged_by_itself(self) -> None:
        """Alone it gets the same verdict as among others."""
        judge = self.judge()
        assert [judge.judge([claim])[0] for claim in CLAIMS] == judge.judge(CLAIMS)

    def test_judge_takes_any_sequence(self) -> None:
        """A list is as good as a tuple, and is left alone."""
        given = list(CLAIMS)
        self.judge().judge(given)
        assert given == list(CLAIMS)

    def test_same_claim_twice_has_two_verdicts(self) -> None:
        """Twins are told apart by their place."""
        found = self.judge().judge([CLAIMS[0], CLAIMS[0]])
        assert len(found) == 2
        assert found[0] == found[1]

    def test_odd_text_has_a_verdict_or_none(self) -> None:
        """Text without words, NUL, half a surrogate pair and decomposed letters do no harm."""
        odd = ("", " ", "…", "a\0b", "\ud800", "I\u0307s\u0327c\u0327i")
        given = [(text, CLAIMS[0][1]) for text in odd] + [(CLAIMS[0][0], text) for text in odd]
        assert len(self.judge().judge(given)) == len(given)

    def test_empty_sentence_has_no_verdict(self) -> None:
        """Nor has a sentence beside an empty passage."""
        assert self.judge().judge([("", CLAIMS[0][1]), (CLAIMS[0][0], " ")]) == [None, None]

    def test_long_passage_has_a_verdict_or_none(self) -> None:
        """A passage that no model reads whole is no error."""
        long = "Kafeterya saat on ikide açılır. " * 400 + CLAIMS[0][1]
        assert len(self.judge().judge([(CLAIMS[0][0], long)])) == 1

    def test_judge_takes_a_few_dozen_claims(self) -> None:
        """Forty at once."""
        assert len(self.judge().judge([CLAIMS[0]] * 40)) == 40

    def test_judge_serves_threads(self) -> None:
        """Calls at the same time do not get each other's verdicts."""
        judge = self.judge()
        lists = [CLAIMS[start:] + CLAIMS[:start] for start in range(len(CLAIMS))] * 3
        alone = [judge.judge(claims) for claims in lists]
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(judge.judge, lists)) == alone
