"""Stand-ins for what reads and keeps pages; not a test module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from docrag.api import LoaderError, OcrText


class Scribe:
    """An engine that reads the same on every picture and counts them."""

    name = "scribe"

    def __init__(
        self,
        text: str = "",
        *,
        confidence: float | None = 0.9,
        error: str = "",
        doubt: str = "",
    ) -> None:
        self.text, self.confidence, self.error, self.doubt = text, confidence, error, doubt
        self.resolutions: list[int] = []

    def read(self, picture: bytes, *, dpi: int) -> OcrText:
        assert picture.startswith(b"\x89PNG")
        self.resolutions.append(dpi)
        if self.error:
            raise LoaderError(self.error)
        return OcrText(text=self.text, confidence=self.confidence, doubt=self.doubt)


class Notebook:
    """A checkpoint in memory."""

    def __init__(self, records: Sequence[dict[str, str]] = ()) -> None:
        self.kept = [dict(record) for record in records]
        self.steps: list[int] = []

    def records(self) -> list[dict[str, str]]:
        return list(self.kept)

    def keep(self, records: Sequence[dict[str, str]]) -> None:
        self.kept += records
        self.steps.append(len(records))


class Killed(BaseException):
    """What a killed worker looks like from inside."""


class TornNotebook(Notebook):
    """A checkpoint whose worker is killed after some steps."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.left = steps

    def keep(self, records: Sequence[dict[str, str]]) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1
        super().keep(records)


@contextmanager
def killed() -> Iterator[None]:
    """Swallow the kill."""
    try:
        yield
    except Killed:
        return
    raise AssertionError("the worker lives")
