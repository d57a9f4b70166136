"""Remarks of a law's editors."""

from __future__ import annotations

import time

import pytest

from docrag.answer.quoting.remarks import borders, is_remark, joined
from docrag.api import spans

NOTE = (
    "7 25/4/2013 tarihli ve 6462 sayılı Kanunun 1 inci maddesiyle, bu bentte yer alan “özürlü” "
    "ibaresi “engelli” şeklinde değiştirilmiştir."
)


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        "(Ek fıkra: 29/1/2016-6663/22 md.)",
        "(Ek: 12/3/2010-5763/4 md.)",
        "(Mülga: 4/4/2015-6645/3 md.)",
        "(Değişik birinci cümle: 4/4/2015-6645/3 md.)",
        "(Mülga birinci ve ikinci cümleler: 4/4/2015-6645/3 md.)",
        "(Yeniden düzenleme: 12/7/2013-6495/32 md.)",
        "(Başlığı ile Birlikte Değişik: 12/7/2013-6495/32 md.)",
        "(Ek fıkra 29/1/2016-6663/22 md.)",
        "(İptal: Anayasa Mahkemesinin 19/10/2005 tarihli kararı (E. 2003/66) ile)",
        "(Mülga)",
        "(Değişik ibare:RG-21/8/2022-31930)",
        "(Mülga altıncı ve yed nc cümleler:RG-21/8/2022-31930)",
        "12",
    ],
)
def test_remark_of_the_editors_is_one(text: str) -> None:
    assert is_remark(text)


@pytest.mark.parametrize(
    "text",
    [
        "(2) 4/1/2002 tarihli ve 4734 sayılı Kamu İhale Kanunu kapsamındaki kurumlar alabilir.",
        f"{NOTE} Fesih geçersizdir.",
        "Ücret ödenir.",
        "(Ek ücret hafta sonu iki kat ödenir.)",
        "(Ek ücret 1/1/2024 tarihinden sonra 4857 sayılı Kanuna göre ödenir.)",
        "(Ek ödeme: 500 TL)",
        "(Ekte yer alan form doldurulur.)",
        "(İptal edilen izinler ücretli sayılır.)",
        "(Yeniden işe alınanlar hariç)",
        "(Değişik zamanlarda yapılan denetimlerde işveren bilgi verir.)",
        "(Mükerrer ödeme yapılamaz.)",
    ],
)
def test_sentence_of_the_law_is_no_remark(text: str) -> None:
    assert not is_remark(text)


@pytest.mark.parametrize("odd", ["(", "()", " ", "fıkra ", "a, ", "Ek "])
def test_odd_text_takes_no_time(odd: str) -> None:
    started = time.process_time()
    assert not is_remark(f"(Ek {odd * 20_000}")
    assert time.process_time() - started < 0.5


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
