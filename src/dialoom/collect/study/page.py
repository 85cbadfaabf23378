"""Makes the data of an assignment's page at each step, as JSON values.

docs/reference/wire-protocol.md describes the fields. The data have nothing that only the partner
may see, no quiz answer before it was given, and no hint before it was shown.
"""

from __future__ import annotations

from typing import Any

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.ledger.ledger import tutorial_base
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Role, is_erased
from dialoom.collect.message import Refused
from dialoom.collect.recruiters.recruiter import recruiter_of
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage
from dialoom.collect.study.assignment import Assignment, shown_code
from dialoom.collect.study.stages import in_language, next_stage, scenario_groups
from dialoom.collect.study.study import Study
from dialoom.collect.unit import WorkUnit


def state(study: Study, number: int, now: int) -> dict[str, Any]:
    """Return the data of a page at `now` (ms since 1970); `Refused` without an assignment."""
    one = study.assignment(number)
    step: str = one.step
    seat = study.seat(number)
    if seat is not None and seat[0].work is not None and seat[0].work.step != "talk":
        step = "questionnaire"
    settings = in_language(study.settings, one.language)
    work = study.state.stages.work(one.stage).kind
    coming = one.fixed if work in ROOMS else study.pairing.kind(one.stage).reader
    content = {
        "assignment": one.number,
        "step": step,
        "stage": one.stage,
        "mode": settings.stages if isinstance(settings.stages, str) else "list",
        "language": one.language,
        "now": now,
        "study": {"name": settings.name, "pilot": study.state.pilot, "open": settings.open},
        "worker": one.worker,
        "role": one.role if step in ("room", "questionnaire", "done") else coming,
        "items": {"done": len(one.finished), "wanted": study.state.stages.work(one.stage).items},
        "warned": study.state.gold.rule(one.worker, study.state.stages[one.stage]) is not None,
        "can_leave": step != "done",
        "grace": settings.times.grace,
        "currency": settings.currency,
        "part_per_minute": settings.pay.part,
        "attention": settings.attention,
    }
    if seat is not None:
        inside = {"room": _unit(study, *seat, now)}
        if step == "questionnaire":
            inside[step] = _questionnaire(study, *seat, inside["room"])
        return {**content, **inside}
    return {**content, **_OUTSIDE[step](study, one, now)}


def _consent(study: Study, one: Assignment, now: int) -> dict[str, Any]:
    settings = in_language(study.settings, one.language)
    return {
        "consent": {
            "purpose": settings.purpose,
            "text": settings.consent.text,
            "contact": settings.consent.contact,
            "version": settings.consent.version,
            "retention": settings.retention,
            "earnings": [
                {**earnings(settings, stage), "role": _role(study, stage)}
                for stage in study.state.stages
            ],
            "waiting_per_minute": settings.pay.waiting,
            "here": one.stage,
            "kind": study.state.stages.work(one.stage).kind,
            "approval": settings.approval,
            "approved": settings.approved,
            "country": settings.country,
            "rating": settings.rating,
        }
    }


def _role(study: Study, stage: Stage) -> Role | None:
    alone = stage.kind not in (*ROOMS, QUIZ)
    return study.pairing.kind(stage.name).reader if alone else None


def earnings(settings: Settings, stage: Stage) -> dict[str, Any]:
    """Return the lowest and the highest pay of an assignment of a stage, in cents."""
    pay = settings.pay
    if stage.kind == QUIZ:
        base = tutorial_base(pay, stage)
        most = base + max(pay.no_hint, pay.few_hints)
    elif stage.pay is not None or stage.kind not in ROOMS:
        base = most = pay.single if stage.pay is None else stage.pay
    else:
        bounds = {
            "single": (pay.single, pay.single + pay.top_single),
            "multi": (pay.multi, pay.multi + pay.long + pay.top_multi),
        }
        ranges = [bounds[group] for group in stage.groups or scenario_groups(settings)]
        base, most = min(low for low, _ in ranges), max(high for _, high in ranges)
    minutes = None if stage.minutes is None else stage.minutes * stage.items
    names = {name: getattr(stage, name) for name in ("kind", "gate", "items")}
    row = {"stage": stage.name, **names, "minutes": minutes}
    return {**row, "base": base * stage.items, "most": most * stage.items}


def _quiz(study: Study, one: Assignment, now: int) -> dict[str, Any]:
    settings = in_language(study.settings, one.language)
    pay, base = settings.pay, tutorial_base(settings.pay, study.state.stages[one.stage])
    brings = {"base": base, "no_hint": pay.no_hint, "few_hints": pay.few_hints}
    view = one.attempt.view() if one.attempt is not None else {}
    text = one.attempt.text if one.attempt is not None else None
    return {
        "tutorial": {"video": settings.video.get(one.stage), "stage": one.stage, "text": text},
        "quiz": {**view, "pay": brings},
    }


