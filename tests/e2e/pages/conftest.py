"""A live server with the sample documents, people for it, and Debian's Chromium to look at it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from werkzeug.serving import make_server

from docrag import samples
from docrag.access.passwords import hash_password
from docrag.api import NameTaken
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.web import create_app
from docrag.web.extensions import Service

PASSWORD = "doğru at pil zımba"
#: A desktop window, and a small phone.
WIDE: Final[ViewportSize] = {"width": 1180, "height": 800}
NARROW: Final[ViewportSize] = {"width": 375, "height": 740}
#: What lets Chromium run as root, in a container, and keeps it from calling home.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A running server, and what a test needs to look behind it."""

    url: str
    assistant: Assistant
    #: Identifiers of the sample documents by file name.
    documents: dict[str, str]


SignedIn = Callable[[str], Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Chromium without a screen and with a fresh profile; skipped where it is not installed."""
    path = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
    if not Path(path).is_file():
        pytest.skip(f"NO CHROMIUM AT {path}: pages are not driven; apt-get install chromium")
    # A busy machine takes longer than the five seconds that an expectation waits otherwise.
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server with the sample documents and a user for each of three roles."""
    settings = Settings(
        instance=tmp_path_factory.mktemp("instance"),
        database_url=shared_database_url,
        secret_key="s" * 32,
        embedder="hashing",
        retriever="lexical",
    )
    app = create_app(settings)
    service: Service = app.extensions["docrag"]
    documents = _fill(service.assistant)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    yield Site(url=url, assistant=service.assistant, documents=documents)
    server.shutdown()
    thread.join()
    server.server_close()
    service.assistant.close()


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    """A wide window of somebody who is not signed in; no script may run, as for a careful one."""
    context = chromium.new_context(
        base_url=site.url, viewport=WIDE, locale="tr-TR", java_script_enabled=False
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def signed_in(page: Page) -> SignedIn:
    """Sign a person of the site in."""

    def enter(username: str) -> Page:
        page.goto("/signin")
        page.get_by_label("Kullanıcı adı").fill(username)
        page.get_by_label("Parola").fill(PASSWORD)
        page.get_by_role("button", name="Oturum aç").click()
        page.wait_for_url("**/documents")
        return page

    return enter


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the screenshots: a temporary one, or that of ``SHOTS`` for who wants to look."""
    folder = Path(os.environ.get("SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _fill(assistant: Assistant) -> dict[str, str]:
    """The sample documents, read at once, and people for them."""
    store, documents = assistant.store, {}
    hashed = hash_password(PASSWORD)
    for sample in samples.manifest():
        for role in sample.roles:
            with suppress(NameTaken):
                store.roles.create(role)
        document = assistant.ingest(
            samples.read(sample.filename),
            filename=sample.filename,
            roles=sample.roles,
            title=sample.title,
        )
        documents[sample.filename] = document.id
    for name, roles in (("yönetici", ["admin"]), ("ayşe", ["isg"]), ("ışık", ["ik", "personel"])):
        store.users.create(name, password_hash=hashed, roles=roles)
    return documents
