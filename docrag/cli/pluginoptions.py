"""Options of a plugin on the command line: what is given, and what is missing or unknown."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import click

#: What the contract of a kind hands to a constructor by itself.
HANDED: Final[Mapping[str, frozenset[str]]] = {
    "chunkers": frozenset({"embedder"}),
    "retrievers": frozenset({"store", "embedder"}),
    "judges": frozenset({"llm"}),
}
#: What a value of a number or a switch must be, by the annotation of its parameter.
FORMS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
}
#: Kinds of parameters that an option can fill by its name.
_NAMED: Final = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def given(texts: Iterable[str], factory: Callable[..., Any]) -> dict[str, Any]:
    """Options by name.

    :param texts: ``NAME=VALUE`` each. A value is read as JSON where it is some and its parameter is
        no text, so that ``3`` and ``true`` are what they look like; else it stays as it is.
    :raises click.UsageError: one has another form, or is no number or switch where its parameter
        is one.
    """
    taken = inspect.signature(factory).parameters
    options: dict[str, Any] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not (separator and name.strip()):
            raise click.UsageError(f"--option {name.strip()!r}: write NAME=VALUE")
        name = name.strip()
        annotation = taken[name].annotation if name in taken else None
        form = annotation.__name__ if isinstance(annotation, type) else annotation
        options[name] = value if form == "str" else _value(name, value, form)
    return options


def check(kind: str, name: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Check that a plugin can be built with these options, as far as their names tell.

    :raises click.UsageError: one is missing, or not taken.
    """
    parameters = inspect.signature(factory).parameters
    handed = HANDED.get(kind, frozenset())
    takes = {key: one for key, one in parameters.items() if one.kind in _NAMED}
    is_open = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    unknown = [key for key in options if key not in takes and not is_open]
    if unknown:
        names = ", ".join(key for key in takes if key not in handed) or "no options"
        raise click.UsageError(
            f"{kind[:-1]} {name!r} takes no option {', '.join(unknown)}; it takes {names}"
        )
    missing = [
        key
        for key, one in takes.items()
        if one.default is one.empty and key not in {*options, *handed}
    ]
    if missing:
        told = " ".join(f"--option {key}=…" for key in missing)
        setting = f"DOCRAG_{kind[:-1].upper()}"
        raise click.UsageError(
            f"{kind[:-1]} {name!r} cannot be built without {', '.join(missing)}: add {told}, or "
            f"set {setting}={name} and {setting}_OPTIONS"
        )


def _value(name: str, text: str, form: object) -> Any:  # noqa: ANN401 - any JSON
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    types, words = FORMS.get(str(form), ((), ""))
    is_endless = isinstance(value, float) and not math.isfinite(value)
    if words and (is_endless or type(value) not in types):
        raise click.UsageError(f"--option {name} must be {words}, not {text!r:.80}")
    return value
