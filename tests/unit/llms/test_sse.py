from __future__ import annotations

import pytest

from docrag.llms.sse import events


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ([b"data: a", b"", b"data: b", b""], [b"a", b"b"]),
        ([b"data:a", b""], [b"a"]),
        ([b"data:  a", b""], [b" a"]),
        ([b": keep-alive", b"data: a", b": x", b""], [b"a"]),
        ([b"event: message", b"id: 7", b"retry: 5", b"data: a", b""], [b"a"]),
        ([b"data: a", b"data: b", b""], [b"a\nb"]),
        ([b"data: a"], [b"a"]),
        ([b"", b"", b": only comments", b""], []),
        ([b"datax: a", b"data", b""], []),
        ([], []),
    ],
)
def test_events_give_data(body: list[bytes], expected: list[bytes]) -> None:
    assert list(events(body)) == expected
