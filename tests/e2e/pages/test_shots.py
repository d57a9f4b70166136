"""Screenshots of every page, wide and narrow, for a person to look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize

from tests.e2e.pages.conftest import NARROW, WIDE, SignedIn, Site

PAGES = {
    "belgeler": "/documents",
    "sor": "/ask",
    "anahtarlar": "/keys",
    "parola": "/password",
    "kullanicilar": "/admin/users",
    "kullanici": "/admin/users/ayşe",
    "roller": "/admin/roles",
    "gruplar": "/admin/groups",
    "baglantilar": "/admin/keys",
    "denetim": "/admin/audit",
    "yok": "/documents/yok",
}


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_pages_fit_their_window(
    signed_in: SignedIn, site: Site, shots: Path, size: ViewportSize
) -> None:
    page = signed_in("yönetici")
    page.set_viewport_size(size)
    document = next(iter(site.documents.values()))
    for name, path in {**PAGES, "belge": f"/documents/{document}"}.items():
        page.goto(path)
        page.screenshot(path=shots / f"{name}-{size['width']}.png", full_page=True)
        box = page.locator("body").bounding_box()
        assert box is not None and box["width"] <= size["width"], name
