"""One stage for all tests of the matrix."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.leak_matrix.stage import Stage, stage


@pytest.fixture(scope="module")
def played(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A stage on a database of this module."""
    with stage(shared_database_url, tmp_path_factory.mktemp("leak-matrix")) as made:
        yield made
