"""The evidence gate: do the passages answer the question, before a model is asked."""
