from __future__ import annotations

import pytest

from docrag.loaders.shares import LEAD, LEAST, reader_of, readers, share


@pytest.mark.parametrize(("first", "last", "most"), [(1, 40, 2), (7, 31, 3), (1, LEAST, 4)])
def test_shares_cover_each_page_once(first: int, last: int, most: int) -> None:
    shares = [list(share(first, last, reader=reader, most=most)) for reader in range(most)]
    assert sorted(sum(shares, [])) == list(range(first, last + 1))
    assert all(numbers == sorted(numbers) for numbers in shares)


def test_share_of_the_first_reader_begins_while_the_others_start() -> None:
    assert list(share(5, 14, reader=0, most=2)) == [5, 6, 7, 9, 11, 13]
    assert list(share(5, 14, reader=1, most=2)) == [8, 10, 12, 14]


@pytest.mark.parametrize(("agreed", "rest"), [(1, [8, 9, 10, 11, 12]), (2, [9, 11])])
def test_first_reader_learns_behind_its_lead_how_many_there_are(
    agreed: int, rest: list[int]
) -> None:
    numbers = list(share(5, 12, reader=0, most=2, agreed=lambda: agreed))
    assert numbers == [5, 6, 7, *rest]


def test_first_reader_of_a_short_file_does_not_ask() -> None:
    assert list(share(1, LEAST - 1, reader=0, most=2, agreed=lambda: 1 // 0)) == [*range(1, LEAST)]


def test_short_file_has_one_reader() -> None:
    assert readers(LEAST - 1, most=4) == 1
    assert readers(LEAST, most=4) == 4
    assert list(share(1, LEAST - 1, reader=1, most=2)) == []
    assert list(share(1, LEAST - 1, reader=0, most=2)) == list(range(1, LEAST))


def test_file_that_is_read_already_has_no_shares() -> None:
    assert list(share(5, 4, reader=0, most=2)) == []


def test_readers_take_turns_behind_the_lead() -> None:
    turns = [reader_of(place, readers=3) for place in range(LEAD + 6)]
    assert turns == [0] * LEAD + [1, 2, 0, 1, 2, 0]
