"""The HTTP address that judges, and what its failures tell the operator."""

from __future__ import annotations

from typing import Final

from docrag.api import Endpoint, EndpointWords, JudgeError

_WORDS: Final = EndpointWords(
    name="the judge",
    late="raise the option timeout, or lower the option max_characters",
    remedies={
        500: "it failed; look at its log, and lower the option max_characters if a passage was "
        "too long",
    },
    action="judge_refused",
)


def judge_at(url: str, *, path: str = "", api_key: str = "", ca_file: str = "") -> Endpoint:
    """A server that classifies; nothing is sent yet. Its failures are :class:`JudgeError`.

    :param path: appended to the address unless it is there; empty takes the address as it is.
    :raises SettingsError: the address, the key or the file cannot be right.
    """
    return Endpoint(
        url=url,
        paths=(path,) if path else (),
        words=_WORDS,
        error=JudgeError,
        api_key=api_key,
        ca_file=ca_file,
    )
