from __future__ import annotations

import pytest

from docrag.api import LLMError
from docrag.llms.parsing import parsed


def test_parsed_reads_utf8() -> None:
    assert parsed('{"a": "İşğü"}'.encode(), "the server") == {"a": "İşğü"}


@pytest.mark.parametrize("data", [b"", b"<html>", b"[]", b"1", b"null", b'{"a"', b'"\xff"'])
def test_parsed_refuses_other_than_objects(data: bytes) -> None:
    with pytest.raises(LLMError, match="the server sent"):
        parsed(data, "the server")
