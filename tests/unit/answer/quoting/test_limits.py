"""What limits a quoted sentence comes with it."""

from __future__ import annotations

import time

import pytest

from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.limits import ROOM, Limits, rules
from docrag.answer.quoting.relevance import score_sentences
from tests.unit.answer.sources import source

CRANE = (
    "Vinçle 5 tona kadar yük kaldırılabilir. Rüzgâr hızı 10 m/s değerini geçtiğinde yük "
    "kaldırılmaz. Gece çalışmasında sınır 3 tondur."
)
TANK = (
    "Kapalı tankın içinde kaynak yapılabilir. Tankın içindeki oksijen yüzde 19'un altındaysa "
    "tanka girilmez. Gaz ölçümü yapılmadan tanka girmek yasaktır."
)
BELT = (
    "(1) İskelede emniyet kemeri takmadan çalışılabilir.\n(2) İskele yüksekliği 1,80 metreyi "
    "aşıyorsa kemer takılır.\n(3) Çatıda her durumda kemer takılır."
)
SUN = "Solvent bidonları güneşte bekletilebilir. Süre en çok iki saattir. Yazın bu süre sıfırdır."
SHOCK = (
    "Elektrik çarpan kişiye hemen dokunulmaz. Önce akım kesilir. Akım kesildikten sonra kalp "
    "masajı yapılır."
)
BURN = "Yanık yerine soğuk su tutulur. Sodyum yanığında su kullanılmaz."
MASK = "Dökülmede yarım yüz maskesi takılır. Amonyakta yarım yüz maskesi yeterli değildir."
GLOVE = "Boyada eldiven kullanılması zorunlu değildir. Tiner kullanılırken eldiven takılır."
REPAIR = "(1) Operatör arızalı tankı tamir edebilir.\n(2) Tamirden önce tank boşaltılır."
ROOF = "(1) Çatıya çıkmak için şeften izin alınır.\n(2) Acil durumda izin aranmaz."
LEAVE = (
    "Kullanılmayan iznin en çok 7 günü devreder. Devreden izin haziran sonuna kadar kullanılır. "
    "Daha uzun bir devir ancak müdürün onayıyla yapılır."
)
GIVEN = "Gaz ölçülmeden tankta çalışılmaz. Tankta iki kişi birlikte çalışır. Kayıt tutulur."
OTHERS = "Dolapta asit saklanır. Kapak kapalı tutulur. Tüpler bunun dışındadır."
PHONES = "Phones may be used in the hall. Drivers must not use phones while they drive."


def said(question: str, text: str) -> str:
    """The quoted answer over one source."""
    return "".join(delta.text for delta in quote(question, [source(1, text)]))


@pytest.mark.parametrize(
    ("question", "text", "limit"),
    [
        ("Vinç en çok kaç ton kaldırır?", CRANE, "geçtiğinde yük kaldırılmaz"),
        ("Vinç en çok kaç ton kaldırır?", CRANE, "sınır 3 tondur"),
        ("Kapalı tankta kaynak yapılabilir mi?", TANK, "altındaysa tanka girilmez"),
        ("Kapalı tankta kaynak yapılabilir mi?", TANK, "girmek yasaktır"),
        ("İskelede kemersiz çalışılabilir mi?", BELT, "aşıyorsa kemer takılır"),
        ("İskelede kemersiz çalışılabilir mi?", BELT, "her durumda kemer"),
        ("Solvent bidonu güneşte bekletilebilir mi?", SUN, "en çok iki saattir"),
        ("Solvent bidonu güneşte bekletilebilir mi?", SUN, "Yazın bu süre sıfırdır"),
        ("Elektrik çarpan kişiye ne yapılır?", SHOCK, "Önce akım kesilir"),
        ("Elektrik çarpan kişiye ne yapılır?", SHOCK, "kesildikten sonra"),
        ("Yanık yerine ne tutulur?", BURN, "Sodyum yanığında"),
        ("Dökülmede hangi maske takılır?", MASK, "Amonyakta"),
        ("Boyada eldiven takmak zorunlu mu?", GLOVE, "Tiner kullanılırken"),
        ("Operatör arızalı tankı tamir edebilir mi?", REPAIR, "Tamirden önce"),
        ("Çatıya çıkmak için kimden izin alınır?", ROOF, "Acil durumda izin aranmaz"),
        ("Kullanılmayan izin kaç gün devreder?", LEAVE, "Daha uzun bir devir ancak"),
        ("Tankta kaç kişi çalışır?", GIVEN, "Gaz ölçülmeden tankta çalışılmaz"),
        ("Tüpler nerede saklanır?", OTHERS, "Dolapta asit saklanır"),
        ("May phones be used in the hall?", PHONES, "must not use"),
    ],
)
def test_limit_is_quoted_with_its_rule(question: str, text: str, limit: str) -> None:
    assert limit in said(question, f"{text} Form portaldadır.")


