"""A conversation: what is asked, after what, and what is left of earlier answers."""

from __future__ import annotations

import pytest

from docrag.answer.conversation import cleaned, is_courtesy, read
from docrag.api import Message

FIRST = "Çalışan temsilcisi sayısı neye göre belirlenir?"
LEAVE = "Yıllık izin kaç gündür?"


def said(*texts: str, role: str = "user") -> list[Message]:
    """User turns, each but the last with an answer."""
    found: list[Message] = []
    for text in texts:
        found += [Message(role=role, content=text), Message(role="assistant", content="Yanıt [1].")]
    return found[:-1]


@pytest.mark.parametrize(
    ("texts", "kind", "earlier"),
    [
        ((FIRST,), "question", ""),
        (("merhaba", FIRST), "question", ""),
        ((FIRST, "620 kişi olursa?"), "follow_up", FIRST),
        ((FIRST, "teşekkürler", "620 kişi olursa?"), "follow_up", FIRST),
        ((FIRST, "evet", "620 kişi olursa?"), "follow_up", FIRST),
        ((FIRST, LEAVE), "follow_up", FIRST),
        ((FIRST, "Evet."), "assent", FIRST),
        (("evet",), "question", ""),
        (("merhaba", "tamam"), "question", ""),
        ((FIRST, "620 kişi olursa?", "Neden?"), "follow_up", f"{FIRST} 620 kişi olursa?"),
        ((FIRST, LEAVE, "Neden?"), "follow_up", LEAVE),
        ((FIRST, "TEŞEKKÜRLER"), "thanks", ""),
        (("Selam",), "greeting", ""),
        ((FIRST, "görüşürüz"), "goodbye", ""),
    ],
)
def test_conversation_has_a_kind(texts: tuple[str, ...], kind: str, earlier: str) -> None:
    talk = read(said(*texts))
    assert (talk.kind, talk.earlier, talk.question) == (kind, earlier, texts[-1])


def test_chain_of_follow_ups_is_not_endless() -> None:
    talk = read(said(FIRST, *(f"Peki ya {n}?" for n in range(9)), "Neden?"))
    assert talk.earlier == "Peki ya 5? Peki ya 6? Peki ya 7? Peki ya 8?"


def test_question_is_the_last_user_turn_with_text() -> None:
    messages = [
        *said("Merhaba", FIRST),
        Message(role="user", content=" "),
        Message(role="assistant", content="", tool_calls=({"id": "c1"},)),
        Message(role="tool", content="sonuç", tool_call_id="c1"),
    ]
    talk = read(messages)
    assert (talk.question, talk.kind) == (FIRST, "question")
    assert [turn.role for turn in talk.behind] == ["assistant", "tool"]


@pytest.mark.parametrize("messages", [[], [Message(role="assistant", content="x")]])
def test_conversation_without_a_question_is_refused(messages: list[Message]) -> None:
    with pytest.raises(ValueError, match="no user message"):
        read(messages)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("On gün [3].", "On gün."),
        ("On gün [1][2], beş gün [1, 4] 【5】.", "On gün, beş gün."),
        ("<think>Belki [1]…\n\n</think>\n\nOn gün.", "On gün."),
        ("<think>bitmedi", ""),
        ("On gün [1].\n\n---\nKaynaklar:\n- [1] [a.pdf s. 3](https://x/1)", "On gün."),
        ("Ten days [1].\n\n---\nSources:\n- [1] [a.pdf s. 3](https://x/1)\n", "Ten days."),
        ("Madde [a] ve dizi[0x]", "Madde [a] ve dizi[0x]"),
    ],
)
def test_earlier_answer_loses_what_means_nothing_now(text: str, left: str) -> None:
    assert cleaned(text) == left


def test_only_answers_are_cleaned() -> None:
    talk = read(
        [
            Message(role="user", content="Madde [3] nedir?"),
            Message(role="assistant", content="Şudur [3]."),
            Message(role="user", content="Peki [4]?"),
        ]
    )
    assert [turn.content for turn in talk.turns] == ["Madde [3] nedir?", "Şudur.", "Peki [4]?"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(("Merhaba",), True), ((FIRST, "sağ ol"), True), ((FIRST, "evet"), False), ((FIRST,), False)],
)
def test_greeting_is_told_from_the_messages(texts: tuple[str, ...], expected: bool) -> None:  # noqa: FBT001 - expected value
    assert is_courtesy(said(*texts)) is expected


def test_no_message_is_no_greeting() -> None:
    assert not is_courtesy([])
