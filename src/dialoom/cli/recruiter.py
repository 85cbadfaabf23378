"""`dialoom collect recruit` and `settle`: work offered at a study's recruiter, and its payment."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import StudyDatabase
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
    with needs_extra("dialoom collect", "collect"):
        import httpx

        from dialoom.collect.log.store import Store
        from dialoom.collect.recruiters.recruiter import OrderRefusedError, WorkOffer
        from dialoom.collect.recruiters.registry import recruiter_of
        from dialoom.collect.studies import settings_of
        from dialoom.collect.study.stages import study_stages
        from dialoom.serve.links import Signer, study_links
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
    with needs_extra("dialoom collect", "collect"):
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
