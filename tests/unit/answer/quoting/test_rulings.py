"""Sentences that allow or deny what a yes/no question asks."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.rulings import Ruling
from docrag.api import Article
from tests.unit.answer.sources import source

BAN = "Serviste ziyaretçi taşınamaz (Yeniden işe alınanların yakınları hariç)."
RULES = (
    f"MADDE 5 – (1) {BAN}\n(2) Servis şoförü en az beş yıllık ehliyet sahibi olur. "
    "2 Bu madde başlığı ile uyumsuz araçlar kullanılmaz.\n(3) Araçta bulundurulacak yangın tüpü:\n"
    "1) Dokuz kişiye kadar araçlarda bir adet 2 kg,\n"
    "2) On ile yirmi kişi arası araçlarda bir adet 6 kg,\n"
    "3) Yirmi kişiden fazla araçlarda iki adet 6 kg."
)


@pytest.mark.parametrize(
    "question",
    [
        "Serviste ziyaretçi taşınır mı?",
        "Serviste ziyaretçi taşınabilir mi?",
        "SERVİSTE ZİYARETÇİ TAŞINIR MI?",
        "serviste ziyaretci tasinir mi",
        "Serviste ziyaretc\u0327i tas\u0327ınır mı?",
        "Serviste ziyaretçi taşımak serbest mi?",
        "Serviste ziyaretçi taşıyabilir miyim?",
        "Serviste ziyaretçi taşınması yasak mı?",
    ],
)
def test_ban_on_what_is_asked_is_quoted_first(question: str) -> None:
    plain = source(1, RULES)
    article = Article(kind="madde", number="5")
    law = replace(plain, chunks=tuple(replace(one, article=article) for one in plain.chunks))
    assert next(quote(question, [law])).text.startswith(f"MADDE 5 – (1) {BAN}")


def test_unlikely_ban_of_a_later_source_is_quoted_first() -> None:
    cards = "Ziyaretçi kartı serviste taşınır. Serviste ziyaretçi kartı taşınır ve gösterilir."
    ban = (
        "Güvenlik önlemi olarak acil durumlar ve iş kazaları dışında kalan bütün hâllerde, şirkete "
        "ait servis araçlarında ziyaretçi taşınamaz."
    )
    sources = [source(1, cards), source(2, f"Kayıt tutulur. {ban}")]
    assert next(quote("Serviste ziyaretçi taşınır mı?", sources)).text.startswith(ban)


def test_ban_with_a_part_of_the_words_is_quoted() -> None:
    cards = "Gece serviste ziyaretçi kartı taşınır. Gece ziyaretçi kartı serviste gösterilir."
    sources = [source(1, cards), source(2, "Kayıt tutulur. Ziyaretçiler araçlarda taşınamaz.")]
    quoted = quote("Gece serviste ziyaretçi taşınır mı?", sources)
    assert "Ziyaretçiler araçlarda taşınamaz." in "".join(delta.text for delta in quoted)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Serviste ziyaretçi taşınır mı?", "Serviste ziyaretçi taşınmaz."),
        ("Serviste ziyaretçi taşınır mı?", "Ziyaretçi serviste taşınabilir."),
        ("Serviste ziyaretçi taşınır mı?", "Serviste ziyaretçi taşımak yasaktır."),
        ("Serviste ziyaretçi taşınır mı?", "Serviste ziyaretçi taşınmasına izin verilmez."),
        ("Lojmanda köpek beslenebilir mi?", "Lojmanda köpek beslenemez."),
        ("Rampaya park edebilir miyim?", "Rampaya park edilmez."),
        ("Depoda sigara içilir mi?", "Depoda sigara içmek yasaktır."),
        ("Depoda sigara yasak mı?", "Depoda sigara yasaktır."),
    ],
)
def test_sentence_that_allows_or_denies_it_is_found(question: str, text: str) -> None:
    assert Ruling.of(question).share(text) == 1


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Serviste ziyaretçi taşınır mı?", "Serviste yük taşınamaz."),
        ("Serviste ziyaretçi taşınır mı?", "Serviste ziyaretçi beklenmez."),
        ("Serviste ziyaretçi nasıl taşınır?", "Serviste ziyaretçi taşınamaz."),
        ("Rampaya park edebilir miyim?", "Rampaya kayıt edilmez."),
        ("mı?", "Taşınamaz."),
        ("", ""),
    ],
)
def test_other_sentence_is_none(question: str, text: str) -> None:
    assert Ruling.of(question).share(text) == 0


@pytest.mark.parametrize("odd", ["in" * 20_000, "maz" * 20_000, "park etmez " * 3_000])
def test_odd_words_take_no_time(odd: str) -> None:
    started = time.process_time()
    told = Ruling.of(f"Ziyaretçi {odd} taşınır mı?").share(f"{odd} taşınamaz.")
    assert 0 < told < 1
    assert 0 <= Ruling.of(f"{odd}ır mı?").share(odd) <= 1
    assert time.process_time() - started < 0.5


def test_sentence_without_the_other_words_holds_a_part() -> None:
    assert Ruling.of("Serviste ziyaretçi taşınır mı?").share("Ziyaretçi taşınamaz.") == 0.5
