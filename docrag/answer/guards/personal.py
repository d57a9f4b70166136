"""Personal data in a text: identity numbers, bank accounts, telephones, e-mail, payment cards."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

#: What kinds are found.
Kind: TypeAlias = Literal["tckn", "iban", "card", "email", "phone"]
#: What stands for each kind in a masked text.
MASKS: Final[dict[Kind, str]] = {
    "tckn": "[TCKN]",
    "iban": "[IBAN]",
    "card": "[kart]",
    "email": "[e-posta]",
    "phone": "[telefon]",
}
#: Characters of an IBAN by country (SWIFT IBAN registry): Europe, the Near East and Turkey's
#: usual partners. A country that is not here has no IBAN for us.
IBAN_LENGTHS: Final = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "NL"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "BA", "EE", "KZ", "LT", "LU", "XK"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "BH", "DE", "GB", "GE", "IE", "ME", "RS"), 22),
    **dict.fromkeys(("AE", "GI", "IL", "IQ"), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "PK", "RO", "SA", "SE", "SK"), 24),
    **dict.fromkeys(("LY", "PT"), 25),
    **dict.fromkeys(("IS", "TR"), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "SM"), 27),
    **dict.fromkeys(("AL", "AZ", "CY", "HU", "LB", "PL"), 28),
    **dict.fromkeys(("EG", "PS", "QA", "UA"), 29),
    **dict.fromkeys(("JO", "KW"), 30),
    **dict.fromkeys(("MT",), 31),
}
#: Area codes of Turkey, as the numbering plan has them.
_AREAS: Final = frozenset(
    """
    212 216 222 224 226 228 232 236 242 246 248 252 256 258 262 264 266 272 274 276 282 284 286
    288 312 318 322 324 326 328 332 338 342 344 346 348 352 354 356 358 362 364 366 368 370 372
    374 376 378 380 382 384 386 388 392 412 414 416 422 424 426 428 432 434 436 438 442 446 452
    454 456 458 462 464 466 472 474 476 478 482 484 486 488
    """.split()
)
#: First digits of payment cards: Troy, Visa, Mastercard, American Express, Maestro.
_CARD_STARTS: Final = re.compile(r"4|5[0-8]|2[2-7]|3[47]|6[0-9]|9792")
#: What stands before and behind a number that is whole. A sign between it and a short number joins
#: the two ("6331/10000000146", "5321234567,50"); between long ones, it lists them.
_BEFORE: Final = r"(?<![^\W_])(?<!@)(?<!(?<!\d{6})\d[.,/:-])"
_BEHIND: Final = r"(?![^\W_])(?!@)(?!,\d{1,2}(?![\d,]))(?![./:-]\d{1,6}(?!\d))"
#: Look for what is no part of a longer number, each with its check.
_EMAIL: Final = re.compile(
    r"(?<![\w.+@-])[\w+-](?:[\w.+-]{0,62}[\w+-])?@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}(?![\w@])"
)
_IBAN: Final = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=iban))"
    r"(?=([A-Za-z]{2}[ -]?\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}))",
    re.IGNORECASE,
)
#: A label may be glued to an identity number; comma and number may stand before it, as in a table.
_TCKN: Final = re.compile(
    r"(?:(?<![^\W_])|(?<=(?<![^\W_])tc)|(?<=tckn)|(?<=kimlik)|(?<=(?<![^\W_])no))"
    r"(?<!@)(?<!(?<!\d{6})\d[./:-])"
    r"[1-9](?:\d{10}|\d{2}([ .-])\d{3}\1\d{3}\1\d{2}|([ .-])\d(?:\2\d){9}(?! ?\d))" + _BEHIND,
    re.IGNORECASE,
)
_CARD: Final = re.compile(
    rf"{_BEFORE}(?<!\d[ \u00a0])\d(?:[ \u00a0-]?\d){{14,15}}{_BEHIND}(?![ \u00a0]\d)"
)
#: A stroke before or behind begins the next number: "0212 555 12 34/35".
_PHONE: Final = re.compile(
    r"(?:(?<![^\W_])|(?<=(?<![^\W_])tel)|(?<=(?<![^\W_])gsm)|(?<=(?<![^\W_])cep))"
    r"(?<!@)(?<!(?<!\d{6})\d[.:-])(?<!\d )(?<!\+)"
    r"(?:(?:\+|00)[ ]?90[ .-]?(?:\(0\)[ ]?)?0?|\(?0|(?<!\d)(?<!(?<!\d{6})\d[,/])(?=\(?[5])"
    r"|(?<!\d[,/])(?=\(\d{3}\) ?[2-9]|\d{3} [2-9]\d\d \d\d \d\d(?!\d)))"
    r"[ .-]?\(?(\d{3})\)?[ .\u00a0/-]{0,2}(\d{3})[ .\u00a0-]?(\d{2})[ .\u00a0-]?(\d{2})"
    r"(?![^\W_])(?!@)(?!,\d{1,2}(?![\d,]))(?![.:-]\d{1,6}(?!\d))(?! \d)",
    re.IGNORECASE,
)
#: Signs that nobody sees, of which none is a part of a number.
_UNSEEN: Final = "Cf"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDatum:
    """Where a text holds something that is one person's."""

    kind: Kind
    #: Place in the text, characters; the end is exclusive.
    start: int
    end: int


