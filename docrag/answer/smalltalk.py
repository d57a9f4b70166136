"""Messages that ask nothing of the documents: greetings, thanks, goodbyes and assents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from docrag.api import fold, words

#: What a message is that says nothing else.
Courtesy: TypeAlias = Literal["greeting", "thanks", "goodbye", "assent"]
#: Most words of such a message; a longer one says something besides.
MOST_WORDS: Final = 6
#: Most characters, so that a pasted document is not read for this; signs and pictures count.
LONGEST: Final = 200
#: Three or more of one letter, as in "merhabaaa".
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")

#: Folded phrases that make a message what it is, a line a language.
_GREETINGS: Final = (
    "merhaba, merhabalar, mrb, selam, selamlar, slm, selamun aleykum, selamin aleykum, sa, "
    "aleykum selam, gunaydin, tunaydin, iyi gunler, iyi aksamlar, iyi sabahlar, hayirli sabahlar, "
    "hayirli gunler, hayirli aksamlar, kolay gelsin, hayirli isler, naber, ne haber, nasilsin, "
    "nasilsiniz, nasil gidiyor, hos bulduk",
    "hi, hello, hallo, hey, hiya, greetings, good morning, good afternoon, good evening, good day, "
    "how are you, how are you doing",
)
_THANKS: Final = (
    "tesekkur, tesekkurler, tesekkur ederim, tesekkur ederiz, tesekkur ediyorum, tsk, tskler, "
    "tesekkurlerimi sunarim, sag ol, sagol, sag olun, sagolun, sag olasin, eyvallah, minnettarim, "
    "elinize saglik, eline saglik, ellerine saglik, ellerinize saglik, emegine saglik, "
    "emeginize saglik, rica ederim",
    "thanks, thank you, thankyou, thx, ty, cheers, much appreciated",
)
_GOODBYES: Final = (
    "gorusuruz, gorusmek uzere, hosca kal, hosca kalin, hoscakal, hoscakalin, gule gule, bay bay, "
    "iyi geceler, iyi calismalar, iyi hafta sonlari, iyi tatiller, kendine iyi bak, "
    "kendinize iyi bakin, allaha ismarladik, hadi bana eyvallah",
    "bye, bye bye, goodbye, good bye, good night, see you, see you later, see you soon, cya, "
    "take care, have a nice day",
)
_ASSENTS: Final = (
    "evet, olur, tamam, tamamdir, devam, devam et, devam edin, devam eder misin, "
    "devam eder misiniz, devam edelim, elbette, tabii, tabi, aynen, peki, olsun, isterim, "
    "lutfen, evet isterim, anlat, anlatin, acikla, aciklayin, hadi, haydi",
    "yes, yep, yeah, ok, okay, okey, sure, of course, go on, go ahead, continue, please, "
    "please do, right, tell me more, yes please",
)
#: What may stand beside, but says nothing alone.
_BESIDES: Final = (
    "herkese, hepinize, size, sana, cok, de, da, arkadaslar, arkadasim, hocam, efendim, asistan, "
    "simdiden, her sey icin, bilgi icin, bilgiler icin, yardim icin, yardimin icin, "
    "yardiminiz icin, super, harika, guzel, mukemmel, o zaman, ederim, tekrar, sizi de, hadi",
    "there, all, everyone, everybody, so much, very much, a lot, many, again, for your help, "
    "for the help, for the information, great, perfect, then, and",
)

#: What is asked out of courtesy; any other text with a question mark ("SA?") is a question.
_ASKING: Final = (
    "naber, ne haber, nasilsin, nasilsiniz, nasil gidiyor, devam eder misin, devam eder misiniz",
    "how are you, how are you doing",
)
#: Question marks, of full width as well.
_MARKS: Final = re.compile("[?？]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrases:
    """One kind of message."""

    kind: Courtesy
    #: Matches a text that has one of the telling phrases.
    telling: re.Pattern[str]
    #: Matches a text of nothing but telling phrases and what may stand beside them.
    whole: re.Pattern[str]


def courtesy(text: str) -> Courtesy | None:
    """What a message is that says nothing else; ``None`` for every other one.

    Case, Turkish dots, punctuation and pictures do not matter. Thanks go before goodbyes, these
    before greetings, and all before assents: "tamam, teşekkürler" is thanks.
    """
    said = words(text) if len(text) <= LONGEST else []
    if not 0 < len(said) <= MOST_WORDS:
        return None
    folded = _DRAWN_OUT.sub(r"\1", " ".join(fold(word) for word in said))
    if _MARKS.search(text) and not _ASKED.search(folded):
        return None
    return next((item.kind for item in _KINDS if _fits(item, folded)), None)


def _fits(item: _Phrases, folded: str) -> bool:
    return bool(item.whole.fullmatch(folded)) and bool(item.telling.search(folded))


def _phrases(kind: Courtesy, telling: Iterable[str], besides: Iterable[str]) -> _Phrases:
    ours, others = _alternatives(telling), _alternatives((*telling, *besides))
    return _Phrases(
        kind=kind,
        telling=re.compile(rf"\b{ours}\b"),
        whole=re.compile(rf"{others}(?: {others})*"),
    )


def _alternatives(lines: Iterable[str]) -> str:
    found = [phrase for line in lines for phrase in line.split(", ")]
    return f"(?:{'|'.join(sorted(found, key=len, reverse=True))})"


_ASKED: Final = re.compile(rf"\b{_alternatives(_ASKING)}\b")
#: In the order in which a message is tried.
_KINDS: Final = (
    _phrases("thanks", _THANKS, (*_BESIDES, *_GREETINGS, *_GOODBYES, *_ASSENTS)),
    _phrases("goodbye", _GOODBYES, (*_BESIDES, *_GREETINGS, *_ASSENTS)),
    _phrases("greeting", _GREETINGS, _BESIDES),
    _phrases("assent", _ASSENTS, ()),
)
