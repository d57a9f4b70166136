"""Messages that ask nothing, and ordinary questions that look like them."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.smalltalk import courtesy

SAID = {
    "greeting": [
        "merhaba", "Merhaba!", "MERHABA", "merhabaaa", "selam", "SELAM", "Selamlar :)", "günaydın",
        "GÜNAYDIN", "iyi günler", "İYİ GÜNLER", "İyi akşamlar 🙂", "Herkese merhaba", "hi", "HI",
        "Hi there!", "hello", "Hello, good morning", "Merhaba, nasılsın?", "selamün aleyküm",
        "gunaydin", "kolay gelsin", "hey", "naber?", "How are you?", "SA", "Nasılsınız？",
    ],
    "thanks": [
        "teşekkürler", "TEŞEKKÜRLER", "Teşekkür ederim.", "çok teşekkürler 🙏", "sağ ol", "SAĞ OL",
        "Sağ olun!", "sagol", "eyvallah", "thanks", "THANKS!", "Thank you so much", "thx",
        "Tamam, teşekkürler", "ok thanks", "TY", "Süper, çok teşekkür ederim", "tesekkurler",
        "Teşekkürler, iyi günler", "ellerinize sağlık",
    ],
    "goodbye": ["görüşürüz", "GÖRÜŞÜRÜZ", "hoşça kal", "Hoşça kalın", "bye", "see you",
                "iyi geceler", "tamam görüşürüz"],
    "assent": [
        "evet", "EVET", "Evet.", "olur", "devam et", "Devam eder misin?", "tamam", "evet lütfen",
        "yes", "Yes, please", "ok", "OK", "okay", "go on", "elbette", "Tabii", "evet, anlat",
        "sure", "peki",
    ],
}  # fmt: skip

#: Ordinary questions and orders that hold such words, or are short.
ORDINARY = [
    "evet oyu nasıl kullanılır?",
    "Merhaba, izin kaç gün?",
    "Merhaba izin kaç gün",
    "selam vermek zorunlu mu?",
    "Teşekkür belgesi kime verilir?",
    "Teşekkürler, peki yıllık izin kaç gün?",
    "sağ el yaralanması bildirilir mi?",
    "sağ olmayan çalışanın tazminatı",
    "İyi günler, baret zorunlu mu?",
    "iyi hal indirimi nedir?",
    "günlük çalışma süresi kaç saat?",
    "Gün sayısı?",
    "devam zorunluluğu nedir?",
    "Devamsızlık",
    "devam primi",
    "tamam belgesi nedir?",
    "Tamamlayıcı sağlık sigortası var mı?",
    "Olur yazısı nasıl alınır?",
    "olur alınması",
    "Kabul oyu",
    "peki ya 620 kişi olursa?",
    "Evet mi hayır mı?",
    "hayır",
    "Lütfen izin yönetmeliğini özetle",
    "Et",
    "Su",
    "İzin",
    "İSG",
    "Ceza?",
    "SA?",
    "TY?",
    "Evet?",
    "SA？",
    "Kaç gün?",
    "neden?",
    "620 kişi olursa?",
    "Görüşme odası nasıl ayrılır?",
    "Hoşça vakit",
    "Kaynaklar nelerdir?",
    "Hi-vis vest required?",
    "Is OK stamp required?",
    "Thank you letter template",
    "yes vote procedure",
    "continue working after the alarm?",
    "Please list the duties",
    "goodbye party budget",
    "What is a greeting card budget?",
    "Who says hello to visitors?",
    "Selamlama kuralları",
    "Ok işareti ne anlama gelir?",
    "anlat bakalım izin kaç gün",
    "merhaba merhaba merhaba merhaba merhaba merhaba merhaba",
    "",
    "🙂",
    "...",
]


@pytest.mark.parametrize(
    ("text", "kind"), [(text, kind) for kind, texts in SAID.items() for text in texts]
)
def test_message_is_what_it_says(text: str, kind: str) -> None:
    assert courtesy(text) == kind
    assert courtesy(unicodedata.normalize("NFD", text)) == kind


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_message_is_none_of_them(text: str) -> None:
    assert courtesy(text) is None


def test_ordinary_questions_are_at_least_forty() -> None:
    assert len(ORDINARY) >= 40
