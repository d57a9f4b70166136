"""How a model is asked to write: what a caller wishes, within what the settings allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrag.api import LLM, Delta, GenerationOptions, Message
from docrag.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """What a caller asks of the model; ``None`` leaves the setting as it is."""

    #: Most tokens of the answer; a wish above ``DOCRAG_ANSWER_TOKENS`` is cut to it.
    max_tokens: int | None = None
    #: 0 to 2.
    temperature: float | None = None
    #: Everything else, such as tools and the form of the answer.
    options: GenerationOptions | None = None

    @property
    def wants_json(self) -> bool:
        """True if the text is for a program, which markers and fixed sentences would break."""
        form = self.options.response_format if self.options else None
        return form is not None and str(form.get("type", "")).startswith("json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a model is asked, the settings considered."""

    max_tokens: int
    temperature: float
    options: GenerationOptions | None

    def starter(self, llm: LLM, messages: Sequence[Message]) -> Callable[[], Iterator[Delta]]:
        """What lets the model write; options are given only where there are any."""

        def start() -> Iterator[Delta]:
            if self.options is None:
                return llm.stream(
                    messages, max_tokens=self.max_tokens, temperature=self.temperature
                )
            return llm.stream(
                messages,
                max_tokens=self.max_tokens,
                temperature=self.temperature,
                options=self.options,
            )

        return start


def wish(sampling: Sampling, settings: Settings, *, with_tools: bool) -> Wish:
    """What a caller's sampling comes to.

    :param with_tools: false leaves out the tools that the caller offers.
    """
    most, heat = settings.answer_tokens, sampling.temperature
    options = sampling.options
    if options and not with_tools:
        options = replace(options, tools=(), tool_choice=None)
    return Wish(
        max_tokens=min(sampling.max_tokens or most, most),
        temperature=settings.temperature if heat is None else heat,
        options=None if options == GenerationOptions() else options,
    )
