"""Loaders: one module for each kind of file, each giving pages of clean text."""
