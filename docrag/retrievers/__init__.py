"""Retrievers: permitted chunks for a question, one technique a module."""
