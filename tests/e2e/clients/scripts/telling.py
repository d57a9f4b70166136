"""Reads the cases from standard input, does them at once, and writes what happened as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
#: Does one case; it gets the server (``url``, ``key``) and the case, and fills in what it sees.
Do: TypeAlias = Callable[[Json, Json], None]


def empty() -> Json:
    """What is told of a case before anything happened."""
    return {
        "text": "",
        "finish": None,
        "reasoning": "",
        "sources": [],
        "tools": [],
        "usage": None,
        "data": None,
        "error": None,
    }


def tell(calls: Mapping[str, Callable[[Json, Json, Json], None]]) -> None:
    """Do every case with the call that it names.

    :param calls: by name, functions of server, case and the record to fill in; what was filled in
        before an error stays.
    """
    plan: Json = json.load(sys.stdin)

    def do(case: Json) -> Json:
        told = empty()
        server = {"url": plan["url"], "key": case.get("key", plan["key"])}
        try:
            calls[case["how"]](server, case, told)
        except Exception as exc:  # noqa: BLE001 - what the client raises is what is looked at
            told["error"] = error(exc)
        return told

    with ThreadPoolExecutor(max_workers=6) as threads:
        found = dict(
            zip(
                (case["case"] for case in plan["cases"]),
                threads.map(do, plan["cases"]),
                strict=True,
            )
        )
    json.dump(found, sys.stdout)


def error(exc: BaseException) -> Json:
    """An error as the client shows it."""
    return {
        "type": type(exc).__name__,
        "status": getattr(exc, "status_code", None),
        "code": getattr(exc, "code", None),
        "message": str(exc)[:2000],
    }
