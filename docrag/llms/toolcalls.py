"""Calls of tools that a model asks for, as pieces in OpenAI's form."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from docrag.api import Delta


class ToolCalls:
    """The calls of one answer; each piece is made to suit every client.

    The first piece of a call has ``id``, ``type`` and the function's name; no piece has a null or
    a key that OpenAI does not know.
    """

    def __init__(self) -> None:
        #: Ids in the order in which the calls began, by the number that the server gave them.
        self._ids: dict[int, str] = {}

    def __bool__(self) -> bool:
        """True once a call has begun."""
        return bool(self._ids)

    def reason(self, told: str) -> str:
        """The reason why the answer ended, ``tool_calls`` if and only if it asked for calls.

        Some servers end a forced call with ``stop``, but clients look for the calls' own reason.

        :param told: one of ``stop``, ``length`` and ``tool_calls``.
        """
        if told == "length":
            return told
        return "tool_calls" if self else "stop"

    def relayed(self, told: object) -> list[Delta]:
        """Pieces as a server of OpenAI's form sends them, at most one delta for all.

        :param told: its value of ``tool_calls``.
        """
        pieces = [self._piece(call) for call in _objects(told)]
        kept = tuple(piece for piece in pieces if piece)
        return [Delta(tool_calls=kept)] if kept else []

    def begun(self, *, name: str, call_id: str = "", arguments: str = "") -> Delta:
        """The first piece of a new call.

        :param call_id: made up if empty.
        :param arguments: JSON text, or its start.
        """
        index = len(self._ids)
        self._ids[index] = call_id or _made_id()
        function = {"name": name, "arguments": arguments}
        piece = {"index": index, "id": self._ids[index], "type": "function", "function": function}
        return Delta(tool_calls=(piece,))

    def continued(self, arguments: str) -> Delta:
        """The next piece of the call that was begun last."""
        piece = {"index": len(self._ids) - 1, "function": {"arguments": arguments}}
        return Delta(tool_calls=(piece,))

    def whole(self, told: object) -> list[Delta]:
        """One delta for each call of a server that sends them whole, as Ollama does.

        :param told: its value of ``tool_calls``.
        """
        functions = [_function(call) for call in _objects(told)]
        return [
            self.begun(name=function["name"], arguments=function.get("arguments") or "{}")
            for function in functions
            if "name" in function
        ]

    def _piece(self, call: dict[str, Any]) -> dict[str, Any]:
        """One piece; empty if it adds nothing.

        A later piece has no id and no name even if the server repeats them, because clients join
        the strings of all pieces.
        """
        told = call.get("id")
        call_id = told if isinstance(told, str) else ""
        number = self._number(call.get("index"), call_id)
        function = _function(call)
        if number not in self._ids and "name" in function:
            self._ids[number] = call_id or _made_id()
            head = {"index": len(self._ids) - 1, "id": self._ids[number], "type": "function"}
            return head | {"function": {"arguments": "", **function}}
        function.pop("name", None)
        if number not in self._ids or not function.get("arguments"):
            return {}
        return {"index": list(self._ids).index(number), "function": function}

    def _number(self, told: object, call_id: str) -> int:
        if isinstance(told, int):
            return told
        # Some servers leave it out; a new id then begins a new call.
        new = not self._ids or (call_id and call_id not in self._ids.values())
        return len(self._ids) if new else list(self._ids)[-1]


def _objects(told: object) -> list[dict[str, Any]]:
    return [call for call in told if isinstance(call, dict)] if isinstance(told, list) else []


def _function(call: Mapping[str, Any]) -> dict[str, str]:
    """Name and arguments of a call, each only where it is told; arguments are JSON text."""
    told = call.get("function")
    if not isinstance(told, dict):
        return {}
    name, arguments = told.get("name"), told.get("arguments")
    function = {"name": name} if isinstance(name, str) and name else {}
    if isinstance(arguments, str):
        function["arguments"] = arguments
    elif arguments is not None:
        function["arguments"] = json.dumps(arguments, ensure_ascii=False)
    return function


def _made_id() -> str:
    return f"call_{secrets.token_hex(12)}"