def personal(text: str) -> tuple[PersonalDatum, ...]:
    """Personal data of a text, in reading order, none within another.

    Numbers count only with their check digits right (TCKN, IBAN, card) or with a prefix that
    Turkey's numbering plan has (telephone), so that numbers of laws, standards, dates and invoices
    are none.

    :param text: any text; full-width digits and those of other scripts count as plain ones, and
        invisible characters within do not hide them.
    """
    shown, places = _shown(text)
    found: list[PersonalDatum] = []
    for look in _LOOKS:
        for datum in look(shown):
            if not any(datum.start < other.end and other.start < datum.end for other in found):
                found.append(datum)
    if places:
        found = [_datum(each.kind, places[each.start], places[each.end - 1] + 1) for each in found]
    return tuple(sorted(found, key=lambda datum: datum.start))


def masked(text: str) -> str:
    """The text with the mask of its kind for each personal datum."""
    pieces: list[str] = []
    last = 0
    for datum in personal(text):
        pieces += (text[last : datum.start], MASKS[datum.kind])
        last = datum.end
    return "".join((*pieces, text[last:]))


def is_tckn(digits: str) -> bool:
    """True for 11 digits of which the last two check the others, as a Turkish identity number's do.

    The tenth is 7 times the sum of the odd places less that of the even ones, the eleventh the sum
    of the ten, both modulo 10.
    """
    if not re.fullmatch(r"[1-9][0-9]{10}", digits):
        return False
    d = [int(digit) for digit in digits]
    return (7 * sum(d[0:9:2]) - sum(d[1:8:2])) % 10 == d[9] and sum(d[:10]) % 10 == d[10]


def is_iban(letters: str) -> bool:
    """True for an IBAN without blanks in capitals, of the right length for its country.

    Check digits as of ISO 7064, MOD 97-10.
    """
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]+", letters):
        return False
    if IBAN_LENGTHS.get(letters[:2]) != len(letters):
        return False
    return int("".join(str(int(sign, 36)) for sign in letters[4:] + letters[:4])) % 97 == 1


def is_card(digits: str) -> bool:
    """True for 15 or 16 digits that begin as a card's and whose last one checks.

    By Luhn's rule (ISO/IEC 7812-1). Cards of other lengths, which are rare, are left out: one in
    ten article numbers would be one.
    """
    if not re.fullmatch(r"[0-9]{15,16}", digits) or not _CARD_STARTS.match(digits):
        return False
    if len(set(digits)) == 1:
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0  # noqa: PLR2004 - one digit


def _shown(text: str) -> tuple[str, Sequence[int]]:
    """The text as it is read, and the place of each character; no places where they are the same.

    Digits are those of ASCII, full-width letters and signs too, and nothing invisible is left.
    """
    if text.isascii():
        return text, ()
    seen = [at for at, sign in enumerate(text) if unicodedata.category(sign) != _UNSEEN]
    return "".join(_plain(text[at]) for at in seen), seen


def _plain(sign: str) -> str:
    if sign.isascii():
        return sign
    if "\uff01" <= sign <= "\uff5e":
        return unicodedata.normalize("NFKC", sign)
    return str(digit) if (digit := unicodedata.decimal(sign, -1)) >= 0 else sign


def _emails(text: str) -> Iterator[PersonalDatum]:
    for found in _EMAIL.finditer(text):
        yield _datum("email", found.start(), found.end())


def _ibans(text: str) -> Iterator[PersonalDatum]:
    """IBANs; the pattern may run on into the next words, so its country tells where it ends."""
    for found in _IBAN.finditer(text):
        places = [at for at in range(*found.span(1)) if text[at].isalnum()]
        length = IBAN_LENGTHS.get(text[found.start() : found.start() + 2].upper(), 0)
        if not 0 < length <= len(places):
            continue
        end = places[length - 1] + 1
        letters = "".join(text[at] for at in places[:length]).upper()
        behind = text[end : end + 1]
        # Small letters are an ending, as they are in "…26ya".
        if is_iban(letters) and (behind.islower() or not behind.isalnum()):
            yield _datum("iban", found.start(), end)


def _checked(
    kind: Kind, pattern: re.Pattern[str], check: Callable[[str], bool], text: str
) -> Iterator[PersonalDatum]:
    for found in pattern.finditer(text):
        if check(re.sub("[^0-9]", "", found[0])):
            yield _datum(kind, found.start(), found.end())


def _phones(text: str) -> Iterator[PersonalDatum]:
    for found in _PHONE.finditer(text):
        code = found[1]
        if code in _AREAS or re.match("5[013456]", code):
            yield _datum("phone", found.start(), found.end())


def _datum(kind: Kind, start: int, end: int) -> PersonalDatum:
    return PersonalDatum(kind=kind, start=start, end=end)


#: Earlier ones go first where two see the same place.
_LOOKS: Final[tuple[Callable[[str], Iterator[PersonalDatum]], ...]] = (
    _emails,
    _ibans,
    lambda text: _checked("tckn", _TCKN, is_tckn, text),
    lambda text: _checked("card", _CARD, is_card, text),
    _phones,
)
