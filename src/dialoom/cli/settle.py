"""`dialoom collect settle`: approvals, rejections and bonuses for the recruiter of a study."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Annotated

import typer

from dialoom.errors import UsageError, needs_extra


def settle(
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="The study's database.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="A new folder for CSV files.")
    ] = None,
    send: Annotated[
        Path | None,
        typer.Option(
            "--send",
            metavar="JOURNAL",
            help="Send to the recruiter; this file is the journal of what was sent.",
        ),
    ] = None,
    limit: Annotated[
        float,
        typer.Option(
            metavar="SUM", help="The most that is paid in all without --yes, in the currency."
        ),
    ] = 100.0,
    yes: Annotated[bool, typer.Option("--yes", help="Pay sums above --limit, too.")] = False,
) -> None:
    """Approve, reject and pay submissions at the recruiter, by CSV files or over its API.

    `--send` takes the recruiter's credentials from the environment (PROLIFIC_TOKEN; or
    AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY). Run again with the same journal, it sends only
    what is new. Orders that pay more than `--limit` in all, rewards included, need `--yes`.

    Example: dialoom collect settle --db study.sqlite --out settled
    """
    with needs_extra("dialoom collect", "collect"):
        import httpx

        from dialoom.collect.export import Collected
        from dialoom.collect.log.store import Store
        from dialoom.collect.recruiters.registry import recruiter_of
        from dialoom.collect.settling import Journal, check_sum, orders, write_files
        from dialoom.collect.settling import send as send_orders
        from dialoom.collect.studies import replayed
    if (out is None) == (send is None):
        raise UsageError("right would be --out DIR for files, or --send JOURNAL for the API")
    with Store.open(db, create=False, readonly=True) as store:
        study, place = replayed(store, Collected(store).library), store.place
    recruiter = recruiter_of(study.settings)
    if recruiter is None:
        raise UsageError(f"{place}: the study has no recruiter; it would be in its settings")
    asked = orders(study, recruiter)
    most, currency = math.inf if yes else limit, study.settings.currency
    if out is not None:
        check_sum(asked, most, currency)
        write_files(recruiter.files(asked), out)
        typer.echo(f"{_orders(len(asked))} written to {out}")
        return
    journal = Journal(send or Path())
    check_sum(filter(None, map(journal.due, asked)), most, currency)
    lacking = [name for name in recruiter.credentials if not os.environ.get(name)]
    if lacking:
        raise UsageError(f"--send: {lacking[0]} is not set in the environment")
    try:
        with httpx.Client(timeout=60) as web:
            sent = send_orders(recruiter, asked, journal, web, os.environ)
    except httpx.TransportError as error:
        raise UsageError(f"{study.settings.recruiter} cannot be reached: {error}") from error
    typer.echo(f"{_orders(len(sent.done))} sent")
    for order, why in sent.refused:
        typer.echo(f"  refused: {order.kind} {order.submission}: {why}")
    for order in sent.unknown:
        typer.echo(f"  not known whether it arrived: {order.key}; look there, see {send}")
    if sent.refused or sent.unknown:
        raise typer.Exit(1)


def _orders(count: int) -> str:
    return f"{count} order{'' if count == 1 else 's'}"
