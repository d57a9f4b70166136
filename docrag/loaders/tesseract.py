"""Text recognition with Tesseract, a program that the operator installs."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import time
from dataclasses import dataclass
from io import BytesIO
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from docrag.api import LoaderError, OcrText, OcrUnavailable, SettingsError
from docrag.loaders.misreadings import corrected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

logger = logging.getLogger(__name__)

#: Data by which Tesseract finds out which way a page is turned.
ORIENTATION = "osd"
#: Variables that the program needs.
KEPT_VARIABLES: Final = (
    "HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TESSDATA_PREFIX", "TMPDIR",
)  # fmt: skip
#: Seconds in which the program must list its languages.
LIST_SECONDS = 20.0
#: Seconds that a page may be given, least and most.
PAGE_SECONDS: Final = (0.1, 3600.0)
#: Confidence of the orientation, Tesseract's measure, above which the upright page is not tried
#: too. Measured: 15 to 40 on whole pages, 5 on a single line.
SURE = 10.0
#: Dots an inch below which what the file says is no help: its page has no real size.
LEAST_DPI = 100
#: Height, as a share of the page's usual word, and confidence, 0 to 100, below both of which a word
#: is dirt. Measured: dirt has at most 0.23 and 31, a dash 0.15 and 89.
SPECK_HEIGHT, SPECK_CONFIDENCE = 0.25, 40.0
_LANGUAGES = re.compile(r"[A-Za-z][A-Za-z_]*(?:\+[A-Za-z][A-Za-z_]*)*", re.ASCII)
_TURN = re.compile(r"^Rotate: (\d+)\s+Orientation confidence: ([\d.]+)", re.MULTILINE)
#: Clockwise degrees by which a page may have to be turned.
_TURNS: Final = (90, 180, 270)
#: Columns of Tesseract's table: block, paragraph and line tell lines apart.
_COLUMNS, _LINE, _HEIGHT, _CONFIDENCE, _TEXT = 12, slice(2, 5), 9, 10, 11


class TesseractEngine:
    """Reads pages with the program ``tesseract``, one processor each. Thread-safe.

    Pictures go through a pipe, so that no page lies in a folder for temporary files.
    """

    name = "tesseract"

    def __init__(
        self, *, language: str = "tur", page_seconds: float = 120.0, command: str = "tesseract"
    ) -> None:
        """Make sure that the program and its languages are there.

        :param language: languages of the pages as Tesseract names them, such as ``tur+eng``.
        :param page_seconds: time that one page may take, s.
        :param command: name or path of the program.
        :raises SettingsError: an option has a value that cannot be right.
        :raises OcrUnavailable: program or language is missing; another language is never taken.
        """
        if not isinstance(language, str) or not _LANGUAGES.fullmatch(language):
            raise SettingsError(
                f"tesseract: language is {language!r}; write names such as tur or tur+eng"
            )
        if not PAGE_SECONDS[0] <= page_seconds <= PAGE_SECONDS[1]:
            raise SettingsError(
                f"tesseract: page_seconds must be between {PAGE_SECONDS[0]:g} and "
                f"{PAGE_SECONDS[1]:g}, not {page_seconds}"
            )
        self.language = language
        #: What messages say.
        self.label = f"tesseract, language {language}"
        self._page_seconds = page_seconds
        self._command = command
        installed = self._installed()
        missing = [name for name in (*language.split("+"), ORIENTATION) if name not in installed]
        if missing:
            packages = " ".join(f"tesseract-ocr-{name.replace('_', '-')}" for name in missing)
            raise OcrUnavailable(
                f"tesseract has no {' and no '.join(missing)}; install it with "
                f"`apt install {packages}`"
            )

    def read(self, picture: bytes, *, dpi: int) -> OcrText:
        """The text of one page, turned upright first, lines in reading order.

        :raises LoaderError: the page took too long, or Tesseract broke down over it.
        :raises OcrUnavailable: the program is gone.
        """
        deadline = time.monotonic() + self._page_seconds
        turn, sure = self._turn(picture, deadline)
        if not turn:
            return self._text(picture, dpi, deadline)
        found = self._text(_turned(picture, turn), dpi, deadline)
        if sure >= SURE:
            return found
        upright = self._text(picture, dpi, deadline)
        return max(found, upright, key=lambda read: read.confidence or 0.0)

    def _turn(self, picture: bytes, deadline: float) -> tuple[int, float]:
        """Clockwise degrees by which to turn the page, and how sure that is; 0 if in doubt."""
        done = self._run([ORIENTATION], "--psm", "0", picture=picture, deadline=deadline)
        found = _TURN.search(done.stdout.decode("utf-8", "replace"))
        # Too few letters to tell: a nearly empty page, which is read as it lies.
        turn, sure = (int(found[1]), float(found[2])) if found else (0, 0.0)
        return (turn, sure) if turn in _TURNS else (0, sure)

    def _text(self, picture: bytes, dpi: int, deadline: float) -> OcrText:
        told = ["--dpi", str(dpi)] if dpi >= LEAST_DPI else []
        languages = self.language.split("+")
        done = self._run(languages, "--psm", "3", *told, "tsv", picture=picture, deadline=deadline)
        if done.returncode:
            logger.warning("tesseract ended with code %d", done.returncode, extra=_BROKE)
            raise LoaderError("no text could be recognised in it; scan it again")
        return _parsed(done.stdout.decode("utf-8", "replace"))

    def _run(
        self, languages: Sequence[str], *options: str, picture: bytes, deadline: float
    ) -> subprocess.CompletedProcess[bytes]:
        asked = [self._command, "stdin", "stdout", "-l", "+".join(languages), *options]
        try:
            return _called(asked, picture=picture, seconds=deadline - time.monotonic())
        except subprocess.TimeoutExpired as exc:
            raise LoaderError(
                f"its text was not recognised within {self._page_seconds:g} seconds; scan it with "
                "fewer dots an inch, or raise page_seconds of DOCRAG_OCR_OPTIONS"
            ) from exc
        except OSError as exc:
            raise _absent(self._command, languages) from exc

    def _installed(self) -> frozenset[str]:
        """Languages whose data are there.

        :raises OcrUnavailable: the program is not there or does not work.
        """
        try:
            done = _called([self._command, "--list-langs"], picture=b"", seconds=LIST_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise _absent(self._command, self.language.split("+")) from exc
        return frozenset(done.stdout.decode("utf-8", "replace").split("\n"))


_BROKE: Final = {"action": "ocr.broke"}


def _called(
    command: Sequence[str], *, picture: bytes, seconds: float
) -> subprocess.CompletedProcess[bytes]:
    """Run the program to its end, in one thread: two pages at a time do more than two threads."""
    return subprocess.run(  # noqa: S603 - the operator's program, no shell, no word of a user
        command,
        input=picture,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=max(seconds, 0.0),
        check=False,
        env=_environment(),
    )


def _environment() -> dict[str, str]:
    """What the program may know; all else, secrets among it, stays here."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return kept | {"OMP_THREAD_LIMIT": "1"}


