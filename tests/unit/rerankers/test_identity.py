from __future__ import annotations

from docrag.rerankers.identity import IdentityReranker
from docrag.testing.rerankers import scored_chunks


def test_identity_keeps_order_in_a_new_list() -> None:
    given = scored_chunks()
    found = IdentityReranker().rerank("izin?", given)
    assert found == given
    assert found is not given
