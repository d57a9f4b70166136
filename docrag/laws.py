"""Numbers of the laws of Turkey that people call by a short name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Folded names of laws as people call them, and their numbers.
LAWS: Final[Mapping[str, str]] = {
    "is": "4857", "isg": "6331", "is sagligi": "6331", "is sagligi ve guvenligi": "6331",
    "is sagligi guvenligi": "6331", "isci sagligi ve is guvenligi": "6331", "is guvenligi": "6331",
    "deniz is": "854", "basin is": "5953", "borclar": "6098", "turk borclar": "6098",
    "ceza": "5237", "turk ceza": "5237", "medeni": "4721", "turk medeni": "4721",
    "ticaret": "6102", "turk ticaret": "6102", "issizlik sigortasi": "4447",
    "sosyal sigortalar ve genel saglik sigortasi": "5510", "is mahkemeleri": "7036",
    "sendikalar ve toplu is sozlesmesi": "6356", "devlet memurlari": "657",
    "kisisel verilerin korunmasi": "6698", "kisisel verileri koruma": "6698", "cevre": "2872",
    "kamu ihale": "4734", "kabahatler": "5326", "yuksekogretim": "2547",
}  # fmt: skip
#: Folded words that name a law by themselves.
SHORT_NAMES: Final[Mapping[str, str]] = {
    "tbk": "6098", "tck": "5237", "tmk": "4721", "ttk": "6102", "kvkk": "6698", "dmk": "657",
}  # fmt: skip
#: Number of the constitution, whose name has many endings.
CONSTITUTION: Final = "2709"
#: Numbers of laws that need no other word beside them.
KNOWN: Final = frozenset({*LAWS.values(), *SHORT_NAMES.values()})
