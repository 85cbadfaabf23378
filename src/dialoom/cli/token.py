"""`dialoom collect token`: the tokens of a study's admin page, for each role."""

from __future__ import annotations

from typing import Annotated

import typer
from msgspec.structs import replace

from dialoom.errors import needs_extra


def token(
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="The study's database.")],
    renew: Annotated[
        bool, typer.Option("--renew", help="Make new tokens; the old ones become invalid.")
    ] = False,
) -> None:
    """Print the access tokens of the admin's page: for viewers, for reviewers, and the owner's.

    Append one after the `#` of the address that `dialoom collect` prints. Renew them while the
    study is not being served.

    Example: dialoom collect token --db study.sqlite
    """
    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.log.store import Store
        from dialoom.collect.studies import open_study, settings_of
        from dialoom.serve.admin import ROLES
        from dialoom.serve.hub import now_ms
        from dialoom.serve.links import Signer

    if renew:
        with open_study(db, None, now_ms()) as opened:
            settings = opened.study.settings
            more = replace(settings, renewed=settings.renewed + 1)
            opened.store.submit(opened.study.change(more, now_ms())).result()
    with Store.open(db, create=False, readonly=True) as store:
        found, signer = settings_of(store, db), Signer(store.secret())
    for role in ROLES:
        typer.echo(f"{role:<8} {signer.admin_token(role, found.renewed if found else 0)}")
