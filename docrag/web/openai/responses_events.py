"""The events of a streamed Response in the official order, and the output they add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from docrag.api import Delta
from docrag.web.openai.chunks import cut
from docrag.web.openai.responses_body import INCOMPLETE, Frame

Json = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Item:
    """One thing of the output while it grows."""

    #: ``reasoning``, ``message`` or ``function_call``.
    kind: str
    #: Position in the output, from 0.
    place: int
    id: str
    pieces: list[str] = field(default_factory=list)
    #: Of a function call.
    name: str = ""
    call_id: str = ""
    annotations: Sequence[Json] = ()
    #: ``in_progress``, ``completed`` or ``incomplete``.
    status: str = "in_progress"

    @property
    def is_open(self) -> bool:
        """True while it may grow."""
        return self.status == "in_progress"

    @property
    def text(self) -> str:
        """Everything that was written: text, thoughts or arguments."""
        return "".join(self.pieces)

    def part(self, text: str) -> Json:
        """The content part of a message, or the summary part of a thought."""
        if self.kind == "reasoning":
            return {"type": "summary_text", "text": text}
        # An unfinished part has no annotations yet.
        marks = list(self.annotations) if text else []
        return {"type": "output_text", "text": text, "annotations": marks, "logprobs": []}

    def body(self, status: str = "") -> Json:
        """The item; without its text while it is in progress.

        :param status: said instead of its own.
        """
        status = status or self.status
        parts = [] if status == "in_progress" else [self.part(self.text)]
        if self.kind == "reasoning":
            # Thoughts have a status in the schema, but OpenAI itself sends none.
            return {"id": self.id, "type": "reasoning", "summary": parts}
        if self.kind == "message":
            return {
                "id": self.id,
                "type": "message",
                "status": status,
                "role": "assistant",
                "content": parts,
            }
        return {
            "id": self.id,
            "type": "function_call",
            "status": status,
            "call_id": self.call_id,
            "name": self.name,
            "arguments": "" if status == "in_progress" else self.text,
        }


class Script:
    """Turns the pieces of an answer into events; one thread, one answer."""

    def __init__(self, frame: Frame) -> None:
        """Nothing was written yet."""
        self._frame = frame
        self._number = 0
        self._items: list[Item] = []
        #: Function calls by the index that the model gave them.
        self._calls: dict[int, Item] = {}

    @property
    def text(self) -> str:
        """The text of the message so far."""
        return "".join(item.text for item in self._items if item.kind == "message")

    def start(self) -> Iterator[Json]:
        """The two events that open every stream."""
        for name in ("response.created", "response.in_progress"):
            yield self._event(name, response=self._frame.body("in_progress"))

    def feed(self, delta: Delta) -> Iterator[Json]:
        """The events of one piece of the answer."""
        if delta.reasoning:
            yield from self._write("reasoning", delta.reasoning)
        if delta.text:
            yield from self._write("message", delta.text)
        for piece in delta.tool_calls:
            yield from self._call(piece)

    def finish(
        self, reason: str, annotations: Sequence[Json], *, at: int, **more: Any  # noqa: ANN401 - JSON
    ) -> Iterator[Json]:  # fmt: skip
        """Everything that is open is closed, and the Response with it.

        :param reason: the finish reason of the answer.
        :param annotations: of the text, flat.
        :param at: when it ended, seconds since 1970.
        :param more: fields of the finished Response.
        """
        if not self._items:
            yield from self._open("message")
        last = self._last("message")
        if last is not None:
            last.annotations = annotations
        why = INCOMPLETE.get(reason)
        status = "incomplete" if why else "completed"
        for item in self._items:
            yield from self._close(item, status)
        details = {"reason": why} if why else None
        ended = None if why else at
        body = self._body(status, incomplete_details=details, completed_at=ended, **more)
        yield self._event(f"response.{status}", response=body)

    def fail(self, problem: Mapping[str, Any], code: str) -> Iterator[Json]:
        """The error, as an event of its own and in the Response.

        :param problem: OpenAI's error object; clients read it nested or flat.
        :param code: one of those that a Response may have.
        """
        flat = {name: problem[name] for name in ("code", "message", "param")}
        yield self._event("error", **flat, error=dict(problem))
        error = {"code": code, "message": problem["message"]}
        yield self._event("response.failed", response=self._body("failed", error=error))

    def _body(self, status: str, **more: Any) -> Json:  # noqa: ANN401 - JSON
        """The Response with everything that was written."""
        output = [item.body("incomplete" if item.is_open else "") for item in self._items]
        return self._frame.body(status, output, **more)

    def _write(self, kind: str, text: str) -> Iterator[Json]:
        """Text or thoughts, in an item that is opened where need be."""
        item = self._last(kind)
        if item is None or not item.is_open:
            yield from self._end_thoughts()
            yield from self._open(kind)
            item = self._items[-1]
        name = _DELTAS[kind]
        for piece in cut(text):
            item.pieces.append(piece)
            yield self._of(item, name, delta=piece, **_LOGPROBS[kind])

    def _call(self, piece: Mapping[str, Any]) -> Iterator[Json]:
        """A piece of a function call; it is opened as soon as its name is known."""
        index = int(piece.get("index") or 0)
        function = piece.get("function") or {}
        if index not in self._calls:
            name = str(function.get("name") or "")
            if not name:
                return
            yield from self._end_thoughts()
            yield from self._open("function_call", name=name, call_id=str(piece.get("id") or ""))
            self._calls[index] = self._items[-1]
        arguments = str(function.get("arguments") or "")
        item = self._calls[index]
        for part in cut(arguments):
            item.pieces.append(part)
            yield self._of(item, "response.function_call_arguments.delta", delta=part)

    def _open(self, kind: str, *, name: str = "", call_id: str = "") -> Iterator[Json]:
        place = len(self._items)
        suffix = f"{self._frame.id.partition('_')[2]}_{place}"
        item = Item(
            kind=kind,
            place=place,
            id=f"{_PREFIXES[kind]}_{suffix}",
            name=name,
            call_id=call_id or f"call_{suffix}",
        )
        self._items.append(item)
        added = {"output_index": place, "item": item.body()}
        yield self._event("response.output_item.added", **added)
        if kind in _PARTS:
            yield self._of(item, f"{_PARTS[kind]}.added", part=item.part(""))

    def _close(self, item: Item, status: str) -> Iterator[Json]:
        if not item.is_open:
            return
        item.status = status
        for place, mark in enumerate(item.annotations):
            yield self._of(item, _MARK, annotation_index=place, annotation=mark)
        if item.kind == "function_call":
            whole: Json = {"name": item.name, "arguments": item.text}
            yield self._of(item, "response.function_call_arguments.done", **whole)
        else:
            done = _DELTAS[item.kind].removesuffix("delta") + "done"
            yield self._of(item, done, text=item.text, **_LOGPROBS[item.kind])
            yield self._of(item, f"{_PARTS[item.kind]}.done", part=item.part(item.text))
        yield self._event("response.output_item.done", output_index=item.place, item=item.body())

    def _end_thoughts(self) -> Iterator[Json]:
        """What the model thought is whole once it says something."""
        last = self._last("reasoning")
        if last is not None:
            yield from self._close(last, "completed")

    def _last(self, kind: str) -> Item | None:
        return next((item for item in reversed(self._items) if item.kind == kind), None)

    def _of(self, item: Item, name: str, /, **more: Any) -> Json:  # noqa: ANN401 - JSON
        """An event about an item, or about its one part."""
        where = {"item_id": item.id, "output_index": item.place, **_INDEXES[item.kind]}
        return self._event(name, **where, **more)

    def _event(self, name: str, /, **more: Any) -> Json:  # noqa: ANN401 - JSON
        number, self._number = self._number, self._number + 1
        return {"type": name, "sequence_number": number, **more}


_MARK: Final = "response.output_text.annotation.added"
_PREFIXES: Final = {"reasoning": "rs", "message": "msg", "function_call": "fc"}
#: Thoughts go out as a summary: it is what OpenAI sends, and the only form that its clients show.
_DELTAS: Final = {
    "reasoning": "response.reasoning_summary_text.delta",
    "message": "response.output_text.delta",
}
_PARTS: Final = {
    "reasoning": "response.reasoning_summary_part",
    "message": "response.content_part",
}
_INDEXES: Final[Mapping[str, Json]] = {
    "reasoning": {"summary_index": 0},
    "message": {"content_index": 0},
    "function_call": {},
}
_LOGPROBS: Final[Mapping[str, Json]] = {"reasoning": {}, "message": {"logprobs": []}}
