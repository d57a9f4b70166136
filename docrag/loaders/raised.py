"""Raised, lowered and struck text in plain letters, so that no figure runs into the one before."""

from __future__ import annotations

import re
from typing import Final

#: What strikes a text out in Markdown; stands before and behind it.
STRUCK: Final = "~~"
_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_LOWERED = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
#: Letters up to which a raised text is a power or the mark of a note, and no text of its own.
_SHORT = 12
#: What stands alone in a formula without brackets around it.
_SINGLE = re.compile(r"[\w.,%°′″]*|\([^()]*\)|√[\w.,]+")


def raised(text: str) -> str:
    """The text as it stands above the line: ``³``, ``⁻²``, ``^n``, ``°`` for a raised o.

    Words stay as they are; a long text gets a blank in front.
    """
    bare = text.strip()
    if bare in ("o", "O"):
        return text.replace(bare, "°")
    if len(bare) == 1 and bare.isalpha():
        return text.replace(bare, f"^{bare}")
    return text.translate(_RAISED) if len(bare) <= _SHORT else f" {text}"


def lowered(text: str) -> str:
    """The text as it stands below the line, ``₂``; words stay, a long text gets a blank."""
    return text.translate(_LOWERED) if len(text.strip()) <= _SHORT else f" {text}"


def struck(text: str) -> str:
    """The text marked as struck out, ``~~1000~~``; blanks around it stay outside."""
    bare = text.strip()
    return text.replace(bare, f"{STRUCK}{bare}{STRUCK}") if bare else text


def joined(text: str) -> str:
    """The text with the marks taken out between what was struck piece by piece."""
    parts = text.split(STRUCK)
    if len(parts) <= 3:  # noqa: PLR2004 - before, inside and behind one struck piece
        return text
    # Every second part stands outside: blanks there join the struck ones around them.
    blank = {at for at in range(2, len(parts) - 1, 2) if not parts[at].strip(" ")}
    marks = ("" if at in blank or at - 1 in blank else STRUCK for at in range(1, len(parts)))
    return parts[0] + "".join(mark + part for mark, part in zip(marks, parts[1:], strict=True))


def fraction(top: str, bottom: str) -> str:
    """``1/2``, with brackets around what is more than one number or name."""
    return f"{operand(top)}/{operand(bottom)}"


def power(base: str, exponent: str) -> str:
    """``10³`` for whole numbers, else ``x^(n+1)``."""
    if re.fullmatch(r"[+−-]?\d{1,12}", exponent):
        return operand(base) + exponent.translate(_RAISED)
    return f"{operand(base)}^{operand(exponent)}" if exponent else base


def index(base: str, below: str) -> str:
    """``x₂`` for whole numbers, else ``x_max``."""
    if re.fullmatch(r"\d{1,12}", below):
        return base + below.translate(_LOWERED)
    return f"{base}_{operand(below)}" if below else base


def root(degree: str, content: str) -> str:
    """``√16``, ``³√(a+b)``; a second root has no degree."""
    above = "" if degree in ("", "2") else raised(degree)
    return f"{above}√{operand(content)}"


def operand(text: str) -> str:
    """A part of a formula, in brackets if it is more than one number, name or bracket."""
    bare = text.strip()
    return bare if _SINGLE.fullmatch(bare) else f"({bare})"
