"""Which sentences cannot be understood without the one before: "Bunlardan biri …"."""

from __future__ import annotations

import re
from typing import Final

#: Number of a paragraph or letter of an item before the words of a sentence.
NUMBER: Final = r"(?:\(\d{1,2}\)|[a-zçğıöşü]\)|\d{1,2}[.)])?\s*"
#: Words that begin a sentence which limits the one before.
LIMITING: Final = (
    "Ancak|Şu ?kadar ki|Bununla birlikte|Aksi|Meğer ki|Yalnız|However|Otherwise|Unless|Except"
)
#: Begins a sentence that cannot be understood without the one before.
_POINTS: Final = re.compile(
    rf"{NUMBER}(?:Bun?|Bun(?:lar)?(?:un|u|a|da|dan|lardan|ların)?|Bunlar|Burada\w*|O|On(?:un|u|a)"
    r"|(?:Daha|Bundan) (?:az|çok|fazla|uzun|kısa|yüksek|düşük|büyük|küçük|ağır|hafif)\w*"
    r"|Diğerleri\w*|Diğer (?:h[aâ]l|durum|zaman|gün|yer)\w*|Geri kalan\w*|Kalan(?:ı|lar)\w*"
    r"|Fazlası\w*|Böyle\w*|Öyleyse|Yoksa"
    rf"|Onlar\w*|Orada\w*|Söz konusu|Anılan|Belirtilen|Ayrıca|Aynı şekilde|Daha sonra|Kendisi\w*"
    rf"|This|These|It|They|Such|{LIMITING})(?!\w)"
)
#: Points back from within a short sentence, before any comma, and what it says so of a rule.
_WITHIN: Final = re.compile(
    r"[^,;:]*?(?<!\w)(?:bunun|bunlar(?:ın)?|bu (?:süre|kural|sınır|miktar|oran|yasak|izin|izn)\w*)"
    r"(?!\w)"
)
_EXCLUDES: Final = re.compile(r"(?<!\w)bun(?:un|ların) dışında|bu (?:kural|yasa[kğ])\w* ")
#: Words of such a sentence; in a longer one the word mostly points to its own beginning.
_FEW: Final = 7


def points_back(text: str) -> bool:
    """True if a sentence begins with what stands before it: "Bunlardan biri …"."""
    return _POINTS.match(text) is not None


def needs_before(text: str) -> bool:
    """True if a sentence points back, also from within: "Yazın bu süre sıfırdır."."""
    if points_back(text):
        return True
    return len(text.split()) <= _FEW and _WITHIN.match(text) is not None


def excludes(text: str) -> bool:
    """True for one that takes something out of a rule, which may stand two sentences before."""
    return len(text.split()) <= _FEW and _EXCLUDES.search(text) is not None
