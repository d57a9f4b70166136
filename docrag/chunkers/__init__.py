"""Chunkers: pages in, chunks with their page numbers out."""
