"""Failures of a model's server, each as the error that tells who must act."""

from __future__ import annotations

import logging
import re
from typing import Final

import requests

from docrag.api import LLMError, LLMRefused, LLMUnavailable, PromptTooLong

logger = logging.getLogger(__name__)

#: Lowest status that means that the server failed and not the request.
SERVER_FAILED: Final = 500
_TOO_LONG = re.compile(
    r"exceed\w* .*(context|token)|exceed_context_size|context_length_exceeded"
    r"|maximum context|prompt is too long",
    re.I,
)
_SECRET_FREE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?", re.ASCII)
_REDIRECTS: Final = range(300, 400)
_BUSY: Final = (requests.codes.too_many_requests, requests.codes.service_unavailable)
_UNSUITED: Final = "the request does not suit this server or model"
#: What to do about a request that was refused.
_ADVICE: Final = {
    400: _UNSUITED,
    401: "check the option api_key",
    403: "check the option api_key",
    413: _UNSUITED,
    422: _UNSUITED,
}


class BrokenOff(LLMError):
    """The server, or the connection to it, gave up after it had begun to answer."""


def unfinished(label: str) -> BrokenOff:
    """The error for a stream that ends too early.

    :param label: name and address of the server, without a secret.
    """
    return BrokenOff(f"{label} ended its stream before the answer was complete")


def broken_off(label: str, error: object) -> LLMError:
    """The error for what a server reports in the middle of its stream.

    :param label: name and address of the server, without a secret.
    :param error: its ``error`` value, a text or an object.
    """
    code = _code(label, error)
    if _too_long(error):
        return _prompt_too_long(label)
    return BrokenOff(f"{label} broke off with an error" + (f" ({code})" if code else ""))


def refused(
    label: str, error: object, *, status: int, remedy: str, retry_after: str = ""
) -> LLMError:
    """The error for a request that was answered with another status than 200.

    :param label: name and address of the server, without a secret.
    :param error: its ``error`` value, a text or an object.
    :param remedy: what to do about an answer 404.
    :param retry_after: the header of this name.
    """
    code = _code(label, error)
    if _too_long(error):
        return _prompt_too_long(label)
    said = f"{label} answered {status}" + (f" ({code})" if code else "")
    if status in _REDIRECTS:
        return LLMError(
            f"{said}, a redirect, which is not followed; set the option url to where it leads"
        )
    advice = remedy if status == requests.codes.not_found else _ADVICE.get(status)
    if advice:
        return LLMRefused(f"{said}: {advice}")
    wait = float(retry_after) if _SECONDS.fullmatch(retry_after) else None
    if status in _BUSY:
        return LLMUnavailable(f"{said}: it is busy, try again later", retry_after=wait)
    return LLMUnavailable(said, retry_after=wait) if status >= SERVER_FAILED else LLMError(said)


def _prompt_too_long(label: str) -> LLMError:
    return PromptTooLong(
        f"{label} refused the prompt: it exceeds the model's context window; raise "
        "the option context_window, or send less"
    )


def _too_long(error: object) -> bool:
    return _TOO_LONG.search(" ".join(_words(error))) is not None


def _code(label: str, error: object) -> str:
    """The machine word of an error; empty where there is none that can be shown."""
    word, reason = _words(error)
    # The server's words may repeat the prompt, so that they reach no message and no log above.
    logger.debug("%s: %s", label, reason, extra={"action": "llm_failed"})
    return word if _SECRET_FREE.fullmatch(word) else ""


def _words(error: object) -> tuple[str, str]:
    """A server's machine word for an error, and its own words about it."""
    if not isinstance(error, dict):
        return "", str(error)
    return str(error.get("code") or error.get("type") or ""), str(error.get("message", ""))
