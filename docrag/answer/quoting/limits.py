"""Which sentences beside a quoted one limit it: exceptions, conditions, bans, bounds, order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.quoting.matching import LOOKED_AT
from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.pointing import LIMITING, NUMBER, points_back
from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.quoting.stems import common, stem, stems
from docrag.api import lower

#: Most characters of the limits of an answer, and of one of them that counts.
ROOM: Final = 600
#: Most sentences between a rule of a law and its exception, and characters of them.
_MOST_BETWEEN: Final = 2
_LONGEST_BETWEEN: Final = 200
#: Longest sentence that is put beside another one to explain it, characters.
_LONGEST_JOINED: Final = 400
#: Sentences behind a quoted one that are looked at, of its paragraph and of those behind that.
_BEHIND: Final = 4
_FURTHER: Final = 3
#: Begins a sentence that limits the one before.
_BEGINS: Final = re.compile(rf"{NUMBER}(?:{LIMITING})(?!\w)")
#: Is an exception to the sentence before wherever it stands in one.
_EXCEPTS: Final = re.compile(
    r"(?<!\w)(?:hariç\w*|saklıdır|saklı kalmak|uygulanmaz|istisna\w*|kapsamı? dışında\w*"
    r"|(?:az|fazla|kısa|uzun) (?:ise|olursa|olamaz|olması h[âa]linde)|bakılmaksızın"
    r"|(?:için|\w+[dt][ae]|\w+nca) ise"
    r"|except|excluded)(?!\w)"
)
#: Small-lettered words of a condition, an exception or an order of steps.
_CONDITION: Final = re.compile(
    r"(?<!\w)(?:ancak|hariç\w*|dışında\w*|istisna\w*|saklı\w*|yalnız(?:ca)?|sadece|aksi|fakat|ama"
    r"|önce|sonra|her (?:zaman|durumda|h[âa]l(?:de|ükarda))|ise|unless|except|only|before|after"
    r"|\w+(?:[rz]s[ae]|m[ıiuü]şs[ae]|yors[ae]|[dt][ıiuü]ys[ae]|\w[ae]ys[ae])"
    r"|\w+[dt][ıiuü]ğ[ıiuü]nda|\w+[dt][ıiuü]ğ[ıiuü]nde|\w+[dt][ıiuü]k(?:ça|çe)"
    r"|\w+m[ae] ?(?:h[âa]linde|durumunda)|\w+(?:s[ıi]|lar[ıi]|ler[ıi]) (?:h[âa]linde|durumunda)"
    r"|\w{2,}m[ae]d[ae]n|\w{2,}ken)(?!\w)"
)
#: Those of a ban, a duty or a denial.
_BAN: Final = re.compile(
    r"(?<!\w)(?:yasak\w*|zorunlu\w*|şart(?:tır)?|gerek(?:ir|mez|li\w*)|değil\w*|yok(?:tur)?"
    r"|\w{2,}m[ae]z(?:lar|ler)?|\w{2,}m[ae]l[ıi](?:d[ıi]r(?:lar|ler)?)?"
    r"|\w{2,}m[ae]y[ıi]n(?:[ıi]z)?|must|shall|not|cannot|never|prohibited|forbidden)(?!\w)"
)
#: Those of a bound.
_BOUND: Final = re.compile(
    r"(?<!\w)(?:en (?:az|çok|fazla|geç|erken)|sınır\w*|sıfır\w*|yüzde|at (?:least|most))(?!\w)"
    r"|%|(?<![\w(/.])\d{1,9}(?:[.,]\d{1,9}){0,3}(?:['’]\w{1,8})? [a-zçğıöşü°]"
)
#: Last word of a sentence that rules, unlike one that tells: "-ır", "-maz", "-malıdır",
#: "yasaktır", "-mayın".
_RULES: Final = re.compile(
    r"\w+(?:(?<![dt][ıiuü])r|m[ae]z)(?:lar|ler)?|\w{2,}m[ae]l[ıi](?:d[ıi]r(?:lar|ler)?)?"
    r"|(?:yasak|zorunlu|şart|serbest|mümkün|gerekli|değil|geçerli|sınırlı|yok|uygun|yeterli"
    r"|dışında|hariç|istisna|sıfır|saklı|esas|yükümlü|ton|metre|gün|saat|dakika|saniye|bar|derece"
    r"|kilogram|gram|litre|ay|yıl|hafta|kat|hız|sorumlu|mecbur|muaf|tabi)\w{0,4}[dt][ıiuü]r"
    r"|[dt][ıiuü]r|yok|değil|yasak|\w{2,}[ıiuü]n(?:[ıiuü]z)?"
)
#: The same of English, wherever it stands.
_RULES_ENGLISH: Final = re.compile(
    r"(?<!\w)(?:must|shall|may|cannot|can|never|prohibited|forbidden|allowed|do not)(?!\w)"
)
#: Ends of a telling word that looks like a ruling one: "-mıştır", "-maktadır".
_TELLS: Final = re.compile(r"m[ıiuü]ş(?:t[ıiuü]r)?(?:lar|ler)?$|m[ae]kt[ae](?:d[ıi]r)?")
#: Says that it holds whatever the rule before says, in any paragraph.
_ALWAYS: Final = re.compile(
    r"(?<!\w)(?:her (?:durumda|h[âa]lde|h[âa]lükarda|zaman)|hiçbir\w*|hariç\w*|istisna\w*"
    r"|kapsamı? dışında\w*)(?!\w)"
)
#: Letters of the end of a sentence in which its last word is sought.
_LONGEST_WORD: Final = 60
_LAST_WORD: Final = re.compile(r"(\w+)\W*$")
#: Says when a step comes.
_STEP: Final = re.compile(r"(?<!\w)(?:önce|sonra|before|after)(?!\w)")
#: Words of a sentence that has no subject of its own, and speaks of the rule right before it, or is
#: the next step; and of one that speaks of another limit.
_ELLIPTIC: Final = 7
_CHAINED: Final = 5
#: Sentences behind a rule to which one that points back may point.
_MOST_POINTED: Final = 2
#: Words of one that is sure to speak of the rule if it shares a single word with it.
_SHORT_LIMIT: Final = 12
#: Words of both rule and question that a limit in another paragraph must share, or all of fewer.
_LEAST_FAR: Final = 2


def begins_limit(text: str) -> bool:
    """True if a sentence begins as one that limits what stands before it: "Ancak"."""
    return _BEGINS.match(text) is not None


def is_exception(text: str) -> bool:
    """True if a sentence limits what stands before it, whatever it speaks of."""
    return begins_limit(text) or _EXCEPTS.search(text) is not None


def exceptions(piece: Piece, end: int, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the exception right behind a piece, and of what parts them; may be empty.

    :param end: position behind it, or behind the last of its table or list of amounts.
    """
    behind = beyond_remarks(own, end, 1)
    if behind < len(own) and is_exception(own[behind].text):
        return joined(own, behind, piece)
    return _further_exception(own, behind, piece)


