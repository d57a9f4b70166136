"""Documents that bear the name which a question gives a law or a rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.laws import CONSTITUTION, LAWS
from docrag.textnorm import fold, lower, words

#: Most words of a proper name before the kind of its document.
LONGEST_NAME: Final = 12
#: Characters of a document's beginning that may hold its title.
FRONT_LETTERS: Final = 300
#: Part of a title's words that a name of several words must have where it is not its end.
_SHARE = 0.5
#: Letters that tell a word in spite of its endings, as F5 terms.
_PREFIX = 5
#: Terms of a name that tell more than a word that happens to stand in a title.
_SEVERAL = 2
#: Folded words for kinds of documents; behind a proper name with the possessive ("Kanunu").
KIND = re.compile(
    r"(?P<kind>kanun|yasa(?![klm])|yonetmeli[kg]|yonerge|talimat(?:name)?|tuzu[kg]|teblig|genelge"
    r"|prosedur|sozlesme|sartname|kararname)"
    r"(?P<own>s?[iu](?:n(?:[iu]n|[aeiu]|d[ae]\w*))?$)?(?![a-z]{6})"
)
_ONE_KIND: Final[Mapping[str, str]] = {
    "yasa": "kanun", "yonetmelig": "yonetmelik", "tuzug": "tuzuk", "talimatname": "talimat",
}  # fmt: skip
_LAW: Final = frozenset({"kanun", "kanunu", "yasa", "yasasi"})
#: Folded words that join a name to its kind.
JOINING: Final = frozenset({"hakkinda", "dair", "iliskin"})
#: Folded words that tell nothing of a name.
FILLING: Final = frozenset({"ve", "ile", "veya", "sayili", "tc", "t", "c", "no", "nolu", *JOINING})
_OWN_NUMBER = re.compile(r"numaras[ıi]\s*:?\s*(\d{3,5})")
_HEAD_NUMBER = re.compile(r"\W*(\d{3,5})(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentName:
    """What a question calls the document whose article it names; true if it calls it anything."""

    #: Numbers of laws, told or known by the name.
    numbers: tuple[str, ...] = ()
    #: Folded words before the kind, of which the last ones are the name.
    words: tuple[str, ...] = ()
    #: At least so many of the last words are the name.
    least: int = 1
    #: Folded kind ("kanun"); empty without words.
    kind: str = ""
    #: Folded words of the question that are known to say nothing but the name.
    said: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.words)

    def match(self, title: str, filename: str = "", section: str = "") -> tuple[int, float]:
        """How many words of the name a document bears and their part of its title; 0 if none.

        :param section: headings above one of its chunks, the first of which may be its title.
        """
        head = section.split(" > ")[0]
        stem = re.sub(r"[_.-]+", " ", filename.rpartition(".")[0])
        titles = [_folded(title.replace("_", " ")), _folded(stem), _folded(head)]
        if self.numbers:
            if any(map(self._numbered, titles[:2])) or _told(head, self.numbers):
                return LONGEST_NAME, 1.0
            if any(map(_other_number, titles[:2])):
                return 0, 0.0
        found = [self._called(own, whole=True) for own in titles[:2]]
        return max(*found, self._called(titles[2], whole=False))

    def opens(self, text: str) -> bool:
        """True if the beginning of a document bears the name ("Kanun Numarası : 6331")."""
        if any(found in self.numbers for found in _OWN_NUMBER.findall(lower(text))):
            return True
        front = _folded(text[:FRONT_LETTERS])
        return _own_law(front) in self.numbers or self._called(front, whole=False)[0] > 0

    def spoken(self, text: str) -> list[int]:
        """Places behind the name among the folded words of a text that speaks of the document."""
        whole = _folded(text)
        own = _kinds(whole)
        return [
            place + 1
            for place, word in enumerate(own)
            if word in self.numbers
            or (word == f"#{self.kind}" and self._ends(own, place))
            or (word == "#kanun" and self._known(whole[max(place - LONGEST_NAME, 0) : place]))
        ]

    def _numbered(self, title: Sequence[str]) -> bool:
        kinds = [word for word in _kinds(title) if word.startswith("#")]
        if "#kanun" in kinds[:-1] and kinds[-1] != "#kanun":
            return False  # a regulation that names the law it is made for
        if not set(self.numbers).isdisjoint(title):
            return True
        return len(kinds) < _SEVERAL and _own_law(title) in self.numbers

    def _called(self, title: Sequence[str], *, whole: bool) -> tuple[int, float]:
        """How many words of the name the title has.

        :param whole: False where only a run with the kind counts, since other text is around it.
        """
        own = _kinds(title)
        core = _core(own)
        for most in range(len(self.words), self.least - 1, -1):
            name = self.words[-most:]
            share = min(len(name) / max(len(core), 1), 1.0)
            if _runs([*_plain(begun(name)), f"#{self.kind}"], _plain(own)):
                return most, share
            if whole and {word for word in own if word[0] == "#"} <= {f"#{self.kind}"}:
                asked = _core(name)
                several = len(asked) >= _SEVERAL and share >= _SHARE and _runs(asked, core)
                if asked and (several or asked == core):
                    return most, share
        return 0, 0.0

    def _known(self, before: Sequence[str]) -> bool:
        alias = known_name(before, 1) if self.numbers else ()
        return bool(alias) and LAWS[" ".join(alias)] in self.numbers

    def _ends(self, own: Sequence[str], place: int) -> bool:
        name = [_prefix(word) for word in begun(self.words[-self.least :])]
        return bool(name) and list(own[max(place - len(name), 0) : place]) == name


def known_name(before: Sequence[str], least: int) -> tuple[str, ...]:
    """The longest end of the words that is a known name, and no part of a longer name."""
    for most in range(len(before), least - 1, -1):
        if " ".join(before[-most:]) in LAWS:
            return tuple(before[-most:])
    return ()


def kind_of(word: str) -> str:
    """The one form of a kind that :data:`KIND` has found."""
    return _ONE_KIND.get(word, word)


def begun(name: Sequence[str]) -> list[str]:
    """The name without what joins it to others before it."""
    rest = list(name)
    while rest and rest[0] in FILLING - JOINING:
        del rest[0]
    return rest


def _folded(text: str) -> list[str]:
    return [folded for word in words(text) if (folded := fold(word))]


def _kinds(own: Sequence[str]) -> list[str]:
    """Words cut to their prefix, kinds with a mark and in one form."""
    return [f"#{kind_of(found['kind'])}" if (found := KIND.match(w)) else _prefix(w) for w in own]


def _prefix(word: str) -> str:
    return word if word.isdigit() else word[:_PREFIX]


def _plain(own: Sequence[str]) -> list[str]:
    """Without what joins a name to its kind ("Kurullar Hakkında Yönetmelik")."""
    joining = {_prefix(word) for word in JOINING}
    return [word for word in own if _prefix(word) not in joining]


def _core(own: Sequence[str]) -> list[str]:
    filling = {_prefix(word) for word in FILLING}
    return [
        prefix for word in own if (prefix := _prefix(word)) not in filling and word[0] != "#"
        and not word.isdigit()
    ]  # fmt: skip


def _runs(name: Sequence[str], own: Sequence[str]) -> bool:
    asked = [word if word[0] == "#" else _prefix(word) for word in name]
    size = len(asked)
    return size > 0 and any(list(own[n : n + size]) == asked for n in range(len(own) - size + 1))


def _other_number(title: Sequence[str]) -> bool:
    """True if a title tells the number of its own law."""
    return any(
        one.isdigit() and other == "sayili" for one, other in zip(title, title[1:], strict=False)
    )


def _own_law(title: Sequence[str]) -> str:
    """Number of the law that a title is a known name of; empty for another."""
    if any(word.startswith("anayasa") for word in title):
        return CONSTITUTION
    place = next((n for n, word in enumerate(title) if word in _LAW), 0)
    if _other_number(title) or not place:
        return ""
    name = [word for word in title[:place] if not word.isdigit() and word not in {"tc", "t", "c"}]
    return LAWS.get(" ".join(name), "")


def _told(head: str, numbers: Collection[str]) -> bool:
    found = _HEAD_NUMBER.match(head)
    return found is not None and found[1] in numbers
