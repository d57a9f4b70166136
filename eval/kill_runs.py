"""Rounds of killing: processes are started, one is killed, and the end is compared."""

from __future__ import annotations

import logging
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docrag.api import Access
from docrag.ingest.worker import Worker
from docrag.settings import Settings
from docrag.store import Store
from eval.kill_program import pipeline_of
from eval.kill_reader import Reader
from eval.kill_state import State, differences, state
from eval.kill_words import DIM

logger = logging.getLogger(__name__)

#: A word that stands in no document but ours: it is found by its title, in every chunk.
TITLE: Final = "Zümrüdüanka"
#: Seconds that work may take until it is given up as lost, and between two looks at it.
LIMIT: Final = 300.0
LOOK: Final = 0.02
#: Share of the time of the undisturbed work in which kills fall; later ones would come too late.
REACH: Final = 0.97
#: Tries for a kill that finds its process at work.
TRIES: Final = 9
#: What a process says when its work is over; a kill after that is none.
OVER: Final = "over"
ADMIN: Final = Access.of(["admin"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Work of processes that are killed, such as an ingest; a re-embedding is another one."""

    #: Brings the database to where the work begins, and orders it.
    start: Callable[[], None]
    #: Arguments of :mod:`eval.kill_program` for each process that works, in this round.
    commands: Callable[[], Sequence[Sequence[str]]]
    #: True once nothing is left to do.
    is_done: Callable[[], bool]
    #: What is compared in the end.
    state: Callable[[], State]
    #: Words on a process's output at which its work has begun.
    begins: str = "detect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one scenario."""

    what: str
    kills: int
    equal: int
    half_seen: int
    #: Most batches that were embedded again after one kill.
    repeated_batches: int
    searches: int
    #: Of the undisturbed work.
    seconds: float
    #: How many kills fell into each stage.
    stages: dict[str, int]
    #: Parts of the state that differed, of all rounds.
    differences: list[str]

    @property
    def held(self) -> bool:
        """True if no kill left a trace."""
        return self.equal == self.kills and not self.half_seen and self.repeated_batches <= 1


class Process:
    """A started program that waits for a word, and what it says."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it; it imports and connects, and does nothing yet."""
        self.said: list[str] = []
        self._child = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "eval.kill_program", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def runs(self) -> bool:
        """True while it has not ended."""
        return self._child.poll() is None

    def go(self) -> None:
        """Let it begin, once it is ready.

        :raises RuntimeError: it ended before.
        """
        wait_until(lambda: "ready" in self.said or not self.runs)
        if not self.runs:
            raise RuntimeError("eval.kill_program did not start; see its error above")
        stream = self._child.stdin
        if stream is not None:
            stream.write("go\n")
            stream.flush()

    def kill(self) -> bool:
        """Kill it with SIGKILL; false if it had ended before."""
        ran = self.runs
        self._child.kill()
        ran = self._child.wait() < 0 and ran
        self._thread.join()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                stream.close()
        return ran

    def _listen(self) -> None:
        for line in self._child.stdout or ():
            self.said.append(line.strip())


@dataclass(kw_only=True)
class Arena:
    """A database with one document, which is worked on and killed at."""

    url: str
    store: Store
    file: bytes
    suffix: str
    folder: Path
    #: That the embedder takes for a batch.
    seconds: float
    lot: random.Random
    document: str = ""
    _round: int = 0
    _found: Counter[str] = field(default_factory=Counter)

    def run(self, what: str, scenario: Scenario, *, kills: int) -> Outcome:
        """Undisturbed once, then killed at so many moments, one a round."""
        reader = Reader(self.store, title=TITLE, dim=DIM)
        seconds, end = self._undisturbed(scenario, reader)
        most, equal, stages, found = 0, 0, Counter[str](), set[str]()
        with reader.searching():
            for kill in range(kills):
                # One moment in each of as many equal parts: random, and spread.
                moment = REACH * seconds * (kill + self.lot.random()) / kills
                stages[self._killed(scenario, moment)] += 1
                left = differences(end, scenario.state())
                equal += not left
                found.update(left)
                most = max(most, self._repeated())
                logger.warning("%s: kill %d of %d, %d equal", what, kill + 1, kills, equal)
        if reader.failures:
            found.add(f"search: {reader.failures[0]}")
        return Outcome(
            what=what, kills=kills, equal=equal, half_seen=len(reader.half),
            repeated_batches=most, searches=reader.searches, seconds=round(seconds, 1),
            stages=dict(stages), differences=sorted(found),
        )  # fmt: skip

    def log(self) -> Path:
        """Where the processes of this round note what they embed."""
        return self.folder / f"batches-{self._round}"

    def upload(self) -> None:
        """The one document, queued, in an otherwise empty database."""
        for document in self.store.documents.list(access=ADMIN):
            self.store.documents.delete(document.id, access=ADMIN)
        if not any(role.name == "okur" for role in self.store.roles.list()):
            self.store.roles.create("okur")
        document, _ = self.store.documents.create(
            filename=f"belge.{self.suffix}", title=TITLE, suffix=self.suffix, data=self.file,
            roles=["okur"], uploaded_by=None,
        )  # fmt: skip
        self.document = document.id

    def ingest(self) -> None:
        """The one document, whole, read here and at once."""
        self.upload()
        pipeline = pipeline_of(self.store, quiet=True)
        Worker(store=self.store, settings=Settings(), pipeline=lambda: pipeline).work_once()

    def chunks(self) -> int:
        """Chunks of the document; 0 without it."""
        return sum(document.chunks for document in self.store.documents.list(access=ADMIN))

    def state(self) -> State:
        """The whole state of the database."""
        return state(self.store._sessions.engine)

    def _undisturbed(self, scenario: Scenario, reader: Reader) -> tuple[float, State]:
        """Seconds and end of the work when nobody kills."""
        scenario.start()
        before = self.chunks()
        processes = self._begin(scenario.commands()[:1], scenario.begins)
        began = time.monotonic()
        wait_until(scenario.is_done)
        seconds = time.monotonic() - began
        _end(processes)
        reader.whole, reader.other = before or self.chunks(), self.chunks()
        return seconds, scenario.state()

    def _killed(self, scenario: Scenario, moment: float) -> str:
        """One round: a process is killed, another one goes on; the stage of the kill."""
        for _ in range(TRIES):
            self._round += 1
            scenario.start()
            commands = scenario.commands()
            # Where several work at once, one of the others takes over.
            heirs = [] if len(commands) > 1 else [Process(commands[0])]
            processes = self._begin(commands, scenario.begins)
            time.sleep(moment)
            victim = max(processes, key=lambda process: len(process.said))
            hit = victim.kill() and victim.said[-1] != OVER
            for heir in heirs:
                heir.go()
            wait_until(scenario.is_done)
            _end([*heirs, *processes])
            if hit:
                return victim.said[-1]
            # Too late: an earlier one.
            moment *= self.lot.random()
        raise RuntimeError("the work was always over before it could be killed")

    def _begin(self, commands: Sequence[Sequence[str]], begins: str) -> list[Process]:
        """Processes of which one is at work."""
        processes = [Process(command) for command in commands]
        for process in processes:
            process.go()
        wait_until(lambda: any(begins in process.said for process in processes))
        return processes

    def _repeated(self) -> int:
        """Batches of this round that had been embedded before."""
        if not self.log().exists():
            return 0
        seen: set[str] = set()
        again = 0
        for line in self.log().read_text(encoding="utf-8").splitlines():
            batch = set(line.split())
            again += bool(batch & seen)
            seen |= batch
        return again


def ingests(arena: Arena, *, workers: int) -> Scenario:
    """The document is read by so many workers at once, of which one takes it."""

    def is_done() -> bool:
        return all(job.ended for job in arena.store.jobs.list(access=ADMIN))

    return Scenario(
        start=arena.upload,
        commands=lambda: [[arena.url, "work", str(arena.log()), str(arena.seconds)]] * workers,
        is_done=is_done,
        state=arena.state,
    )


def deletes(arena: Arena) -> Scenario:
    """The document is deleted, by a process that is killed while it does."""

    def start() -> None:
        if not arena.chunks():
            arena.ingest()

    return Scenario(
        start=start,
        commands=lambda: [[arena.url, "delete", arena.document]],
        is_done=lambda: not arena.store.documents.list(access=ADMIN),
        state=arena.state,
        begins="ready",
    )


def wait_until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds.

    :raises RuntimeError: it does not within :data:`LIMIT` seconds.
    """
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"the work was not done within {LIMIT:.0f} s; it is lost")
        time.sleep(LOOK)


def _end(processes: Sequence[Process]) -> None:
    for process in processes:
        process.kill()
