"""Phrases by which a question sets the instructions aside or asks for them."""

from __future__ import annotations

from typing import Final

from docrag.answer.guards.phrase import DO, RULES_EN, RULES_TR, SAID, any_of, phrase

_PRIOR_EN: Final = any_of(
    "previous prior preceding above earlier foregoing former initial original existing system "
    "your hidden all any every"
)
_IGNORE_EN: Final = (
    "(?:ignore|disregard|forget|override|bypass|neglect|overlook|dismiss|discard|circumvent|"
    "(?:do not|dont|never|stop|must not|need not|no longer|(?:do not|dont) (?:have|need) to) "
    "(?:follow|obey|listen to|adhere to|comply with)(?:ing)?)"
)
_PRIOR_TR: Final = (
    "(?:onceki|evvelki|yukaridaki|yukarida (?:verilen|yazan|yazili)|tum|butun|sana verilen|"
    "size verilen|verilen|mevcut|eski|(?:simdiye|su ana|buraya) kadarki|simdiye kadar verilen|"
    "senin|sistem|kendi|gizli|baslangictaki|ilk)"
)
_IGNORE_TR: Final = (
    r"(?:(?:unut|yok say|gormezden gel|goz ardi et|gozardi et|bos ver|bosver|hice say|"
    rf"devre disi birak|iptal et|bir kenara birak|dinlemeyi birak|cigne){DO}"
    r"|(?:dikkate alma|uyma|bagli kalma|takip etme|onemseme|umursama|dinleme|takma)"
    rf"(?:y?[iu]n(?:[iu]z)?\b{SAID}|(?= (?:ve|[.,])|$)))"
)

IGNORING: Final = (
    phrase("ignore_instructions", rf"{_IGNORE_EN}~{_PRIOR_EN}~{RULES_EN}", is_order=True),
    phrase(
        "ignore_instructions",
        r"(?:ignore|disregard|forget)~(?:everything|anything|all)(?: \w+){0,4} "
        r"(?:above|before this|prior|previously|told|said before|instructed|you know)"
        r"|(?:ignore|disregard|forget)(?: all)?(?: the)? (?:previous|prior|above|preceding)"
        r"(?= [.,]|$)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        rf"all (?:\w+ )?{RULES_EN} (?:are |have been )?(?:lifted|removed|disabled|suspended)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        r"(?:daha once|yukarida|onceden|simdiye kadar)(?: \w+){0,2} "
        rf"(?:soylenen|yazilan|verilen|anlatilan|soyledig|yazan)\w*(?: \w+)? {_IGNORE_TR}",
    ),
    phrase(
        "ignore_instructions",
        rf"{RULES_TR} (?:\w+ )?(?:uymak|bagli kalmak|uygulamak) zorunda degilsin",
    ),
    phrase("ignore_instructions", r"(?:here are|these are) your new (?:instructions|rules)"),
    phrase("ignore_instructions", r"your new (?:instructions|task|role|directive)s? (?:is|are)"),
    phrase("ignore_instructions", rf"{_PRIOR_TR}~{RULES_TR}(?: \w+){{0,2}} {_IGNORE_TR}"),
    phrase("ignore_instructions", rf"(?:(?<=^)|(?<=[.,] )){RULES_TR} {_IGNORE_TR}"),
    phrase(
        "ignore_instructions",
        r"(?:onceki|yukaridaki|simdiye kadarki|bildigin|soylenen|bundan onceki|ogrendigin)~"
        rf"(?:her sey|hersey)\w* (?:unut|yok say|gormezden gel|goz ardi et|sil){DO}",
    ),
    phrase(
        "ignore_instructions",
        r"(?:tum|butun|guvenlik|icerik|etik)~(?:kural|kisitlama|sinirlama|guvenlik filtre|"
        rf"icerik filtre|koruma)\w* (?:kaldir|kapat|devre disi birak|as){DO}",
    ),
    phrase("ignore_instructions", r"senin yeni (?:gorevin|talimatin|rolun|kuralin|talimatlarin)"),
    phrase("ignore_instructions", r"yeni gorevin(?:iz)? (?:su|sudur|artik|bundan)"),
)

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
