"""Embedders: text to vectors, one technique a module."""
