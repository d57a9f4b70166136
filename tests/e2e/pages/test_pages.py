"""People at the pages of a live server, in a real browser without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from openai import AuthenticationError, OpenAI
from playwright.sync_api import Page, expect

from docrag.api import Access
from tests.e2e.pages.conftest import PASSWORD, SignedIn, Site


def test_reader_signs_in_and_out(page: Page, signed_in: SignedIn, shots: Path) -> None:
    page.goto("/documents")
    expect(page).to_have_url(re.compile(r"/signin\?next=/documents$"))
    page.screenshot(path=shots / "giris.png")
    signed_in("ayşe")
    page.get_by_role("button", name="Oturumu kapat").click()
    expect(page.get_by_role("status")).to_have_text("Oturumunuz kapatıldı.")
    page.goto("/documents")
    expect(page).to_have_url(re.compile("/signin"))


def test_wrong_password_is_told(page: Page, shots: Path) -> None:
    page.goto("/signin")
    page.get_by_label("Kullanıcı adı").fill("ayşe")
    page.get_by_label("Parola").fill("yanlış parola")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Kullanıcı adı veya parola yanlış.")
    expect(page.get_by_label("Kullanıcı adı")).to_have_value("ayşe")
    expect(page.get_by_label("Parola")).to_have_value("")
    page.screenshot(path=shots / "giris-yanlis.png")


@pytest.mark.parametrize(
    ("username", "seen", "hidden"),
    [
        ("ayşe", ["İş Sağlığı ve Güvenliği Talimatı"], ["Yıllık İzin Prosedürü"]),
        (
            "ışık",
            ["İş Sağlığı ve Güvenliği Talimatı", "Yıllık İzin Prosedürü"],
            ["Forklift Kullanma İş Talimatı"],
        ),
    ],
)
def test_documents_are_those_of_the_roles(
    signed_in: SignedIn, username: str, seen: list[str], hidden: list[str]
) -> None:
    page = signed_in(username)
    for title in seen:
        expect(page.get_by_role("link", name=title)).to_be_visible()
    for title in hidden:
        expect(page.get_by_text(title)).to_have_count(0)


def test_key_is_made_once_used_and_revoked(signed_in: SignedIn, site: Site, shots: Path) -> None:
    page = signed_in("ayşe")
    page.get_by_role("link", name="Anahtarlarım").click()
    page.get_by_label("Ne için kullanılacak?").fill("deneme")
    page.get_by_role("button", name="Anahtar oluştur").click()
    secret = page.get_by_label("API anahtarı").inner_text()
    page.screenshot(path=shots / "yeni-anahtar.png", full_page=True)
    client = OpenAI(base_url=f"{site.url}/v1", api_key=secret, max_retries=0)
    assert [model.id for model in client.models.list()] == ["docrag", "docrag-plain"]
    page.get_by_role("link", name="Kopyaladım").click()
    expect(page.get_by_text(secret)).to_have_count(0)
    page.screenshot(path=shots / "anahtarlarim.png", full_page=True)
    page.get_by_role("button", name="deneme anahtarını iptal et").click()
    expect(page.get_by_role("status")).to_have_text("Anahtar iptal edildi.")
    with pytest.raises(AuthenticationError):
        client.models.list()


def test_citation_leads_to_its_page(page: Page, signed_in: SignedIn, site: Site) -> None:
    page.goto(f"/documents/{site.documents['is_guvenligi_talimati.pdf']}?page=3")
    page.get_by_label("Kullanıcı adı").fill("ayşe")
    page.get_by_label("Parola").fill(PASSWORD)
    page.get_by_role("button", name="Oturum aç").click()
    expect(page.get_by_role("article")).to_contain_text("25 metre")
    page.get_by_role("link", name="Sonraki").click()
    expect(page.get_by_label("Sayfa", exact=True)).to_have_value("4")
    page.get_by_label("Sayfa", exact=True).fill("1")
    page.get_by_role("button", name="Git").click()
    expect(page).to_have_url(re.compile(r"page=1$"))


def test_answer_cites_an_address_of_the_pages(site: Site, signed_in: SignedIn) -> None:
    page = signed_in("ayşe")
    page.goto("/keys")
    page.get_by_label("Ne için kullanılacak?").fill("soru")
    page.get_by_role("button", name="Anahtar oluştur").click()
    secret = page.get_by_label("API anahtarı").inner_text()
    client = OpenAI(base_url=f"{site.url}/v1", api_key=secret, max_retries=0)
    question = "Yangın söndürme tüpleri arasında en fazla kaç metre olabilir?"
    answer = client.chat.completions.create(
        model="docrag", messages=[{"role": "user", "content": question}]
    )
    cited = answer.choices[0].message.annotations or []
    page.goto(cited[0].url_citation.url)
    expect(page.get_by_role("article")).to_contain_text("25 metre")


def test_admin_adds_a_user_who_signs_in(signed_in: SignedIn, site: Site, shots: Path) -> None:
    page = signed_in("yönetici")
    page.get_by_role("link", name="Kullanıcılar").click()
    page.get_by_text("Kullanıcı ekle").click()
    page.get_by_label("Kullanıcı adı").fill("çağrı")
    page.get_by_label("Parola", exact=True).last.fill(PASSWORD)
    page.get_by_label("isg").check()
    page.screenshot(path=shots / "kullanici-ekle.png", full_page=True)
    page.get_by_role("button", name="Ekle", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("“çağrı” kullanıcısı eklendi.")
    page.get_by_role("button", name="Oturumu kapat").click()
    # A click does not wait for its page: to go elsewhere now might stop the signing out.
    expect(page.get_by_role("status")).to_have_text("Oturumunuz kapatıldı.")
    signed_in("çağrı")
    expect(page.get_by_role("link", name="İş Sağlığı ve Güvenliği Talimatı")).to_be_visible()


def test_admin_makes_and_retires_a_role(signed_in: SignedIn, shots: Path) -> None:
    page = signed_in("yönetici")
    page.get_by_role("link", name="Roller").click()
    page.get_by_label("Yeni rol").fill("bakım")
    page.get_by_role("button", name="Rolü oluştur").click()
    row = page.get_by_role("row", name="bakım")
    row.get_by_text("Değiştir").click()
    page.screenshot(path=shots / "rol-degistir.png", full_page=True)
    row.get_by_role("button", name="Kullanımdan kaldır").click()
    expect(page.get_by_role("row", name="bakım")).to_contain_text("kullanım dışı")


def test_admin_connects_a_front_end(signed_in: SignedIn, shots: Path) -> None:
    page = signed_in("yönetici")
    page.get_by_role("link", name="Bağlantılar").click()
    page.get_by_text("Çok kullanıcılı bir arayüz bağla").click()
    page.get_by_label("Ad", exact=True).first.fill("Open WebUI")
    page.screenshot(path=shots / "arayuz-bagla.png", full_page=True)
    page.get_by_role("button", name="Anahtar oluştur").first.click()
    expect(page.get_by_text("FORWARD_USER_INFO_HEADER_JWT_SECRET")).to_be_visible()
    page.screenshot(path=shots / "arayuz-anahtari.png", full_page=True)
    page.get_by_role("link", name="Kopyaladım").click()
    expect(page.get_by_role("row", name="Open WebUI")).to_be_visible()


def test_admin_uploads_a_document(signed_in: SignedIn, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "yönerge.md"
    file.write_text("# Yönerge\n\nİşe giriş saati dokuzdur.\n", "utf-8")
    page = signed_in("yönetici")
    page.get_by_text("Belge ekle").click()
    page.get_by_label("Dosya").set_input_files(file)
    page.get_by_label("personel").check()
    page.get_by_role("button", name="Ekle", exact=True).click()
    expect(page.get_by_role("row", name="yönerge.md")).to_contain_text("bekliyor")
    found = site.assistant.documents(access=Access.of(["personel"]))
    assert "yönerge.md" in {document.filename for document in found}


def test_audit_shows_the_answers(signed_in: SignedIn, site: Site, shots: Path) -> None:
    site.assistant.ask("Yangın tüpleri arası kaç metre olur?", roles=["isg"])
    page = signed_in("yönetici")
    page.get_by_role("link", name="Denetim").click()
    expect(page.get_by_role("row")).not_to_have_count(0)
    page.screenshot(path=shots / "denetim.png", full_page=True)


def test_language_is_switched(page: Page, shots: Path) -> None:
    page.goto("/signin")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.screenshot(path=shots / "signin-en.png")
    page.get_by_role("button", name="Türkçe").click()
    expect(page.get_by_role("heading", name="Oturum aç")).to_be_visible()


def test_form_is_filled_by_keyboard_alone(page: Page) -> None:
    page.goto("/signin")
    name, password = page.get_by_label("Kullanıcı adı"), page.get_by_label("Parola")
    # The browser sets the first focus when it gets to it: keys pressed before it are lost.
    expect(name).to_be_focused()
    page.keyboard.type("ayşe")
    expect(name).to_have_value("ayşe")
    page.keyboard.press("Tab")
    expect(password).to_be_focused()
    page.keyboard.type(PASSWORD)
    expect(password).to_have_value(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/documents")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="İçeriğe geç")).to_be_focused()
