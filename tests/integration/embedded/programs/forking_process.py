"""A process that starts a server, forks and leaves; its child answers and leaves later."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from docrag.store.embedded import Embedded


def main() -> None:
    embedded = Embedded(Path(sys.argv[1]))
    embedded.ensure()
    if os.fork() == 0:
        for _ in sys.stdin:
            sys.stdout.write(embedded.ensure() + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
