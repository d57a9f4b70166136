"""Versioned prompt files ``NAME.LANG.vN.md``; a published version is never edited."""
