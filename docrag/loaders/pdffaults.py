"""What is wrong with the pages of a PDF that was read, and whether it is worth keeping."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from docrag.loaders.quality import (
    MIN_VISIBLE_BESIDE_PICTURE,
    page_warning,
    verdict,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Confidence of a text recognition, 0 to 1, below which a person should look at the page.
LOW_CONFIDENCE = 0.6
#: Share of the pages with text on which a picture is the ground of them all.
MOST_PAGES = 0.5
_ADVICE = "have its text recognised (OCR) first"
_PICTURES = ("picture", "scan")
#: Visible letters beside a picture from which on a page has text: more than a stamp.
_LEAST = {"picture": 20, "scan": MIN_VISIBLE_BESIDE_PICTURE}
_LOST = ("none", "short", "garbled")


class Faults:
    """Verdicts on the pages of one file; each text is judged once."""

    def __init__(self, signs: frozenset[str]) -> None:
        """Nothing is judged yet.

        :param signs: signs of this document that stand for letters and cannot be read.
        """
        self.signs = signs
        self._verdicts: dict[tuple[str, str], str] = {}

    def of(self, record: Mapping[str, str]) -> str:
        """The verdict on a page's raw text, see `docrag.loaders.quality`.

        :param record: one with ``whole`` has been compared with the page's picture.
        """
        if "whole" in record:
            return ""
        found = self._verdict(record["text"], record.get("shows", ""))
        return "beside" if not found and record.get("beside") else found

    def _verdict(self, text: str, shows: str) -> str:
        found = self._verdicts.get((text, shows))
        if found is None:
            found = self._verdicts[text, shows] = verdict(text, shows=shows, signs=self.signs)
        return found


def warning(record: Mapping[str, str], faults: Faults) -> str:
    """What a person must know of a page; empty for one that is fine or blank."""
    number = int(record["number"])
    if record.get("shows") == "blank" and not record["text"].strip():
        return ""
    if record["warning"]:
        return f"page {number} could not be read: {record['warning']}"
    if record["reader"] != "ocr":
        found = faults.of(record)
        return page_warning(found, number, characters=visible(record["text"])) if found else ""
    return _recognised(record, number)


def _recognised(record: Mapping[str, str], number: int) -> str:
    """What must be known of a page that was read by text recognition."""
    if not record["text"].strip():
        return f"no text on page {number}; none was recognised in its picture"
    if float(record.get("confidence") or 1) < LOW_CONFIDENCE:
        return f"the text of page {number} was recognised with little confidence; check it"
    if record.get("doubt"):
        return f"page {number} was read by text recognition; {record['doubt']}"
    return ""


def backgrounds(records: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """The large pictures that most pages with text have: grounds, which say nothing."""
    times = Counter(record["beside"] for record in records if record.get("beside"))
    filled = sum(bool(record["text"].strip()) for record in records)
    least = max(2, MOST_PAGES * filled)
    return frozenset(picture for picture, count in times.items() if count >= least)


def refusal(records: Sequence[Mapping[str, str]], faults: Faults) -> str:
    """Why a file has no text at all, for a clerk; empty for one that has."""
    if any(_has_text(record, faults) for record in records):
        return ""
    found = {faults.of(record) for record in records if record["reader"] != "ocr"}
    where = "page 1" if len(records) == 1 else f"pages 1–{len(records)}"
    unread = [record["warning"] for record in records if record["warning"]]
    if len(unread) == len(records):
        return f"no page of it could be read: {unread[0]}"
    if "garbled" in found:
        return f"the text of {where} is garbled, for its fonts name no letters; {_ADVICE}"
    shown = {record.get("shows") for record in records}
    return _emptiness(where, shown, recognised=_tried(records))


def _emptiness(where: str, shown: set[str | None], *, recognised: bool) -> str:
    if recognised:
        return f"no text on {where}; none was recognised in its pictures"
    if shown & set(_PICTURES):
        return f"no text on {where}; it holds only pictures (a scan); {_ADVICE}"
    return (
        f"no text on {where}; nothing stands there, or it is damaged"
        if shown == {"blank"}
        else f"no text on {where}"
    )


def _has_text(record: Mapping[str, str], faults: Faults) -> bool:
    """True for a page of which something can be searched; a stamp on a scan is nothing."""
    if record["reader"] == "ocr":
        return bool(record["text"].strip())
    found = faults.of(record)
    if found == "short" and record.get("shows") in _LEAST:
        return visible(record["text"]) >= _LEAST[record["shows"]]
    return found not in _LOST or found == "short"


def _tried(records: Sequence[Mapping[str, str]]) -> bool:
    return any(record["reader"] == "ocr" for record in records)
