from __future__ import annotations

from typing import Any

import pytest

from docrag.api import SettingsError, check_counts, check_timeout


@pytest.mark.parametrize("value", [0, -1, 2.0, "3", True, None, [1]])
def test_count_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(SettingsError, match="^b must be a whole number, 1 or more, not ") as caught:
        check_counts(a=1, b=value)
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", [0, -1.0, 86_401, float("nan"), float("inf"), "5", True, None])
def test_time_that_cannot_be_waited_is_refused(value: Any) -> None:  # noqa: ANN401 - wrong ones
    said = "^timeout must be a number of seconds, more than 0 and at most 86400, not "
    with pytest.raises(SettingsError, match=said) as caught:
        check_timeout(value)
    assert repr(value) in str(caught.value)


def test_limits_that_can_be_are_taken() -> None:
    check_counts()
    check_counts(a=1, b=10**9)
    check_timeout(0.1)
    check_timeout(86_400, name="connect_timeout")


def test_long_value_is_shortened_in_the_message() -> None:
    with pytest.raises(SettingsError) as caught:
        check_counts(batch_size="ı" * 5000)
    assert len(str(caught.value)) < 200
