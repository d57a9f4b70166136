"""What a turn will write, decided at retrieval."""

from __future__ import annotations

from dataclasses import dataclass

from docrag.answer.checking import Checks
from docrag.api import Abstention, Citation, Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a turn will write, decided at retrieval."""

    id: str
    question: str
    #: Every source that may be cited, by number.
    context: tuple[Citation, ...]
    abstention: Abstention | None
    model_id: str
    prompt_id: str
    #: Tokens of the prompt by estimate, for backends that do not count.
    prompt_tokens: int
    #: ``time.monotonic()`` when the question came in.
    started: float
    #: The sentence that says the documents do not hold the answer.
    fallback: str
    #: The answer is cut here, characters, for models that ignore their limit; 0 for no cut.
    most_characters: int = 0
    #: False for an answer that nothing was looked up for.
    retrieved: bool = True
    #: Markers are resolved and an empty answer becomes the fallback sentence; if false, the text is
    #: what the model wrote and cites nothing.
    resolves: bool = True
    #: The model was given tools; calls of others are left out.
    has_tools: bool = False
    #: How the text is checked against the sources; ``None`` for a text that is not.
    checks: Checks | None = None
    #: The text is the sources' own.
    is_quoted: bool = False
    #: How sure it is that the sources answer; ``None`` where nothing was judged.
    retrieval: Grade | None = None
    #: Of what is said besides: ``tr`` or ``en``.
    language: str = "tr"
    #: What the guard saw in the question.
    flags: tuple[str, ...] = ()
