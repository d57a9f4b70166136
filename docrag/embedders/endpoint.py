"""The HTTP address that embeds, and what its failures tell the operator."""

from __future__ import annotations

import re
from typing import Final

from docrag.api import EmbedderError, Endpoint, EndpointWords, Refusal

#: Answers that may be about one text of the batch: refused input, or a crash while computing.
TEXT_STATUS: Final = (400, 413, 422, 500)
#: Most bytes of one number of a vector in JSON, with what stands around it: twice the longest.
NUMBER_BYTES: Final = 64
#: Bytes of an answer beside its numbers, 8 MiB; what a server sends of another model fits as well.
OTHER_BYTES: Final = 8 * 1024 * 1024
_TOO_LONG: Final = re.compile(
    r"exceed\w* .*(context|length|token)|too (long|large)|maximum context"
    r"|exceed_context_size|context_length_exceeded|must have less than \d+ tokens",
    re.I,
)
_MISFIT: Final = "the request does not suit this server or model; check the options url and model"


class RefusedTexts(EmbedderError):
    """The server refused a batch for what may be in its texts."""

    def __init__(self, message: str, *, length: bool) -> None:
        super().__init__(message)
        #: True if the refusal names the length of a text.
        self.length = length


def embedder_at(
    url: str,
    *,
    name: str,
    path: str,
    api_key: str,
    ca_file: str,
    timeout: float,
    numbers: int,
) -> Endpoint:
    """A server that embeds; nothing is sent yet.

    Its failures are :class:`EmbedderError`, and :class:`RefusedTexts` where one text of the batch
    may be the cause.

    :param name: what messages call the server.
    :param path: appended to the address unless it is there.
    :param timeout: seconds that the caller will wait, for messages.
    :param numbers: in all vectors of one answer, at most.
    :raises SettingsError: the address, the key or the file cannot be right.
    """
    words = EndpointWords(
        name=name,
        api=f"{path} API",
        late=f"raise the option timeout ({timeout:g} s) or lower batch_size",
        remedies={
            400: _MISFIT,
            413: "the request is too large for it; lower the option batch_size",
            422: _MISFIT,
        },
        action="embed_refused",
    )
    return Endpoint(
        url=url,
        paths=(path,),
        words=words,
        error=EmbedderError,
        api_key=api_key,
        ca_file=ca_file,
        refused=_refused,
        most_bytes=OTHER_BYTES + numbers * NUMBER_BYTES,
    )


def _refused(refusal: Refusal) -> EmbedderError:
    if refusal.status in TEXT_STATUS:
        return RefusedTexts(refusal.said, length=bool(_TOO_LONG.search(refusal.reason)))
    return EmbedderError(refusal.said)
