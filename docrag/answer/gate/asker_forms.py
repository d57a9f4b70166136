"""Verbs in the forms in which people ask of themselves: "ne yapmalıyım", "bölebilir miyim".

Documents say the same in other forms, or not at all, so that such a verb tells less than a noun.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docrag.api import fold, words

#: Folded endings of such forms: -ayım, -alım, -abilir, -malıyım, -acağım, -iyorum, -arsam, -arım.
_ENDING: Final = (
    r"(?:(?:(?<=[aeiy])|[ea])y[iu][mz]|[ea]l[iu]m|[ea]bil(?:ir|iyor|ecek|di|se)\w*"
    r"|m[ea]l[iu](?:y[iu][mz])?|[ea]c[ea](?:g[iu][mz]|k)|[iu]yor(?:um|uz|su\w+)?"
    r"|(?:[aeiu]r|m[ea]z|[dt][iu]y|yor|c[ea]k)?s[ea][mk]|[aeiu]r[iu][mz]|m[ea]m|d[iu][mk])"
)
#: A form that tells itself by its ending; others need "miyim" behind them. Not those that many
#: nouns end in ("eğitim", "yüksek", "izinlerim").
_PLAIN: Final = re.compile(
    r"\w{2,}(?:(?:(?<=[aeiy])|[ea])y[iu]m|[ea]l[iu]m|[ea]bil(?:ir|iyor|ecek|di|se)\w*"
    r"|m[ea]liyi[mz]|[ea]c[ea]g[iu][mz]|[iu]yor(?:um|uz|su\w+)"
    r"|(?:[aeiu]r|m[ea]z|[dt][iu]y|yor|c[ea]k)s[ea][mk]|(?<!l)[aeiu]r[iu][mz]|l[iu]r[iu][mz]"
    r"|[aeiulnr]d[iu]m)"
)
#: Nouns that end like them, and the question's own particle.
_NOUNS: Final = re.compile(
    r"m[iu]y[iu][mz]|(?:ilk)?yardim|adim|kendim|(?:yat|kald|yild|ind|ayr|bild|al|ver)irim|talim"
    r"|erzurum|duyarim|zarar[iu]m|karar[iu]m|mudurum|aktarim|onarim|tasarim|salim|halim"
)
#: Verbs that any question may have, before an ending.
_ANY: Final = re.compile(
    r"(?:yap|et|ed|ol|iste|ist|ara?|al|ver|gid|git|gel|bul|bil|soyle|de|di|davran)"
    rf"(?:[aeiu]?m[ae]?)?y?{_ENDING}"
)
#: What makes a question of the word before it, asked of oneself.
_OF_ME: Final = re.compile(r"m[iu]y[iu][mz]")
#: Endings of a case that is asked about, which tells as much as any word: -arsa, -mazsa, -ınca.
_CASE: Final = r"(?:(?:[aeiu]r|m[ea]z)s[ea]|[iu]nc[ae])"
_OF_CASE: Final = re.compile(rf"\w{{2,}}{_CASE}")
#: What an ending of the same verb begins with ("sık-ılmaz", but not "çal-ışan" of "çal-ınca").
_GOES_ON: Final = re.compile(
    r"[dt][iu]|[aeiu]r|[iu]?[lnm]|m[ae]|[iu]yor|y?[ae][cnrl]|s[ae]|k[ae]n|$"
)
#: Letters by which a verb is looked for: what is before the ending, but not fewer or more.
_SHORTEST, _LONGEST = 3, 5
_CUT: Final = re.compile(rf"(?:[ae]?m[ae])?y?(?:{_ENDING}|{_CASE})$")


def asker_verbs(question: str) -> tuple[str, ...]:
    """Folded verbs of a question in a form of who asks, in order."""
    folded = [fold(word) for word in words(question)]
    behind = [*folded[1:], ""]
    return tuple(
        word
        for word, after in zip(folded, behind, strict=False)
        if (_PLAIN.fullmatch(word) or (word and _OF_ME.fullmatch(after)))
        and not _NOUNS.fullmatch(word)
    )


def says_nothing(verb: str) -> bool:
    """True for a folded verb of that kind which any question may have: "yapmalıyım"."""
    return _ANY.fullmatch(verb) is not None


def is_case(word: str) -> bool:
    """True for a folded word that may be a verb in the form of a case: "dökülürse", "çalınca"."""
    return _OF_CASE.fullmatch(word) is not None


def is_form(word: str, stem: str) -> bool:
    """True if a folded word may be a form of the verb with this stem."""
    return word.startswith(stem) and _GOES_ON.match(word, len(stem)) is not None


def stem(verb: str) -> str:
    """Beginning by which a folded verb of these kinds is looked for, three to five letters."""
    cut = _CUT.sub("", verb)
    return (cut if len(cut) >= _SHORTEST else verb[:_SHORTEST])[:_LONGEST]


def without_vague(wanted: Sequence[str], question: str) -> tuple[str, ...]:
    """The words without verbs that say nothing; all of them if nothing else is there."""
    vague = {verb for verb in asker_verbs(question) if says_nothing(verb)}
    return tuple(word for word in wanted if word not in vague) or tuple(wanted)