def _absent(command: str, languages: Sequence[str]) -> OcrUnavailable:
    names = [name for name in languages if name != ORIENTATION] or ["tur"]
    packages = " ".join(f"tesseract-ocr-{name.replace('_', '-')}" for name in names)
    return OcrUnavailable(
        f"{os.path.basename(command)!r} does not run here; install Tesseract with "
        f"`apt install tesseract-ocr {packages}`"
    )


def _turned(picture: bytes, turn: int) -> bytes:
    # Pillow takes time to import, and only a turned page needs it.
    from PIL import Image

    out = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        image.rotate(-turn, expand=True).save(out, format="png", compress_level=1)
    return out.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word:
    """One word of Tesseract's table."""

    line: tuple[str, ...]
    #: Pixels.
    height: int
    #: 0 to 100.
    confidence: float
    text: str


def _parsed(table: str) -> OcrText:
    """Text and mean confidence of the words in Tesseract's table."""
    words = _without_specks(list(_words(table)))
    if not words:
        return OcrText(text="", confidence=0.0)
    lines: dict[tuple[str, ...], list[str]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.text)
    text = "\n".join(" ".join(line) for line in lines.values())
    return OcrText(text=corrected(text), confidence=fmean(word.confidence for word in words) / 100)


def _words(table: str) -> Iterator[_Word]:
    """Words in reading order."""
    for row in table.split("\n")[1:]:
        cells = row.rstrip("\r").split("\t")
        if len(cells) == _COLUMNS and cells[_TEXT].strip():
            yield _Word(
                line=tuple(cells[_LINE]),
                height=int(cells[_HEIGHT]),
                confidence=float(cells[_CONFIDENCE]),
                text=cells[_TEXT].strip(),
            )


def _without_specks(words: list[_Word]) -> list[_Word]:
    """The words but for dirt and rules that were read as letters: flat and doubtful."""
    usual = median(word.height for word in words) if words else 0
    return [
        word
        for word in words
        if word.confidence >= SPECK_CONFIDENCE or word.height >= SPECK_HEIGHT * usual
    ]
