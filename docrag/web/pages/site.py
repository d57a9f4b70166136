"""All pages of an app, and what they need of it."""

from __future__ import annotations

from typing import Final

from flask import Flask

from docrag.settings import Settings
from docrag.web.pages import (
    account,
    admin_audit,
    admin_documents,
    admin_keys,
    admin_roles,
    admin_users,
    ask,
    blueprint,
    keys,
    language,
    notices,
    oidc,
    session,
    shelf,
    signin,
    start,
    words,
)
from docrag.web.pages.address import here
from docrag.web.pages.directory import Directory
from docrag.web.pages.translate import tenths

#: Modules with a blueprint of pages.
PARTS: Final = (
    start,
    language,
    signin,
    oidc,
    account,
    keys,
    shelf,
    ask,
    admin_documents,
    admin_users,
    admin_roles,
    admin_keys,
    admin_audit,
)


def install(app: Flask, settings: Settings) -> None:
    """Register every page of an app.

    :raises SettingsError: the settings of the identity provider or of the directory are wrong.
    """
    blueprint.install(app)
    language.install(app)
    oidc.install(app, settings)
    if settings.ldap_url:
        app.extensions[signin.DIRECTORY] = Directory(settings)
    app.jinja_env.globals.update(here=here, person=session.current)
    app.jinja_env.tests.update(ended=words.is_ended)
    app.jinja_env.filters.update(
        state=words.state,
        validity=words.validity,
        method=words.method,
        kind=words.kind,
        life=words.life,
        citations=words.citations,
        reason=words.reason,
        finding=words.finding,
        share=words.share,
        channel=words.channel,
        flag=words.flag,
        model=words.model,
        tenths=tenths,
        told=notices.told,
    )
    app.register_blueprint(start.assets)
    for part in PARTS:
        app.register_blueprint(part.blueprint)
