from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from docrag.answer.calibration import Expectation
from docrag.api import DocumentError
from docrag.cli.group import main
from docrag.cli.questionfile import read

IZIN = Expectation(question="Kaç gün izin var?", document="izin.pdf", page=2)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"question": "Kaç gün izin var?", "document": "izin.pdf", "page": 2}\n\n'),
        ("a.csv", "\ufeffquestion,document,page\nKaç gün izin var?,izin.pdf,2\n"),
        ("a.csv", "question;document;page\nKaç gün izin var?;izin.pdf;2\n"),
    ],
)
def test_questions_are_read_from_either_form(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert list(read(tmp_path / name)) == [IZIN]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"question": "Dolar kaç lira?", "answerable": false, "document": null}'),
        ("a.csv", "question;answerable\nDolar kaç lira?;HAYIR\n"),
    ],
)
def test_question_that_nothing_answers_is_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    (found,) = read(tmp_path / name)
    assert (found.question, found.is_answerable) == ("Dolar kaç lira?", False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no questions"),
        ("{", "line 1"),
        ("[]", "line 1"),
        ('{"question": "x"}', "`document`"),
        ('{"question": "x", "document": "y", "page": "iki"}', "page"),
        ('{"question": " ", "document": "y"}', "line 1"),
        ('{"question": ["x"], "document": "y"}', "line 1"),
        ('{"question": "x", "document": null}', "line 1"),
        ('{"question": "x", "document": "y", "page": -3}', "from 1"),
        ('{"question": "x", "document": "y", "page": true}', "from 1"),
        ('{"question": "x", "document": "y", "page": 1e999}', "from 1"),
    ],
)
def test_what_is_no_question_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.jsonl").write_text(text, "utf-8")
    with pytest.raises(DocumentError, match=said):
        list(read(tmp_path / "a.jsonl"))


def test_other_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("question;document\nİzin;ş\n".encode("cp1254"))
    with pytest.raises(DocumentError, match="UTF-8"):
        list(read(tmp_path / "a.csv"))


def test_reset_takes_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,document\n", "utf-8")
    done = CliRunner().invoke(main, ["eval", "calibrate", str(tmp_path / "a.csv"), "--reset"])
    assert done.exit_code == 2
    assert "--reset" in done.output
