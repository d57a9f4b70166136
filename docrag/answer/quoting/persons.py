"""Whom a sentence speaks of: names, and roles in small letters ("vardiya amiri")."""

from __future__ import annotations

import re
from typing import Final

from docrag.api import fold, lower

#: Beginnings of roles, offices and groups of people in small letters.
_ROLES: Final = re.compile(
    r"(?<!\w)(?:amir|müdür|sorumlu(?:su|lar|ları)?(?!\w)|yönetici|yönetim kurul|başkan|hekim|doktor"
    r"|uzman|operatör|işveren|işçi|çalışan(?:lar|ı|ın|a|ca)?|personel|memur|görevli|yetkili|mühendis"
    r"|teknik(?:er|isyen)|usta(?:başı)?|şef|vekil|temsilci|kişi|kimse|birim|kurul|komisyon|kurum"
    r"|bakan|vali|kaymakam|belediye|mahkeme|hâkim|hakim|savcı|avukat|öğrenci|öğretmen|öğretim|dekan"
    r"|rektör|danışman|jüri|stajyer|ziyaretçi|taşeron|müteahhit|alt işveren|üye|ekip|sahib|sahip"
    r"|eş(?:i|ler|leri)(?!\w)|çocuk|çocuğ|anne|baba|kadın|erkek|hasta|hamile|gebe|ortak|kiracı"
    r"|kiralayan|satıcı|alıcı|tüketici|sürücü|şoför|bekçi|ilk yardımcı|manager|employee|officer"
    r"|director|supervisor|operator)"
)
#: A participle for whoever does something: "çalışanlar", "yapmış olanlar", "takan kişi".
_WHOEVER: Final = re.compile(r"\w{2,}[ae]n(?:lar|ler)(?!\w)")
#: A capitalised word behind another one.
_NAME: Final = re.compile(r"(?<=\S\s)[\"“‘(]?[A-ZÇĞİÖŞÜÂÎÛ][^\W\d_]+")
#: Number of an article, paragraph or item, behind which a capital is no name.
_NUMBER: Final = re.compile(r"(?:\w+ \d{1,3} ?[–-] ?)?(?:\(?\w{1,2}[.)]|[•*–-])\s+")
#: Folded beginnings of roles that mean anybody, and of those that mean another one.
_SAME: Final = {
    **dict.fromkeys(("kisi", "kimse", "isci", "calis", "perso", "gorev", "memur"), "calis"),
    "dokto": "hekim",
}


def roles(text: str) -> frozenset[str]:
    """Beginnings of the roles that a text names, those for anybody at work as one; may be empty."""
    found = (fold(match[0])[:5] for match in _ROLES.finditer(lower(text)))
    return frozenset(_SAME.get(one, one) for one in found)


def has_person(text: str) -> bool:
    """True if a sentence names somebody, by name, by role or as whoever does something."""
    number = _NUMBER.match(text)
    own = text[number.end() :] if number else text
    small = lower(own)
    return any(form.search(small) for form in (_ROLES, _WHOEVER)) or _NAME.search(own) is not None
