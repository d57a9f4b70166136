"""Streamed answers are checked sentence by sentence, whatever pieces they come in."""

from __future__ import annotations

import time

import pytest

from docrag.answer.checking import Checking, Checks, without_signs
from docrag.api import JudgeError
from tests.unit.answer.sources import source

LEAVE = (
    "Yıllık ücretli izin süresi on dört gündür. İzin bölünemez. "
    "Başvuru insan kaynakları birimine yapılır."
)
HELMET = "Baret takmak şantiyede zorunludur. Baretler beş yılda bir yenilenir."
RIGHT = "Yıllık ücretli izin süresi 14 gündür [1]."
WRONG = "Yıllık ücretli izin süresi 20 gündür [1]."


def checking(policy: str = "flag", judge: object = None) -> Checking:
    """What checks an answer from two sources."""
    checks = Checks(policy=policy, language="tr", question="Yıllık izin kaç gün?", judge=judge)  # type: ignore[arg-type]  # a fake
    return Checking((source(1, LEAVE), source(2, HELMET)), checks)


def said(one: Checking, text: str, *, size: int = 7) -> str:
    """The text that comes out when this goes in, in pieces of so many characters."""
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return "".join(map(one.feed, pieces)) + one.finish()


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_supported_text_stays_as_it_is(size: int) -> None:
    one = checking()
    assert said(one, f"{RIGHT} Baretler beş yılda bir yenilenir [2].", size=size) == (
        f"{RIGHT} Baretler beş yılda bir yenilenir [2]."
    )
    assert [s.is_supported for s in one.sentences] == [True, True]
    assert [s.citations for s in one.sentences] == [(1,), (2,)]


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_wrong_number_is_flagged_behind_its_sentence(size: int) -> None:
    one = checking()
    text = said(one, f"{WRONG} Baretler beş yılda bir yenilenir [2].", size=size)
    assert text.startswith(f"{WRONG} ⚠ Baretler beş yılda bir yenilenir [2].\n\n⚠ ")
    assert one.sentences[0].reasons == ("number",)
    assert one.sentences[0].missing == ("20",)


@pytest.mark.parametrize("size", [1, 1000])
def test_sentence_without_marker_gets_that_of_its_source(size: int) -> None:
    one = checking()
    text = said(one, "Baretler beş yılda bir yenilenir. İzin bölünemez.", size=size)
    assert text == "Baretler beş yılda bir yenilenir. [2] İzin bölünemez. [1]"


def test_marker_of_another_source_is_put_right() -> None:
    one = checking()
    assert said(one, "Baretler beş yılda bir yenilenir [1].") == (
        "Baretler beş yılda bir yenilenir. [2]"
    )
    assert one.sentences[0].is_supported
    assert one.sentences[0].reasons == ("wrong_source",)


def test_markers_behind_the_stop_belong_to_the_sentence_before() -> None:
    one = checking()
    text = "Yıllık ücretli izin süresi 14 gündür. [1] Baretler beş yılda bir yenilenir.[2]"
    assert said(one, text, size=1) == text
    assert [s.citations for s in one.sentences] == [(1,), (2,)]


def test_dropped_sentence_leaves_a_note() -> None:
    one = checking("drop")
    text = said(one, f"{WRONG} Baretler beş yılda bir yenilenir [2].")
    assert "20" not in text
    assert text.startswith(" Baretler beş yılda bir yenilenir [2].\n\n⚠ ")
    assert not one.has_failed


@pytest.mark.parametrize("before", ["", "Buna göre:\n\n", "# İzin\n\n"])
def test_everything_dropped_has_failed(before: str) -> None:
    one = checking("drop")
    assert said(one, before + WRONG) == ""
    assert one.has_failed


def test_wrong_marker_is_put_right_before_anything_is_dropped() -> None:
    text = said(checking("drop"), "Baretler beş yılda bir yenilenir [1].")
    assert text == "Baretler beş yılda bir yenilenir. [2]"


