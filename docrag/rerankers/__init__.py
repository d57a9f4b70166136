"""Rerankers: a better order for retrieved chunks, one technique a module."""
