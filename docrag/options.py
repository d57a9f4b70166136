"""Numbers among a plugin's options, refused where they can be no limit."""

from __future__ import annotations

from typing import Final

from docrag.errors import SettingsError

#: Most seconds that a call may take, a day: nobody waits longer, and a clock cannot count to all.
LONGEST_WAIT: Final = 86_400


def check_counts(**counts: object) -> None:
    """Nothing, if every option is a whole number of at least 1.

    :param counts: values as the operator gave them, by name.
    :raises SettingsError: one is not.
    """
    for name, value in counts.items():
        if type(value) is not int or value < 1:
            raise SettingsError(f"{name} must be a whole number, 1 or more, not {value!r:.80}")


def check_timeout(value: float, *, name: str = "timeout") -> None:
    """Nothing, if this is a time to wait.

    :param value: seconds as the operator gave them.
    :param name: of the option.
    :raises SettingsError: no number, none above 0, or more than :data:`LONGEST_WAIT`.
    """
    if type(value) not in (int, float) or not 0 < value <= LONGEST_WAIT:
        raise SettingsError(
            f"{name} must be a number of seconds, more than 0 and at most {LONGEST_WAIT}, "
            f"not {value!r:.80}"
        )
