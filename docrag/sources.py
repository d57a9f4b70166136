"""Where setting values come from: environment variables and a file, parsed by declared type."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, field, fields
from pathlib import Path
from typing import Any, Final

from docrag.api import SettingsError

#: Settings that are gone, and what to do instead.
REMOVED: Final = {
    "DOCRAG_EVIDENCE_COVERAGE": "the gate is calibrated now, DOCRAG_EVIDENCE sets its threshold",
}


def setting(default: Any, effect: str, **more: Any) -> Any:  # noqa: ANN401 - dataclass field
    """A dataclass field that carries its documentation and its rules.

    :param effect: what the value changes, with its unit.
    :param more: ``variable`` (a standard name used instead of the prefixed one), ``secret``,
        ``least`` and ``most`` (inclusive bounds), ``choices``.
    """
    metadata = {"effect": effect, **more}
    if isinstance(default, dict):
        return field(default_factory=dict, repr=not more.get("secret"), metadata=metadata)
    return field(default=default, repr=not more.get("secret"), metadata=metadata)


def variable(item: Field[Any]) -> str:
    """Name of the environment variable of a setting."""
    name: str = item.metadata.get("variable", f"DOCRAG_{item.name.upper()}")
    return name


def from_environment(record: type, env: Mapping[str, str]) -> dict[str, Any]:
    """Values by field name that the environment gives.

    :param record: dataclass whose fields are the settings.
    :raises SettingsError: an unknown ``DOCRAG_*`` key, or a value of the wrong type.
    """
    known = {variable(item): item for item in fields(record)}
    unknown = sorted(key for key in env if key.startswith("DOCRAG_") and key not in known)
    if unknown:
        raise SettingsError(_unknown(unknown, "; see docs/settings.md"))
    return {
        item.name: _parse(name, str(item.type), env[name])
        for name, item in known.items()
        if name in env and (env[name] != "" or item.name == "plugins")
    }


def from_file(record: type, path: Path) -> dict[str, Any]:
    """Values by field name that a Python file sets, under the names of the variables.

    :param record: dataclass whose fields are the settings.
    :param path: the file; one that does not exist gives nothing.
    :raises SettingsError: an unknown name, a value of the wrong type, or the file fails.
    """
    check_folder(path.parent)
    if not path.is_file():
        return {}
    known = {variable(item): item for item in fields(record)}
    try:
        content = runpy.run_path(str(path))
    except (Exception, SystemExit) as exc:  # noqa: BLE001 - the operator's file may raise anything
        raise SettingsError(f"{path.name} in the instance folder failed: {exc!r}") from exc
    given = {key: value for key, value in content.items() if key.isupper()}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise SettingsError(_unknown(unknown, f" in {path.name}; see docs/settings.md"))
    return {
        known[key].name: _parse(key, str(known[key].type), value)
        if isinstance(value, str)
        else _typed(key, str(known[key].type), value)
        for key, value in given.items()
    }


def _unknown(names: Sequence[str], behind: str) -> str:
    told = [f"{name} was removed; {REMOVED[name]}" for name in names if name in REMOVED]
    return "; ".join(told) or f"unknown setting {', '.join(names)}{behind}"


def check_folder(instance: Path) -> None:
    """Check that an instance folder is one, and open to this user; it need not exist.

    :raises SettingsError: it is something else, or closed.
    """
    try:
        nearest = next(path for path in (instance, *instance.absolute().parents) if path.exists())
        (nearest / "config.py").is_file()
        if not nearest.is_dir():
            raise SettingsError(
                f"DOCRAG_INSTANCE is {instance.name!r}, which is no folder; name the folder that "
                "docrag may keep its things in"
            )
    except OSError as exc:
        raise SettingsError(
            f"the instance folder {instance.name!r} cannot be used: {exc.strerror or exc}; "
            "run docrag as the owner of the folder, or name another one with DOCRAG_INSTANCE"
        ) from exc


def _yes_or_no(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    return words[text.strip().lower()]


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _json_object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


#: How a text becomes a value: declared type to parser, a word for messages, accepted types.
_TYPES: Final[dict[str, tuple[Callable[[str], Any], str, tuple[type, ...]]]] = {
    "str": (str, "text", (str,)),
    "Path": (Path, "a path", (Path,)),
    "int": (int, "a whole number", (int,)),
    "float": (float, "a number", (int, float)),
    "float | None": (float, "a number", (int, float, type(None))),
    "bool": (_yes_or_no, "true or false", (bool,)),
    "tuple[str, ...]": (_names, "names separated by commas", (tuple, list)),
    "tuple[str, ...] | None": (_names, "names separated by commas", (tuple, list, type(None))),
    "Options": (_json_object, "a JSON object", (dict,)),
}


def _parse(name: str, declared: str, text: str) -> Any:  # noqa: ANN401 - by declared type
    parser, wanted, _ = _TYPES[declared]
    try:
        return parser(text)
    except (ValueError, KeyError) as exc:
        shown = "a value" if "OPTIONS" in name else repr(text)
        raise SettingsError(f"{name} is {shown}; it must be {wanted}") from exc


def _typed(name: str, declared: str, value: object) -> Any:  # noqa: ANN401 - by declared type
    _, wanted, accepted = _TYPES[declared]
    if not isinstance(value, accepted) or (isinstance(value, bool) and declared != "bool"):
        raise SettingsError(f"{name} is {value!r}; it must be {wanted}")
    return tuple(value) if isinstance(value, list) else value


def check(item: Field[Any], value: object) -> None:
    """Compare a value with the choices or the bounds of its setting.

    :raises SettingsError: it is none of them, or out of them.
    """
    choices: tuple[str, ...] = item.metadata.get("choices", ())
    if choices and value not in choices:
        raise SettingsError(f"{variable(item)} is {value!r}; choose one of {', '.join(choices)}")
    least, most = item.metadata.get("least"), item.metadata.get("most")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        upper = f" and at most {most}" if most is not None else ""
        raise SettingsError(f"{variable(item)} is {value}; it must be at least {least}{upper}")
