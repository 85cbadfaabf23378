"""Out-of-domain detection on STAR: user turns that the task does not serve, by stage or zero-shot.

A question is a turn of the user: is it in scope? It is out of scope where the wizard's next label
is `out_of_scope` or `custom`, and where the wizard next types a reply freely. Turns that the wizard
does not react to are not asked about. Drawn turns replace one turn in scope of each dialogue by a
turn of at least four words from another domain, both drawn with seed 0; the run record lists them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target, source_id
from dialoom.bench.protocols import staged
from dialoom.bench.protocols.staged import StageSettings
from dialoom.bench.protocols.star import Asking
from dialoom.bench.protocols.zero_shot import ZeroShot, ZeroShotSettings
from dialoom.corpus import Corpus
from dialoom.dialogue import SYSTEM, USER, Event, InScope, Utterance
from dialoom.dialogue.views import action
from dialoom.metrics.classification import Detection
from dialoom.schema.flow import UNBOUND

DRAW_SEED = 0

WORDS = 4
"""The fewest words of a turn that is drawn; shorter ones ("yes please") are said in any domain."""

IN, OUT = 1.0, 0.0
"""The right answers: the probability of being in scope."""


def scope(events: Sequence[Event], index: int, *, typed: bool = True) -> float | None:
    """Return `IN` or `OUT` for a user's turn, by the wizard's next event; None if unknown.

    With `typed`, a turn is out of scope if the wizard types a reply, which has no label.
    """
    event = events[index]
    if not isinstance(event, Utterance) or event.agent != USER:
        return None
    for after in events[index + 1 :]:
        label = action(after)
        if label is not None:
            return OUT if label in UNBOUND else IN
        if isinstance(after, Utterance):
            return OUT if typed and after.agent == SYSTEM else None
    return None


TURNS = Asking(InScope, scope, lambda data: (Detection(),), "scope", after=True)
"""Questions whether a user's turn is in scope."""

LABELLED = replace(TURNS, gold=partial(scope, typed=False))
"""The same, without turns after which the wizard types a reply."""


@dataclass(frozen=True)
class ScopeSettings:
    """Settings of out-of-domain detection.

    Attributes:
        drawn: Draw turns out of scope from other domains.
        typed: Ask about turns whose reply a wizard typed as well.
    """

    drawn: bool = False
    typed: bool = True


@dataclass(frozen=True)
class ScopeStageSettings(ScopeSettings, StageSettings):
    """Settings of out-of-domain detection by stage."""


@dataclass(frozen=True)
class ScopeZeroShotSettings(ScopeSettings, ZeroShotSettings):
    """Settings of zero-shot out-of-domain detection."""


def by_stage(data: Data, settings: ScopeStageSettings) -> Plan:
    """Split each stage; `MissingDataError` without complete dialogues."""
    return _in_form(staged.plan("star-out-of-domain", _asking(settings), data, settings), settings)


def zero_shot(data: Data, settings: ScopeZeroShotSettings) -> Plan:
    """Find the domains that are held out; `MissingDataError` without dialogues of the stages."""
    protocol = ZeroShot("star-zero-shot-out-of-domain", "domain", _asking(settings))
    return _in_form(protocol.plan(data, settings), settings)


def _asking(settings: ScopeSettings) -> Asking:
    return TURNS if settings.typed else LABELLED


def _in_form(plan: Plan, settings: ScopeSettings) -> Plan:
    choices = {"drawn": settings.drawn, "labels only": not settings.typed}
    forms = [name for name, active in choices.items() if active]
    options = {**plan.options, "positive": ", ".join(forms) or "next label"}
    title = ", ".join([plan.title, *forms])
    plan = replace(plan, title=title, options=options)
    return _detectable(_drawn(plan) if settings.drawn else plan)


def _detectable(plan: Plan) -> Plan:
    """Return the plan without hold-outs whose turns are all in scope or all out of it.

    Their scores are not defined; a notice lists them. `MissingDataError` if no other is left.
    """
    rest = [h for h in plan.holdouts if {target.gold for target in h.test} == {IN, OUT}]
    left = [holdout.name for holdout in plan.holdouts if holdout not in rest]
    if not left:
        return plan
    lacking = "turns in scope and turns out of scope"
    check_found(rest, plan.data.corpus, f"no hold-out has both {lacking}")
    notice = f"left out: {', '.join(left)}, which do not have both {lacking}"
    return replace(plan, holdouts=rest, notices=[*plan.notices, notice])


def _drawn(plan: Plan) -> Plan:
    domains = _domains(plan.data.corpora)
    tests = [target for holdout in plan.holdouts for target in holdout.test]
    record: dict[str, Any] = {}
    holdouts = []
    for holdout in plan.holdouts:
        test, changes = replaced(holdout.test, [*tests, *holdout.train], domains)
        train, _ = replaced(holdout.train, holdout.train, domains)
        holdouts.append(HoldOut(holdout.name, train, test, holdout.leak))
        record[holdout.name] = changes
    return replace(plan, holdouts=holdouts, record={**plan.record, "drawn": record})


def _domains(corpora: Iterable[Corpus]) -> dict[str, str]:
    scenarios = (d.scenario for corpus in corpora for d in corpus.dialogues() if d.scenario)
    return {c.task: c.domain or c.task for s in scenarios for c in s.capabilities}


def replaced(
    targets: Sequence[Target], others: Sequence[Target], domains: dict[str, str]
) -> tuple[list[Target], list[dict[str, Any]]]:
    """Replace the user's turn of one question in each dialogue by a turn of another domain.

    Returns the questions (those out of scope in the corpus are left out), and for each change the
    source of its turn. `domains` maps a task to its domain.
    """
    pool: dict[str, list[Target]] = {}
    for other in others:
        if other.gold == IN and len(_turn(other).text.split()) >= WORDS:
            pool.setdefault(domains.get(other.asked.task, other.asked.task), []).append(other)
    by_source: dict[str, list[Target]] = {}
    for target in targets:
        if target.gold == IN:
            by_source.setdefault(target.source, []).append(target)
    questions: list[Target] = []
    record = []
    for source, group in by_source.items():
        draw = random.Random(f"{DRAW_SEED} {source}")
        host = draw.choice(group)
        own = domains.get(host.asked.task, host.asked.task)
        away = sorted(pool.keys() - {own})
        if away:
            guest = draw.choice(pool[draw.choice(away)])
            history = (*host.seen[: host.position - 1], _turn(guest))
            questions.append(msgspec.structs.replace(host, seen=history, gold=OUT))
            record.append({"at": _place(host), "turn": _place(guest)})
        questions += [target for target in group if target is not host or not away]
    return questions, record


def _place(target: Target) -> list[int | str]:
    return [source_id(target.source), target.event]


def _turn(target: Target) -> Utterance:
    return next(e for e in reversed(target.seen[: target.position]) if isinstance(e, Utterance))


STAGED = Protocol("star-out-of-domain", "star", InScope, "scope", ScopeStageSettings, by_stage)
DOMAIN = Protocol(
    "star-zero-shot-out-of-domain", "star", InScope, "scope", ScopeZeroShotSettings, zero_shot
)
