"""Laws and rules that a question names."""

from __future__ import annotations

import pytest

from docrag.articles import named_articles

ISG = "6331 Sayılı İş Sağlığı ve Güvenliği Kanunu"


def matches(question: str, title: str, filename: str = "belge.pdf", section: str = "") -> bool:
    naming = named_articles(question)
    assert naming is not None
    assert naming.document
    return naming.document.match(title, filename, section)[0] > 0


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("iş sağlığı kanunu madde 10", ISG),
        ("İSG Kanunu madde 10", "İş Sağlığı ve Güvenliği Kanunu"),
        ("6331 md 3", "İş Sağlığı ve Güvenliği Kanunu (6331)"),
        ("4857 md 3", "İş Kanunu"),
        ("İş Kanunu madde 4", "4857 sayılı İş Kanunu"),
        ("İş Kanunu madde 4", "İş Kanunu 2024"),
        ("yangın talimatının 3. maddesi", "Yangın Talimatı"),
        ("depodaki yangın talimatının 3. maddesi", "Fabrika Yangın Talimatı"),
        ("Yemekhane Yönergesi 2. madde", "Yemekhane"),
        (
            "Risk Değerlendirmesi Yönetmeliğinin 5. maddesi",
            "İş Sağlığı ve Güvenliği Risk Değerlendirmesi Yönetmeliği",
        ),
        (
            "Kişisel Koruyucu Donanımlar Hakkında Yönetmelik madde 5",
            "Kişisel Koruyucu Donanımlar Hakkında Yönetmelik",
        ),
        (
            "kurul yönetmeliğinin 8. maddesi",
            "İş Sağlığı ve Güvenliği Kurulları Hakkında Yönetmelik",
        ),
        (
            "4857 sayılı Kanuna göre çıkarılan Fazla Çalışma Yönetmeliğinin 4. maddesi",
            "Fazla Çalışma Yönetmeliği",
        ),
        ("yangın talimatını yazan 6331 md 3", ISG),
        ("4. madde, İş Kanunu", "İş Kanunu"),
        ("İş Yasasının 4. maddesi", "İş Kanunu"),
        ("Anayasanın 2. maddesi", "Türkiye Cumhuriyeti Anayasası"),
        ("ISO 45001 madde 8", "ISO 45001 El Kitabı"),
    ],
)
def test_document_bears_name(question: str, title: str) -> None:
    assert matches(question, title)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("İş Kanunu madde 4", ISG),
        ("iş kanununun 4. maddesi", "İş Sağlığı ve Güvenliği Kanunu"),
        ("Sağlık Kanunu 4. madde", ISG),
        ("İş Kanunu madde 4", "Deniz İş Kanunu"),
        ("Gemi İş Kanunu madde 4", "İş Kanunu"),
        ("4857 md 4", "1475 sayılı İş Kanunu"),
        ("4857 md 4", "4857 Sayılı Kanuna İlişkin Fazla Çalışma Yönetmeliği"),
        ("İş Sağlığı ve Güvenliği Yönetmeliği madde 5", ISG),
        ("Borçlar Kanunu 417. madde", "Türk Ticaret Kanunu"),
        ("ISO 45001 madde 8", "Yangın Talimatı"),
        ("İş Kanununa göre çıkarılan Fazla Çalışma Yönetmeliğinin 4. maddesi", "İş Kanunu"),
        ("4857 sayılı Kanuna göre Fazla Çalışma Yönetmeliğinin 4. maddesi", "İş Kanunu"),
    ],
)
def test_other_document_does_not_bear_name(question: str, title: str) -> None:
    assert not matches(question, title)


def test_file_or_first_heading_bears_name() -> None:
    assert matches("Yangın Talimatı madde 3", "Belge 7", filename="yangin_talimati-v2.pdf")
    assert matches("Yangın Talimatı madde 3", "Belge 7", section="YANGIN TALİMATI > Madde 3")
    assert not matches("Yangın Talimatı madde 3", "Belge 7", section="GİRİŞ > Yangın Talimatı")


def test_beginning_tells_name() -> None:
    naming = named_articles("4857 md 4")
    assert naming is not None
    assert naming.document.opens("İŞ KANUNU\nKanun Numarası : 4857")
    assert not naming.document.opens("DENİZ İŞ KANUNU\nKanun Numarası : 854")
