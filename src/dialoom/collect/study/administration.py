"""The admin's decisions: reviews, bonuses, items, messages to a unit, the erasure of workers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.kinds.room.rules import RATINGS
from dialoom.collect.ledger import ledger
from dialoom.collect.ledger.review import Submission
from dialoom.collect.log.change import UNDO, Change
from dialoom.collect.log.facts import LoggedOut
from dialoom.collect.log.record import (
    ADMIN,
    STUDY,
    Arranged,
    Notice,
    Offered,
    Qualified,
    Reviewed,
    Role,
    Undone,
    is_bot,
    is_named,
)
from dialoom.collect.message import Envelope, Leave, Refused, cleaned, visible
from dialoom.collect.settings import ROOMS
from dialoom.collect.study.acceptance import qualify
from dialoom.collect.study.study import Study
from dialoom.errors import FormatError, clip

LOWEST, HIGHEST = -1000, 1000
"""The bounds of a priority."""


def _stages(study: Study) -> dict[str, DocumentKind]:
    kinds = study.state.kinds
    all_kinds = {each.name: kinds[each.name] for each in study.state.stages}
    return {name: kind for name, kind in all_kinds.items() if isinstance(kind, DocumentKind)}


def listed(study: Study) -> Iterator[dict[str, Any]]:
    """Yield a row for each item that was offered so far in stages of people who work alone."""
    for stage in _stages(study):
        for row in study.state.pool.rows(stage):
            yield {"stage": stage, **row}


def arrange(
    study: Study, item: str, now: int, *, priority: int | None = None, withdrawn: bool | None = None
) -> Change:
    """Set the priority of an item, or withdraw it, or take that back; None changes nothing.

    Units that are under way or complete stay.

    Raises:
        Refused: `unknown`, or `bad_value`: the priority is out of range.
    """
    stages = (stage for stage in _stages(study) if item.startswith(f"{stage}-"))
    if not any(study.pairing.until(stage, item, now) for stage in stages):
        raise Refused("unknown", f"there is no item {clip(item)!r}")
    if priority is not None and not LOWEST <= priority <= HIGHEST:
        what = f"a priority is from {LOWEST} to {HIGHEST}"
        raise Refused("bad_value", what, field="priority")
    row = study.state.pool.row(item)
    body = Arranged(
        item=item,
        priority=row["priority"] if priority is None else priority,
        withdrawn=row["withdrawn"] if withdrawn is None else withdrawn,
    )
    study.transaction.write(STUDY, ADMIN, body, now)
    study.pairing.pair_all(now)
    return study.transaction.take()


def add(study: Study, stage: str, items: Sequence[Any], now: int) -> Change:
    """Add items to a stage: lines of a file of outputs, or native dialogues, as JSON values.

    Raises:
        Refused: `unknown`: there is no such stage; `bad_value`: a value is not an item; then
            nothing is added.
    """
    kind = _stages(study).get(stage)
    if kind is None:
        raise Refused("unknown", f"there is no stage {clip(stage)!r} of people who work alone")
    try:
        contents = [each for value in items for each in kind.added(value)]
    except FormatError as error:
        raise Refused("bad_value", str(error)) from error
    for number, (content, key) in enumerate(contents, start=study.state.pool.added[stage] + 1):
        item = kind.item(number, content, key)
        item = replace(item, id=f"{stage}-added-{number}", added=True)
        study.transaction.write(STUDY, ADMIN, Offered(msgspec.to_builtins(item)), now)
    study.pairing.pair_all(now)
    return study.transaction.take()


MOST_CENTS = 100_000
"""The highest bonus in cents that the admin can enter; a higher amount may be a typing error."""

TAKEN_BACK = "taken_back"
"""The reason given in a row of the ledger that cancels another row."""

DAY = 24 * 3600 * 1000
"""Milliseconds of a day."""


def paired(study: Study) -> list[str]:
    """Return the names of the stages in which two people talk."""
    return [stage.name for stage in study.state.stages if stage.kind in ROOMS]


def review(
    study: Study,
    number: int,
    now: int,
    *,
    accepted: bool,
    reason: str = "",
    instructions: int | None = None,
    creativity: int | None = None,
) -> Change:
    """Review a submission: pay it and qualify the worker, or reject it.

    A rejected submission can be accepted later. Work that was accepted by rules may be reviewed as
    well: it stays paid, also if it is found to be wrong.

    Args:
        reason: The reason; needed for a rejection.
        instructions: Grade for following the instructions, 1 to 5.
        creativity: Grade for the user's creativity, 1 to 5.

    Raises:
        Refused: `unknown`, `reviewed_already`, `bad_rating`, `reason_wanted`, or `paid_already`:
            work that was paid cannot be rejected.
    """
    one = study.state.reviews.all.get(number)
    if one is None:
        raise Refused("unknown", f"assignment {number} handed in no dialogue")
    overturned = one.review is not None and accepted and not one.review.accepted
    if one.review is not None and not overturned and not one.unseen:
        raise Refused("reviewed_already", f"assignment {number} was reviewed")
    if any(each is not None and each not in RATINGS for each in (instructions, creativity)):
        raise Refused("bad_rating", "ratings are from 1 to 5")
    if not accepted and not visible(reason):
        raise Refused("reason_wanted", "a rejection needs a reason")
    if not accepted and not one.first:
        raise Refused("paid_already", f"assignment {number} is paid already")
    body = Reviewed(
        assignment=number,
        accepted=accepted,
        reason=reason.strip(),
        instructions=instructions,
        creativity=creativity,
    )
    if overturned and one.automatic:
        study.transaction.write(STUDY, ADMIN, Qualified(one.worker, one.stage), now)
    elif overturned and one.review is not None:
        _undo(study, one, one.review, now)
    study.transaction.write(STUDY, ADMIN, body, now)
    if one.first and not one.automatic:
        why = ledger.Payment(key="reject", kind="rejection", cents=0, reason=reason.strip())
        payments = one.due(*(one.payments if accepted else (why,)))
        study.transaction.book(one.assignment, one.worker, payments, now, author=ADMIN)
    if one.first:
        qualify(study.state, study.transaction, one, now, accepted=accepted, author=ADMIN)
    return study.transaction.take()


def undo(study: Study, number: int, now: int) -> Change:
    """Withdraw the review of a submission, which then waits for a new one.

    The payment and the qualification that came with an acceptance are cancelled; a qualification
    that a rejection took away is given back. Bonuses and stages passed since then stay.

    Raises:
        Refused: `not_now`: the submission has no review.
    """
    one = study.state.reviews.all.get(number)
    if one is None or one.review is None:
        raise Refused("not_now", f"assignment {number} has no review that could be taken back")
    _undo(study, one, one.review, now)
    return study.transaction.take()


def _undo(study: Study, one: Submission, review: Reviewed, now: int) -> None:
    draft, after = study.transaction, study.state.stages.after(one.stage)
    if not review.accepted:
        draft.write(STUDY, ADMIN, Qualified(one.worker, one.stage), now)
    elif one.first:
        back = (
            replace(paid, key=f"{UNDO}{paid.key}", cents=-paid.cents, reason=TAKEN_BACK)
            for paid in one.due(*one.payments)
        )
        draft.book(one.assignment, one.worker, tuple(back), now, author=ADMIN)
        if after is not None and study.state.reviews.accepted(one.worker, one.stage):
            draft.write(STUDY, ADMIN, Qualified(one.worker, after.name, None), now)
    draft.write(STUDY, ADMIN, Undone(assignment=one.assignment), now)


def send_notice(study: Study, number: int, text: str, to: Role | None, now: int) -> Change:
    """Send a message to the people of a unit, outside of turns; `Refused` without a live unit."""
    unit = study.state.open.get(number)
    if unit is None:
        raise Refused("unknown", f"there is no live unit {number}")
    if to is not None and to not in unit.seats:
        raise Refused("bad_value", f"{clip(to)!r}: there is {', '.join(unit.seats)}", field="to")
    study.transaction.write(unit.stream, ADMIN, Notice(text=cleaned(text), to=to), now)
    return study.transaction.take()


def proposed(study: Study) -> list[dict[str, Any]]:
    """Return the bonuses of the best workers that are not booked yet, a row for each dialogue."""
    pay, state = study.settings.pay, study.state
    return [
        {
            "key": row.key,
            "worker": worker,
            "stage": stage,
            "assignment": one.assignment,
            "cents": row.cents,
            "score": round(score, 2),
        }
        for stage in paired(study)
        for worker, score in state.reviews.best(stage, pay)
        for one in state.reviews.of(worker, stage)
        if one.review is None or one.review.accepted
        for row, _ in state.ledger.entries(one.assignment, worker, _top(study, one))
    ]


def _top(study: Study, one: Submission) -> tuple[ledger.Payment, ...]:
    group = study.units[one.units[0]].item.group
    return ledger.top(study.settings.pay, study.state.stages[one.stage], group)


def confirm_bonuses(study: Study, keys: Collection[str], now: int) -> Change:
    """Book proposed bonuses; `Refused` (`unknown`) if a key has none."""
    rows = {row["key"]: row for row in proposed(study)}
    stray = [key for key in keys if key not in rows]
    if stray:
        raise Refused("unknown", f"no bonus {stray[0]!r} is proposed")
    for key in dict.fromkeys(keys):
        row = rows[key]
        payments = _top(study, study.state.reviews.all[row["assignment"]])
        study.transaction.book(row["assignment"], row["worker"], payments, now, author=ADMIN)
    return study.transaction.take()


def bonus(study: Study, number: int, now: int, *, cents: int, reason: str, key: str) -> Change:
    """Book a bonus that the admin gives for an assignment; once for each key.

    Args:
        cents: The amount in cents, 1 to `MOST_CENTS`.
        key: The key chosen by the admin's page, so that a repeated request books nothing.

    Raises:
        Refused: `unknown`: no person has this assignment; `bad_value`: the amount is out of range;
            `reason_wanted`.
    """
    one = study.assignment(number)
    if is_bot(one.worker):
        raise Refused("unknown", f"assignment {number} is a program's")
    if not 0 < cents <= MOST_CENTS:
        raise Refused("bad_value", f"a bonus is of 1 to {MOST_CENTS} cents")
    if not visible(reason):
        raise Refused("reason_wanted", "a bonus needs a reason")
    payment = ledger.Payment(key=f"own-{key}", kind="bonus", cents=cents, reason=reason.strip())
    study.transaction.book(number, one.worker, (payment,), now, author=ADMIN)
    return study.transaction.take()


def log_out(study: Study, session: str, now: int) -> Change:
    """End the admin's session with an id, also for the time after a restart."""
    study.transaction.write(STUDY, ADMIN, LoggedOut(session), now)
    return study.transaction.take()


def withdraw(study: Study, worker: str, now: int) -> Change:
    """End a worker's units and those about their work; `Refused` for an unknown id."""
    record = study.state.workers.get(worker)
    if record is None or not is_named(worker):
        raise Refused("unknown", f"nobody here has the worker id {clip(worker)!r}")
    about = [u.number for u in study.state.open.values() if worker in u.item.participants]
    change = Change()
    if record.live is not None:
        change += study.handle(record.live, Envelope("", 0, Leave()), now)
    for number in about:
        change += study.end_unit(number, now)
    return change


def expired(study: Study, now: int) -> list[str]:
    """Return the workers whose data are older than the setting `retention` allows."""
    days, state = study.settings.retention, study.state
    if days is None:
        return []
    return [
        worker.id
        for worker in state.workers.values()
        if is_named(worker.id)
        and worker.live is None
        and worker.last is not None
        and state.assignments[worker.last].touched < now - days * DAY
    ]
