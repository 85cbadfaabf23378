"""`dialoom collect settle`: approvals, rejections and bonuses for the recruiter of a study."""

from __future__ import annotations

import math
import os
from pathlib import Path

import typer

from dialoom.cli.options import StudyDatabase
from dialoom.errors import UsageError, needs_extra


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
        limit (SUM): The most that is paid in all without --yes, in the currency.
        yes: Pay sums above --limit, too.
    """
    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.settling import Settlement
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
