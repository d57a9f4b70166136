"""Pictures in a message, as the bytes or the address that a client sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docrag.api import LLMRefused, Message

_DATA = re.compile(r"data:([\w.+/-]+)(?:;[\w=.+-]+)*;base64,", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture; either its bytes or its address is given."""

    #: Such as ``image/png``; empty for an address.
    media_type: str = ""
    #: Base64 text, without the head of a data URL.
    data: str = ""
    #: ``http://`` or ``https://``.
    url: str = ""


def parts_of(message: Message) -> Iterator[str | Picture]:
    """Texts and pictures of a message, in its order; only its text if it has no parts.

    :raises LLMRefused: a part of another kind, such as sound, or an address of another kind.
    """
    if not message.parts:
        yield message.content
    for part in message.parts:
        kind = part.get("type")
        if kind == "text":
            yield str(part.get("text") or "")
        elif kind == "image_url":
            yield _picture(part)
        else:
            raise LLMRefused(
                f"this model's server takes text and pictures, not a part of type {kind!r:.40}"
            )


def _picture(part: Mapping[str, Any]) -> Picture:
    told = part.get("image_url")
    url = told.get("url") if isinstance(told, Mapping) else told
    if isinstance(url, str):
        head = _DATA.match(url)
        if head:
            return Picture(media_type=head[1].lower(), data=url[head.end() :])
        if url.startswith(("http://", "https://")):
            return Picture(url=url)
    raise LLMRefused(
        "a picture must be a data URL in base64, or an address with http:// or https://"
    )
