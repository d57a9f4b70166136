from __future__ import annotations

import pytest

from docrag.loaders.numbering import Numbering
from tests.unit.loaders.office import element


def level(at: int, form: str, text: str, start: int = 1, style: str = "") -> str:
    named = f"<w:pStyle w:val='{style}'/>" if style else ""
    return (
        f"<w:lvl w:ilvl='{at}'><w:start w:val='{start}'/><w:numFmt w:val='{form}'/>{named}"
        f"<w:lvlText w:val='{text}'/></w:lvl>"
    )


def numbering(
    *levels: str, lists: str = "<w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>"
) -> Numbering:
    kind = f"<w:abstractNum w:abstractNumId='7'>{''.join(levels)}</w:abstractNum>"
    return Numbering(element(f"<w:numbering>{kind}{lists}</w:numbering>"))


def test_levels_are_counted_inside_each_other() -> None:
    counted = numbering(level(0, "decimal", "%1."), level(1, "decimal", "%1.%2."))
    labels = [counted.label("1", at) for at in (0, 1, 1, 0, 1)]
    assert labels == ["1.", "1.1.", "1.2.", "2.", "2.1."]


def test_level_below_a_missing_one_counts_it_as_begun() -> None:
    counted = numbering(level(0, "decimal", "%1."), level(1, "decimal", "%1.%2"))
    assert counted.label("1", 1) == "1.1"


@pytest.mark.parametrize(
    ("form", "start", "text"),
    [
        ("lowerLetter", 3, "c)"),
        ("upperLetter", 28, "BB)"),
        ("lowerRoman", 4, "iv)"),
        ("upperRoman", 1999, "1999)"),
        ("upperRoman", 49, "XLIX)"),
        ("decimalZero", 5, "05)"),
        ("ordinal", 5, "5)"),
        ("none", 1, ""),
        ("bullet", 1, "-"),
    ],
)
def test_number_is_written_as_the_list_asks(form: str, start: int, text: str) -> None:
    assert numbering(level(0, form, "%1)", start)).label("1", 0) == text


def test_legal_level_writes_all_counts_in_figures() -> None:
    legal = level(1, "upperLetter", "%1.%2").replace("<w:numFmt", "<w:isLgl/><w:numFmt")
    counted = numbering(level(0, "upperRoman", "%1."), legal)
    assert [counted.label("1", at) for at in (0, 1)] == ["I.", "1.1"]


def test_second_list_of_a_kind_goes_on_unless_it_starts_anew() -> None:
    lists = (
        "<w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>"
        "<w:num w:numId='2'><w:abstractNumId w:val='7'/></w:num>"
        "<w:num w:numId='3'><w:abstractNumId w:val='7'/>"
        "<w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>"
    )
    counted = numbering(level(0, "decimal", "%1."), lists=lists)
    assert [counted.label(num, 0) for num in ("1", "2", "3", "3")] == ["1.", "2.", "1.", "2."]


def test_level_is_found_by_its_style() -> None:
    counted = numbering(level(0, "decimal", "%1"), level(1, "decimal", "%2", style="Balk2"))
    assert counted.level_of("1", "Balk2") == 1


@pytest.mark.parametrize("num", ["9", ""])
def test_list_that_is_not_there_has_no_label(num: str) -> None:
    assert numbering(level(0, "decimal", "%1")).label(num, 0) == ""
    assert Numbering(None).label(num, 0) == ""
