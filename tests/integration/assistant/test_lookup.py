"""An article is found, answered and hidden by its name."""

from __future__ import annotations

from docrag import samples
from tests.integration.assistant.conftest import Opener

RULES = "forklift_is_talimati.txt"


def test_article_is_answered_by_its_name_to_those_who_may_read_it(open_assistant: Opener) -> None:
    assistant = open_assistant(embedder="none", chunker="auto")
    for role in ("uretim", "ik"):
        assistant.store.roles.create(role)
    assistant.ingest(samples.read(RULES), filename=RULES, roles={"uretim"})
    for question in ("onuncu madde ne diyor?", "md. 10"):
        [first, *_] = assistant.search(question, roles={"uretim"})
        assert first.chunk.article is not None
        assert first.chunk.article.number == "10"
        answer = assistant.ask(question, roles={"uretim"})
        assert answer.text.startswith("MADDE 10")
        assert assistant.ask(question, roles={"ik"}).context == ()
    absent = assistant.ask("99. madde ne diyor?", roles={"uretim"})
    assert absent.abstention is not None
