"""The admin's dashboard as JSON values, computed on reading from memory alone."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from dialoom.collect.ledger.review import Submission
from dialoom.collect.log.record import ROLES
from dialoom.collect.study import administration
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.page import partner
from dialoom.collect.study.seating import Seating
from dialoom.collect.study.stages import study_stages
from dialoom.collect.study.study import Study


def state(study: Study, now: int) -> dict[str, Any]:
    """Return the state of a study at `now` (ms).

    rooms live, waiters with what each one waits for, the review queue with what was measured of
    each worker, the ranking of the second evaluation with what to read for it, bonuses proposed,
    the ledger, the funnel, how many dialogues are wanted and there, Table 8 of those there are,
    comments, and what nobody has checked.
    """
    state, settings = study.state, study.settings
    workers = state.reviews.workers()
    live = [one for one in state.live.values() if one.step != "room"]
    return {
        "study": settings.name,
        "batch": state.batch,
        "pilot": state.pilot,
        "now": now,
        "records": state.records,
        "quota": quota(study),
        "rooms": [_room(study, seating, now) for seating in state.open.values()],
        "waiting": [_waiter(study, one) for one in live if one.waiting is not None],
        "before": [_before(study, one) for one in live if one.waiting is None],
        "queue": [_submission(study, one) for one in state.reviews.queue()],
        "handed_in": [_submission(study, one) for one in state.reviews.all.values()],
        "workers": [{"worker": name, **row} for name, row in sorted(workers.items())],
        "ranking": [
            {"worker": name, "stage": stage, "score": round(score, 2), "read": samples}
            for stage in administration.PAIRED
            for name, score in state.reviews.ranking(stage, settings.pay)
            for samples in (state.reviews.samples(name, stage),)
        ],
        "proposed": administration.proposed(study),
        "ledger": {
            "totals": state.ledger.totals(),
            "rows": [{"time": time, **asdict(row)} for time, row in state.ledger.rows],
        },
        "funnel": state.funnel.rows(study_stages(settings)),
        "order": state.measures.orders.result(),
        "comments": state.comments,
        "unchecked": unchecked(study),
    }


def quota(study: Study) -> dict[str, int]:
    """Return how many dialogues are wanted, complete, and under way."""
    settings, state = study.settings, study.state
    return {
        "wanted": settings.target * settings.scenarios,
        "complete": state.pool.complete,
        "live": len(state.open),
        "scenarios": settings.scenarios,
        "offered": len(state.pool),
        "exhausted": int(study.pairing.exhausted),
    }


def unchecked(study: Study) -> list[dict[str, Any]]:
    """Return the requirements on workers that a link cannot check."""
    asked = {name: getattr(study.settings, name) for name in ("approval", "approved", "country")}
    return [
        {"what": what, "wanted": wanted, "checked": False}
        for what, wanted in asked.items()
        if wanted is not None
    ]


def _room(study: Study, seating: Seating, now: int) -> dict[str, Any]:
    scenario = study.state.pool[seating.scenario]
    return {
        "room": seating.number,
        "batch": seating.batch,
        "scenario": seating.scenario,
        "kind": scenario.kind,
        "tasks": list(scenario.tasks),
        "step": seating.room.step if seating.room is not None else "closed",
        "turn": seating.room.turn if seating.room is not None else None,
        "opened": seating.opened,
        "last": seating.last,
        "records": seating.seq,
        "seats": {
            role: {
                "assignment": seating.seats[role],
                "worker": study.assignment(seating.seats[role]).worker,
                **partner(study, seating, role, now),
            }
            for role in ROLES
        },
    }


def _person(study: Study, one: Assignment) -> dict[str, Any]:
    here = study.pairing.here(one)
    return {"assignment": one.number, "worker": one.worker, "stage": one.stage, "here": here}


def _waiter(study: Study, one: Assignment) -> dict[str, Any]:
    person = _person(study, one)
    return {
        **person,
        "roles": list(study.pairing.roles(one)),
        "since": one.waiting,
        "first": one.first,
        "reason": study.pairing.obstacle(one) if person["here"] else "away",
    }


def _before(study: Study, one: Assignment) -> dict[str, Any]:
    return {**_person(study, one), "step": one.step, "since": one.touched}


def _submission(study: Study, one: Submission) -> dict[str, Any]:
    measure = one.measure
    return {
        "assignment": one.assignment,
        "worker": one.worker,
        "stage": one.stage,
        "role": one.role,
        "room": one.room,
        "outcome": study.rooms[one.room].outcome,
        "time": one.time,
        "first": one.first,
        "cents": sum(payment.cents for payment in one.payments),
        "accepted": None if one.review is None else one.review.accepted,
        "one_topic": measure is not None and measure.one_topic,
        "complaints": [] if measure is None else list(measure.complaints),
    }
