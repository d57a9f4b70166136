"""A question without the masks of personal data and the words that only announce them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from docrag.answer.guards.personal import MASKS

#: Endings of "my telephone", "TCKN'si", "IBAN'ımız".
_ENDING: Final = (
    "['’]?(?:[ıiuü]?m(?:[ıiuü]z)?|s?[ıiuü]|[ıiuü]?n(?:[ıiuü]z)?|l[ae]r[ıi]?(?:m[ıi]z)?)?"
)
#: What is masked, by name; ``i`` stands for ``İ`` and ``ı`` too where case does not count.
_NAME: Final = (
    r"(?:t\. ?c\.|tc|tckn|kimlik|tel\.?|telefon|phone|cep|gsm|mobil|iban|e-?posta|e-?mail|mail|"
    rf"kredi kart|banka kart|kart|card){_ENDING}(?!\w)"
)
_OF: Final = r"(?: ?(?:no|nolu|numara\w{0,8}|number|adres\w{0,8}|address)\b\.?){0,2}"
#: A mask, the names before it, and what hangs on it: "'nın", "numaralı".
_MASKED: Final = re.compile(
    rf"(?:(?<!\w)(?:my )?(?:{_NAME}{_OF}[ :=-]{{0,3}}){{1,3}}(?:is )?)?"
    rf"(?:{'|'.join(map(re.escape, MASKS.values()))})(?:['’]\w{{1,8}})?"
    rf"(?: (?:{_NAME} )?(?:nolu|numaral[ıi])\b)?",
    re.IGNORECASE,
)
#: Signs that stand alone once a mask is gone.
_ALONE: Final = re.compile(r"^[\s,;:.()-]+|\s+(?=[,;:.?!])")


def without_masks(text: str) -> str:
    """The text without masks such as ``[TCKN]`` and without labels such as "TC kimlik no:" at them.

    They are no words of what is asked: no document holds them.

    :returns: the text as it is where it holds no mask or nothing else.
    """
    if not any(mask in text for mask in MASKS.values()):
        return text
    left = _MASKED.sub(" ", unicodedata.normalize("NFC", text))
    return _ALONE.sub("", " ".join(left.split())) or text
