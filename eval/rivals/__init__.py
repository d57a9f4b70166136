"""Other systems with the same vectors, roles and questions as docrag in the filtered benchmark.

They need versions of libraries that docrag does not go with (LlamaIndex marshmallow 3, LangChain
pgvector 0.3), so they are installed in an environment of their own from ``requirements.txt`` here,
and ``python -m eval.rivals`` runs one there. Nothing here imports docrag.
"""
