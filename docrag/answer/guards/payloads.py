"""Phrases of what is hidden in a code, and of ways to carry data out."""

from __future__ import annotations

from typing import Final

from docrag.answer.guards.phrase import DO, any_of, phrase

_CODES: Final = "(?:base ?64|rot ?13|hex|hexadecimal|morse|mors|onaltilik|sezar)"
_CARGO_EN: Final = any_of(
    "conversation chat history documents document context passages prompt data answer reply "
    "question contents secrets"
)
_CARGO_TR: Final = (
    r"(?:sohbet|konusma|belge|yanit|cevap|soru|baglam|pasaj|icerik|icerig|veri|gecmis|prompt)\w*"
)

CODED: Final = (
    phrase(
        "encoded_payload",
        r"(?:decode|decrypt|decipher|deobfuscate|unscramble)(?: \w+){0,6}(?: \.| ,)? "
        r"(?:and|then) (?:\w+ )?(?:follow|execute|obey|run|do|perform|carry|comply|act|answer|"
        r"respond)",
        is_order=True,
    ),
    phrase(
        "encoded_payload",
        rf"(?:answer|respond|reply|output|write|encode|give)~(?:in|as|to|with|using) {_CODES}",
        is_order=True,
    ),
    phrase(
        "encoded_payload",
        r"(?:coz|coz(?:up|erek)|cozumle|cozumleyip|desifre et|desifre edip)(?: ve)?(?: \w+){0,3} "
        rf"(?:uygula|yap|yerine getir|calistir|cevapla|yanitla|uy){DO}",
    ),
    phrase(
        "encoded_payload",
        rf"{_CODES}\w*(?: \w+){{0,3}} (?:cevap ver|yanit ver|yanitla|cevapla|yaz|kodla){DO}",
    ),
)
LEAVING: Final = (
    phrase(
        "exfiltration",
        rf"(?:send|post|append|embed|include|put|encode|upload|forward|email|leak)"
        rf"(?: \w+){{0,4}} {_CARGO_EN}(?: \w+){{0,5}}(?: [.,])? (?:zurl|zmail)",
        is_order=True,
    ),
    phrase(
        "exfiltration",
        r"(?:render|include|insert|embed|add|show|output|display|append)~"
        r"(?:image|picture|pixel|link|markdown)(?: \w+){0,5}(?: [.,])? zurl",
        is_order=True,
    ),
    phrase(
        "exfiltration",
        rf"{_CARGO_TR}(?: \w+){{0,4}}(?: [.,])? (?:zurl|zmail)(?: [.,])?(?: \w+){{0,4}} "
        rf"(?:gonder|ilet|yolla|yukle|ekle|aktar|postala|post et|post at){DO}"
        rf"|{_CARGO_TR}(?: \w+){{0,4}} (?:gonder|ilet|yolla|yukle|postala){DO}"
        r"(?: [.,])? (?:zurl|zmail)",
    ),
    phrase(
        "exfiltration",
        r"(?:zurl(?: [.,])?(?: \w+){0,5} )(?:gorsel|resim|baglanti|link|markdown)\w*"
        rf"(?: \w+){{0,4}} (?:ekle|goster|koy|yerlestir|yaz|olustur){DO}",
    ),
)
