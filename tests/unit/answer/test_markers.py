"""Citation markers in streamed text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docrag.answer.markers import MarkerFilter, neutral, numbers, spans, strip


def run(text: str, *, offered: tuple[int, ...] = (1, 2), step: int = 1) -> str:
    """The filtered text, fed in pieces of ``step`` characters."""
    markers = MarkerFilter(offered)
    fed = [markers.feed(text[i : i + step]) for i in range(0, len(text), step)]
    return "".join(fed) + markers.finish()


@pytest.mark.parametrize("step", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Evet [1].", "Evet [1]."),
        ("Evet [1][2].", "Evet [1][2]."),
        ("Evet [1, 2].", "Evet [1][2]."),
        ("Evet [9].", "Evet."),
        ("Evet [[9]4].", "Evet (4]."),
        ("Evet [[1]].", "Evet ([1]]."),
        ("Evet 【1】.", "Evet [1]."),
        ("Evet [ 1 ][0002].", "Evet [1][2]."),
        ("Evet [1-2].", "Evet [1][2]."),
        ("Evet [1–9].", "Evet [1][2]."),
        ("Evet [" + "9, " * 60 + "1].", "Evet [1]."),
        ("Evet [1, 9].", "Evet [1]."),
        ("Dizi a[i] ve [Madde 5].", "Dizi a[i] ve [Madde 5]."),
        ("Evet 【1†source】.", "Evet [1]."),
        ("Evet 【2†L1-L9】【9†x】.", "Evet [2]."),
        ("Evet [1 ve 2].", "Evet [1][2]."),
        ("Evet [1, 9 and 2].", "Evet [1][2]."),
        ("Evet [1, ve 2] [1 veya 2].", "Evet [1][2] [1 veya 2]."),
        ("Evet [7 ve [9] 8].", "Evet (7 ve 8]."),
        ("Evet [1](http://x).", "Evet [1] (http://x)."),
        ("Evet [1][9](http://x).", "Evet [1] (http://x)."),
        ("[1]: http://x", "[1] : http://x"),
        ("a\n > - [ 1 ]: http://x", "a\n > - [1] : http://x"),
        ("a\r[1]: http://x", "a\r[1] : http://x"),
        ("- [x] [1]: http://x", "- [x] [1] : http://x"),
        ("[a\nb]: http://x", "[a\nb] : http://x"),
        ("Şunlar [1]: a, b", "Şunlar [1]: a, b"),
        ("![x](http://x) Dur!", "! [x] (http://x) Dur!"),
        ("Dur! [1] bak](", "Dur! [1] bak] ("),
        ("Sonu açık [1", "Sonu açık [1"),
        ("Boşluk kalır ", "Boşluk kalır "),
    ],
)
def test_filter_resolves_markers_in_any_pieces(text: str, shown: str, step: int) -> None:
    assert run(text, step=step) == shown


@given(st.text(alphabet="ave [],12;\n!(:†】", max_size=40), st.integers(1, 7))
def test_filter_does_not_depend_on_the_pieces(text: str, step: int) -> None:
    assert run(text, step=step) == run(text, step=1000)


@given(st.text(alphabet="ave [],1234;†(:!", max_size=40))
def test_filter_leaves_only_offered_numbers(text: str) -> None:
    assert set(numbers(run(text))) <= {1, 2}


def test_numbers_come_in_order_of_first_mention() -> None:
    assert numbers("x [2], y [1] ve [2].") == (2, 1)


def test_spans_point_at_the_markers() -> None:
    assert spans("İş [2]. [1]") == [(2, 3, 6), (1, 8, 11)]


def test_strip_takes_markers_of_old_answers_out() -> None:
    assert strip("On beş gün [1][2]. Madde [3, 4] var.") == "On beş gün. Madde var."


def test_markers_of_a_document_are_made_neutral() -> None:
    assert neutral("otuz gündür [2]. 【3, 4】 a[i] [Madde 5]") == (
        "otuz gündür (2). (3, 4) a[i] [Madde 5]"
    )


_PIECES = [
    "[1]",
    "[9]",
    "[",
    "]",
    "!",
    "(http://x)",
    ": http://x",
    " ",
    "\n",
    "> ",
    "- ",
    "ab",
    "\\",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=14), st.integers(1, 9))
def test_markdown_sees_no_link_and_no_image(pieces: list[str], step: int) -> None:
    text = run("".join(pieces) + "\n\n[1] [ab] ![1]", step=step)
    html = MarkdownIt("commonmark").render(text)
    assert "<a " not in html and "<img" not in html
