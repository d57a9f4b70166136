from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval import answer_bars, answer_sets, answer_table, report, runs
from eval.answers import main, sample
from eval.report import Row
from tests.unit.eval.answer_cases import case, chunk


def row(llm: str, dataset: str, group: str, **figures: float) -> Row:
    shares = dict.fromkeys(answer_table.SHARES, 0.5) | figures
    bounds = {f"{name}_{end}": v for name, v in shares.items() for end in ("low", "high")}
    about = {"llm": llm, "dataset": dataset, "group": group, "n": 9, "failed": 0, "characters": 90}
    return {**about, **shares, **bounds}


def table(**removed: float) -> list[Row]:
    good = {"correct": 0.9, "refused": 0.05, "wrong": 0.05, "page_cited": 0.9}
    declined = {"refused": 0.8, "wrong": 0.1} | removed
    return [
        row("extractive", "tquad", "retrieved", **good),
        row("extractive", "tquad", "own_article_removed", **declined),
        row("extractive", "law6331", "answerable", **good),
        row("extractive", "law6331", "unanswerable", refused=1.0),
    ]


def test_bars_are_held(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_bars.tell(table())
    told = capsys.readouterr().out
    assert told.count("bar held") == 7
    assert "own article removed: refused 0.800 (bar 0.8" in told


def test_missed_bar_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert not answer_bars.tell(table(wrong=0.11))
    assert "bar MISSED: own article removed: wrong 0.110" in capsys.readouterr().out


def test_table_sets_refusals_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    answer_table.tell(table())
    told = capsys.readouterr().out
    assert "tquad: refused 0.050 of what could be answered, 0.800 of what could not" in told
    assert "law6331: refused 0.050 of what could be answered, 1.000" in told


def test_rows_of_other_models_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    answer_table.write("answers", {}, [row("küçük", "tquad", "retrieved", correct=0.1)])
    answer_table.write("answers", {}, table())
    answer_table.write("answers", {}, table(wrong=0.0))
    written = (tmp_path / "answers.json").read_text(encoding="utf-8")
    assert (written.count('"llm": "küçük"'), written.count('"llm": "extractive"')) == (1, 4)


@pytest.mark.parametrize(("limit", "counts"), [(0, (4, 2)), (3, (2, 1)), (9, (4, 2))])
def test_sample_keeps_the_proportions(limit: int, counts: tuple[int, int]) -> None:
    cases = [case()] * 4 + [case(group="own_article_removed")] * 2
    taken = sample(cases, limit)
    answerable = sum(one.group == "answerable" for one in taken)
    assert (answerable, len(taken) - answerable) == counts


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of results; every set has one question of each group."""
    passage = chunk("Yangın tüpleri altı ayda bir kontrol edilir.")
    sets = [case(passage), case(passage, question="q2", group="unanswerable", gold="")]
    monkeypatch.setattr(answer_sets, "read", lambda _: sets)
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    monkeypatch.setattr(runs, "FOLDER", tmp_path / "runs")
    monkeypatch.setenv("DOCRAG_INSTANCE", str(tmp_path))
    monkeypatch.setenv("DOCRAG_EVIDENCE", "0")
    yield tmp_path
    logging.disable(logging.NOTSET)


def test_run_writes_table_and_what_was_said(results: Path) -> None:
    assert main(["--tune"]) == 0
    written = json.loads((results / "answers-tune.json").read_text(encoding="utf-8"))["rows"]
    found = [(row["dataset"], row["group"], row["n"], row["correct"]) for row in written]
    assert ("tquad", "retrieved", 1, 1.0) in found
    assert ("law_train", "unanswerable", 1, 0.0) in found
    assert "altı ayda bir" in runs.read("answers-tune-extractive-told")["q1"]["text"]


def test_scoring_asks_nothing(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["--tune"])
    monkeypatch.setattr("eval.answers.answered", None)
    assert main(["--tune", "--score"]) == 0


def test_sample_of_quoted_answers_is_not_written(results: Path) -> None:
    assert main(["--tune", "--limit", "1"]) == 0
    assert not (results / "answers-tune.json").exists()


def test_curve_is_drawn_with_the_gate_open(results: Path) -> None:
    assert main(["--tune", "--curve"]) == 0
    written = json.loads((results / "answers-curve-tune.json").read_text(encoding="utf-8"))["rows"]
    assert (written[0]["threshold"], written[0]["correct"], written[0]["refused"]) == (0, 1, 0)


def test_missing_file_of_questions_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--questions", "yok.jsonl"])
    assert "there is no file yok.jsonl" in capsys.readouterr().err


def test_wrong_setting_is_told(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCRAG_LLM", "yok")
    assert main(["--tune"]) == 2
