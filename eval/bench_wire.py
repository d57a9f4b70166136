"""What docrag adds between a chat front end and a model: time, and memory of a stream.

Run by ``make bench-wire``. A fake model in a process of its own, ``docrag serve`` as it is shipped
and the client share two cores. Prints a table and writes ``eval/results/wire.json``; the exit
status is 1 if a bar is missed. ``PAIRS`` is the number of pairs of requests (400).

* ``ttft_overhead_ms``: the model answers at once; time to the first word through docrag-plain
  minus that of the model itself, pair by pair, one after the other in a random order.
* ``ttft_200_streams_ms``: 200 streams, 100 more each second, of a model that writes a token each
  0.4 s, through docrag-plain: all that docrag does but retrieval, and the model's own 0.4 s.
* ``ttft_200_streams_after_retrieval_ms``: the same through the documents, from the moment at which
  the model was asked, which the fake one notes, the model's own 0.4 s included.
* ``ttft_200_streams_with_retrieval_ms``: the whole of it, retrieval by 200 people at once included.
* ``memory_per_stream_kb``: what the web server's processes have more, by proportional set size,
  while all 200 streams over the documents are open than before any, per stream.
"""

from __future__ import annotations

import logging
import math
import os
import random
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Final

import click

from eval import report
from eval.report import Row
from eval.wire_client import Heard, Line, flood
from eval.wire_server import Bench, Meter, bench, memory

NAME: Final = "wire"
#: Pairs of requests.
PAIRS: Final = 400
STREAMS, RATE = 200, 100.0
#: Pace of the slow model: seconds a token, and tokens.
DELAY, TOKENS = 0.4, 30
#: Highest 95th percentiles, milliseconds.
OVERHEAD, FIRST = "ttft_overhead_ms", "ttft_200_streams_ms"
AFTER: Final = "ttft_200_streams_after_retrieval_ms"
BARS: Final = {OVERHEAD: 10.0, FIRST: 1000.0, AFTER: 1000.0}
MEMORY: Final = "memory_per_stream_kb"
#: Over the sample documents, which answer them.
QUESTIONS: Final = (
    "Kullanılmayan iznin kaç günü devredilebilir?",
    "Forklift bina içinde en fazla kaç km hızla gidebilir?",
    "Yıllık izin talebi kime yapılır?",
    "Forklift kullanmak için hangi belge gerekir?",
)


def main() -> int:
    """Measure, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    pairs = int(os.environ.get("PAIRS", str(PAIRS)))
    with bench() as running:
        rows = [*_overhead(running, "docrag", pairs), *_many(running, "docrag")]
    _print(rows)
    settings = {
        **{"pairs": pairs, "streams": STREAMS, "arrivals_per_s": RATE},
        **{"token_s": DELAY, "tokens": TOKENS, "cores": len(os.sched_getaffinity(0))},
        "bars": BARS,
    }
    path = report.write(NAME, settings, rows)
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if held(rows) else 1


def row(measure: str, values: Sequence[float], **more: float) -> Row:
    """A row of the table: median and nearest-rank 95th percentile of at least one value."""
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {
        "measure": measure,
        "p50": round(statistics.median(ordered), 2),
        "p95": round(high, 2),
        "n": len(ordered),
        **more,
    }


def held(rows: Sequence[Row]) -> bool:
    """Say of each bar whether it is held; true if all are, and all streams ended well."""
    found = {item["measure"]: item for item in rows}
    good = True
    for name, most in BARS.items():
        figure = found[name]["p95"]
        click.echo(f"{'held' if figure <= most else 'MISSED'}: {name} {figure:g}, bar {most:g}")
        good &= figure <= most
    for name in (FIRST, AFTER):
        whole, began = found[name]["whole"], found[name]["n"]
        told = "held" if whole == began else "MISSED"
        click.echo(f"{told}: {name}, {whole} of {began} streams came to their end")
        good &= whole == began
    return good


def _overhead(running: Bench, model: str, pairs: int) -> list[Row]:
    """Time to the first word, side by side."""
    with ExitStack() as stack:
        lines = {
            "direct": stack.enter_context(Line(running.direct)),
            "plain": stack.enter_context(Line(running.docrag(f"{model}-plain"))),
        }
        for _ in range(max(1, pairs // 10)):
            _turn(lines, lambda line: line.ask(QUESTIONS[0]))
        web, database = Meter(running.web), Meter(running.database)
        heard = [_turn(lines, lambda line: line.ask(QUESTIONS[0])) for _ in range(pairs)]
        spent = {"web_cpu_ms": web.seconds, "database_cpu_ms": database.seconds}
    waits = {name: [1000 * turn[name].wait for turn in heard] for name in lines}
    more = [plain - direct for plain, direct in zip(waits["plain"], waits["direct"], strict=True)]
    cpu = {name: round(1000 * each / pairs, 2) for name, each in spent.items()}
    return [
        row(OVERHEAD, more, **cpu),
        row("ttft_plain_ms", waits["plain"]),
        row("ttft_direct_ms", waits["direct"]),
    ]


def _turn(lines: Mapping[str, Line], act: Callable[[Line], Heard]) -> dict[str, Heard]:
    """What each line gives, asked in a random order, so that none profits from the other."""
    order = list(lines)
    random.shuffle(order)
    return {name: act(lines[name]) for name in order}


def _many(running: Bench, model: str) -> list[Row]:
    """Two hundred streams at once, without retrieval and with it."""
    running.pace(delay=DELAY, tokens=TOKENS)
    processes = running.web()
    idle = memory(processes)
    sizes: list[float] = []

    def look(reading: int) -> None:
        if reading == STREAMS:
            sizes.append((memory(processes) - idle) / STREAMS)

    plain, plain_cost = _flood(running, f"{model}-plain", lambda _: None)
    heard, cost = _flood(running, model, look)
    return [
        row(FIRST, [_first(one) for one in plain], **plain_cost),
        row(AFTER, [1000 * one.after if one.first else math.inf for one in heard], **cost),
        row("ttft_200_streams_with_retrieval_ms", [_first(one) for one in heard]),
        row("whole_answer_200_streams_s", [one.ended - one.sent for one in heard]),
        row(MEMORY, sizes or [math.nan], idle_kb=round(idle)),
    ]


def _flood(
    running: Bench, model: str, look: Callable[[int], None]
) -> tuple[list[Heard], dict[str, float]]:
    """What came of the streams, how many came to their end, and processor seconds."""
    web, database = Meter(running.web), Meter(running.database)
    heard = flood(running.docrag(model), QUESTIONS, count=STREAMS, rate=RATE, look=look)
    whole = sum(one.complete and one.tokens >= TOKENS for one in heard)
    cpu = {"web_cpu_s": round(web.seconds, 2), "database_cpu_s": round(database.seconds, 2)}
    return heard, {"whole": whole, **cpu}


def _first(heard: Heard) -> float:
    """Milliseconds to the first word, infinite if none came."""
    return 1000 * heard.wait if heard.first else math.inf


def _print(rows: Sequence[Row]) -> None:
    """The table for people."""
    click.echo(f"{'measure':<38}{'p50':>10}{'p95':>10}{'n':>6}  ")
    for item in rows:
        rest = {key: item[key] for key in item if key not in ("measure", "p50", "p95", "n")}
        told = ", ".join(f"{name} {value:g}" for name, value in rest.items())
        cells = f"{item['p50']:>10.2f}{item['p95']:>10.2f}{item['n']:>6}"
        click.echo(f"{item['measure']:<38}{cells}  {told}".rstrip())


if __name__ == "__main__":
    sys.exit(main())
