"""Phrases by which a question asks for the instructions."""

from __future__ import annotations

from typing import Final

from docrag.answer.guards.phrase import DO, FIRST, RULES_TR, VERBATIM_TR, any_of, phrase

_SHOW_EN: Final = any_of(
    "show print reveal repeat output display tell give write dump leak disclose expose share "
    "recite list copy paste echo summarize summarise translate return send quote type see read"
)
_PROMPT_EN: Final = (
    "(?:(?:system|initial|original|hidden|secret|developer|internal|full|entire|exact|base|"
    "pre|own) ?)+(?:prompts?|system message|system instructions?)"
)
_SHOW_TR: Final = (
    "(?:yaz|yazdir|goster|soyle|paylas|acikla|tekrarla|tekrar et|ver|aktar|listele|ozetle|"
    f"kopyala|cevir|ifsa et|oku|sirala|ilet|anlat|dok|bas){DO}"
)
_PROMPT_TR: Final = (
    r"(?:(?:sistem|baslangic|gizli|ilk) (?:prompt\w*|istem(?:i|ini|in|inin|ini?zi?|leri|lerini))"
    r"|sistem mesaj(?:in|ini|iniz|inizi)"
    r"|prompt(?:un|unu|unuz|unuzu|larini))"
)

REVEALING: Final = (
    phrase("reveal_prompt", rf"{_SHOW_EN}~(?:your|the|this|me|its)~?{_PROMPT_EN}", is_order=True),
    phrase("reveal_prompt", rf"your {_PROMPT_EN}|your prompt(?= [.,?]|$)"),
    phrase("reveal_prompt", rf"{_SHOW_EN}~(?:the )?prompt(?= [.,?]|$)", is_order=True),
    phrase(
        "reveal_prompt",
        rf"{_SHOW_EN}~(?:rules|instructions|guidelines) (?:that )?you "
        r"(?:were|have been|are) (?:given|told|following)",
        is_order=True,
    ),
    phrase("reveal_prompt", r"what your (?:instructions|guidelines|prompt) (?:are|is)(?= [.,?]|$)"),
    phrase(
        "reveal_prompt",
        r"(?:sistem|baslangic|ilk) (?:talimat|kural|komut|mesaj)\w*(?: \w+){0,3} "
        r"(?:kelimesi kelimesine|harfi harfine|aynen)",
    ),
    phrase(
        "reveal_prompt",
        r"your (?:initial|original|hidden|secret|system) "
        r"(?:instructions?|rules|directives|message)",
    ),
    phrase(
        "reveal_prompt",
        rf"{_SHOW_EN}~your (?:\w+ )?(?:instructions|prompt|programming|directives)"
        r"(?= (?:verbatim|word for word|exactly|above|here|in full|and|as|[.,?])|$)",
        is_order=True,
    ),
    phrase(
        "reveal_prompt",
        r"(?:repeat|print|output|recite|echo|reveal|dump|display)~"
        r"(?:text|words|everything|content|message|instructions|prompt|sentences|lines|all)"
        r"(?: \w+){0,2} (?:above|before this|preceding)",
        is_order=True,
    ),
    phrase(
        "reveal_prompt",
        r"what (?:instructions|rules|prompts?|directives) (?:were|was|have|did) you (?:been )?"
        r"(?:given|told|receive|get)|what were you (?:told|instructed)|"
        r"how were you (?:instructed|prompted|programmed)",
    ),
    phrase("reveal_prompt", rf"{_PROMPT_TR}(?: \w+){{0,4}} (?:{_SHOW_TR}|nedir|ne|neler)"),
    phrase(
        "reveal_prompt",
        r"(?:sistem|gizli|baslangic) (?:prompt|istem)(?:[ui]n(?:[ui]z)?[ui])(?: \w+){0,3} "
        r"(?:oku|yaz|soyle|goster|acikla|paylas|fisilda|anlat|tekrarla|say)\w*",
    ),
    phrase(
        "reveal_prompt",
        r"sistem (?:mesaj|talimat|prompt|istem)\w*n[iu]n (?:\w+ )?"
        r"(?:cumle|kelime|satir|paragraf)\w*",
    ),
    phrase(
        "reveal_prompt",
        rf"(?:{FIRST}(?:bana |lutfen |simdi )?|(?:senin|kendi|sizin|gizli) )"
        r"(?:talimat|kural|yonerge|komut|direktif|istem)l[ae]r[iu]n(?:[iu]z)?[iu]n?(?: \w+){0,3} "
        rf"{VERBATIM_TR}(?: \w+){{0,2}} {_SHOW_TR}",
    ),
    phrase(
        "reveal_prompt",
        rf"(?:{FIRST}(?:peki |simdi )?|(?:senin|sizin|sistem|gizli|ilk|baslangic|temel|asil) )"
        r"(?:talimat|kural|yonerge|komut|direktif)l[ae]r[iu]n(?:[iu]z)? "
        r"(?:ne|neler|nelerdir|nedir|neydi|nelerdi)(?= [.,?]|$)",
    ),
    phrase(
        "reveal_prompt",
        r"(?:sana|size) (?:\w+ )?(?:ne|neler|hangi (?:talimat|kural|komut|yonerge|emir)\w*) "
        r"(?:soylendi|denildi|dendi|yazildi|verildi|emredildi|ogretildi|tembihlendi)(?= [.,?]|$)",
    ),
    phrase(
        "reveal_prompt",
        r"(?:yukari(?:da|daki)|en bas(?:ta|taki)|(?:konusma|sohbet)\w* basinda(?:ki)?|"
        r"bu mesajdan once(?:ki)?|buraya kadar(?:ki)?)"
        r"(?: (?:yazan|yazili|yazilan|bulunan|olan|gelen|verilen))?"
        r"(?: (?:her ?sey|tum|butun|ne varsa|metin|metn|mesaj|icerik|yazilan|soylenen)\w*){1,3}"
        rf"(?: {VERBATIM_TR} (?:{_SHOW_TR}|yapistir)"
        rf"|(?: \w+){{0,2}} (?:tekrarla|tekrar et|kopyala|yapistir){DO})",
    ),
    phrase(
        "reveal_prompt",
        rf"(?:sana|size) (?:verilen|gelen|yazilan|gonderilen) ilk (?:mesaj|metn|komut)\w*"
        rf"(?: \w+){{0,3}} {_SHOW_TR}",
    ),
    phrase(
        "reveal_prompt",
        r"what (?:are|were) your (?:\w+ )?(?:instructions|directives|guidelines|prompts?)"
        r"(?= [.,?]|$)"
        r"|what was the (?:first|very first|initial) (?:message|text|prompt) you "
        r"(?:got|were|received|saw)",
    ),
    phrase(
        "reveal_prompt",
        rf"{_SHOW_EN}~(?:text|words|everything|content|message|lines|all)(?: \w+){{0,2}} "
        r"(?:above|before|preceding)(?: (?:this|the))? "
        r"(?:line|message|conversation|sentence|point|in(?:to)? a code block)",
        is_order=True,
    ),
    phrase(
        "reveal_prompt",
        rf"{_SHOW_EN}~(?:in|of|from) your (?:context|context window|system message|memory)"
        r"(?= [.,]| before| above| verbatim|$)",
        is_order=True,
    ),
    phrase(
        "reveal_prompt",
        rf"(?:sana|size) (?:verilen|yazilan|soylenen|girilen|tanimlanan|iletilen)~?\b{RULES_TR}"
        rf"(?: \w+){{0,3}} (?:{_SHOW_TR}|nedir|neler|nelerdir|neydi)",
    ),
    phrase("reveal_prompt", rf"(?:gizli|senin) {RULES_TR}(?: \w+){{0,3}} {_SHOW_TR}"),
    phrase(
        "reveal_prompt",
        r"(?:yukaridaki|bundan onceki|buraya kadarki|bu mesajdan onceki) (?:her ?sey|tum|butun)\w*"
        rf"(?: \w+){{0,4}} (?:tekrarla|yaz|yazdir|kopyala|aktar|goster){DO}",
    ),
    phrase(
        "reveal_prompt",
        r"(?:nasil (?:programlandin|yonlendirildin|kodlandin|talimatlandirildin)|"
        r"hangi (?:talimat|kural|komut)\w*(?: gore)? (?:aldin|calisiyorsun|uyuyorsun|verildi sana))"
        r"(?:iz)?",
    ),
)
