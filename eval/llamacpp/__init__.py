"""A small real model behind llama.cpp's own server, for checks that need no GPU and no download
but from the package index.

The server's library and the weights live in an environment of their own (``requirements.txt``
here); ``python -m eval.llamacpp.serve`` runs there and imports nothing of docrag.
"""
