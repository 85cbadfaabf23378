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
        from dialoom.collect.settlement import Settlement
    if (out is None) == (send is None):
        raise UsageError("right would be --out DIR for files, or --send JOURNAL for the API")
    owed = Settlement.of(db, math.inf if yes else limit)
    if out is not None:
        owed.write(out)
        typer.echo(f"{_orders(len(owed.orders))} written to {out}")
        return
    sent = owed.send(send or Path(), os.environ)
    typer.echo(f"{_orders(len(sent.done))} sent")
    for order, why in sent.refused:
        typer.echo(f"  refused: {order.kind} {order.submission}: {why}")
    for order in sent.unknown:
        typer.echo(f"  not known whether it arrived: {order.key}; look there, see {send}")
    if sent.refused or sent.unknown:
        raise typer.Exit(1)


def _orders(count: int) -> str:
    return f"{count} order{'' if count == 1 else 's'}"
