"""Language models and judges as the settings name them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Final

from docrag.answer.models import Models
from docrag.api import LLM, Judge, PluginError, SettingsError
from docrag.registry import Registry
from docrag.settings import Settings

#: Name of a component that is switched off.
NONE: Final = "none"
#: What an alias may look like: it becomes part of a model id in URLs and settings of front ends.
_ALIAS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
#: End of the ids of models without documents, which an alias must not be taken for.
PLAIN: Final = "plain"


def llm_of(settings: Settings, registry: Registry) -> LLM | None:
    """A new LLM as the settings name it, ``None`` when answers quote passages.

    :raises PluginError: there is none of this name, or it does not load.
    :raises SettingsError: an option is wrong.
    """
    if settings.llm == NONE:
        return None
    found: LLM = registry.build("llms", settings.llm, settings.options("llm"))
    return found


def models_of(settings: Settings, registry: Registry) -> Models:
    """New LLMs as the settings name them: the default one, one an alias, and the second one.

    :raises PluginError: there is none of the default one's name, or it does not load.
    :raises SettingsError: an option is wrong, or an alias or the second one cannot be built.
    """
    return Models(
        default=llm_of(settings, registry),
        aliases={
            alias: _alias(alias, told, registry) for alias, told in settings.llm_aliases.items()
        },
        fallback=_fallback(settings, registry),
    )


def judge_of(settings: Settings, registry: Registry, llm: LLM | None) -> Judge | None:
    """A new judge as the settings name it, ``None`` when nobody is asked.

    :param llm: handed to a judge that asks a language model, with the language of the prompts.
    :raises PluginError: there is none of this name, or it does not load.
    :raises SettingsError: an option is wrong, or the judge needs a language model and there is
        none.
    """
    if settings.judge == NONE:
        return None
    taken = inspect.signature(registry.load("judges", settings.judge)).parameters
    if llm is None and "llm" in taken:
        raise SettingsError(
            f"DOCRAG_JUDGE is {settings.judge!r}, which asks a language model, but DOCRAG_LLM is "
            f"{NONE!r}; choose a model, or another judge"
        )
    given = {"llm": llm, "language": settings.language}
    handed = {name: value for name, value in given.items() if name in taken}
    found: Judge = registry.build("judges", settings.judge, settings.options("judge"), **handed)
    return found


def _alias(alias: str, told: object, registry: Registry) -> LLM:
    """The model of an alias.

    :raises SettingsError: name or value of the alias is wrong, or its model cannot be built.
    """
    where = f"DOCRAG_LLM_ALIASES, alias {alias!r}"
    if not _ALIAS.fullmatch(alias) or alias == PLAIN or alias.endswith(f"-{PLAIN}"):
        raise SettingsError(
            f"{where}: use at most 64 letters, digits, dots, hyphens and underscores, and not "
            f"{PLAIN!r} at the end, which names models without documents"
        )
    if not isinstance(told, Mapping) or not set(told) <= {"llm", "options"}:
        raise SettingsError(f'{where}: write {{"llm": name, "options": {{…}}}}')
    name, options = told.get("llm"), told.get("options", {})
    if not isinstance(name, str) or name in ("", NONE):
        raise SettingsError(f"{where}: its llm must name a backend, such as ollama")
    if not isinstance(options, Mapping):
        raise SettingsError(f"{where}: its options must be a JSON object")
    return _built(where, name, options, registry)


def _fallback(settings: Settings, registry: Registry) -> LLM | None:
    if settings.fallback_llm == NONE:
        return None
    options = settings.fallback_llm_options
    return _built("DOCRAG_FALLBACK_LLM", settings.fallback_llm, options, registry)


def _built(where: str, name: str, options: Mapping[str, object], registry: Registry) -> LLM:
    """A new LLM; what is wrong with it names the setting.

    :raises SettingsError: it cannot be found, loaded or built.
    """
    try:
        found: LLM = registry.build("llms", name, dict(options))
    except (PluginError, SettingsError) as exc:
        raise SettingsError(f"{where}: {exc}") from exc
    return found
