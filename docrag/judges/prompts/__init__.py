"""Versioned prompt files ``judge.LANG.vN.md``; a published version is never edited."""
