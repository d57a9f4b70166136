"""The small model as a backend of docrag: started, named and stopped."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from docrag.answer.templates import fallback
from docrag.api import LLMUnavailable

#: What the variable ``LLM`` says when this model is to write.
NAME: Final = "llamacpp"
#: Name of the model in the API and in tables.
MODEL: Final = "gemma-3-270m-q4_k_m"
#: Tokens that prompt and answer share: five passages of 1,000 characters fit.
CONTEXT: Final = 4_096
#: Tokens of an answer; the model ends a line early or never.
ANSWER: Final = 64
#: Two answers as they should be, since the model is a base model and follows examples only.
_EXAMPLES: Final = """\
<pasaj no="1" belge="Kütüphane yönergesi" yer="s. 2">
[1] Kitaplar öğrencilere on beş gün için ödünç verilir. Süre bir kez uzatılabilir.
</pasaj>
<pasaj no="2" belge="Kütüphane yönergesi" yer="s. 3">
[2] Geç getirilen her kitap için günlük 2 lira alınır.
</pasaj>

Soru: Geciken kitap için ne kadar ödenir?
Yanıt: Geç getirilen her kitap için günlük 2 lira ödenir [2].

<pasaj no="1" belge="Otopark yönergesi" yer="s. 1">
[1] Otopark hafta içi 07.00 ile 20.00 arasında açıktır.
</pasaj>

Soru: Kantinde hangi yemekler var?
Yanıt: {fallback}
"""
_TEMPLATE: Final = (
    "{%% for message in messages %%}{%% if message['role'] == 'system' %%}"
    "{{ message['content'] }}\n\n%s\n{%% else %%}{{ message['content'] }}\n{%% endif %%}"
    "{%% endfor %%}Yanıt:"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A model that is being served."""

    #: Settings by which docrag writes with it.
    settings: dict[str, Any]
    #: What its answers depend on beside its name.
    fingerprint: str


@contextmanager
def wished() -> Iterator[Served | None]:
    """The small model if the variable ``LLM`` asks for it, else ``None``.

    :raises LLMUnavailable: it cannot be started, or another one is asked for.
    """
    asked = os.environ.get("LLM")
    if not asked:
        yield None
        return
    if asked != NAME:
        raise LLMUnavailable(
            f"LLM is {asked!r}; it can be {NAME}, any other model is named by DOCRAG_LLM"
        )
    with served() as found:
        yield found


@contextmanager
def served() -> Iterator[Served]:
    """The small model on loopback, until the block ends.

    The interpreter of its environment is in the variable ``LLAMACPP_PYTHON``; ``make`` sets it.

    :raises LLMUnavailable: it is not installed, or did not start.
    """
    template = _TEMPLATE % _EXAMPLES.format(fallback=fallback("tr"))
    told = {"alias": MODEL, "context": CONTEXT, "stop": ["\n"], "template": template}
    command = (os.environ.get("LLAMACPP_PYTHON", ""), "-m", f"{__package__}.serve")
    if not Path(command[0]).is_file():
        raise LLMUnavailable(
            "LLM is llamacpp, and its environment is not there; make it by "
            "`make eval-answers LLM=llamacpp`"
        )
    root = Path(__file__).parents[2]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            yield Served(settings=_settings(_address(process, told)), fingerprint=_digest(told))
        finally:
            process.kill()


def _address(process: subprocess.Popen[str], told: dict[str, Any]) -> str:
    """Where the server answers, as soon as it does."""
    if process.stdin is None or process.stdout is None:
        raise LLMUnavailable("the model's server has no standard input and output")
    process.stdin.write(f"{json.dumps(told)}\n")
    process.stdin.flush()
    address = process.stdout.readline().strip()
    if not address.startswith("http://127.0.0.1:"):
        raise LLMUnavailable("the model's server did not start; run it by hand to see why")
    return address


def _settings(address: str) -> dict[str, Any]:
    return {
        "llm": "openai",
        "llm_options": {"model": MODEL, "url": f"{address}/v1", "timeout": 300.0},
        "answer_tokens": ANSWER,
        "temperature": 0.0,
    }


def _digest(told: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]