def test_decomposed_letters_have_their_limits() -> None:
    text = "Vinc\u0327le 5 tona kadar yu\u0308k kaldırılabilir. Gece sınır 3 tondur."
    assert "3 tondur" in said("Vinç en çok kaç ton kaldırır?", text)


@pytest.mark.parametrize(
    "other",
    [
        "Vinç 2019 yılında yük kaldırırken devrilmiştir.",
        "Kantinde yemekler öğle arasından önce bütün çalışanlara verilmez.",
        "Vinç sarıdır.",
    ],
)
def test_what_tells_or_is_of_another_subject_is_no_limit(other: str) -> None:
    context = [source(1, f"Vinçle 5 tona kadar yük kaldırılabilir. {other}")]
    scored = score_sentences("Vinç kaç ton kaldırır?", context)
    assert Limits.of(("vinc", "ton"), scored).of_piece(scored[0].piece) == []


def test_limits_have_a_room_and_a_sign_where_it_ends() -> None:
    rule = "Vinçle 5 tona kadar yük kaldırılabilir."
    long = "Vinçle yük " + "çok dar olan eski bir alanda ve " * 12 + "rüzgârda kaldırılmaz."
    text = said("Vinçle kaç ton yük kaldırılabilir?", f"{rule} {long} Yağmurda {long}")
    assert "…" in text
    assert len(text) < len(rule) + ROOM + 20


@pytest.mark.parametrize(
    ("text", "is_rule"),
    [
        ("Yük kaldırılmaz.", True),
        ("Kemer takılır.", True),
        ("Girmek yasaktır.", True),
        ("Sınır 3 tondur.", True),
        ("İzin alınmalıdır.", True),
        ("Sınır yüzde 20'dir.", True),
        ("Tanka girmeyin.", True),
        ("Drivers must not use phones.", True),
        ("Ankara başkenttir.", False),
        ("Makale yayınladı.", False),
        ("Vinç devrilmiştir.", False),
        ("Eser anlatmaktadır.", False),
        ("", False),
    ],
)
def test_rule_is_told_from_what_only_tells(text: str, is_rule: bool) -> None:
    assert rules(text) is is_rule


def test_who_may_is_not_quoted_for_somebody_else() -> None:
    text = "Çalışan işi durdurabilir. Bu nedenle ceza verilmez. Uzman durumu bildirir."
    answer = said("Uzman işi durdurabilir mi?", text)
    assert "Çalışan işi" not in answer
    assert "Çalışan işi durdurabilir." in said("Çalışan işi durdurabilir mi?", text)


def test_many_sentences_take_no_time() -> None:
    text = " ".join(f"Yük {n} metreyi aşıyorsa ve{'r' * 300} kaldırılmaz." for n in range(200))
    started = time.process_time()
    said("Vinçle kaç ton yük kaldırılabilir?", text)
    assert time.process_time() - started < 2
