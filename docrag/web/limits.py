"""How much one caller may ask: a rate a minute and a quota a day, counted in the database."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Final, cast

from flask import Flask, current_app
from flask_limiter import Limiter, RequestLimit
from limits.storage import Storage
from werkzeug.routing import Rule

from docrag.api import StoreError
from docrag.settings import Settings
from docrag.store.limits import Limits
from docrag.web.credentials import principal
from docrag.web.errors import STATUSES, RequestRefused

#: Name of the storage in addresses of the limits package, and of what it needs.
SCHEME: Final = "docrag"
#: Start of the paths whose POST requests make a model work, those of later routes as well.
GENERATING: Final = "/v1/"
#: Routes that count by themselves, when they know whether they were asked a question or a task.
KNOWING: Final = ("/v1/chat/completions", "/v1/responses", "/v1/embeddings")
#: Counts all questions together, whatever the route.
QUESTION: Final = "question"
#: Counts what a front end asks by itself, and what is answered without documents.
TASK: Final = "task"
#: Tasks for each question: Open WebUI asks for a title, tags, follow-ups and more of each.
TASKS_A_QUESTION: Final = 10
#: Where the counting functions of an app stand in ``app.extensions``; absent without limits.
KEY: Final = "docrag_limits"
DAY: Final = 86_400


class StoreStorage(Storage):
    """The counters of docrag's store, as the limits package asks for them.

    An unreachable database is an error of the request: nobody passes uncounted.
    """

    STORAGE_SCHEME = [SCHEME]

    def __init__(self, uri: str | None = None, *, counters: Limits, **_: Any) -> None:  # noqa: ANN401 - options of others
        """Keep the counters.

        :param uri: only says that this storage is meant.
        """
        super().__init__(uri)
        self._counters = counters

    @property
    def base_exceptions(self) -> type[Exception]:
        """What a failing database raises."""
        return StoreError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count, and tell the count of the window.

        :param expiry: seconds of a new window.
        """
        return self._counters.hit(key, seconds=int(expiry), amount=amount)

    def get(self, key: str) -> int:
        """The count of the window."""
        return self._counters.state(key)[0]

    def get_expiry(self, key: str) -> float:
        """When the window closes, in seconds since 1970 of this machine's clock."""
        return time.time() + self._counters.state(key)[1]

    def check(self) -> bool:
        """True if the database answers."""
        try:
            self._counters.state("")
        except StoreError:
            return False
        return True

    def reset(self) -> int:
        """Forget all counts; how many there were."""
        return self._counters.forget()

    def clear(self, key: str) -> None:
        """Forget one count."""
        self._counters.forget(key)


def install(app: Flask, settings: Settings, counters: Limits) -> None:
    """Count the questions of authenticated callers on every generating route of an app.

    :param app: with all its routes.
    :param counters: where they are counted.
    """
    if not _limits(settings):
        return
    limiter = Limiter(
        _subject,
        app=app,
        storage_uri=f"{SCHEME}://",
        # The package takes options of any type, and says numbers and strings.
        storage_options=cast(dict[str, str | int], {"counters": counters}),
    )

    def question() -> None:
        """Count a question."""

    def task() -> None:
        """Count a task."""

    of_questions = limiter.shared_limit(_limits(settings), QUESTION, on_breach=_refuse)
    of_tasks = limiter.shared_limit(
        _limits(settings, TASKS_A_QUESTION), TASK, on_breach=_refuse_task
    )
    app.extensions[KEY] = {QUESTION: of_questions(question), TASK: of_tasks(task)}
    for rule in app.url_map.iter_rules():
        if is_generating(rule) and rule.rule not in KNOWING:
            # Around the view itself: the blueprint has found the caller by then.
            view: Any = app.view_functions[rule.endpoint]
            app.view_functions[rule.endpoint] = of_questions(view)


def count(what: str) -> None:
    """Count this request of an authenticated caller.

    :param what: :data:`QUESTION` or :data:`TASK`.
    :raises RequestRefused: the caller has asked too much (429).
    """
    counting: dict[str, Callable[[], None]] = current_app.extensions.get(KEY, {})
    if what in counting:
        counting[what]()


def is_generating(rule: Rule) -> bool:
    """True for a route whose requests count as questions."""
    return rule.rule.startswith(GENERATING) and "POST" in (rule.methods or ())


def _limits(settings: Settings, times: int = 1) -> str:
    """The limits as the limits package writes them; empty for none."""
    wanted = {"minute": settings.rate_per_minute, "day": settings.quota_per_day}
    return ";".join(f"{most * times}/{window}" for window, most in wanted.items() if most)


def _subject() -> str:
    """Who is counted: a person over all their keys, front ends and sessions, or a service's key.

    A front end's own key is not: many people stand behind it, each counted for themselves.
    """
    caller = principal()
    return f"key:{caller.key_id}" if caller.kind == "service" else f"user:{caller.user.id}"


def _refuse_task(limit: RequestLimit) -> None:
    """:raises RequestRefused: always (429)."""
    _refuse(limit, "requests without documents")


def _refuse(limit: RequestLimit, what: str = "questions") -> None:
    """:raises RequestRefused: always (429): when to come back, and whether to try again at all."""
    seconds = limit.limit.get_expiry()
    wait = min(max(1, math.ceil(limit.window.reset_time - time.time())), seconds)
    headers = {"Retry-After": str(wait)}
    if seconds >= DAY:
        # SDKs would try twice more, in vain.
        headers["x-should-retry"] = "false"
    span = "day" if seconds >= DAY else "minute"
    raise RequestRefused(
        STATUSES[429],
        f"Limit of {limit.limit.amount} {what} a {span} reached; try again in {wait} s.",
        headers=headers,
    )
