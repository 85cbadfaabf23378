"""`dialoom collect recruit`, `settle`, `token` and `links`: recruiting and payment; links."""

from __future__ import annotations

import csv
import math
import os
from io import StringIO
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from dialoom.cli.command import Bounds
from dialoom.cli.options import OutFile, StudyDatabase, check_url
from dialoom.cli.output import write_text
from dialoom.collect.log.record import RoomRole
from dialoom.errors import UsageError, check_name, needs_extra
from dialoom.render.tables import counted


def recruit(
    db: StudyDatabase,
    url: str,
    number: Annotated[int, Bounds(1, 10000)],
    link: str = "any",
    minutes: Annotated[int, Bounds(1, 1440)] = 30,
    days: Annotated[int, Bounds(1, 365)] = 7,
    sandbox: bool = False,
    send: bool = False,
) -> None:
    """Print the request that creates a HIT, or a study at Prolific, or send it.

    The settings need `recruiter` and `reward`, and for Prolific `codes`. `--send` takes
    PROLIFIC_TOKEN, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, from the environment. A study at
    Prolific is a draft until it is published there; the same HIT is created once within a day.

    Example: dialoom collect recruit --db study.sqlite --url https://study.example.org -n 20

    Args:
        url (--url): Public address of the server, over https.
        number (-n, --number): Workers.
        link: The link that workers get: any, user, wizard, a stage.
        minutes: Expected minutes of the work.
        days: Days that the HIT is offered.
        sandbox: Create a HIT in Mechanical Turk's sandbox.
        send: Send the request in place of printing it.
    """
    from dialoom.collect.log.store import Store
    from dialoom.collect.recruiters.recruiter import OrderRefusedError, WorkOffer, recruiter_of
    from dialoom.collect.studies import settings_of
    from dialoom.collect.study.stages import study_stages
    from dialoom.serve.links import Signer, study_links

    check_url(url)
    with Store.open(db, create=False, readonly=True) as store:
        settings, signer = settings_of(store, store.place), Signer(store.secret())
    recruiter = recruiter_of(settings) if settings is not None else None
    if settings is None or recruiter is None or settings.reward is None:
        raise UsageError(f"{db}: the settings need `recruiter`, and `reward` in cents")
    tokens = study_links(signer, study_stages(settings))
    check_name("link", link, tokens)
    offer = WorkOffer(
        address=f"{url.rstrip('/')}/join/{tokens[link]}",
        reward=settings.reward,
        number=number,
        minutes=minutes,
        days=days,
    )
    request = recruiter.request(settings, offer)
    if not send:
        typer.echo(msgspec.json.format(msgspec.json.encode(request)).decode())
        return
    import httpx

    if lacking := [name for name in recruiter.credentials if not os.environ.get(name)]:
        raise UsageError(f"--send: {lacking[0]} is not set in the environment")
    try:
        with httpx.Client(timeout=60) as web:
            receipt = recruiter.create(web, request, os.environ, test=sandbox)
    except (httpx.TransportError, OrderRefusedError) as error:
        raise UsageError(f"{settings.recruiter} created nothing: {error}") from error
    typer.echo(f"created: {receipt}")


def settle(
    db: StudyDatabase,
    out: Path | None = None,
    send: Path | None = None,
    limit: float = 100.0,
    yes: bool = False,
) -> None:
    """Approve, reject and pay submissions at the recruiter, by CSV files or over its API.

    `--send` takes the recruiter's credentials from the environment (PROLIFIC_TOKEN; or
    AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY). Run again with the same journal, it sends only
    what is new. Orders that pay more than `--limit` in all, rewards included, need `--yes`.

    Example: dialoom collect settle --db study.sqlite --out settled

    Args:
        out (DIR): A new folder for CSV files.
        send (JOURNAL): Send to the recruiter; this file is the journal of what was sent.
        limit (SUM): Highest total paid without --yes, in the currency.
        yes: Pay sums above --limit, too.
    """
    with needs_extra("dialoom collect", "collect"):  # httpx, its first library, is in [llm] too
        from dialoom.collect.settling import Settlement
    if (out is None) == (send is None):
        raise UsageError("right would be --out DIR for files, or --send JOURNAL for the API")
    owed = Settlement.of(db, math.inf if yes else limit)
    if out is not None:
        owed.write(out)
        typer.echo(f"{counted(len(owed.orders), 'order')} written to {out}")
        return
    sent = owed.send(send or Path(), os.environ)
    typer.echo(f"{counted(len(sent.done), 'order')} sent")
    for order, why in sent.refused:
        typer.echo(f"  refused: {order.kind} {order.submission}: {why}")
    for order in sent.unknown:
        typer.echo(f"  not known whether it arrived: {order.key}; look there, see {send}")
    if sent.refused or sent.unknown:
        raise typer.Exit(1)


def token(db: StudyDatabase, renew: bool = False) -> None:
    """Print the access tokens of the admin's page: for viewers, for reviewers, and the owner's.

    Append one after the `#` of the address that `dialoom collect` prints. Renew them while the
    study is not being served.

    Example: dialoom collect token --db study.sqlite

    Args:
        renew: Make new tokens; the old ones become invalid.
    """
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
    workers: list[str] | None = None,
    role: RoomRole | None = None,
    url: str = "http://127.0.0.1:8000",
    out: OutFile = None,
) -> None:
    """Write a link for each of some workers as CSV, also while the study is served.

    A worker link proves that its holder is the worker, in any browser: give it to them alone. The
    workers of `wizards` and `only` in the settings take part by their own links.

    Example: dialoom collect links w-0007 w-0011 --role wizard --db study.sqlite

    Args:
        workers ([WORKER]...): The ids of workers; by default those that the settings list.
        role: user or wizard; open when absent.
        url: Public address of the server, which links begin with.
    """
    from dialoom.collect.log.store import Store
    from dialoom.collect.message import Refused
    from dialoom.collect.studies import settings_of
    from dialoom.collect.study.identity import listed_workers
    from dialoom.serve.joining import worker_id
    from dialoom.serve.links import Signer

    check_url(url)
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
