from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

import docrag.web
from docrag.settings import Settings
from docrag.web.hygiene import cookies_are_secure, is_loopback
from docrag.web.pages.address import local
from docrag.web.pages.start import blueprint


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("docrag.example", False),
        ("", False),
    ],
)
def test_loopback_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"host": "127.0.0.1"}, False),
        ({"host": "0.0.0.0"}, True),
        ({"host": "127.0.0.1", "public_url": "https://docrag.example"}, True),
        ({"host": "127.0.0.1", "public_url": "http://docrag.example"}, False),
        ({"host": "0.0.0.0", "secure_cookies": "no"}, False),
        ({"host": "127.0.0.1", "secure_cookies": "yes"}, True),
    ],
)
def test_cookies_are_secure_unless_local(settings: dict[str, str], expected: bool) -> None:
    assert cookies_are_secure(Settings(**settings)) is expected  # type: ignore[arg-type] # texts


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/documents?page=2", "/documents?page=2"),
        ("/a//b", "/a//b"),
        ("", "/"),
        ("documents", "/"),
        ("//evil.example", "/"),
        ("///evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/ü", "/"),
        ("/a b", "/"),
        ("/a\n", "/"),
    ],
)
def test_address_stays_here(target: str, expected: str) -> None:
    app = Flask(__name__)
    app.register_blueprint(blueprint)
    with app.test_request_context():
        assert local(target) == expected


def _luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2.2, definition of relative luminance)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("ink", "ground"),
        ("ink", "paper"),
        ("quiet", "ground"),
        ("quiet", "paper"),
        ("accent", "paper"),
        ("accent", "ground"),
        ("paper", "accent"),
        ("accent-deep", "accent-soft"),
        ("good", "good-soft"),
        ("warn", "warn-soft"),
        ("bad", "bad-soft"),
        ("bad", "paper"),
    ],
)
def test_colours_have_contrast(text: str, ground: str) -> None:
    sheet = (Path(docrag.web.__file__).parent / "static" / "docrag.css").read_text("utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", sheet))
    light, dark = sorted((_luminance(colours[text]), _luminance(colours[ground])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
