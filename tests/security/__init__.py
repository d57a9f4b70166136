"""Attacks on the promise that nobody sees a line that their roles do not allow."""

from __future__ import annotations
