"""Generated people, roles, documents and changes; every route, as everybody; no foreign word."""

from __future__ import annotations
