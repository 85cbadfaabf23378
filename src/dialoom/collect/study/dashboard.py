"""Makes the data of the admin's dashboard, as JSON values, from the study in memory."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import asdict

from dialoom.collect.ledger.review import Submission
from dialoom.collect.settings import ROOMS
from dialoom.collect.study import administration
from dialoom.collect.study.acceptance import lacks, samples
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.page import presence
from dialoom.collect.study.state import fault_comments
from dialoom.collect.study.study import Study
from dialoom.collect.unit import WorkUnit


def state(study: Study, now: int) -> dict[str, Any]:
    """Return the state of a study at `now` (ms since 1970) for the dashboard.

    It has the live units; the waiting people, each with the reason; the review queue with measures
    of the workers; the ranking and submissions of the second evaluation; proposed bonuses; the
    ledger; the funnel; the numbers of dialogues; the order of steps (STAR's Table 8) so far;
    comments, with the server's own on what went wrong in a unit; whether annotators start from
    pre-labels; and requirements that nobody checks.
    """
    state, settings = study.state, study.settings
    workers, gold = state.reviews.workers(), state.gold.table()
    live = [one for one in state.live.values() if one.step != "room"]
    return {
        "study": settings.name,
        "languages": list(state.languages),
        "currency": settings.currency,
        "batch": state.batch,
        "pilot": state.pilot,
        "paused": settings.paused,
        "target": settings.target,
        "now": now,
        "records": state.records,
        "budget": settings.budget,
        "stages": progress(study),
        "quota": quota(study),
        "rooms": [_unit(study, unit, now) for unit in state.open.values()],
        "waiting": [_waiter(study, one) for one in live if one.waiting is not None],
        "before": [
            {**_person(study, one), "step": one.step, "since": one.touched}
            for one in live
            if one.waiting is None
        ],
        "samples": list(samples(state)),
        "queue": [
            {**_submission(study, one), "lacks": list(lacks(state, one))}
            for one in state.reviews.queue()
        ],
        "handed_in": [_submission(study, one) for one in state.reviews.all.values()],
        "workers": [
            {"worker": name, **row, "gold": gold.get(name, {"right": 0, "of": 0})}
            for name, row in sorted(workers.items())
        ],
        "ranking": [
            {"worker": name, "stage": stage, "score": round(score, 2), "read": samples}
            for stage in administration.paired(study)
            for name, score in state.reviews.ranking(stage, settings.pay)
            for samples in (state.reviews.samples(name, stage),)
        ],
        "proposed": administration.proposed(study),
        "ledger": {
            "totals": state.ledger.totals(),
            "rows": [{"time": time, **asdict(row)} for time, row in state.ledger.rows],
        },
        "funnel": state.funnel.rows(stage.name for stage in state.stages),
        "order": state.measures.orders.result(),
        "comments": [
            *state.comments,
            *(row for unit in state.open.values() for row in fault_comments(unit)),
        ],
        "prelabels": any(stage.prelabels for stage in state.stages),
        "unchecked": unchecked(study),
    }


def progress(study: Study) -> list[dict[str, Any]]:
    """Return how many units each stage wants, has complete and has under way.

    Stages of rooms share their scenarios; the row has the first one of them.
    """
    state, settings = study.state, study.settings
    live = Counter(unit.item.source for unit in state.open.values())
    stages = {state.stages.source(one.name): one for one in reversed(list(state.stages))}
    rows = []
    for source, stage in reversed(stages.items()):
        work = state.stages.work(stage.name)
        items = state.pool.offered[source] if work.of else settings.scenarios
        items += state.pool.added[source]
        need = items * (settings.target if work.kind in ROOMS else work.workers)
        row = {"stage": work.name, "kind": work.kind, "wanted": need}
        rows.append({**row, "complete": state.pool.complete[source], "live": live[source]})
    return rows


def quota(study: Study) -> dict[str, int]:
    """Return how many units of all stages are wanted, complete, and under way."""
    settings, state, rows = study.settings, study.state, progress(study)
    sources = {state.stages.source(stage.name) for stage in state.stages}
    return {
        "wanted": sum(row["wanted"] for row in rows),
        "complete": sum(row["complete"] for row in rows),
        "live": len(state.open),
        "scenarios": settings.scenarios,
        "offered": sum(state.pool.offered[source] for source in sources),
        "exhausted": int(all(map(study.pairing.exhausted, sources))),
    }


def unchecked(study: Study) -> list[dict[str, Any]]:
    """Return the requirements on workers that a link cannot check."""
    rules = {name: getattr(study.settings, name) for name in ("approval", "approved", "country")}
    return [
        {"what": what, "wanted": need, "checked": False}
        for what, need in rules.items()
        if need is not None
    ]


def _unit(study: Study, unit: WorkUnit, now: int) -> dict[str, Any]:
    content, work = unit.item.content, unit.work
    return {
        "room": unit.number,
        "batch": unit.batch,
        "scenario": unit.item.id,
        "kind": unit.item.group or unit.kind.name,
        "tasks": list(content.get("tasks", ())),
        "language": unit.item.language,
        "step": work.step if work is not None else "closed",
        "turn": getattr(work, "turn", None),
        "opened": unit.opened,
        "last": unit.last,
        "records": unit.seq,
        "seats": {
            role: {
                "assignment": number,
                "worker": study.assignment(number).worker,
                **presence(study, unit, role, now),
            }
            for role, number in unit.seats.items()
        },
    }


def _person(study: Study, one: Assignment) -> dict[str, Any]:
    return {
        "assignment": one.number,
        "worker": one.worker,
        "stage": one.stage,
        "language": one.language,
        "here": study.pairing.here(one),
    }


def _waiter(study: Study, one: Assignment) -> dict[str, Any]:
    person = _person(study, one)
    return {
        **person,
        "roles": list(study.pairing.roles(one)),
        "since": one.waiting,
        "first": one.first,
        "reason": study.pairing.obstacle(one) if person["here"] else "away",
    }


def _submission(study: Study, one: Submission) -> dict[str, Any]:
    measure = one.measure
    return {
        "assignment": one.assignment,
        "worker": one.worker,
        "stage": one.stage,
        "role": one.role,
        "rooms": list(one.units),
        "outcome": study.units[one.units[-1]].outcome,
        "time": one.time,
        "first": one.first,
        "cents": sum(payment.cents for payment in one.payments),
        "accepted": None if one.review is None else one.review.accepted,
        "one_topic": measure is not None and measure.one_topic,
        "complaints": [] if measure is None else list(measure.complaints),
    }
