"""The text of the search statement."""

from __future__ import annotations

import pytest

from docrag.store.hybrid import exact_leg, hnsw_leg, statement
from docrag.store.records import Space

SPACE = Space(id=7, model_id="m", dim=384, chunking="c")
LEGS = {"none": "", "exact": exact_leg(SPACE), "hnsw": hnsw_leg(SPACE)}


@pytest.mark.parametrize("leg", [exact_leg, hnsw_leg], ids=["exact", "hnsw"])
def test_space_and_dimension_are_literal(leg: object) -> None:
    assert callable(leg)
    assert "space_id = 7" in leg(SPACE) and "halfvec(384)" in leg(SPACE)


@pytest.mark.parametrize(
    ("dense", "lexical"),
    [("none", True), ("exact", True), ("hnsw", True), ("exact", False), ("hnsw", False)],
)
def test_every_search_is_filtered_by_one_parameter(dense: str, lexical: bool) -> None:
    """In each search, of words in what both ways read, and where the chunks themselves are read."""
    query = statement(LEGS[dense], lexical=lexical, space=SPACE if dense != "none" else None)
    assert "roles" in query.compile().params
    assert query.text.count("d.allowed_roles &&") == (dense != "none") + lexical + 1
    assert query.text.count("IN (SELECT id FROM permitted)") == 2 * lexical


def test_statement_asks_only_for_what_it_needs() -> None:
    assert set(statement(LEGS["exact"], lexical=False).compile().params) == {
        "roles", "day", "vector", "k"
    }  # fmt: skip
