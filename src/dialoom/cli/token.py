"""`dialoom collect token` and `links`: the tokens of the admin's page, and links of workers."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Annotated

import typer
from msgspec.structs import replace

from dialoom.cli.options import OutFile, StudyDatabase
from dialoom.cli.output import write_text
from dialoom.collect.log.record import RoomRole
from dialoom.errors import UsageError, needs_extra


def token(
    db: StudyDatabase,
    renew: bool = False,
) -> None:
    """Print the access tokens of the admin's page: for viewers, for reviewers, and the owner's.

    Append one after the `#` of the address that `dialoom collect` prints. Renew them while the
    study is not being served.

    Example: dialoom collect token --db study.sqlite

    Args:
        renew: Make new tokens; the old ones become invalid.
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
        options, signer = settings_of(store, store.place), Signer(store.secret())
    for role in ROLES:
        typer.echo(f"{role:<8} {signer.admin_token(role, options.renewed if options else 0)}")


def links(
    db: StudyDatabase,
    workers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORKER]...",
            help="The ids of workers; by default those that the settings list.",
        ),
    ] = None,
    role: RoomRole | None = None,
    url: str = "http://127.0.0.1:8000",
    out: OutFile = None,
) -> None:
    """Write a link for each of some workers as CSV, also while the study is served.

    A worker link proves that its holder is the worker, in any browser: give it to them alone. The
    workers of `wizards` and `only` in the settings take part by their own links.

    Example: dialoom collect links w-0007 w-0011 --role wizard --db study.sqlite

    Args:
        role: user or wizard; open when absent.
        url: Public address of the server, which links begin with.
    """
    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.log.store import Store
        from dialoom.collect.message import Refused
        from dialoom.collect.settings_check import check_address
        from dialoom.collect.studies import settings_of
        from dialoom.collect.study.identity import listed_workers
        from dialoom.serve.joining import worker_id
        from dialoom.serve.links import Signer

    check_address(url, "--url")
    with Store.open(db, create=False, readonly=True) as store:
        settings, signer = settings_of(store, store.place), Signer(store.secret())
    try:
        names = [worker_id(each) for each in workers or ()]
    except Refused as refused:
        raise UsageError(refused.what) from refused
    names = names or list(listed_workers(settings) if settings else ())
    if not names:
        raise UsageError(
            "nobody is named, and the settings list nobody; right would be WORKER", code="not-given"
        )
    table = StringIO()
    csv.writer(table, lineterminator="\n").writerows(
        [each, f"{url.rstrip('/')}/join/{signer.worker_link(each, role)}"] for each in names
    )
    write_text(table.getvalue(), out)
