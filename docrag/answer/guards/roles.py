"""Phrases by which a question gives the model another role, or its writer authority."""

from __future__ import annotations

from typing import Final

from docrag.answer.guards.phrase import DO, RULES_EN, SAID, any_of, phrase

_MODES_EN: Final = any_of("developer dan god debug jailbreak sudo admin unrestricted")
_MODES_TR: Final = "(?:gelistirici|dan|tanri|hata ayiklama|jailbreak|sinirsiz|kisitlamasiz|admin)"
_FREE_EN: Final = (
    r"(?:unrestricted|unfiltered|uncensored|jailbroken|evil|amoral|different|hacker|pirate|root|"
    r"admin|developer|linux|human|new ai|ai)"
)

ROLES: Final = (
    phrase(
        "role_change",
        r"you are now (?:in )?(?:a|an|dan|the|free|unrestricted|no longer|my|called|named|acting|"
        r"developer|operating|evil|jailbroken)",
    ),
    phrase(
        "role_change",
        r"from now on,? ?,? ?you (?:are|will|must|shall|should|act|respond|answer|can)",
    ),
    phrase(
        "role_change",
        r"pretend (?:to be|you are|youre|that you|you have)|"
        rf"(?:act|behave|respond|answer) (?:as|like) (?:if you|though you|(?:an? )?{_FREE_EN}|dan)|"
        r"role ?play as",
        is_order=True,
    ),
    phrase(
        "role_change",
        r"(?:enter|enable|activate|simulate|switch to|go into|start|unlock) (?:the )?(?:\w+ )?"
        rf"{_MODES_EN} mode",
        is_order=True,
    ),
    phrase("role_change", rf"{_MODES_EN} mode (?:enabled|activated|on|unlocked|engaged)"),
    phrase(
        "role_change",
        r"from now on(?: ,)?(?: please)? (?:respond|act|behave|answer|reply|operate|speak|talk) "
        r"(?:as|like)(?! follows)",
    ),
    phrase(
        "role_change",
        rf"(?:you are|youre) (?:free now|now free|free (?:of|from) (?:\w+ )?(?:\w+ )?{RULES_EN})",
    ),
    phrase(
        "role_change",
        r"rol (?:yapma )?oyunu (?:oynayalim|yapalim|oyna\b)"
        r"|(?:artik )?(?:ozgursun|serbestsin)(?: [.,])? (?:istedigin|diledigin) "
        rf"(?:gibi|sekilde) (?:cevap ver|yanit ver|cevapla|yanitla|konus){DO}",
    ),
    phrase("role_change", r"do anything now|you are no longer (?:bound|restricted|limited|an? ai)"),
    phrase("role_change", r"you (?:are|will be|act as|will act as|will now act as) dan"),
    phrase(
        "role_change",
        r"(?:ai|ai model|language model|ai assistant|chatbot|bot) (?:with no|without|free of)"
        rf"(?: any)?(?: \w+)? {RULES_EN}",
    ),
    phrase("role_change", r"sen (?:bir )?(?:yapay zeka|asistan|dil modeli|bot) degilsin"),
    phrase(
        "role_change",
        r"(?:artik|bundan boyle|bundan sonra) (?:\w+ ){0,2}(?:kisitlaman|kuralin|sinirin|filtren)"
        r"\w* (?:yok|kalkti|kaldirildi)",
    ),
    phrase("role_change", rf"su andan itibaren sen(?: \w+){{0,4}} \w+s[iu]n\b{SAID}"),
    phrase(
        "role_change",
        rf"kendini (?:\w+ ){{1,3}}(?:olarak|gibi) (?:tanit|gor|dusun|hisset|tanimla){DO}"
        rf"|\w+m[iu]s(?:s[iu]n)? gibi (?:cevap ver|yanit ver|yanitla|cevapla|konus|yaz){DO}",
    ),
    phrase("role_change", rf"you (?:have|had|follow|obey) no (?:\w+ )?{RULES_EN}"),
    phrase(
        "role_change",
        r"(?:answer|respond|reply|ai|assistant|model|chatbot)~"
        rf"(?:without|with no|free of|free from)(?: any)?(?: \w+)? {RULES_EN}",
        is_order=True,
    ),
    phrase("role_change", rf"(?:sen artik|artik sen)(?: \w+){{0,4}} \w+s[iu]n(?:[iu]z)?\b{SAID}"),
    phrase(
        "role_change",
        r"bundan (?:sonra|boyle)(?: \w+){0,5} (?:olacaksin|davranacaksin|rolundesin|"
        rf"(?:rolunu ustlen|olarak davran|olarak hareket et){DO})",
    ),
    phrase("role_change", rf"gibi (?:davran{DO}|davranacaksin|davranmani istiyorum)"),
    phrase("role_change", rf"rol(?:une (?:gir|burun)|unu (?:ustlen|oyna)){DO}"),
    phrase(
        "role_change",
        r"(?:kisitlamasiz|kisitsiz|sinirsiz|filtresiz|sansursuz|kuralsiz|kotu niyetli) (?:bir )?"
        r"(?:yapay zeka|asistan|dil model|model|bot|sekilde (?:cevap|yanit))\w*"
        r"|(?:kisitlamasiz|kisitsiz|filtresiz|sansursuz) "
        rf"(?:cevap ver|yanit ver|cevapla|yanitla|konus){DO}",
    ),
    phrase(
        "role_change",
        r"(?:hicbir|herhangi bir) (?:kural|kisitlama|sinirlama|filtre|sinir)\w* "
        r"(?:olmayan|olmadan|tanimayan|tanimadan|uymayan|uymadan|bagli (?:olmayan|kalmadan))~?"
        r" ?(?:yapay zeka|asistan|dil model|bot|davran|cevap ver|yanit ver|yanitla|cevapla)\w*",
    ),
    phrase(
        "role_change",
        rf"{_MODES_TR} mod(?:u|una|unu|unda|a|da)(?: \w+)? "
        rf"(?:gec|gir|ac|aktif et|etkinlestir|devreye al|aktiflestir|calis){DO}",
    ),
)

