"""Whether a request asks the documents, or is one of the tasks that front ends run by themselves.

Titles, tags, follow-ups and the like are written from the conversation; a search for them costs
time, and its citations break their JSON. A front end that marks them by a header is believed; the
others are known by the form of their request, never by its wording, which changes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from docrag.api import GenerationOptions
from docrag.web.openai.calls import Call
from docrag.web.openai.models import Model
from docrag.web.openai.wrapping import MARKER, OPENING

logger = logging.getLogger(__name__)

#: Response header that says what was decided.
HEADER: Final = "x-docrag-retrieval"
#: Its values: the documents were searched, or why they were not.
USED: Final = "used"
TASK: Final = "skipped-task"
PLAIN: Final = "skipped-plain"
OFF: Final = "skipped-off"
GREETING: Final = "skipped-greeting"
#: What the model answers from the conversation alone.
WITHOUT: Final = (TASK, PLAIN, OFF)

#: Most messages of a task: a system message and one of the user.
MOST_MESSAGES: Final = 2
#: Properties of the JSON that a title is asked in (LibreChat).
TITLE: Final = frozenset(("title", "language"))

#: The key of the JSON object that Open WebUI asks for, in quotation marks.
_KEY: Final = re.compile(r'"(?:title|tags|follow_ups|queries|text|prompt|emoji)"\s*:')
#: Heading of the section that tells the form of the output.
_OUTPUT: Final = re.compile(r"^#{1,6} *\**output", re.IGNORECASE | re.MULTILINE)
_HISTORY: Final = ("<chat_history>", "</chat_history>")
#: What stands before the fenced message that an emoji is asked for (Open WebUI).
_FENCED: Final = re.compile(r"\n\n[^\n]{1,20}: ?(```|\"\"\")")
_FACE: Final = "[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?"
#: Emojis to choose from as such a wish lists them, three at the least: ``(e.g., …, …, …)``.
_FACES: Final = re.compile(r"\([^()\n]{0,20}X(?:, ?X){2}".replace("X", _FACE))
#: A conversation as LibreChat writes it below its wish for a title.
_TRANSCRIPT: Final = re.compile(r"^User: ", re.MULTILINE)
_REPLY: Final = re.compile(r"^(?:AI|Assistant): ", re.MULTILINE)
#: Any turn of one.
_SPOKEN: Final = re.compile(r"^(?:User|AI|Assistant): ", re.MULTILINE)
_BLANK: Final = re.compile(r"\n[ \t]*\n")
_TITLE_WORD: Final = re.compile(r"\b(?:title|başlık|başlığ)", re.IGNORECASE)
#: Longest wish before a conversation or a fenced message, characters.
_WISH: Final = 1_000
#: Tags around the notes of an earlier summary, which LibreChat has brought up to date.
_SUMMARY: Final = ("<previous-summary>", "</previous-summary>")
#: First heading of the form for such notes; people bring forms to be filled in from documents.
_NOTES: Final = re.compile(r"^## Checkpoint *$", re.MULTILINE)
#: A line that may stand behind the earlier summary: a heading, or one with nothing to read.
_EMPTY: Final = re.compile(r"#{1,6} .*|\W*")
_HEADINGS: Final = re.compile(r"^## \w", re.MULTILINE)
#: Headings of that form at the least.
_LEAST_HEADINGS: Final = 5


def decide(
    call: Call,
    *,
    model: Model,
    marked: str | None,
    greets: Callable[[], bool],
) -> str:
    """What is done about the documents: one of the words of :data:`HEADER`.

    :param marked: the header by which a front end marks tasks, ``None`` if it was not sent.
    :param greets: tells whether the question only greets.
    """
    if marked and marked.strip() and "{{" not in marked:
        return TASK
    if model.plain:
        return PLAIN
    if call.retrieval is False:
        return OFF
    if call.retrieval is None and looks_like_task(call):
        logger.info("task by its form", extra={"action": "task_detected"})
        return TASK
    return GREETING if greets() else USED


def looks_like_task(call: Call) -> bool:
    """True for a request with the form of a background task; its wording does not matter."""
    asked = [turn for turn in call.messages if turn.role == "user"]
    others = {turn.role for turn in call.messages} - {"user", "system"}
    text = asked[-1].content.strip() if asked else ""
    if wanted := _wanted(call.sampling.options):
        short = not others and len(call.messages) <= MOST_MESSAGES
        # A title alone may be what a person's program asks for.
        return wanted == TITLE or (short and _can_be_named(text))
    if call.messages and call.messages[-1].role == "user" and _wants_summary(text, others):
        return True
    if len(asked) != 1 or others or len(call.messages) > MOST_MESSAGES:
        return False
    if text.startswith(MARKER):
        return _is_task(text, stream=call.stream)
    return len(call.messages) == 1 and (_wants_emoji(text) or _titles_transcript(text))


def _is_task(text: str, *, stream: bool) -> bool:
    """A text that starts as Open WebUI's tasks do, and as its own retrieval does.

    A stream is a person's question nearly always: there, more must be told.
    """
    if OPENING in text:
        return False
    output = _OUTPUT.search(text)
    if stream:
        return bool(output and _KEY.search(text, output.end()) and _tagged(text, _HISTORY))
    return bool(_KEY.search(text) or (output and _tagged(text, _HISTORY)))


def _wanted(options: GenerationOptions | None) -> frozenset[str]:
    """The properties of the JSON or call that is wanted, where they are those of a title."""
    if options is None:
        return frozenset()
    form = options.response_format or {}
    if found := _titles(_dict(_dict(form.get("json_schema")).get("schema"))):
        return found
    choice = options.tool_choice
    if choice != "required" and not isinstance(choice, Mapping):
        return frozenset()
    functions = [_dict(tool.get("function")) for tool in options.tools]
    name = _dict(_dict(choice).get("function")).get("name")
    forced = [
        _titles(_dict(function.get("parameters")))
        for function in functions
        if name is None or function.get("name") == name
    ]
    return frozenset().union(*forced) if all(forced) else frozenset()


def _titles(schema: Mapping[str, Any]) -> frozenset[str]:
    properties = frozenset(_dict(schema.get("properties")))
    return properties if "title" in properties <= TITLE else frozenset()


def _can_be_named(text: str) -> bool:
    """A text with a transcript, or one that does not ask."""
    start = _TRANSCRIPT.search(text)
    return bool(start and _REPLY.search(text, start.end())) or not text.endswith("?")


def _wants_emoji(text: str) -> bool:
    """One fenced message, the last thing, below a wish that lists emojis to choose from."""
    fence = _FENCED.search(text[:_WISH])
    if fence is None or not text.endswith(fence[1]):
        return False
    wish = text[: fence.start()]
    return "emoji" in wish.lower() and _FACES.search(wish) is not None


def _titles_transcript(text: str) -> bool:
    """A transcript of a user and a model below a wish for a title, and no question around it."""
    start = _TRANSCRIPT.search(text[:_WISH])
    if start is None or not _TITLE_WORD.search(text, 0, start.start()):
        return False
    if "?" in text[: start.start()] or not _REPLY.search(text, start.end()):
        return False
    *_, last = _SPOKEN.finditer(text)
    # A turn may have several paragraphs; the last one may be of somebody who asks about them.
    _, _, more = text[last.end() :].partition("\n")
    return "?" not in _BLANK.split(more)[-1]


def _wants_summary(text: str, others: Iterable[str]) -> bool:
    """A wish for notes at the end of a conversation, told by tags or by the form they ask for."""
    if "assistant" not in others:
        return False
    form = _NOTES.search(text)
    if form is not None and not text.endswith("?"):
        return len(_HEADINGS.findall(text, form.start())) >= _LEAST_HEADINGS
    behind = text[text.rfind(_SUMMARY[1]) :].removeprefix(_SUMMARY[1])
    if "?" in behind or not _tagged(text, _SUMMARY):
        return False
    return all(_EMPTY.fullmatch(line.strip()) for line in behind.splitlines())


def _tagged(text: str, tags: tuple[str, str]) -> bool:
    return 0 <= text.find(tags[0]) < text.rfind(tags[1])


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
