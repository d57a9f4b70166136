from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from docrag.api import LoaderError
from docrag.loaders import sandbox
from docrag.loaders.sandbox import ReaderStopped, Sandbox


@pytest.fixture(autouse=True)
def _readers_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


def run(reader: str, data: bytes = b"", timeout: float = 20.0) -> list[dict[str, str]]:
    box = Sandbox(reader=f"readers:{reader}", timeout=timeout, memory_limit=256)
    return list(box.run(data, filename="belge.pdf"))


def test_sandbox_passes_pages_through() -> None:
    pages = run("echo", "ışık\n".encode())
    assert [page["text"] for page in pages] == ["ışık\n", "yarım ? çift"]


def test_sandbox_takes_large_input() -> None:
    assert len(run("echo", b"x" * 5_000_000)[0]["text"]) == 5_000_000


@pytest.mark.parametrize("reader", ["sleep", "burn"])
def test_sandbox_ends_slow_reader(reader: str) -> None:
    start = time.monotonic()
    with pytest.raises(LoaderError, match="not read within 1 seconds"):
        run(reader, timeout=1.0)
    assert time.monotonic() - start < 5


def test_sandbox_ends_reader_that_takes_no_input() -> None:
    box = Sandbox(reader="time:sleep", timeout=1.0, memory_limit=256, options={})
    with pytest.raises(LoaderError):
        list(box.run(b"x" * 5_000_000, filename="belge.pdf"))


def test_sandbox_limits_memory() -> None:
    with pytest.raises(LoaderError, match="more than 256 MiB of memory"):
        run("grow")


def test_sandbox_reports_death() -> None:
    with pytest.raises(LoaderError, match=r"'belge\.pdf' was refused: the reader broke down"):
        run("die")


def test_sandbox_gives_what_came_before_death() -> None:
    pages = Sandbox(reader="readers:die", timeout=20, memory_limit=256).run(b"", filename="a")
    assert next(pages)["text"] == "ilk"
    with pytest.raises(ReaderStopped):
        next(pages)


def test_sandbox_tells_reader_that_asks() -> None:
    box = Sandbox(reader="readers:ask", timeout=20, memory_limit=256)
    with box.running("ışık".encode(), filename="a", asks=True) as running:
        assert next(running)["text"] == "ışık"
        running.tell(7)
        assert [page["text"] for page in running] == ["7"]


def test_reader_that_is_told_nothing_reads_alone() -> None:
    assert [page["text"] for page in run("ask", "ığ".encode())] == ["ığ", "1"]


def test_sandbox_reports_failure_without_document_text() -> None:
    with pytest.raises(LoaderError, match="could not be read; save it again$") as caught:
        run("fail")
    assert "GİZLİ" not in str(caught.value)


@pytest.mark.parametrize("line", [b"[1]", b'"text"', b"7", b'{"text": 7}', b'{"text": ["a"]}'])
def test_sandbox_takes_nothing_but_records(line: bytes) -> None:
    with pytest.raises(ReaderStopped, match="broke down"):
        run("garble", line)


def test_sandbox_takes_no_broken_record() -> None:
    assert sandbox._record(b'{"text": \n') is None
    assert sandbox._record(b"[" * 100_000 + b"\n") is None


def test_sandbox_limits_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_OUTPUT", 5_000_000)
    with pytest.raises(LoaderError, match="holds more than"):
        run("flood")


def test_sandbox_child_is_light_and_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCRAG_SECRET", "parola")
    (page,) = run("inside")
    assert page == {"text": "", "warning": ""}


def test_sandbox_starts_fast() -> None:
    start = time.monotonic()
    run("echo", b"x")
    assert time.monotonic() - start < 3


def test_sandbox_leaves_no_child_when_abandoned() -> None:
    before = threading.active_count()
    pages = Sandbox(reader="readers:burn", timeout=20, memory_limit=256).run(b"", filename="a")
    assert next(pages)["text"] == "ilk"
    pages.close()  # type: ignore[attr-defined]  # it is a generator
    time.sleep(0.1)
    assert threading.active_count() <= before


def test_sandbox_reports_nothing_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LoaderError):
        run("no_such_reader")
    assert capfd.readouterr() == ("", "")
