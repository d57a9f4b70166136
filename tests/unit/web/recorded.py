"""Requests with the form that front ends give them: same fields and shape, words of our own.

Open WebUI 0.12 asks for a title, tags, follow-ups, searches, a completion, an emoji and a picture;
LibreChat for a title in three ways, and for the notes that replace a long conversation.
"""

from __future__ import annotations

from typing import Any, Final

JSON = dict[str, Any]

#: What was said before, as Open WebUI pastes it.
HISTORY: Final = (
    "USER: İşveren risk değerlendirmesi yapmakla yükümlü müdür?\n"
    "ASSISTANT: Evet, işveren risk değerlendirmesi yapar [1]."
)


def _task(wish: str, output: str, heading: str = "### Output:") -> str:
    return (
        f"### Task:\n{wish}\n\n### Guidelines:\n- Keep it short.\n\n"
        f"{heading}\n{output}\n\n### Chat History:\n<chat_history>\n{HISTORY}\n</chat_history>"
    )


#: The single user message of each of Open WebUI's tasks.
TASKS: Final[dict[str, str]] = {
    "title": _task("Name this chat.", 'JSON: { "title": "Short name" }'),
    "tags": _task("Sort this chat by subject.", 'JSON: { "tags": ["one", "two"] }'),
    "follow_ups": _task("What could be asked next?", 'JSON: { "follow_ups": ["Why?", "When?"] }'),
    "queries": _task(
        "Which searches would help?", 'Only JSON:\n{\n  "queries": ["first", "second"]\n}'
    ),
    "image_prompt": _task("Describe a picture.", 'Only JSON:\n{\n    "prompt": "A picture."\n}'),
    "autocomplete": (
        "### Task:\nGo on with what is in `<text>`, in the manner of `<type>`.\n\n"
        '### **Output Rules**:\n- Only JSON: `{ "text": "<rest>" }`.\n\n'
        "### **Examples**:\n<type>General</type>\n<text>The sun</text>\n"
        'Output:\n{ "text": "sets." }'
        f"\n\n---\n### Context:\n<chat_history>\n{HISTORY}\n</chat_history>\n"
        "<type>General</type>\n<text>Risk değerlendirmesi</text>\n#### Output:\n"
    ),
    "emoji": (
        "Which face does the speaker make? Answer with one emoji (e.g., 😊, 😢, 😡).\n\n"
        "Message: ```Baret takmak zorunlu mu?```"
    ),
}

_TALK: Final = "User: Baret zorunlu mu?\nAI: Evet, depoda baret takılır."
_TITLE: Final[JSON] = {
    "type": "object",
    "properties": {"language": {"type": "string"}, "title": {"type": "string"}},
    "required": ["language", "title"],
}
_FUNCTION: Final[JSON] = {
    "type": "function",
    "function": {"name": "names", "description": "Names a talk.", "parameters": _TITLE},
}

#: LibreChat's own requests, what stands beside model and stream.
LIBRECHAT: Final[dict[str, JSON]] = {
    "completion_title": {
        "messages": [{"role": "user", "content": f"Give this talk a title.\n\nTalk:\n{_TALK}"}]
    },
    "structured_title": {
        "messages": [{"role": "user", "content": f"Name this talk.\n\n{_TALK}"}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "names", "strict": True, "schema": _TITLE},
        },
    },
    "function_title": {
        "messages": [{"role": "user", "content": f"Name this talk.\n\n{_TALK}"}],
        "tools": [_FUNCTION],
        "tool_choice": {"type": "function", "function": {"name": "names"}},
    },
    "checkpoint": {
        "messages": [
            {"role": "user", "content": "Baret zorunlu mu?"},
            {"role": "assistant", "content": "Evet [1]."},
            {
                "role": "user",
                "content": "Write notes that replace this talk.\n\n## Checkpoint\n\n## Aim\n…\n\n"
                "## Rules\n…\n\n## Progress\n…\n\n## Decisions\n…\n\n## Next\n…",
            },
        ]
    },
    "checkpoint_update": {
        "messages": [
            {"role": "user", "content": "Baret zorunlu mu?"},
            {"role": "assistant", "content": "Evet [1]."},
            {
                "role": "user",
                "content": "Bring the notes up to date.\n\n<previous-summary>\nBaret.\n"
                "</previous-summary>",
            },
        ]
    },
}


def open_webui(task: str, **more: object) -> JSON:
    """The body of one of Open WebUI's tasks."""
    message = {"role": "user", "content": TASKS[task]}
    return {"model": "docrag", "messages": [message], **more}


def librechat(task: str, **more: object) -> JSON:
    """The body of one of LibreChat's own requests."""
    return {"model": "docrag", **LIBRECHAT[task], **more}


def wrapped(question: str, *, sources: int = 2, rules: str = "Answer from the context.") -> str:
    """A question with Open WebUI's own passages in front."""
    passages = "\n".join(
        f'<source id="{number}" name="notlar.txt">Depoda sigara içilmez.</source>'
        for number in range(1, sources + 1)
    )
    return (
        f"### Task:\n{rules}\n\n### Output:\nCite as [id].\n\n"
        f"<context>\n{passages}\n</context>\n\n{question}"
    )


#: Ordinary questions with the words that tasks are made of.
QUESTIONS: Final = (
    "Belgenin başlığı nedir?",
    "Raporun başlık sayfasında hangi tarih var?",
    "Başlık yazarken büyük harf kullanılır mı?",
    "Ünvan ve başlık alanları zorunlu mu?",
    "Bu yönetmeliğin başlığını ve maddelerini yaz.",
    "Etiket nasıl basılır?",
    "Kimyasal kapların etiketi kaç dilde olmalı?",
    "Etiketleme kuralları nelerdir?",
    "Depodaki ürünlere hangi etiketler yapıştırılır?",
    "JSON dosyası nasıl yüklenir?",
    "Bordro sistemine JSON ile veri gönderilebilir mi?",
    'Ayar dosyasında "title": alanı neyi belirler?',
    'Servis { "tags": [] } dönerse ne yapılmalı?',
    "Takip sorusu sormak için kime yazılır?",
    "Sohbet geçmişi ne kadar saklanır?",
    "Görev tanımı hangi belgede?",
    "### Görev tanımları nerede yazıyor?",
    "Toplantı tutanağına başlık ve etiket eklemek zorunlu mu?",
    "Arama sorgusu nasıl yazılır?",
    "İş emrinin başlığı 'Bakım' ise kim onaylar?",
    "What is the title of the safety policy?",
    "Which title page must a report have?",
    "Who holds the title of safety officer?",
    "Give me the title and date of the leave procedure.",
    "How are chemical tags printed?",
    "Do lockout tags need a signature?",
    "Which tags mark a blocked machine?",
    "List the tags used in the warehouse.",
    "Can I export the payroll as JSON?",
    'What does the JSON key "queries": mean in the import format?',
    'Our form sends {"title": "x", "text": "y"}; is that allowed?',
    "Does the follow-up visit need a form?",
    "What are the follow-ups after an accident?",
    "Is there a task list for new employees?",
    "### Task: which tasks does a safety officer have?",
    "### Task:\nHangi görevler işverene aittir?",
    "Write me the prompt that the alarm system shows.",
    "Which emoji may be used in official mail? 😊",
    "Explain the chat history rule.",
    "Suggest a title for the accident report form and say where it is filed.",
)
