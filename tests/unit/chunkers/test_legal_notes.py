"""Notes of amendments, repealed articles, tables at the end."""

from __future__ import annotations

import pytest

from docrag.chunkers.legal_notes import Note, begins_table, is_bare, notes_of, status_of


def note(kind: str, scope: str = "", date: str = "", law: str = "", article: str = "") -> Note:
    return Note(kind=kind, scope=scope, date=date, law=law, article=article)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("(Ek: 4/4/2015-6645/3 md.)", [note("ek", "", "4/4/2015", "6645", "3")]),
        ("(Ek:23/7/2020-7252/6 md.)", [note("ek", "", "23/7/2020", "7252", "6")]),
        ("(Ek: 4/4/2015-\n6645/3 md.)", [note("ek", "", "4/4/2015", "6645", "3")]),
        (
            "(Değişik birinci cümle: 10/9/2014-6552/17 md.)",
            [note("değişik", "birinci cümle", "10/9/2014", "6552", "17")],
        ),
        (
            "(Ek fıkra: 23/7/2010-6009/48 md.; Mülga dördüncü fıkra: 20/6/2012-6331/37 md.)",
            [
                note("ek", "fıkra", "23/7/2010", "6009", "48"),
                note("mülga", "dördüncü fıkra", "20/6/2012", "6331", "37"),
            ],
        ),
        (
            "(Ek: 1/1/2010-5944/1 md.) (İptal: Anayasa Mahkemesinin 19/9/2019 tarihli Kararı ile.)",
            [note("ek", "", "1/1/2010", "5944", "1"), note("iptal", "", "19/9/2019")],
        ),
        ("(Değişik: RG-27.06.2016-29755)", [note("değişik", "", "27.06.2016", "29755")]),
        (
            "(Değişik: 11/10/2011-KHK-665/28 md.)",
            [note("değişik", "", "11/10/2011", "KHK-665", "28")],
        ),
        (
            "(Yeniden düzenleme: 1/2/2018-7061/5 md.)",
            [note("yeniden düzenleme", "", "1/2/2018", "7061", "5")],
        ),
        ("(1) Ek: yok, (a) bendi", []),
        ("", []),
    ],
)
def test_notes_are_read_from_text(text: str, notes: list[Note]) -> None:
    assert notes_of(text) == notes


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("(Mülga: 20/6/2012-6331/37 md.)", "mulga"),
        ("(Mülga : 15/5/2008-5763/37 md.)", "mulga"),
        ("(1) (Mülga: RG-21/8/2022-31930)", "mulga"),
        ("(Ek: 1/1/2010-5944/1 md.; Mülga: 2/2/2012-6270/3 md.)", "mulga"),
        (
            "(İptal: Anayasa Mahkemesinin 19/9/2019 tarihli ve E.:2019/42 sayılı Kararı ile.)",
            "iptal",
        ),
        ("Yürürlükten kaldırılmıştır.", "mulga"),
        ("Mülga.", "mulga"),
        ("(Ek: 4/4/2015-6645/3 md.) Kaza bildirilir.", ""),
        ("(Mülga birinci fıkra: 1/1/2010-5944/1 md.) İşveren öder.", ""),
        ("4857 sayılı Kanun yürürlükten kaldırılmıştır.", ""),
        ("(Değişik: 4/4/2015-6645/1 md.)", ""),
        ("", ""),
        ("(MÜLGA: RG-1/2/2020-31026)", "mulga"),
        ("(İPTAL: RG-1/2/2020-31026)", "iptal"),
        ("(Danıştay Sekizinci Dairesinin 5/5/2019 tarihli kararı ile iptal)", "iptal"),
        ("(Mülga: 1/2/2020-3102/1 md.) Eski metin: 100 lüks.", "mulga"),
        ("(Mülga madde: RG-1/2/2020-31026)\nEski metin.", "mulga"),
        (
            "4/4/2015 tarihli ve 6645 sayılı Kanunun 1 inci maddesiyle\n"
            "yürürlükten kaldırılmıştır.",
            "mulga",
        ),
        ("(Mülga: 1/2/2013-6495/1 md.) (Yeniden düzenleme: 4/4/2015-6645/1 md.) Yeni.", ""),
        ("(1) (Mülga: 1/2/2020-3102/1 md.)\n(2) İşveren öder.", ""),
        ("(1) İşveren öder.\n(2) (Mülga: 1/2/2020-3102/1 md.)", ""),
        ("4/4/2015 tarihli ve 6645 sayılı Kanunun 1 inci maddesi yürürlükten kaldırılmıştır.", ""),
    ],
)
def test_status_is_that_of_the_whole_article(body: str, status: str) -> None:
    assert status_of(body) == status


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("(Ek: 4/4/2015-6645/3 md.)44", True),
        (" – ", True),
        ("(1) (Mülga: 1/1/2010)", True),
        ("(Ek: 4/4/2015-6645/3 md.) Metin", False),
    ],
)
def test_bare_line_holds_notes_only(text: str, bare: bool) -> None:
    assert is_bare(text) is bare


@pytest.mark.parametrize(
    ("line", "following", "begins"),
    [
        ("6331 SAYILI KANUNA EK VE DEĞİŞİKLİK GETİREN", "MEVZUATIN", True),
        ("6331 SAYILI KANUNA EK VE", "DEĞİŞİKLİK GETİREN MEVZUATIN", True),
        ("4857 SAYILI KANUNA İŞLENEMEYEN HÜKÜMLER", "", True),
        ("İşlenemeyen hükümler", "", True),
        ("Yönetmeliğin Yayımlandığı Resmî Gazete'nin", "Tarihi Sayısı", True),
        ("Yönergenin Kabul Edildiği Senato Kararının", "Tarihi", True),
        ("değişiklik getiren mevzuat uygulanır", "", False),
        ("MADDE 5 – (1) Son hüküm.", "6331 SAYILI KANUNA EK VE DEĞİŞİKLİK GETİREN", False),
        ("", "", False),
    ],
)
def test_table_begins_with_its_title(line: str, following: str, begins: bool) -> None:
    assert begins_table(line, following) is begins
