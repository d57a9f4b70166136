"""Phrases by which a question sets the instructions or the documents aside."""

from __future__ import annotations

from typing import Final

from docrag.answer.guards.phrase import DO, FIRST, RULES_EN, RULES_TR, SAID, any_of, phrase

_PRIOR_EN: Final = any_of(
    "previous prior preceding above earlier foregoing former initial original existing system "
    "your hidden all any every"
)
_IGNORE_EN: Final = (
    "(?:ignore|disregard|forget|override|bypass|neglect|overlook|dismiss|discard|circumvent|"
    "set aside|(?:do not|dont) pay attention to|"
    "(?:do not|dont|never|stop|must not|need not|no longer|(?:do not|dont) (?:have|need) to) "
    "(?:follow|obey|listen to|adhere to|comply with)(?:ing)?)"
)
_PRIOR_TR: Final = (
    "(?:onceki|evvelki|yukaridaki|yukarida (?:verilen|yazan|yazili)|tum|butun|sana verilen|"
    "size verilen|verilen|mevcut|eski|(?:simdiye|su ana|buraya) kadarki|simdiye kadar verilen|"
    "senin|sistem|kendi|gizli|baslangictaki|ilk)"
)
_IGNORE_TR: Final = (
    r"(?:(?:unut|yok say|gormezden gel|goz ardi et|gozardi et|bos ver|bosver|hice say|gecersiz say|"
    r"gecersiz kil|hukumsuz say|devre disi birak|iptal et|bir (?:kenara|yana) birak|"
    rf"dinlemeyi birak|cigne|sifirla|askiya al){DO}"
    r"|(?:dikkate alma|uyma|bagli kalma|takip etme|onemseme|umursama|dinleme|takma|kulak asma|"
    r"aldirma|aldiris etme|riayet etme)"
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
        r"(?:ignore|disregard|forget|set aside) (?:what|whatever|everything|anything|all)(?: that)?"
        r" (?:you|i|they) (?:were|was|have|had|have been|had been|are) "
        r"(?:told|taught|given|instructed|learned|read)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        r"(?:ignore|disregard|forget|drop|set aside)(?: about| all)*(?: the| your| these| those)?"
        r" (?:rules|instructions|guidelines|restrictions|prompt|guardrails)(?= [.,]| and |$)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        r"(?:answer|respond|reply)~(?:from|with|using|out of|by) your own (?:\w+ )?"
        r"(?:knowledge|memory|opinion)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        r"(?:ignore|disregard|forget|(?:do not|dont|never) (?:use|look at|rely on))"
        r"(?: all)?(?: the| your| these)? (?:documents|sources|passages|context)(?= [.,]| and |$)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        r"(?:turn off|switch off|disable|deactivate|bypass|remove)(?: the| your| all| any)* "
        r"(?:access|permission|role|content|safety) (?:controls?|checks?|filters?|restrictions?)"
        r"(?= [.,]| and |$)",
        is_order=True,
    ),
    phrase(
        "ignore_instructions",
        rf"{FIRST}new (?:system )?(?:instructions?|rules?|directives?|orders?) [.,] (?:always|"
        r"never|you (?:must|will|are|should)|only|answer|respond|reply|ignore|say|do not|dont|"
        r"from now)",
    ),
    phrase(
        "ignore_instructions",
        rf"{FIRST}yeni (?:talimat|komut|yonerge|kural)\w* [.,] (?:her zaman|daima|hep|artik|sadece|"
        r"yalnizca|bundan (?:sonra|boyle)|her soruya)(?: \w+){0,6} "
        rf"(?:de|soyle|cevap ver|yanit ver|cevapla|yanitla){DO}",
    ),
    phrase(
        "ignore_instructions",
        r"kendi bilgi(?:n|niz|lerin|leriniz)(?:le|den|e|i)\w*(?: \w+){0,3} "
        rf"(?:cevapla|yanitla|cevap ver|yanit ver|soyle|anlat|yaz){DO}",
    ),
    phrase(
        "ignore_instructions",
        r"(?:belge|kaynak|pasaj|dokuman)\w* (?:bakma|kullanma|aldirma|guvenme|bagli kalma)"
        rf"(?:dan| [.,]| ve)(?: \w+){{0,4}} (?:cevapla|yanitla|cevap ver|yanit ver|soyle){DO}",
    ),
    phrase(
        "ignore_instructions",
        r"(?:erisim|yetki|rol) (?:kontrol|denetim|kisitlama|filtre|sinir)\w* "
        rf"(?:kapat|kaldir|devre disi birak|atla|yok say|iptal et|as){DO}",
    ),
    phrase(
        "ignore_instructions",
        r"(?:ignore[zr]?|oublie[zr]?|ignora|olvida) (?:\w+ ){0,2}(?:instructions?|instrucciones|"
        r"consignes|regles|reglas) (?:precedentes?|anteriores|ci dessus)"
        r"|(?:ignoriere?|vergiss|missachte)(?:n sie)? (?:\w+ )?(?:vorherigen|bisherigen|obigen|"
        r"fruheren) (?:anweisungen|regeln|befehle|vorgaben)",
    ),
    phrase(
        "ignore_instructions",
        rf"{RULES_TR} (?:\w+ )?(?:uymak|bagli kalmak|uygulamak) zorunda degilsin"
        rf"|(?:artik|bundan (?:boyle|sonra)) (?:\w+ )?{RULES_TR} (?:bagli|tabi) degilsin",
    ),
    phrase("ignore_instructions", r"(?:here are|these are) your new (?:instructions|rules)"),
    phrase("ignore_instructions", r"your new (?:instructions|task|role|directive)s? (?:is|are)"),
    phrase("ignore_instructions", rf"{_PRIOR_TR}~{RULES_TR}(?: \w+){{0,2}} {_IGNORE_TR}"),
    phrase("ignore_instructions", rf"(?:(?<=^)|(?<=[.,] )){RULES_TR} {_IGNORE_TR}"),
    phrase(
        "ignore_instructions",
        r"(?:simdiye kadar |daha once )?(?:sana|size) (?:soylenen|verilen|ogretilen|anlatilan)ler"
        rf"(?:in hepsi|in tumu|in tamami)?n?i (?:{_IGNORE_TR}|(?:sil|birak){DO})",
    ),
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
