"""Local verification of an answer, sentence by sentence, against its numbered sources."""

from __future__ import annotations
