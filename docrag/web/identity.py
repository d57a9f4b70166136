"""The OpenID Connect issuer of an app, who vouches for people."""

from __future__ import annotations

from typing import Final

from flask import Flask, current_app

from docrag.access.oidc import Issuer
from docrag.settings import Settings

#: Where the issuer of an app stands in ``app.extensions``.
KEY: Final = "docrag_issuer"


def install(app: Flask, settings: Settings) -> None:
    """Give an app the issuer of its settings; nothing is fetched yet.

    :raises SettingsError: the issuer's settings contradict each other.
    """
    if settings.oidc_issuer:
        app.extensions[KEY] = Issuer(
            settings.oidc_issuer,
            audience=settings.oidc_audience or settings.oidc_client_id,
            groups_claim=settings.oidc_groups_claim,
        )


def issuer() -> Issuer | None:
    """The OpenID Connect issuer of this app; ``None`` where it is switched off."""
    found: Issuer | None = current_app.extensions.get(KEY)
    return found
