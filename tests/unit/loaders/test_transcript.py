"""What a vision model wrote becomes plain text, or is refused."""

from __future__ import annotations

import pytest

from docrag.api import LoaderError
from docrag.loaders.transcript import BLANK, repeats, transcript

PAGE = "MADDE 1 – (1) İşveren, ılık suyu sağlar."


@pytest.mark.parametrize(
    "answer",
    [
        PAGE,
        f"\r\n{PAGE}\n",
        f"<think>Bu bir sayfa.\n</think>\n{PAGE}",
        f"```text\n{PAGE}\n```",
        f"Here is the transcribed text of the page:\n\n{PAGE}",
        f"İşte sayfadaki metin:\n{PAGE}",
        f"## {PAGE}",
        f"**MADDE 1 –** {PAGE.partition('– ')[2]}",
    ],
)
def test_only_the_page_remains(answer: str) -> None:
    assert transcript(answer) == PAGE


def test_blank_page_has_no_text() -> None:
    assert transcript(f"{BLANK}\n") == ""


@pytest.mark.parametrize("answer", ["", "  \n", "<think>Boş mu?</think>"])
def test_nothing_is_no_transcript(answer: str) -> None:
    with pytest.raises(LoaderError, match="wrote nothing"):
        transcript(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't assist with that.",
        "I cannot see any image. Please upload it.",
        "As an AI language model I am not able to read pictures.",
        "Üzgünüm, bu görseli okuyamıyorum.",
        "Lütfen görseli yükleyin.",
    ],
)
def test_refusal_is_no_transcript(answer: str) -> None:
    with pytest.raises(LoaderError, match="refused"):
        transcript(answer)


def test_long_page_that_begins_like_a_refusal_is_kept() -> None:
    page = "Üzgünüm, diye başladı müdür.\n" + "\n".join(f"{n}. satır." for n in range(90))
    assert transcript(page) == page


@pytest.mark.parametrize(
    "text",
    [
        PAGE + " ve ılık su" * 150,
        PAGE + "a" * 1300,
        "\n".join([PAGE, *["İşveren sağlar."] * 12, "Son."]),
        "\n".join([PAGE, *["İşveren sağlar.", "Çalışan uyar."] * 12]),
    ],
)
def test_loop_is_no_transcript(text: str) -> None:
    with pytest.raises(LoaderError, match="repeated itself"):
        transcript(text)


@pytest.mark.parametrize(
    "text",
    [
        "Adı: \n" + "." * 3000,
        "\n".join(["İmza:", *["........"] * 40]),
        "\n".join(["0 0 0"] * 50),
        "\n".join(f"Madde {n} yürürlükten kaldırılmıştır." for n in range(60)),
        "\n".join(["Evet"] * 9),
        "",
    ],
)
def test_forms_and_lists_are_no_loop(text: str) -> None:
    assert not repeats(text)


def test_judging_a_long_text_takes_no_time() -> None:
    assert not repeats("\n" * 20_000)
    assert not repeats(" ".join(f"kelime{n}" for n in range(5000)))
