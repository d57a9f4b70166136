"""The app for a WSGI server: ``gunicorn wsgi:app``."""

from __future__ import annotations

from docrag.web import create_app

app = create_app()
