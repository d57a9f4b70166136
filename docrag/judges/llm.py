"""A judge that asks a language model, claim by claim, with a versioned prompt."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from typing import Final

from docrag.api import (
    LLM,
    Delta,
    JudgeError,
    LLMError,
    Message,
    SettingsError,
    check_counts,
    check_timeout,
    fold,
)
from docrag.judges.parts import clean

#: Version of the prompt in use, the same in every language.
VERSION: Final = 1
#: Characters of an answer that are read: one word with what models put around it.
LONGEST: Final = 80
#: What each word of an answer is worth, folded (:func:`docrag.api.fold`).
VERDICTS: Final[Mapping[str, Mapping[str, float | None]]] = {
    "tr": {"evet": 1.0, "hayir": 0.0, "belirsiz": None},
    "en": {"yes": 1.0, "no": 0.0, "unclear": None},
}
#: What stands before the passage and the sentence.
_LABELS: Final = {"tr": ("Pasaj", "Cümle", "Karar"), "en": ("Passage", "Sentence", "Verdict")}
#: Signs that models put around a word.
_AROUND: Final = " \t\r\n\"'“”«»*_`.!:;-–>#"


class LlmJudge:
    """Asks the language model whether a passage supports a sentence. Thread-safe.

    Each claim is a conversation of its own, so that no passage can speak for another. A verdict is
    one word; anything else counts as no verdict.
    """

    def __init__(
        self,
        *,
        llm: LLM,
        language: str = "tr",
        timeout: float = 20.0,
        max_characters: int = 6000,
        max_tokens: int = 16,
    ) -> None:
        """Keep the model; it is not asked yet.

        :param llm: the model that docrag answers with.
        :param language: of the prompt, ``tr`` or ``en``.
        :param timeout: seconds that one call may take, all its claims together.
        :param max_characters: most characters of a passage; the model is not asked about a longer
            one, for what was cut off might support the sentence.
        :param max_tokens: most tokens of a verdict; a model that thinks first needs hundreds.
        :raises SettingsError: an option is wrong.
        """
        if language not in list(VERDICTS):  # a list: what JSON gives may have no hash
            raise SettingsError(f"language is {language!r}; choose one of {', '.join(VERDICTS)}")
        check_counts(max_characters=max_characters, max_tokens=max_tokens)
        check_timeout(timeout)
        self._llm, self._language, self._timeout = llm, language, timeout
        self._max_characters, self._max_tokens = max_characters, max_tokens
        #: Identifier of the prompt, for logs.
        self.prompt_id = f"judge.{language}.v{VERSION}"

    def judge(self, claims: Sequence[tuple[str, str]]) -> list[float | None]:
        """1 where the model says that the passage supports the sentence, 0 where it does not.

        :param claims: sentence and text of a passage.
        :returns: 1, 0 or ``None`` in order; ``None`` for an empty sentence or passage, for a
            passage that is too long, and where the model said neither yes nor no.
        :raises JudgeError: the model failed, or was not ready in time.
        """
        end = time.monotonic() + self._timeout
        cleaned = [(clean(sentence), clean(passage)) for sentence, passage in claims]
        return [self._verdict(sentence, passage, end) for sentence, passage in cleaned]

    def _verdict(self, sentence: str, passage: str, end: float) -> float | None:
        if not sentence or not passage or len(passage) > self._max_characters:
            return None
        return verdict(self._said(self._messages(sentence, passage), end), self._language)

    def _messages(self, sentence: str, passage: str) -> list[Message]:
        above, below, last = _LABELS[self._language]
        # The longest runs first: a passage that closes its own frame does not get out of it.
        inside = passage.replace(">>>", "> > >").replace("<<<", "< < <")
        flat = " ".join(sentence.split())
        asked = f"{above}:\n<<<\n{inside}\n>>>\n\n{below}: {flat}\n\n{last}:"
        return [
            Message(role="system", content=_prompt(self.prompt_id)),
            Message(role="user", content=asked),
        ]

    def _said(self, messages: Sequence[Message], end: float) -> str:
        """What the model wrote, at most a little more than :data:`LONGEST` characters.

        :raises JudgeError: it failed, or was not ready in time.
        """
        late = f"{self._llm.model_id} gave no verdict in time; raise the judge's option timeout"
        if time.monotonic() >= end:
            raise JudgeError(late)
        done = threading.Event()
        try:
            stream = self._llm.stream(messages, max_tokens=self._max_tokens, temperature=0.0)
            threading.Thread(
                target=_leave, args=(stream, done, end), name="judging", daemon=True
            ).start()
            try:
                text = _read(stream, end)
            finally:
                done.set()
                _close(stream)
        except LLMError as exc:
            # Its message is safe: no error of a model holds the prompt.
            raise JudgeError(late if time.monotonic() >= end else str(exc)) from exc
        if time.monotonic() >= end:
            raise JudgeError(late)
        return text


def verdict(said: str, language: str) -> float | None:
    """What an answer is worth: 1 for yes, 0 for no, ``None`` for anything but that one word."""
    return VERDICTS[language].get(fold(said.strip(_AROUND)))


def _read(stream: Iterator[Delta], end: float) -> str:
    text = ""
    for delta in stream:
        text += delta.text
        if len(text.strip()) > LONGEST or time.monotonic() >= end:
            break
    return text


def _leave(stream: Iterator[Delta], done: threading.Event, end: float) -> None:
    """Close the stream when the time is over, also while it waits for the model."""
    if not done.wait(max(0.0, end - time.monotonic())):
        _close(stream)


def _close(stream: Iterator[Delta]) -> None:
    close = getattr(stream, "close", None)
    # A plain generator that runs in another thread cannot be closed; its next piece ends it.
    with suppress(ValueError):
        if callable(close):
            close()


@lru_cache(maxsize=8)
def _prompt(identifier: str) -> str:
    """Text of a prompt file, without the final line break."""
    folder = files("docrag.judges.prompts")
    return folder.joinpath(f"{identifier}.md").read_text(encoding="utf-8").rstrip("\n")
