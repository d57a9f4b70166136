"""Answers without a model: which sentences, rows and lists of the sources are quoted."""
