from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.terms import analysed, asked_terms, c4, f5, header, indexed, near, plain
from docrag.textnorm import fold, words

#: Turkish, decomposed and typographic signs, other alphabets, and what folding makes several of.
TEXTS = st.text(st.sampled_from("aAbeiıİIşŞçğöüâ1²_'’-. \nﬁßΩж漢🙂\u0301\u0307") | st.characters())


def edits(one: str, other: str) -> bool:
    """Whether one slip makes the other word of the first: Damerau's four kinds."""
    if abs(len(one) - len(other)) > 1:
        return False
    if len(one) > len(other):
        return any(one[:n] + one[n + 1 :] == other for n in range(len(one)))
    if len(one) < len(other):
        return any(other[:n] + other[n + 1 :] == one for n in range(len(other)))
    differ = [n for n in range(len(one)) if one[n] != other[n]]
    if len(differ) < 2:
        return True
    first, last = differ[0], differ[-1]
    return differ == [first, first + 1] and one[first] + one[last] == other[last] + other[first]


@pytest.mark.parametrize(
    ("title", "section", "expected"),
    [
        ("Yönerge", "MADDE 1", "Yönerge MADDE 1"),
        ("", "MADDE 1", "MADDE 1"),
        ("Yönerge", "", "Yönerge"),
        ("", "", ""),
        ("izin_yönergesi_2024", "", "izin yönergesi 2024"),
        ("İzin", "İzin", "İzin"),
        (" İzin ", "İzin", "İzin"),
        ("izin_hakkı", "izin hakkı", "izin hakkı"),
        ("___", "", ""),
        ("a", "b_c", "a b_c"),
    ],
)
def test_header_is_title_and_headings(title: str, section: str, expected: str) -> None:
    assert header(title, section) == expected


def test_header_stands_on_a_line_of_its_own() -> None:
    assert indexed("İzin", "MADDE 1", "On dört gün.") == "İzin MADDE 1\nOn dört gün."


def test_text_without_header_stays() -> None:
    assert indexed("", "", "On dört gün.") == "On dört gün."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("İşveren, iş kazasını bildirir.", ["isver", "is", "kazas", "bildi"]),
        ("ISI ısı", ["isi", "isi"]),
        ("Kâğıt'ın", ["kagit", "in"]),
        ("", []),
        ("?!… 🙂", []),
        ("\u0301", []),
        ("年假为十四天", ["年假为十四"]),
    ],
)
def test_f5_terms_are_beginnings_of_folded_words(text: str, expected: list[str]) -> None:
    assert f5(text) == expected


@given(text=TEXTS)
def test_composed_and_decomposed_texts_are_the_same(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    apart = unicodedata.normalize("NFD", composed)
    assert f5(apart) == f5(composed)
    assert c4(apart) == c4(composed)


@given(text=TEXTS)
def test_grams_are_all_runs_of_every_word(text: str) -> None:
    folded = [one for word in words(text) if (one := fold(word))]
    wanted = []
    for word in folded:
        edged = f" {word} "
        wanted += [edged[n : n + 4] for n in range(max(1, len(edged) - 3))]
    assert c4(text) == wanted
    assert len(f5(text)) == len(folded)


def test_short_words_are_their_own_gram() -> None:
    assert c4("a iş ısı kaza") == [" a ", " is ", " isi", "isi ", " kaz", "kaza", "aza "]


def test_english_has_stems_of_its_own() -> None:
    assert analysed("Running dogs", "en") == ["en:run", "en:dog"]
    assert analysed("Running dogs", "de") == analysed("Running dogs") == ["runni", "dogs"]


def test_question_has_marks_and_stems() -> None:
    assert asked_terms("kaza güvenliği iş işçi kâğıt") == [
        "kaza*", "guvenl~", "is", "isci*", "kagit~",
        "en:kaza", "en:guvenligi", "en:is", "en:isci", "en:kagit",
    ]  # fmt: skip


@given(text=TEXTS)
def test_question_names_every_term_of_its_text(text: str) -> None:
    asked = asked_terms(text)
    assert [plain(term) for term in asked] == [*f5(text), *analysed(text, "en")]


@pytest.mark.parametrize("term", ["kaza*", "is", "en:kaza", "kazas", ""])
def test_only_longer_words_have_near_ones(term: str) -> None:
    assert near(term) == []


ASCII = st.text("abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=6)


@given(word=ASCII, data=st.data())
def test_near_terms_are_one_slip_away(word: str, data: st.DataObject) -> None:
    found = near(f"{word}~")
    assert found == sorted(set(found))
    assert word[:5] not in found
    other = data.draw(st.sampled_from(found))
    tails = ["", *"abcdefghijklmnopqrstuvwxyz", word[4:], word[5:]]
    assert any(edits(word, other + tail) for tail in tails)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("güvnelik", "güvenlik"),
        ("güvnlik", "güvenlik"),
        ("güüvenlik", "güvenlik"),
        ("gövenlik", "güvenlik"),
        ("üvenlik", "güvenlik"),
        ("yönetmelik", "yönetmeliği"),
    ],
)
def test_slip_of_the_hand_is_near(asked: str, stored: str) -> None:
    (mark,) = [term for term in asked_terms(asked) if term.endswith("~")]
    (wanted,) = f5(stored)
    assert wanted in near(mark) or wanted == plain(mark)
