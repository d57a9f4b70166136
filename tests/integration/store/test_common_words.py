"""Common words in a large corpus: left out of a search only where rarer ones find enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import event

from docrag.api import Access
from docrag.store import Store
from docrag.store.bm25 import LARGE

from .conftest import ADMIN, Library

#: Three words that only one hidden text each has, with the common one.
ASKED = ["izin", "alfab", "gamma", "epsil"]


@pytest.fixture
def large(library: Library) -> Iterator[Library]:
    """A library whose every corpus counts as large."""

    def enlarge(
        _c: object, _u: object, sent: str, values: object, *_: object
    ) -> tuple[str, object]:
        return sent.replace(f"st.n < {LARGE}", "st.n < 0"), values

    event.listen(library.engine, "before_cursor_execute", enlarge, retval=True)
    yield library
    event.remove(library.engine, "before_cursor_execute", enlarge)


def found(store: Store, role: str) -> set[str]:
    hits = store.chunks.candidates(terms=ASKED, vector=None, access=Access.of([role]), k=50)
    return {item.chunk.text for item in hits}


def test_hidden_words_do_not_hide_what_a_reader_may_read(large: Library) -> None:
    """Neither lost, nor a sign that the words stand in what is hidden."""
    large.shelve("yıllık izin", "ücretli izin", roles=["ik"])
    before = found(large.store, "ik")
    large.shelve("alfab", "gamma", "epsil", roles=["bilgi"])
    assert found(large.store, "ik") == before == {"yıllık izin", "ücretli izin"}


def test_words_of_deleted_documents_take_no_place(large: Library) -> None:
    large.shelve("yıllık izin", "ücretli izin")
    gone = large.shelve("alfab", "gamma", "epsil")
    large.store.documents.delete(gone.id, access=ADMIN)
    assert found(large.store, "ik") == {"yıllık izin", "ücretli izin"}