def _waiting(study: Study, one: Assignment, now: int) -> dict[str, Any]:
    settings, roles = study.settings, study.pairing.roles(one)
    since, until, cents, reason = one.waiting, None, 0, "none"
    if since is not None:
        since += study.completion.absent(one, since, now)  # the page counts the time from then on
        until = study.timeouts.until(one)
        payments = study.completion.payments(one, study.completion.of_wait(one), now)
        cents = sum(payment.cents for payment in payments)
        reason = study.pairing.obstacle(one)
    return {
        "waiting": {
            "ready": one.waiting is not None,
            "roles": list(roles),
            "since": since,
            "until": until,
            "first": one.first,
            "cents": cents,
            "per_minute": settings.pay.waiting,
            "reason": reason,
            "present_as": settings.present_wizard_as if roles == (USER_ROLE,) else None,
            "kind": study.state.stages.work(one.stage).kind,
            "call": settings.call,
        }
    }


def _unit(study: Study, unit: WorkUnit, role: Role, now: int) -> dict[str, Any]:
    """Return the page of a role in a unit, with deadlines later by the server's absence."""
    view = unit.view.of(unit.work, role) if unit.work is not None else {}
    away = study.timeouts.away(unit)
    moved = {
        name: view[name] + away
        for name in ("idle_warning_at", "idle_at")
        if view.get(name) is not None
    }
    other = next((each for each in unit.seats if each != role), None)
    there = {"here": True, "until": None} if other is None else presence(study, unit, other, now)
    presentation = {"present_as": study.settings.present_wizard_as} if role == USER_ROLE else {}
    return {
        **view,
        **moved,
        **presentation,
        "number": unit.number,
        "kind": unit.kind.name,
        "partner": "here" if there["here"] else "away",
        "partner_until": there["until"],
    }


def presence(study: Study, unit: WorkUnit, role: Role, now: int) -> dict[str, Any]:
    """True if the person in a role is connected, and otherwise their deadline (ms)."""
    until = study.timeouts.back(unit, role, now)
    return {"here": role in unit.live and until is None, "until": until}


def _questionnaire(
    study: Study, unit: WorkUnit, role: Role, room: dict[str, Any]
) -> dict[str, Any]:
    others = [each for each in unit.seats if each != role]
    if all(other in unit.answers for other in others):
        there = "done"
    else:
        there = "gone" if any(o in unit.departed for o in others) else room["partner"]
    return {
        "role": role,
        "questions": room.get("questions", []),
        "rating": room.get("rating", False),
        "comment": True,
        "until": room.get("idle_at"),
        "partner": there,
    }


def _done(study: Study, one: Assignment, now: int) -> dict[str, Any]:
    rows = study.state.ledger.of(one.number)
    submission = study.state.reviews.all.get(one.number)
    waits = submission is not None and submission.waits
    settings = in_language(study.settings, one.language)
    mine = one.role or one.fixed
    machine = settings.present_wizard_as == "automated" and mine != WIZARD_ROLE
    after, reason = _next(study, one, now)
    attempt = one.attempt
    return {
        "done": {
            "outcome": one.outcome,
            **_finished(study, one),
            "code": shown_code(one, settings),
            "erased": is_erased(one.worker),
            "contact": settings.consent.contact,
            **_onward(one, settings),
            "booked": [
                {"kind": row.kind, "cents": row.cents, "reason": row.reason} for row in rows
            ],
            "cents": sum(row.cents for row in rows),
            "review": waits,
            "pending": sum(payment.cents for payment in submission.payments)
            if submission and waits
            else 0,
            "debriefing": settings.debriefing or None if machine else None,
            "quiz": attempt and {"hints": attempt.hints, "passed": attempt.passed},
            "next": after,
            "next_reason": reason,
        }
    }


def _finished(study: Study, one: Assignment) -> dict[str, Any]:
    """Return how many parts of documents the worker handed in, and the last outcome; else None."""
    parts, verdict = None, None
    for unit in map(study.units.__getitem__, one.finished):
        for result in study.state.results.get(unit.item.id, ()):
            if result.unit == unit.number and isinstance(unit.kind, DocumentKind):
                parts = (parts or 0) + len(result.document)
                verdict = unit.kind.outcome(result.document)
    return {"parts": parts, "verdict": verdict}


def _onward(one: Assignment, settings: Settings) -> dict[str, Any]:
    outcome, recruiter = one.outcome or "", recruiter_of(settings)
    address, form = settings.redirects.get(outcome), None
    if recruiter is not None:
        code = settings.codes.get(outcome)
        address = address or (recruiter.redirect(code) if code else None)
        form = recruiter.form(one.source, shown_code(one, settings) or "")
    return {"redirect": address, "form": form}


def _next(study: Study, one: Assignment, now: int) -> tuple[str | None, str | None]:
    worker = study.state.worker(one.worker)
    if worker.live is not None or one.outcome == "ended":
        return None, None
    if study.settings.paused:
        return None, "paused"
    try:
        stage = next_stage(
            worker,
            study.state.stages,
            lambda name: study.admission.admits(
                worker.id, name, one.fixed, now, one.language, offer=False
            ),
            lambda name: bool(study.pairing.roles_for(worker.id, one.fixed, name)),
            study.pairing.stages_of(one.fixed),
        )
    except Refused as refused:
        # The rest is for wizards: for this worker, all the work is done.
        return None, "full" if refused.code == "not_a_wizard" else refused.code
    return stage.name, None


_OUTSIDE = {
    "consent": _consent,
    "tutorial": _quiz,
    "quiz": _quiz,
    "waiting": _waiting,
    "done": _done,
}
