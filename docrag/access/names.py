"""Names of people: the form of new ones, what is looked up for a typed one, look-alikes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from docrag.api import ADMIN_ROLE, NameTaken, StoreError, lower

#: Signs that a user name may have besides letters.
SIGNS: Final = "0123456789._-@"
#: Longest user name, characters; of a longer one no more is looked at.
LONGEST: Final = 128
#: Scripts that one word of a language mixes, by the first word of their letters' Unicode names.
_MIXED: Final = {"HIRAGANA": "CJK", "KATAKANA": "CJK"}
#: Letters that look like a plain Latin one: Turkish, phonetic, Cyrillic, Greek, Armenian (from
#: Unicode's confusables, UTS 39, only what single-script lower-case names can hold).
_LOOKS: Final = str.maketrans(
    {
        "ı": "i", "ɩ": "i", "ɑ": "a", "ɡ": "g", "ɪ": "i", "ʏ": "y", "ᴄ": "c", "ᴏ": "o", "ᴠ": "v",
        "ᴡ": "w", "ᴢ": "z", "ꜱ": "s",
        "а": "a", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "о": "o", "р": "p",
        "ԛ": "q", "ѕ": "s", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y", "ӏ": "l", "ь": "b",
        "г": "r", "к": "k", "м": "m", "т": "t", "в": "b", "н": "h",
        "α": "a", "γ": "y", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "σ": "o", "υ": "u",
        "χ": "x", "ϲ": "c", "ϳ": "j",
        "օ": "o", "ս": "u", "հ": "h", "ո": "n", "ց": "g", "զ": "q", "ա": "w", "յ": "j",
    }
)  # fmt: skip
#: One mailbox in printable ASCII; a comma or a quote would hide a second one.
_MAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&*+/=?^_`|~-]{1,64}@[A-Za-z0-9.-]{1,189}")


def new_username(text: str) -> str:
    """The name of a new user: lower-case letters of one script, digits and ``. _ - @``.

    Capital letters are refused and not changed, because ``I`` has another small letter in Turkish
    than elsewhere.

    :returns: the name in composed form (NFC).
    :raises StoreError: it has another form.
    """
    name = unicodedata.normalize("NFC", text)
    if not 0 < len(name) <= LONGEST:
        raise StoreError(f"a user name has 1 to {LONGEST} characters, this one has {len(name)}")
    strange = sorted({sign for sign in name if not _is_letter(sign) and sign not in SIGNS})
    if strange:
        shown = ", ".join(map(ascii, strange[:5]))
        raise StoreError(
            f"{name!r} cannot name a user: take letters, digits or . _ - @, not {shown}"
        )
    if name != lower(name) or name != unicodedata.normalize("NFKC", name):
        raise StoreError(f"{name!r} cannot name a user: write it in plain lower-case letters")
    if len(scripts(name)) > 1:
        mixed = " and ".join(sorted(scripts(name)))
        raise StoreError(
            f"{name!r} cannot name a user: its letters are of {mixed}; take one script"
        )
    return name


def spellings(text: str) -> tuple[str, ...]:
    """Names to look up for one that a person typed, at most three, the likeliest first.

    As typed, in Turkish lower case (``I`` is ``ı``) and in that of other languages (``I`` is
    ``i``); names with the same :func:`look` are refused, so the last two are never two people.
    """
    name = unicodedata.normalize("NFC", text.strip())
    plain = lower(name.replace("I", "i"))
    return tuple(dict.fromkeys((name, lower(name), plain)))


def look(name: str) -> str:
    """What a name looks like: equal for two names that a person cannot tell apart."""
    return unicodedata.normalize("NFC", lower(unicodedata.normalize("NFKC", name))).translate(
        _LOOKS
    )


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names, or the same, that a person cannot tell from this one."""
    wanted = look(name)
    return next((other for other in others if look(other) == wanted), None)


def new_role_name(text: str) -> str:
    """The name of a new role, which nobody takes for the one that opens everything.

    :raises NameTaken: it looks like :data:`docrag.api.ADMIN_ROLE`.
    """
    if look_alike(text.strip(), [ADMIN_ROLE]) is not None:
        raise NameTaken("role", ADMIN_ROLE)
    return text


def scripts(name: str) -> frozenset[str]:
    """Scripts of the letters of a name, as their Unicode names tell; digits and signs have none."""
    first = (unicodedata.name(sign, "UNKNOWN").split()[0] for sign in name if sign not in SIGNS)
    return frozenset(_MIXED.get(word, word) for word in first)


def email_key(text: str) -> str | None:
    """A mail address as it is stored and compared; ``None`` for what is no single ASCII address.

    A Kelvin sign or a dotless i, which ``str.lower`` and ``str.upper`` would turn into somebody
    else's letter, are refused.
    """
    address = text.strip()
    return address.lower() if _MAIL.fullmatch(address) else None


def _is_letter(sign: str) -> bool:
    """True for letters, and for the vowel signs of scripts that write them as marks."""
    kind = unicodedata.category(sign)
    return kind[0] == "L" or (
        kind[0] == "M" and not unicodedata.name(sign, "COMBINING").startswith("COMBINING")
    )