def _further_exception(own: Sequence[ScoredSentence], at: int, piece: Piece) -> set[int]:
    """Positions of short sentences of a law behind a rule, and of the limit behind them.

    :param at: position of the first of those sentences.
    """
    used = 0
    for _ in range(_MOST_BETWEEN):
        if at >= len(own) or own[at].piece.kind != "sentence" or not piece.article:
            break
        used += len(own[at].text)
        behind = beyond_remarks(own, at + 1, 1)
        if used > _LONGEST_BETWEEN or behind >= len(own):
            break
        if own[behind].piece.kind == "sentence" and begins_limit(own[behind].text):
            more = joined(own, behind, piece)
            return more and {*range(piece.position, behind), *more}
        at = behind
    return set()


def beyond_remarks(own: Sequence[ScoredSentence], at: int, step: int) -> int:
    """The position, or the next one that is not of a law's editors' remark; may be outside."""
    while 0 <= at < len(own) and own[at].piece.kind == "remark":
        at += step
    return at


def joined(own: Sequence[ScoredSentence], at: int, piece: Piece) -> set[int]:
    """The position of a sentence and of remarks up to the piece, if they may be put together.

    They may if the sentence is of the same section and not too long; a limit behind the piece may
    be of any length, and is cut with a sign.
    """
    if not 0 <= at < len(own):
        return set()
    other = own[at].piece
    is_near = other.kind in ("sentence", "item") and other.section == piece.section
    is_behind = at > piece.position and begins_limit(other.text)
    if not is_near or (len(other.text) > _LONGEST_JOINED and not is_behind):
        return set()
    first, last = sorted((at, piece.position))
    between = {n for n in range(first, last) if own[n].piece.kind == "remark"}
    return {at, *between}


