from __future__ import annotations

import pytest

from docrag.testing.chat import NO_PASSAGE, Reply, answer, quote, tokens

FENCED = """<pasaj no="1" belge="Yönerge" yer="s. 3">
[1] Yangın tüpleri her altı ayda
bir kontrol edilir. Kayıt tutulur.
</pasaj>
<pasaj no="2" belge="İzin" yer="s. 1">
[2] Yıllık izin on dört gündür.
</pasaj>

Soru: Ne sıklıkla kontrol edilir?"""


def ask(*contents: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": content} for content in contents]}


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (FENCED, "Yangın tüpleri her altı ayda bir kontrol edilir. [1]"),
        (
            "[1] Madde 1. Yıllık izin on dört gündür. Son.",
            "Madde 1. Yıllık izin on dört gündür. [1]",
        ),
        ("[1] kısa metin", "kısa metin [1]"),
        ("[2] Yıllık izin on dört gündür.", NO_PASSAGE),
        ("Kaynağı [1] gibi yaz.", NO_PASSAGE),
        ("[1]  \n[2] x", NO_PASSAGE),
    ],
)
def test_quote_gives_first_sentence_of_first_passage(prompt: str, expected: str) -> None:
    assert quote(ask("Kurallar: [1] gibi yaz.", prompt)) == expected


def test_quote_of_no_messages_finds_nothing() -> None:
    assert quote({}) == NO_PASSAGE


def test_answer_may_be_fixed_or_computed() -> None:
    request = ask("a", "b")
    assert answer("sabit", request) == Reply(text="sabit")
    assert answer(lambda given: str(len(given["messages"])), request) == Reply(text="2")


@pytest.mark.parametrize("text", ["", "İşveren, çalışanları  bilgilendirir.\n\n[1]", "a\tb 🙂"])
def test_tokens_join_to_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_tokens_are_about_as_many_as_real_ones() -> None:
    text = "İşveren, çalışanların iş sağlığı ve güvenliği eğitimlerini almasını sağlar. " * 10
    assert 2.3 < len(text) / len(tokens(text)) < 4.0
