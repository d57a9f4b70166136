"""Fields of a JSON body that take what JSON says and nothing that only looks like it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from marshmallow import ValidationError, fields

from docrag.api import storable
from docrag.days import day
from docrag.web.openai.calls import TEXTS

#: Words that say yes or no, for people who write their metadata by hand.
_SWITCH: Final[dict[object, bool]] = {"on": True, "off": False, "true": True, "false": False}
#: Ways to ask for a tool without naming one.
CHOICES: Final = ("none", "auto", "required")
#: Forms of an answer that can be asked for.
FORMATS: Final = ("text", "json_object", "json_schema")
#: Levels of nesting that a schema or a tool may have; no model's server needs more.
DEEPEST: Final = 64
_NULL: Final = {"type": "null"}
#: What some fields may hold, for the OpenAPI description.
CONTENT: Final = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "object"}, "description": "Parts, as OpenAI's."},
        _NULL,
    ]
}
STOP: Final = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, _NULL]}
CHOICE: Final = {"anyOf": [{"type": "string", "enum": [*CHOICES]}, {"type": "object"}, _NULL]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a message."""

    #: Its texts, joined by a newline.
    text: str = ""
    #: All parts where some are no text, else empty.
    parts: tuple[Mapping[str, Any], ...] = ()


class Flag(fields.Boolean):
    """``true`` or ``false``."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> bool:  # noqa: ANN401 - JSON
        if not isinstance(value, bool):
            raise ValidationError("must be true or false.")
        return value


class Whole(fields.Integer):
    """A number without a fraction."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:  # noqa: ANN401 - JSON
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            raise ValidationError("must be a whole number.")
        return int(value)


class Number(fields.Float):
    """A number."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> float:  # noqa: ANN401 - JSON
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValidationError("must be a number.")
        try:
            found = float(value)
        except OverflowError as exc:
            raise ValidationError("is too large a number.") from exc
        if found != found or found in (float("inf"), float("-inf")):
            raise ValidationError("must be a number.")
        return found


class ContentField(fields.Field[Content]):
    """Message content: a string, null, or a list of parts."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> Content:  # noqa: ANN401 - JSON
        if isinstance(value, str):
            return Content(text=storable(value))
        if not isinstance(value, list):
            raise ValidationError("must be a string, null or a list of parts.")
        for place, part in enumerate(value):
            if not isinstance(part, dict):
                raise ValidationError({place: ["must be an object with a type."]})
        texts = [_text(part) for part in value]
        parts = clean_objects(value) if None in texts else ()
        return Content(text=storable("\n".join(text for text in texts if text)), parts=parts)


class Objects(fields.Field[tuple[Mapping[str, Any], ...]]):
    """A list of objects."""

    def _deserialize(
        self, value: Any, attr: Any, data: Any, **more: Any  # noqa: ANN401 - JSON
    ) -> tuple[Mapping[str, Any], ...]:  # fmt: skip
        if not isinstance(value, list):
            raise ValidationError("must be a list of objects.")
        return clean_objects(value)


class Object(fields.Field[dict[str, Any]]):
    """An object; a mistake within it is told by the key that it stands under."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        if not isinstance(value, dict):
            raise ValidationError("must be an object.")
        found = {}
        for key, inner in value.items():
            try:
                found[storable(key)] = clean(inner)
            except ValidationError as exc:
                raise ValidationError({storable(key[:40]): exc.messages}) from exc
        return found


class Anything(fields.Raw):
    """Any JSON that can be said back."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> Any:  # noqa: ANN401 - JSON
        return clean(value)


class Text(fields.String):
    """A text that can be said back."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:  # noqa: ANN401 - JSON
        return storable(super()._deserialize(value, attr, data, **more))


class Stop(fields.Field[tuple[str, ...]]):
    """Texts that end an answer: one, or a list."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValidationError("must be a text or a list of texts.")
        return tuple(storable(text) for text in texts if text)


class Choice(fields.Field[str | Mapping[str, Any]]):
    """Which tool must be called."""

    def _deserialize(
        self, value: Any, attr: Any, data: Any, **more: Any  # noqa: ANN401 - JSON
    ) -> str | Mapping[str, Any]:  # fmt: skip
        if isinstance(value, dict) or value in CHOICES:
            found: str | Mapping[str, Any] = clean(value)
            return found
        raise ValidationError(f"must be {', '.join(CHOICES)} or an object that names a function.")


class Format(fields.Field[Mapping[str, Any]]):
    """The form that the answer must have."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
        if not isinstance(value, dict):
            raise ValidationError("must be an object with a type.")
        if value.get("type") not in FORMATS:
            raise ValidationError({"type": [f"must be {', '.join(FORMATS)}."]})
        found: Mapping[str, Any] = clean(value)
        return found


class Day(fields.Field[date | None]):
    """A day such as ``2015-04-01``; empty names none."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> date | None:  # noqa: ANN401 - JSON
        if not isinstance(value, str):
            raise ValidationError("must be a text such as 2015-04-01.")
        try:
            return day(value) if value.strip() else None
        except ValueError as exc:
            raise ValidationError(f"{storable(str(exc))}.") from exc


class Metadata(fields.Field[bool | None]):
    """What ``docrag.retrieval`` says in the metadata of a request; other keys say nothing to us."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> bool | None:  # noqa: ANN401 - JSON
        own = value.get("docrag") if isinstance(value, dict) else None
        said = own.get("retrieval") if isinstance(own, dict) else None
        if said is None or isinstance(said, bool):
            return said
        word = said.lower() if isinstance(said, str) else None
        if word not in _SWITCH:
            raise ValidationError({"docrag": {"retrieval": ["must be on or off."]}})
        return _SWITCH[word]


def clean(value: Any, *, levels: int = DEEPEST) -> Any:  # noqa: ANN401 - JSON
    """JSON that can be kept, sent on and said back: texts and keys as :func:`storable` has them.

    :param levels: of nesting that it may have.
    :raises ValidationError: it is nested deeper, or has a number that JSON does not know.
    """
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValidationError("NaN and Infinity are no numbers of JSON.")
    if not isinstance(value, dict | list):
        return value
    if not levels:
        raise ValidationError(f"is nested deeper than {DEEPEST} levels.")
    if isinstance(value, list):
        return [clean(inner, levels=levels - 1) for inner in value]
    return {storable(key): clean(inner, levels=levels - 1) for key, inner in value.items()}


def clean_objects(items: list[Any]) -> tuple[dict[str, Any], ...]:
    """Objects as :func:`clean` leaves them.

    :raises ValidationError: by position: an item is no object, or cannot be cleaned.
    """
    found = []
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            raise ValidationError({place: ["must be an object."]})
        try:
            found.append(clean(item))
        except ValidationError as exc:
            raise ValidationError({place: exc.messages}) from exc
    return tuple(found)


def _text(part: Mapping[str, Any]) -> str | None:
    """The text of one content part, empty for null; ``None`` if it is no text."""
    kind = part.get("type")
    if kind not in TEXTS:
        return None
    text = part.get(kind)
    return "" if text is None else text if isinstance(text, str) else None