def rules(text: str) -> bool:
    """True for a sentence that says what is done, may or must be, unlike one that tells."""
    last = _LAST_WORD.search(lower(text[-_LONGEST_WORD:]))
    if last is None or _TELLS.search(last[1]):
        return False
    is_ruling = _RULES.fullmatch(last[1]) is not None
    return is_ruling or _RULES_ENGLISH.search(text[:LOOKED_AT]) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of quoted sentences of one source."""

    #: Its pieces in reading order.
    own: Sequence[ScoredSentence]
    #: Stems of the question's words.
    asked: frozenset[str]

    @classmethod
    def of(cls, wanted: Sequence[str], own: Sequence[ScoredSentence]) -> Limits:
        """The limits among these for a question with these folded content words."""
        return cls(own=own, asked=frozenset(stem(word) for word in wanted))

    def of_piece(self, piece: Piece) -> list[int]:
        """Positions of what limits a sentence or an item, nearest first."""
        if piece.kind not in ("sentence", "item") or not rules(piece.text):
            return []
        own = stems(piece.text[:LOOKED_AT])
        found = [
            *self._near(piece, own),
            *(one for one in self._right_before(piece) if self._is_limit_before(one)),
            *(one for one in self._behind(piece) if self._is_far_limit(one, own)),
        ]
        return [one.position for one in found]

    def _near(self, piece: Piece, own: frozenset[str]) -> Iterator[Piece]:
        """The limits behind a piece in its paragraph; a short one may limit the one before it.

        Not one of a chunk that no search has found: a paragraph may have ended before it.
        """
        last = piece.position
        for one in self._paragraph(piece):
            is_step = last == piece.position or _STEP.search(lower(one.text[:LOOKED_AT]))
            longest = _ELLIPTIC if is_step else _CHAINED
            is_next = one.position == last + 1 and not one.is_neighbour
            follows = is_next and len(one.text.split()) <= longest
            if self._is_limit(one, piece, own, follows=follows):
                last = one.position
                yield one

    def _paragraph(self, piece: Piece) -> Iterator[Piece]:
        """What stands behind a piece in its paragraph."""
        seen = 0
        for one in self.own[piece.position + 1 :]:
            if seen >= _BEHIND or _parts(one.piece, piece):
                break
            if one.piece.kind != "remark":
                seen += 1
                yield one.piece

    def _right_before(self, piece: Piece) -> Iterator[Piece]:
        """What stands right before a piece in its paragraph."""
        if piece.position:
            before = self.own[piece.position - 1].piece
            if before.kind in ("sentence", "item") and not _parts(piece, before):
                yield before

    def _behind(self, piece: Piece) -> Iterator[Piece]:
        """What stands in the paragraphs behind that of a piece, in its article or section."""
        seen, is_behind = 0, False
        for one in self.own[piece.position + 1 :]:
            if seen >= _FURTHER or not _is_beside(one.piece, piece):
                break
            is_behind = is_behind or _parts(one.piece, piece)
            if is_behind and one.piece.kind != "remark":
                seen += 1
                yield one.piece

    def _is_limit(self, one: Piece, piece: Piece, own: frozenset[str], *, follows: bool) -> bool:
        if not rules(one.text) or not _restricts(one.text):
            return False
        length = len(one.text.split())
        is_near = one.position - piece.position <= _MOST_POINTED
        if follows or (is_near and points_back(one.text)):
            return True
        least = 1 if length <= _SHORT_LIMIT else _LEAST_FAR
        return len(common(stems(_without_verb(one.text)), own | self.asked)) >= least

    def _is_limit_before(self, one: Piece) -> bool:
        if not rules(one.text) or not _restricts(one.text):
            return False
        return bool(common(stems(_without_verb(one.text)), self.asked))

    def _is_far_limit(self, one: Piece, own: frozenset[str]) -> bool:
        if not rules(one.text) or not _restricts(one.text):
            return False
        theirs = stems(_without_verb(one.text))
        if _ALWAYS.search(lower(one.text)):
            return bool(common(own, theirs))
        both = common(own, self.asked)
        least = 1 if len(one.text.split()) <= _ELLIPTIC else min(len(both), _LEAST_FAR)
        return bool(both) and len(common(both, theirs)) >= least


def _restricts(text: str) -> bool:
    """True if a sentence holds a condition, an order of steps, a ban, a duty or a bound."""
    small = lower(text[:LOOKED_AT])
    return any(form.search(small) for form in (_CONDITION, _BAN, _BOUND))


def _is_beside(other: Piece, piece: Piece) -> bool:
    """True for sentences and items of the same article or section, and remarks between them."""
    is_same = other.section == piece.section and other.article == piece.article
    return is_same and other.kind in ("sentence", "item", "remark")


def _parts(one: Piece, before: Piece) -> bool:
    """True if another paragraph, item, article or section than that of a piece begins with one."""
    if not _is_beside(one, before) or one.paragraph != before.paragraph:
        return True
    return one.kind == "item"


def _without_verb(text: str) -> str:
    """A sentence as far as it is looked at, without its last word."""
    return text[:LOOKED_AT].rpartition(" ")[0]
