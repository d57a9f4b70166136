"""Judges: does a passage support a sentence, one technique a module."""