CLAIMS: Final = (
    phrase(
        "impersonation",
        r"(?:i am|im|this is|as|its) your (?:\w+ )?(?:developer|creator|programmer|maker|"
        r"administrator|admin|system administrator|operator)",
    ),
    phrase(
        "impersonation",
        r"(?:i am|im) the (?:developer|creator|programmer|admin|administrator|owner) of "
        r"(?:this|the) (?:\w+ )?(?:assistant|chatbot|bot|ai|model|system)(?= (?:and|[.,])|$)",
    ),
    phrase(
        "impersonation",
        r"(?:this is|message from|i am from|i work (?:for|at)) (?:openai|anthropic|"
        r"your developers?|the (?:developer team|developers))",
    ),
    phrase(
        "impersonation",
        r"(?:system|admin|administrator|developer|root) override(?: \w+)? ?"
        r"(?:code|activated|enabled|accepted|authorized|initiated|engaged|[.,])",
    ),
    phrase(
        "impersonation",
        r"i (?:hereby )?(?:authori[sz]e|order|command|permit) you to (?:ignore|reveal|show|tell|"
        r"give|bypass|disclose|answer|print|share)",
    ),
    phrase(
        "impersonation",
        r"(?:gelistiric|yaratic|programc|yonetic|yapimc)inim|sahibinim|"
        r"(?:gelistiricin|yaraticin|programcin|yoneticin) olarak",
    ),
    phrase(
        "impersonation",
        r"(?:sistem yoneticisi|yonetici|gelistirici|gelistirici ekibi|openai|anthropic) "
        r"(?:olarak|adina) (?:sana|seni|sizi|emrediyorum|yetki veriyorum|izin veriyorum)",
    ),
    phrase("impersonation", r"this is a system (?:message|prompt|command)"),
    phrase(
        "impersonation",
        r"ben (?:\w+ )?(?:admin|root|sistem yoneticis|yonetici)\w*im(?: [.,])?(?: \w+){0,4} "
        r"(?:belge|her ?sey|sifre|parola|bilgi|kayit|veri)\w*(?: \w+){0,2} "
        rf"(?:goster|ac|ver|soyle|listele|paylas){DO}",
    ),
    phrase(
        "impersonation",
        r"(?:yetkim (?:var|tam)|yetkiliyim|yetkim yeterli)(?: [.,])?(?: \w+){0,2} "
        r"(?:gizli|tum|butun|herkesin|diger)(?: \w+)? (?:belge|dosya|kayit|sifre|parola|bilgi|veri)"
        rf"\w*(?: \w+){{0,2}} (?:goster|ac|ver|soyle|listele|paylas){DO}",
    ),
    phrase(
        "impersonation",
        r"i have (?:full|admin|administrator|root|unlimited) (?:access|rights|permissions?|"
        r"privileges)(?: rights)?(?: [.,])?(?: \w+){0,3} (?:show|give|open|list|reveal|tell)~"
        r"(?:hidden|secret|all|confidential|every)",
    ),
    phrase("impersonation", r"sana (?:\w+ ){0,2}(?:yetki|izin) veriyorum"),
    phrase(
        "impersonation",
        r"(?:kisitlama|sinirlama|kural|filtre|koruma)\w* (?:\w+ )?(?:kaldiriyorum|"
        r"iptal ediyorum|devre disi birakiyorum|askiya aliyorum)",
    ),
)
