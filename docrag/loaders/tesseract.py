"""Text recognition with Tesseract, a program that the operator installs."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import time
from io import BytesIO
from statistics import fmean
from typing import TYPE_CHECKING, Final

from docrag.api import LoaderError, OcrText, OcrUnavailable, SettingsError
from docrag.loaders import ocrsigns, ocrwords
from docrag.loaders.misreadings import corrected
from docrag.loaders.ocrwords import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_LANGUAGES = re.compile(r"[A-Za-z][A-Za-z_]*(?:\+[A-Za-z][A-Za-z_]*)*", re.ASCII)
_TURN = re.compile(r"^Rotate: (\d+)\s+Orientation confidence: ([\d.]+)", re.MULTILINE)
#: Clockwise degrees by which a page may have to be turned.
_TURNS: Final = (90, 180, 270)
#: The language whose data lack signs, and the one that is asked for them.
_LACKING, _SIGNS = "tur", "eng"


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
        self._has_signs = _SIGNS in installed
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
        words = self._words(picture, self.language, dpi, deadline)
        if not words:
            return OcrText(text="", confidence=0.0)
        doubt = False
        if _LACKING in self.language.split("+") and _has_digits(words):
            words, doubt = self._signed(words, picture, dpi, deadline)
        text = corrected(ocrwords.text(words))
        return OcrText(
            text=text,
            confidence=fmean(word.confidence for word in words) / 100,
            doubt=ocrsigns.DOUBT if doubt or ocrsigns.doubtful(text) else "",
        )

    def _signed(
        self, words: list[Word], picture: bytes, dpi: int, deadline: float
    ) -> tuple[list[Word], bool]:
        """The words with the signs that their language lacks, and whether numbers are in doubt."""
        if not self._has_signs:
            return words, True
        try:
            others = self._words(picture, _SIGNS, dpi, deadline)
        except LoaderError:
            return words, True
        return ocrsigns.merged(words, others)

    def _words(self, picture: bytes, language: str, dpi: int, deadline: float) -> list[Word]:
        told = ["--dpi", str(dpi)] if dpi >= LEAST_DPI else []
        languages = language.split("+")
        done = self._run(languages, "--psm", "3", *told, "tsv", picture=picture, deadline=deadline)
        if done.returncode:
            logger.warning("tesseract ended with code %d", done.returncode, extra=_BROKE)
            raise LoaderError("no text could be recognised in it; scan it again")
        return ocrwords.words(done.stdout.decode("utf-8", "replace"))

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


def _has_digits(words: Sequence[Word]) -> bool:
    return any(any(map(str.isdigit, word.text)) for word in words)


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