@pytest.mark.parametrize(
    "text",
    [
        "```\nYıllık ücretli izin süresi 20 gündür.\n```\n",
        "```Yıllık ücretli izin süresi 20 gündür.```\n",
        "~~~\nx\n~~~\nYıllık ücretli izin süresi 20 gündür.\n",
        "```x```\nYıllık ücretli izin süresi 20 gündür.\n",
    ],
)
def test_code_is_no_way_around(text: str) -> None:
    one = checking()
    assert "⚠" in said(one, text)
    assert [s.is_supported for s in one.sentences if s.is_claim] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "**Baretler beş yılda bir yenilenir.** *İzin bölünemez.*",
        "Baretler beş yılda bir yenilenir 👍. 🚧 İzin bölünemez.",
    ],
)
def test_emphasis_and_emoji_part_sentences(text: str) -> None:
    one = checking()
    said(one, text)
    assert [s.citations for s in one.sentences] == [(2,), (1,)]


def test_head_of_a_table_is_no_claim() -> None:
    text = "| Konu | Süre |\n|---|---|\n| Yıllık izin süresi | 14 gün [1] |\n"
    one = checking("block")
    assert said(one, text) == text
    assert len(one.sentences) == 1


def test_marker_that_is_a_word_leaves_no_rest() -> None:
    one = checking()
    said(one, "[2]'ye göre baretler beş yılda bir yenilenir.")
    assert one.sentences[0].text == "göre baretler beş yılda bir yenilenir."
    assert one.sentences[0].is_supported


def test_block_holds_all_until_the_end() -> None:
    one = checking("block")
    assert one.feed(f"{RIGHT}\n") == ""
    assert one.finish() == f"{RIGHT}\n"


def test_block_lets_nothing_of_an_unsupported_answer_through() -> None:
    one = checking("block")
    assert said(one, f"{RIGHT} Bölünmesi için müdür onayı gerekir [1].") == ""
    assert one.has_failed


def test_unfinished_sentence_goes_on_while_it_comes() -> None:
    one = checking()
    assert one.feed("Yıllık ücretli izin") == "Yıllık ücretli izin"


def test_lists_and_code_keep_their_form() -> None:
    text = "Buna göre:\n\n- Baretler beş yılda bir yenilenir [2]\n- İzin bölünemez [1]\n"
    assert said(checking(), text) == text
    code = "```\nİzin bölünemez.\n```\n"
    assert said(checking(), code) == code


def test_row_of_a_table_gets_its_sign_within() -> None:
    text = said(checking(), "| İzin süresi | 20 gün [1] |\n")
    assert text.startswith("| İzin süresi | 20 gün [1] ⚠ |\n")


class _Judge:
    """Says the same of every claim."""

    def __init__(self, told: float | None) -> None:
        self.told = told
        self.asked: list[tuple[str, str]] = []

    def judge(self, claims: list[tuple[str, str]]) -> list[float | None]:
        self.asked += claims
        return [self.told for _ in claims]


#: Said in other words than the source's.
OTHER = "Kafa koruyucu donanımın yapı alanındaki kullanımı şarttır [2]."


@pytest.mark.parametrize(("told", "supported"), [(0.9, True), (0.1, False), (None, False)])
def test_judge_decides_where_only_the_words_differ(told: float | None, supported: bool) -> None:
    judge = _Judge(told)
    one = checking(judge=judge)
    said(one, OTHER)
    assert one.sentences[0].is_supported is supported
    assert len(judge.asked) == 1


def test_judge_is_not_asked_about_a_wrong_number() -> None:
    judge = _Judge(1.0)
    one = checking(judge=judge)
    said(one, WRONG)
    assert judge.asked == []
    assert not one.sentences[0].is_supported


def test_judge_that_is_away_changes_nothing() -> None:
    class Away:
        def judge(self, claims: object) -> list[float | None]:
            raise JudgeError("away")

    one = checking(judge=Away())
    said(one, OTHER)
    assert one.sentences[0].reasons == ("coverage",)


def test_signs_are_taken_off_an_earlier_answer() -> None:
    text = said(checking(), WRONG)
    assert without_signs(text) == WRONG


@pytest.mark.parametrize("filler", [" ", "a", ".", "[", "1", "| ", "a. ", "[1", "(", "\n"])
def test_endless_text_goes_through_in_time(filler: str) -> None:
    text = f"Başta [1] {filler * 60_000}sonda."
    start = time.process_time()
    assert len(said(checking(), text, size=500)) >= len(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("text", ["⚠ Dikkat: Yüksek gerilim!", "Dikkat ⚠️ yüksek gerilim."])
def test_signs_of_the_model_stay(text: str) -> None:
    assert without_signs(text) == text
