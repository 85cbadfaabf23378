"""The account of a study: a row for each assignment with its completion code and pay.

Money is in cents. The column `code` has the code that the worker's last page showed. Parameters of
the address that a recruiter sent the worker to, such as a session, are columns `source.NAME`.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from dialoom.collect.log.person import INVITE
from dialoom.collect.log.record import is_bot, is_named
from dialoom.collect.log.store import Store
from dialoom.collect.message import Refused
from dialoom.collect.study.assignment import Assignment, shown_code
from dialoom.collect.study.state import JOIN_KEY
from dialoom.collect.study.study import Study
from dialoom.errors import clip

SOURCE = "source."
"""The prefix of the columns with the recruiter's own ids."""

_FORMULA = ("=", "+", "-", "@", "\t")
"""First characters of cells that a spreadsheet would run as formulas."""


def table(study: Study) -> list[dict[str, Any]]:
    """Return a row for each assignment of a person, in the order in which they began."""
    people = [one for one in study.state.assignments.values() if not is_bot(one.worker)]
    names = sorted({name for one in people for name in one.source} - {JOIN_KEY, INVITE})
    return [
        {**_row(study, one), **{f"{SOURCE}{name}": one.source.get(name) for name in names}}
        for one in people
    ]


def person(study: Study, store: Store, worker: str) -> dict[str, Any]:
    """Return all that is kept of a worker; `Refused` (`unknown`) if no worker has the id."""
    assignments = [row for row in table(study) if row["worker"] == worker]
    if not is_named(worker) or worker not in study.state.workers:
        raise Refused("unknown", f"nobody here has the worker id {clip(worker)!r}")
    return {
        "worker": worker,
        "assignments": assignments,
        "qualified": study.state.workers[worker].granted,
        "records": [msgspec.to_builtins(record) for record in store.of(worker)],
        "sounds": [msgspec.to_builtins(sent) for sent in store.blobs_of(worker)],
    }


def _row(study: Study, one: Assignment) -> dict[str, Any]:
    rows = study.state.ledger.of(one.number)
    submission = study.state.reviews.all.get(one.number)
    review = submission.review if submission is not None else None
    gold = [study.state.gold.units[n] for n in one.finished if n in study.state.gold.units]
    cents = {kind: sum(r.cents for r in rows if r.kind == kind) for kind in ("payment", "bonus")}
    return {
        "assignment": one.number,
        "worker": one.worker,
        "stage": one.stage,
        "role": one.role,
        "unit": one.unit,
        "items": len(one.finished),
        "gold": len(gold),
        "gold_right": sum(gold),
        "entered": one.entered,
        "ended": one.touched if one.outcome is not None else None,
        "outcome": one.outcome,
        "code": shown_code(one, study.settings),
        "accepted": None if review is None else review.accepted,
        **cents,
        "total": sum(cents.values()),
        "currency": study.settings.currency,
        "reasons": " ".join(row.reason for row in rows),
    }


def as_csv(study: Study) -> str:
    """Return the table as CSV (RFC 4180); cells that look like formulas begin with a quote."""
    rows = table(study)
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows({name: plain_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def plain_cell(value: object) -> object:
    """Return a cell of a CSV file, with a quote before what a spreadsheet would run."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
