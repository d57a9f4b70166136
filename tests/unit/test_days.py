"""Days as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from docrag.days import day


@pytest.mark.parametrize("written", ["2015-04-01", " 2015-04-01\n"])
def test_day_is_read(written: str) -> None:
    assert day(written) == date(2015, 4, 1)


@pytest.mark.parametrize(
    "written",
    ["", "2015-4-1", "20150401", "2015-W14-3", "01.04.2015", "2015-02-30", "2015-04-01T00:00",
     "٢٠١٥-٠٤-٠١", "0000-01-01", "yarın"],
)  # fmt: skip
def test_other_texts_are_no_days(written: str) -> None:
    with pytest.raises(ValueError, match="is no day; write it as year-month-day"):
        day(written)
