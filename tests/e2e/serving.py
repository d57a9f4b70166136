"""``docrag serve`` as a process, and what belongs to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil
import requests

#: Seconds that a first start on a busy machine may take.
PATIENCE = 120.0


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def environment(instance: Path, port: int, **more: str) -> dict[str, str]:
    """Variables of a fast server of its own."""
    own = {"DOCRAG_INSTANCE": str(instance), "PORT": str(port), "DOCRAG_EMBEDDER": "hashing"}
    return {**os.environ, **own, **more}


def eventually(wanted: Any, within: float = PATIENCE) -> bool:  # noqa: ANN401 - any callable
    """True as soon as ``wanted()`` is; False if it is not in time."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if wanted():
            return True
        time.sleep(0.1)
    return False


#: What is printed when everything, the samples included, is there.
READY = "docrag is ready at"


@dataclass(slots=True)
class Serving:
    """A running ``docrag serve``; ended with all its children at the end of the block."""

    instance: Path
    port: int
    process: subprocess.Popen[str]
    #: Where standard output goes.
    log: Path

    @classmethod
    def start(cls, instance: Path, **more: str) -> Self:
        """A server that says it is ready."""
        port, log = free_port(), instance.with_suffix(".log")
        with log.open("w") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "docrag.cli", "serve"],
                env=environment(instance, port, **more),
                stdout=file,
                stderr=subprocess.STDOUT,
                text=True,
            )
        served = cls(instance=instance, port=port, process=process, log=log)
        try:
            ready = eventually(lambda: READY in served.output or process.poll() is not None)
            assert ready and process.poll() is None, served.output
        except BaseException:
            served.close()
            raise
        return served

    @property
    def output(self) -> str:
        """Everything that was printed."""
        return self.log.read_text("utf-8")

    @property
    def first_run(self) -> dict[str, str]:
        """What ``first-run.json`` holds."""
        content: dict[str, str] = json.loads((self.instance / "first-run.json").read_text("utf-8"))
        return content

    def descendants(self) -> list[psutil.Process]:
        """Web server, its workers, and the document worker."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def workers(self) -> list[psutil.Process]:
        """Processes that read documents; usually one."""
        found = []
        for child in self.descendants():
            # Between its death and its burial a process has no command line.
            with suppress(psutil.NoSuchProcess):
                if child.cmdline()[-1:] == ["worker"]:
                    found.append(child)
        return found

    def get(self, path: str) -> requests.Response:
        """An answer to the admin."""
        headers = {"Authorization": f"Bearer {self.first_run['api_key']}"}
        return requests.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=60)

    def ask(self, question: str) -> dict[str, Any]:
        """The body of a chat answer to the admin."""
        response = requests.post(
            f"http://127.0.0.1:{self.port}/v1/chat/completions",
            headers={"Authorization": f"Bearer {self.first_run['api_key']}"},
            json={"model": "docrag", "messages": [{"role": "user", "content": question}]},
            timeout=60,
        )
        response.raise_for_status()
        body: dict[str, Any] = response.json()
        return body

    def terminate(self) -> int:
        """Stop it as an operator does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """End it and whatever it left."""
        if self.process.poll() is None:
            self.terminate()

    def __enter__(self) -> Self:
        """The server."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()
