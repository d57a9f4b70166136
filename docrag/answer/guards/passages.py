"""Text of a document that talks to a model instead of people."""

from __future__ import annotations

import re
from typing import Final

from docrag.answer.guards.attacks import attacks
from docrag.answer.guards.disguise import LONGEST, bare, readings
from docrag.answer.guards.phrase import ANSWER_TR, DO

#: What a document calls the model that reads it.
_MODEL: Final = (
    r"(?:yapay zeka(?: asistan| model| yardimci)?|dil model|(?:yapay zeka|sanal|dijital) asistan"
    r"|sohbet robot|belge asistan|belge yardimci|chatbot|llm|gpt)\w*"
)
_MODEL_EN: Final = r"(?:(?:ai|language) models?|(?:ai|virtual) assistants?|chatbots?|llms?)"
_ANSWER_EN: Final = r"(?:answer|response|reply|output)"
#: Ways to tell a model how to answer, as patterns over plain words (see
#: ``docrag.answer.guards.phrase``).
_STEERS: Final = (
    rf"{ANSWER_TR}(?: \w+){{0,2}} (?:sonuna|basina|basinda|sonunda)(?: [.,])?(?: \S+){{0,10}} "
    rf"(?:yaz|ekle|koy|bitir|basla|soyle|goster|yerlestir){DO}",
    rf"(?:{ANSWER_TR}|soru(?:ya|yu))(?: \S+){{0,6}} (?:ile|diye|olarak|seklinde|dilinde|"
    r"ingilizce|almanca|turkce|sadece|yalnizca)(?: \S+){0,4} "
    rf"(?:bitir|basla|ver|yaz|yanitla|cevapla|sonlandir){DO}",
    r"(?:sadece|yalnizca)(?: \S+){0,8} (?:diye|seklinde|ile|dilinde|kelimesiyle|sozcuguyle) "
    rf"(?:yanitla|cevapla|yanit ver|cevap ver|karsilik ver){DO}",
    r"(?:ingilizce|almanca|fransizca|tersten)(?: \w+)? "
    rf"(?:yanitla|cevapla|yanit ver|cevap ver|yaz){DO}",
    r"(?:yanit verme|cevap verme|yanitlama|cevaplama|kaynak gosterme|bu pasaji kullan|diger "
    r"(?:pasaj|kaynak|belge)\w* (?:kullanma|dikkate alma|yok say))"
    r"(?:y?[iu]n(?:[iu]z)?\b|(?= (?:ve|[.,])|$))",
    r"kullaniciya(?: \S+){0,10} (?:de|soyle|oner|yonlendir)(?:y?[iu]n(?:[iu]z)?)?(?= [.,]|$)",
    r"(?:end|begin|start|finish|prefix|conclude)(?: every| each| all| your| the){1,2} "
    rf"{_ANSWER_EN}s?",
    r"(?:append|add|insert|include|write|put|say)(?: \S+){0,10} (?:to|at|in|of|into|after) "
    rf"(?:the|your|every|each) (?:\w+ (?:of )?)?(?:(?:the|your) )?{_ANSWER_EN}s?",
    r"(?:always |only |please )(?:answer|respond|reply)(?: only)? (?:with|in|that|by)",
    r"(?:answer|respond|reply) only (?:with|in)",
    r"(?:tell|inform) the user (?:that|to)",
    r"(?:do not|never|dont) (?:answer|cite|mention|reveal)(?: \w+){0,3} "
    r"(?:question|source|passage|document|user|instruction)s?",
)
#: Ways to speak of the model that reads, over plain words.
_READERS: Final = (
    rf"(?:bu (?:belge|metn|pasaj)\w* (?:okuyan|ozetleyen|isleyen)|reading this"
    rf"|(?:process|summari[sz])(?:es|ing) this)(?: \w+){{0,3}} (?:{_MODEL}|{_MODEL_EN})",
    rf"(?:{_MODEL_EN}|{_MODEL})(?: \w+){{0,3}} (?:reading|processing|summari[sz]ing) this",
    r"if you are an? (?:ai|llm|language model|assistant)",
    rf"(?:sen|siz) bir {_MODEL}s[iu]n(?:[iu]z)?\b",
)
_ADDRESSED: Final = {
    "addresses_model": re.compile(rf"(?<!\w)(?:{'|'.join(_READERS)})"),
    "steers_answer": re.compile(rf"(?<!\w)(?:{'|'.join(_STEERS)})"),
}
#: A model that is called upon, in a bare text: "Sevgili asistan, …", "Note to AI assistants: …".
_CALLED: Final = re.compile(
    r"(?:^|[.!?]\s)[\W_]{0,4}(?:(?:not|dikkat|onemli|important|note)[:!]? )?"
    r"(?:(?:to|for|attention|attn):? )?(?:the |any |all )?"
    rf"(?:(?:{_MODEL}|{_MODEL_EN})(?: icin)?(?: (?:talimat|kural|not|instruction|note)\w*)?[:!]"
    rf"|(?:sevgili|dear|hey|ey) (?:{_MODEL}|{_MODEL_EN}|asistan|assistant)[:!,])",
    re.MULTILINE,
)
#: A made-up list of sources, as a model would end its answer with.
_SOURCES: Final = re.compile(
    r"^[\W_]{0,6}(?:sources|kaynaklar|sources used|kullanilan kaynaklar)[\W_]{0,4}:?[\W_]{0,4}$\n"
    r"\s{0,4}[-*]? ?\[\d{1,3}\]",
    re.MULTILINE,
)
#: Characters by which one reading begins before the last one ended.
_OVERLAP: Final = 500


def suspicious(text: str) -> tuple[str, ...]:
    """Machine words of what in a document's text talks to a model, each once, in fixed order.

    Those of :func:`docrag.answer.guards.attacks.attacks`, ``addresses_model``, ``steers_answer``
    and ``fake_sources``. They are hints for who reads the document; nothing follows from them,
    since instructions in a passage never act.

    :param text: of a chunk, or of a whole document; all of it is read.
    :returns: empty for an ordinary text.
    """
    found: dict[str, None] = {}
    for start in range(0, max(len(text), 1), LONGEST - _OVERLAP):
        found |= dict.fromkeys(_told(text[start : start + LONGEST]))
    return tuple(found)


def _told(text: str) -> list[str]:
    plain = bare(text)
    words = readings(plain)
    found = list(attacks(text))
    found += [kind for kind, said in _ADDRESSED.items() if any(map(said.search, words))]
    if _CALLED.search(plain):
        found.append("addresses_model")
    return [*found, "fake_sources"] if _SOURCES.search(plain) else found
