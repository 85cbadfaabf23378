"""Makes items of later stages from completed units of work."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.log.record import SERVER, STUDY, USER_ROLE, WIZARD_ROLE, Offered, Role
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.transaction import Transaction
from dialoom.collect.unit import Result, WorkUnit
from dialoom.dialogue import COMPLETE, SYSTEM, USER, Dialogue

AGENTS: dict[Role, str] = {USER_ROLE: USER, WIZARD_ROLE: SYSTEM}
"""Role of a room to the name of the agent in its dialogue."""


def hand_on(state: StudyState, transaction: Transaction, unit: WorkUnit, now: int) -> bool:
    """Add items about a unit's result to the stages that continue it; return whether any was."""
    after = [stage for stage in state.stages if stage.of == unit.stage]
    if unit.outcome != COMPLETE or unit.item.gold or not after:
        return False
    mine = _results(state, unit)
    if isinstance(unit.kind, DocumentKind) and not mine:
        return False
    people = dict.fromkeys((*unit.item.participants, *_workers(state, unit, mine)))
    key = unit.item.id if _merges(unit) else unit.stream
    for stage, before in product(after, _dialogues(state, unit, mine)):
        following = state.kinds[stage.name]
        if isinstance(following, DocumentKind):
            number = state.pool.offered[stage.name] + 1
            content = following.next_content(before)
            new_item = following.item(number, content, key, key, people, unit.item.language)
            transaction.write(STUDY, SERVER, Offered(msgspec.to_builtins(new_item)), now)
    return True


def _merges(unit: WorkUnit) -> bool:
    return isinstance(unit.kind, DocumentKind) and unit.kind.merges


def _results(state: StudyState, unit: WorkUnit) -> list[Result]:
    """Return a unit's results to hand on; kinds that merge wait until all work is complete."""
    results = state.results.get(unit.item.id, [])
    if _merges(unit):
        return results if len(results) >= unit.item.target else []
    return [one for one in results if one.unit == unit.number]


def _workers(state: StudyState, unit: WorkUnit, results: list[Result]) -> Iterator[str]:
    yield from (state.assignments[number].worker for number in unit.seats.values())
    yield from (one.worker for one in results)


def _dialogues(state: StudyState, unit: WorkUnit, results: list[Result]) -> Iterator[Dialogue]:
    """Yield the dialogues of a unit, with the numbers of an export in place of worker ids."""

    def number(worker: str) -> str:
        return str(state.numbers[worker])

    if isinstance(unit.kind, DocumentKind):
        new_results = [one._replace(worker=number(one.worker)) for one in results]
        yield from unit.kind.dialogues(unit.kind.given(unit.item), new_results)
    elif isinstance(unit.work, Room):
        people = {AGENTS[role]: state.assignments[one] for role, one in unit.seats.items()}
        seats = {agent: number(one.worker) for agent, one in people.items()}
        yield unit.work.dialogue(str(unit.number), seats)
