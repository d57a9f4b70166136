"""Configuration of the web server, read by gunicorn as a file; its own names, docrag's settings.

``docrag serve`` uses it, and so can ``gunicorn -c docrag/cli/gunicorn_config.py wsgi:app``.
"""

from __future__ import annotations

import os
from typing import Any

from docrag.cli import weberrors
from docrag.cli.lifeline import await_supervisor_gone, follow_supervisor
from docrag.settings import Settings

# gunicorn runs this file to learn its settings, so reading them here is not work at import.
_settings = Settings.load()
_host = f"[{_settings.host}]" if ":" in _settings.host else _settings.host

bind = f"{_host}:{_settings.port}"
proc_name = "docrag"
#: Nobody's X-Forwarded-* and no SCRIPT_NAME is believed here; the app does, by its own setting.
forwarded_allow_ips = ""
worker_class = "gthread"
workers = _settings.web_workers
threads = _settings.web_threads
#: Seconds after which a process that does not answer its arbiter is replaced; a long stream does
#: not count, since threads answer requests and the main thread answers the arbiter.
timeout = 60
#: Seconds that running streams get to end at a stop.
graceful_timeout = 30
#: Seconds that an idle connection is kept; longer than the usual pause of a chat client's polls.
keepalive = 15
#: Heartbeats go to memory: on a slow disk they stall, in a read-only container they fail.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - memory, not /tmp
#: The control socket wants to write into the home folder, which a container may not have.
control_socket_disable = True
loglevel = "debug" if _settings.log_level == "DEBUG" else "warning"
#: Requests are logged for debugging only, and by path: a query string may hold what people ask.
accesslog = "-" if _settings.log_level == "DEBUG" else None
access_log_format = '%(h)s "%(m)s %(U)s" %(s)s %(B)s %(L)s'


def on_starting(server: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Tie this server to the supervisor that started it, if one did."""
    follow_supervisor()


def post_worker_init(worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Answer requests that never reach the app as the app does."""
    weberrors.install()


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Leave the embedded database after a killed supervisor, not before it."""
    await_supervisor_gone()
