"""Finds plugins by entry point, loads them by name on first use, and builds them with options."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from docrag.api import DuplicatePlugin, PluginError, PluginNotFound, SettingsError

#: The plugin kinds; the entry-point group of a kind is ``docrag.<kind>``.
KINDS: Final = ("loaders", "chunkers", "embedders", "retrievers", "rerankers", "llms", "judges")
#: Distribution of the built-ins, which an allow-list never excludes.
BUILTIN: Final = "docrag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point of a plugin kind, not loaded yet."""

    kind: str
    name: str
    #: Distribution that offers it, in lower case with dashes.
    distribution: str
    #: ``module:attribute`` that is loaded on first use.
    target: str


class Registry:
    """Installed plugins by kind and name. Thread-safe."""

    def __init__(
        self,
        *,
        allowed: Iterable[str] | None = None,
        choice: Iterable[str] = (),
        found: Iterable[EntryPoint] | None = None,
    ) -> None:
        """Read the entry points, importing none of them.

        :param allowed: distributions that may be used besides the built-ins; ``None`` for all.
        :param choice: ``kind.name=distribution`` for names that several distributions offer.
        :param found: entry points to use instead of the installed ones.
        :raises SettingsError: ``choice`` has another form.
        """
        names = None if allowed is None else {_normal(name) for name in allowed} | {BUILTIN}
        self._choice = dict(_split_choice(text) for text in choice)
        self._entries: dict[tuple[str, str], dict[str, EntryPoint]] = {}
        self._loaded: dict[tuple[str, str], Callable[..., Any]] = {}
        self._lock = threading.Lock()
        for entry in _installed() if found is None else found:
            owner = _owner(entry)
            if names is None or owner in names:
                key = (entry.group.removeprefix("docrag."), entry.name)
                self._entries.setdefault(key, {})[owner] = entry

    def plugins(self, kind: str | None = None) -> list[Plugin]:
        """Everything installed and allowed, sorted by kind, name and distribution.

        :param kind: only this kind; all kinds if ``None``.
        """
        found = [
            Plugin(kind=key[0], name=key[1], distribution=owner, target=entry.value)
            for key, owners in self._entries.items()
            for owner, entry in owners.items()
            if kind in (None, key[0])
        ]
        return sorted(found, key=lambda plugin: (plugin.kind, plugin.name, plugin.distribution))

    def names(self, kind: str) -> list[str]:
        """Names of one kind, sorted, each once."""
        return sorted({name for group, name in self._entries if group == kind})

    def load(self, kind: str, name: str) -> Callable[..., Any]:
        """The factory of a plugin, imported on first use.

        :raises PluginNotFound: nothing installed and allowed has this name.
        :raises DuplicatePlugin: two distributions offer the name and none is chosen.
        :raises PluginError: the import failed; the cause is chained. Others are not affected.
        """
        with self._lock:
            if (kind, name) not in self._loaded:
                self._loaded[kind, name] = self._import(kind, name)
            return self._loaded[kind, name]

    def build(
        self, kind: str, name: str, options: Mapping[str, Any] | None = None, **given: object
    ) -> Any:  # noqa: ANN401 - the protocol depends on the kind
        """A new component.

        :param options: the operator's options, checked against the constructor before the call.
        :param given: what docrag itself hands over (``store=``, ``embedder=``).
        :raises SettingsError: an option that the constructor does not take, or lacks, or refuses.
        :raises PluginError: as for :meth:`load`, or the constructor failed.
        """
        factory = self.load(kind, name)
        values = {**given, **(options or {})}
        try:
            inspect.signature(factory).bind(**values)
        except TypeError as exc:
            raise SettingsError(
                f"options of {kind[:-1]} {name!r}: {exc}; it takes {_parameters(factory)}"
            ) from exc
        try:
            return factory(**values)
        except SettingsError:
            raise
        except (TypeError, ValueError) as exc:
            raise SettingsError(f"options of {kind[:-1]} {name!r}: {exc}") from exc
        except Exception as exc:  # noqa: BLE001 - a plugin may raise anything; only it fails
            raise PluginError(
                f"plugin {name!r} in docrag.{kind} could not be built: {exc!r}"
            ) from exc

    def _import(self, kind: str, name: str) -> Callable[..., Any]:
        entry = self._entry(kind, name)
        try:
            factory = entry.load()
        except Exception as exc:  # noqa: BLE001 - a plugin may raise anything; only it fails
            raise PluginError(
                f"plugin {name!r} in docrag.{kind} from {_owner(entry)} failed to import: {exc!r}"
            ) from exc
        if not callable(factory):
            raise PluginError(f"plugin {name!r} in docrag.{kind}: {entry.value} cannot be called")
        result: Callable[..., Any] = factory
        return result

    def _entry(self, kind: str, name: str) -> EntryPoint:
        owners = self._entries.get((kind, name))
        if not owners:
            raise PluginNotFound(kind, name, self.names(kind))
        chosen = self._choice.get((kind, name))
        if chosen is not None:
            if chosen not in owners:
                raise SettingsError(
                    f"DOCRAG_PLUGIN_CHOICE names {chosen!r} for {kind}.{name}; "
                    f"installed: {', '.join(sorted(owners))}"
                )
            return owners[chosen]
        if len(owners) > 1:
            raise DuplicatePlugin(kind, name, sorted(owners))
        return next(iter(owners.values()))


def _installed() -> list[EntryPoint]:
    return [entry for kind in KINDS for entry in entry_points(group=f"docrag.{kind}")]


def _owner(entry: EntryPoint) -> str:
    return _normal(entry.dist.name) if entry.dist is not None else "unknown"


def _normal(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _split_choice(text: str) -> tuple[tuple[str, str], str]:
    where, separator, distribution = text.partition("=")
    kind, dot, name = where.strip().partition(".")
    if not (separator and dot and kind in KINDS and name and distribution.strip()):
        raise SettingsError(
            f"DOCRAG_PLUGIN_CHOICE has {text!r}; write kind.name=distribution, "
            f"kind one of {', '.join(KINDS)}"
        )
    return (kind, name), _normal(distribution)


def _parameters(factory: Callable[..., Any]) -> str:
    names = [name for name in inspect.signature(factory).parameters if name != "self"]
    return ", ".join(names) or "no options"
