"""Names of the tables that are made at run time."""

from __future__ import annotations

import pytest

from docrag.store.partitions import is_partition, partition_name
from docrag.store.tables import Base


def test_partition_is_known_by_its_name() -> None:
    assert is_partition(partition_name(12))


@pytest.mark.parametrize("name", [*Base.metadata.tables, "embeddings_s", "embeddings_s1x", ""])
def test_other_tables_are_no_partitions(name: str) -> None:
    assert not is_partition(name)
