"""Remarks of a law's editors."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.remarks import borders, is_remark, joined
from docrag.api import spans

NOTE = (
    "7 25/4/2013 tarihli ve 6462 sayılı Kanunun 1 inci maddesiyle, bu bentte yer alan “özürlü” "
    "ibaresi “engelli” şeklinde değiştirilmiştir."
)


@pytest.mark.parametrize(
    "text", [NOTE, "(Ek fıkra: 29/1/2016-6663/22 md.)", "(Mülga: 4/4/2015-6645/3 md.)", "12"]
)
def test_remark_of_the_editors_is_one(text: str) -> None:
    assert is_remark(text)


@pytest.mark.parametrize(
    "text",
    [
        "(2) 4/1/2002 tarihli ve 4734 sayılı Kamu İhale Kanunu kapsamındaki kurumlar alabilir.",
        f"{NOTE} Fesih geçersizdir.",
        "Ücret ödenir.",
    ],
)
def test_sentence_of_the_law_is_no_remark(text: str) -> None:
    assert not is_remark(text)


def test_number_with_a_remark_goes_with_its_sentence() -> None:
    text = "f) (Değişik: 12/7/2013-6495/101 md.) İşyeri hekimi: Hekimi,"
    found = [text[start:end].strip() for start, end in joined(text, spans(text))]
    assert found == [text]


def test_remark_without_a_number_stands_alone() -> None:
    text = "Ücret ödenir. (Ek cümle: 4/4/2015-6645/37 md.) Faiz de ödenir."
    assert len(list(joined(text, spans(text)))) == len(list(spans(text)))


def test_footnote_within_a_sentence_is_cut_out() -> None:
    text = f"Süre üç gündür.7 {NOTE} fesih için süre işler."
    first, last = borders(text, 0, len(text))
    assert text[first:last].strip() == NOTE


def test_text_without_footnotes_has_no_borders() -> None:
    text = "Bu Kanun 20/6/2012 tarihli ve 6331 sayılı Kanundur."
    assert borders(text, 0, len(text)) == []
