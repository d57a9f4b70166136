"""Law 6331 searched by words: the right page first, and nothing for another role."""

from __future__ import annotations

from pathlib import Path

from docrag import samples
from tests.integration.assistant.conftest import Opener

QUESTION = "İşveren risk değerlendirmesi yapmakla yükümlü müdür?"
LEAVE = samples.manifest()[1]


def test_law_is_cited_by_page_and_hidden_from_others(
    open_assistant: Opener, data_folder: Path
) -> None:
    assistant = open_assistant(embedder="none")
    for role in ("isg", "personel", "ik"):
        assistant.store.roles.create(role)
    law = assistant.ingest(data_folder / "docs/tr/kanun_6331.pdf", roles={"isg", "personel"})
    assistant.ingest(samples.read(LEAVE.filename), filename=LEAVE.filename, roles={"ik"})
    assert law.pages == 24
    answer = assistant.ask(QUESTION, roles={"isg"})
    assert (answer.citations[0].number, answer.citations[0].page_first) == (1, 7)
    hidden = assistant.ask(QUESTION, roles={"ik"})
    assert (hidden.text, hidden.context) == ("Bu bilgi belgelerde bulunmuyor.", ())
