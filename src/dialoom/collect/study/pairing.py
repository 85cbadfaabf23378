"""Pairs waiting people by the matcher's rules, and opens units of work for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import ComparableKind
from dialoom.collect.log.change import Given, Lease, Seat
from dialoom.collect.log.record import (
    SERVER,
    STUDY,
    USER_ROLE,
    WIZARD_ROLE,
    Offered,
    Opened,
    Role,
    Seated,
    is_bot,
    unit_stream,
)
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.gold import due
from dialoom.collect.study.matcher import MatchRules, Obstacle, Pair, Waiter, match, obstacle
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.transaction import Transaction
from dialoom.collect.unit import WorkItem, WorkKind, gold_source
from dialoom.sim.core.rng import SeededRng, seed_of

LOOKED_AT = 50
"""The most other waiting people that are compared to find out why a person waits."""


class Pairing:
    """Finds items and partners for waiting people, and seats them."""

    def __init__(self, state: StudyState, draft: Transaction, presence: Presence) -> None:
        self._state, self._transaction, self._presence = state, draft, presence
        self._more: dict[str, Iterator[WorkItem]] = {}
        self._ahead: dict[str, deque[WorkItem]] = {}
        self._exhausted: set[str] = set()
        self._version = (-1, -1)
        self._waiting: list[Waiter] = []

    # --- items ------------------------------------------------------------------------------

    def find(
        self,
        stage: str,
        now: int,
        worker: str | None = None,
        language: str = "",
        groups: tuple[str, ...] = (),
    ) -> str | None:
        """Return the id of an item for a worker (None: a program); items are added if needed.

        Args:
            groups: The groups that the item is to be of; those of the stage where empty.
        """
        scope = self._state.stages.items(stage, language)
        scope = scope._replace(groups=groups or scope.groups)
        while True:
            item = self._state.pool.free(scope, worker)
            fair = item is not None and self._state.pool.is_fair(item, worker)
            if fair or not self._offer(stage, now):
                return item

    def until(self, stage: str, item: str, now: int) -> bool:
        """Add items of a stage until one with this id is there; return whether it is."""
        while item not in self._state.pool and self._offer(stage, now):
            pass
        return item in self._state.pool

    def _offer(self, stage: str, now: int) -> bool:
        item = next(self._further(stage), None)
        if item is None:
            return False
        source = self._state.stages.source(stage)
        self._ahead[source].popleft()
        if source:  # items of rooms have ids of their own
            item = replace(item, id=f"{source}-{self._state.pool.offered[source] + 1}")
        self._transaction.write(STUDY, SERVER, Offered(msgspec.to_builtins(item)), now)
        return True

    def _further(self, stage: str) -> Iterator[WorkItem]:
        source = self._state.stages.source(stage)
        if self.exhausted(source):
            return
        offered = self._state.pool.offered[source]
        if source not in self._more:  # after a restart: skip items that are in the log
            kind = self._state.kinds[self._state.stages.work(stage).name]
            items = kind.items()
            new = (
                self._state.pool.unoffered(source, items)
                if source
                else islice(items, offered, None)
            )
            self._more[source], self._ahead[source] = new, deque()
        ahead = self._ahead[source]
        for place in range(self._state.settings.scenarios - offered):
            if place == len(ahead):
                item = next(self._more[source], None)
                if item is None:
                    if not ahead:
                        self._exhausted.add(source)
                    return
                ahead.append(item)
            yield ahead[place]

    def promises(self, stage: str, worker: str | None, language: str, need: int) -> bool:
        """True if a worker would get an item and `need` units could open."""
        scope, pool = self._state.stages.items(stage, language), self._state.pool
        left, free = pool.left(scope), pool.free(scope, worker) is not None
        for item in self._further(stage):
            if free and left >= need:
                break
            if scope.admits(item):
                left, free = left + item.target, free or pool.is_new(item, worker)
        return free and left >= need

    def exhausted(self, source: str) -> bool:
        """True if a source has no further items."""
        offered = self._state.pool.offered[source]
        return source in self._exhausted or offered >= self._state.settings.scenarios

    def left(self, stage: str, language: str) -> int:
        """Return how many units of a stage can still be opened with the items in the pool."""
        return self._state.pool.left(self._state.stages.items(stage, language))

    def offer_until(self, stage: str, language: str, many: int, now: int) -> None:
        """Add items to the pool until `many` units of a stage can be opened, or none are left."""
        while self.left(stage, language) < many and self._offer(stage, now):
            pass

    def _free(self, stage: str, worker: str | None, language: str) -> str | None:
        """Return the id of a free item in the pool, "" if further items may be added, else None."""
        scope = self._state.stages.items(stage, language)
        item = self._state.pool.free(scope, worker)
        return "" if item is None and not self.exhausted(scope.source) else item

    # --- waiters ----------------------------------------------------------------------------

    def kind(self, stage: str) -> WorkKind:
        """Return the kind of work of a stage, for a tutorial that of the stage after it."""
        return self._state.kinds[self._state.stages.work(stage).name]

    def stages_of(self, role: Role | None) -> tuple[str, ...]:
        """Return the stages that have a role, and their tutorials; none for None."""
        names = [stage.name for stage in self._state.stages]
        return tuple(name for name in names if role in self.kind(name).roles)

    def roles_for(self, worker: str, fixed: Role | None, stage: str) -> tuple[Role, ...]:
        """Return the roles that a worker may take; `wizards` limits people, not programs."""
        roles, settings = self.kind(stage).roles, self._state.settings
        mine = (fixed,) if fixed in roles else roles
        trained = not settings.wizards or worker in settings.wizards or is_bot(worker)
        return tuple(role for role in mine if role != WIZARD_ROLE or trained)

    def roles(self, one: Assignment) -> tuple[Role, ...]:
        """Return the roles that an assignment's worker may take."""
        return self.roles_for(one.worker, one.fixed, one.stage)

    def may_play(self, one: Assignment) -> bool:
        """True if there may be work for an assignment; adds no items to find out."""
        if any(role != self.kind(one.stage).reader for role in self.roles(one)):
            return True
        return self._free(one.stage, _reader(one.worker), one.language) is not None

    def waiter(self, one: Assignment) -> Waiter:
        """Return the matcher's data about a waiting assignment."""
        return Waiter(
            assignment=one.number,
            worker=one.worker,
            stage=one.stage,
            language=one.language,
            since=one.waiting or 0,
            roles=self.roles(one),
            first=one.first,
            preferred=one.preferred,
            role_surplus=self._state.worker(one.worker).role_surplus(one.stage),
        )

    def waiting(self) -> list[Waiter]:
        """Return the connected waiting people in the order in which they are served."""
        version = self._state.records, self._presence.changes
        if version != self._version:
            here = filter(self.here, self._state.waiting.values())
            self._waiting = sorted(map(self.waiter, here), key=lambda waiter: waiter.rank)
            self._version = version
        return list(self._waiting)

    def here(self, one: Assignment) -> bool:
        """True if an assignment is connected; a program always is."""
        return is_bot(one.worker) or self._presence.here(one.number)

    def _rules(self, find: Callable[[str, str | None, str], str | None]) -> MatchRules:
        return MatchRules(
            met=lambda one, other: self._state.worker(one).met[other],
            cap=self._state.settings.pair_cap,
            item=lambda user, person: find(person.stage, _reader(user.worker), person.language),
            left=lambda waiter: find(waiter.stage, None, waiter.language) is not None,
        )

    def rules(self, now: int) -> MatchRules:
        """Return the matcher's rules, which may add items to the pool."""
        return self._rules(lambda stage, worker, of: self.find(stage, now, worker, of))

    def obstacle(self, one: Assignment) -> Obstacle:
        """Return why an assignment waits, by its first `LOOKED_AT` others; adds no items."""
        return obstacle(self.waiter(one), self._others(one)[:LOOKED_AT], self._rules(self._free))

    def _others(self, one: Assignment) -> list[Waiter]:
        return [other for other in self.waiting() if other.assignment != one.number]

    # --- units ------------------------------------------------------------------------------

    def pair(self, one: Assignment, now: int) -> bool:
        """Seat a waiting worker, with the best partner if one is needed; return whether it did."""
        if one.waiting is None or not self.here(one):
            return False
        if self.kind(one.stage).policy != "together":
            return self._seat_alone(one, now)
        couple = match(self.waiter(one), self._others(one), self.rules(now))
        if couple is not None:
            self._seat_pair(couple, now)
        return couple is not None

    def capped(self, worker: str, stage: str) -> bool:
        """True if a worker has had as many items of a stage as one person may."""
        work, played = self._state.stages.work(stage), self._state.worker(worker).played
        had = sum(played[work.name, role] for role in self.kind(stage).roles)
        return work.cap is not None and had >= work.cap

    def another(self, one: Assignment, now: int) -> bool:
        """Seat a worker in the next item of their assignment; return whether there was one."""
        alone = self.kind(one.stage).policy != "together"
        wants = len(one.finished) < self._state.stages[one.stage].items
        wants = wants and not self.capped(one.worker, one.stage)
        return alone and wants and self._seat_alone(one, now)

    def _seat_alone(self, one: Assignment, now: int) -> bool:
        groups = (one.task,) if one.task in self.kind(one.stage).schemas else ()
        item = self.find(one.stage, now, _reader(one.worker), one.language, groups)
        if item is not None:
            item = self._gold_due(one, now) or item
            self._seat(item, {self.kind(one.stage).reader: one}, now)
        return item is not None

    def _gold_due(self, one: Assignment, now: int) -> str | None:
        state, stage, kind = self._state, self._state.stages[one.stage], self.kind(one.stage)
        seed, number = state.settings.seed, state.numbers[one.worker]
        had = state.worker(one.worker).played[one.stage, kind.reader]
        if not due(stage, seed, number, had) or not isinstance(kind, ComparableKind):
            return None
        source = gold_source(stage.name)
        for item in kind.gold() if not state.pool.offered[source] else ():
            self._transaction.write(STUDY, SERVER, Offered(msgspec.to_builtins(item)), now)
        new = [item.id for item in state.pool.new_of(source, _reader(one.worker))]
        return SeededRng(seed_of(seed, number), f"{source} {had}".encode()).choice(new or [None])

    def pair_all(self, now: int) -> None:
        """Seat all waiting people for whom it is possible, in their order (`Waiter.rank`)."""
        for one in list(self._state.waiting.values()):
            if self.kind(one.stage).policy != "together":
                self.pair(one, now)
        rules, waiting = self.rules(now), self.waiting()
        while waiting:
            couple = match(waiting.pop(0), waiting, rules)
            if couple is not None:
                self._seat_pair(couple, now)
                seated = couple.user.assignment, couple.wizard.assignment
                waiting = [waiter for waiter in waiting if waiter.assignment not in seated]

    def _seat_pair(self, pair: Pair, now: int) -> None:
        assignments = self._state.assignments
        user, wizard = (assignments[one.assignment] for one in (pair.user, pair.wizard))
        self._seat(pair.item, {USER_ROLE: user, WIZARD_ROLE: wizard}, now)

    def _seat(self, item: str, seated: dict[Role, Assignment], now: int) -> None:
        state, draft = self._state, self._transaction
        number = len(state.units) + 1
        stream = unit_stream(number)
        stage = next((s.stage for s in seated.values() if not is_bot(s.worker)), "")
        reader = seated[state.kinds[stage].reader].worker
        had = state.pool.had(reader, item)
        seats = {role: one.number for role, one in seated.items()}
        opened = Opened(item=item, stage=stage, seats=seats, batch=state.batch)
        draft.write(stream, SERVER, opened, now)
        unit = state.units[number]
        draft.claim(Lease(item=item, number=unit.lease, unit=number))
        if not had:
            draft.claim(Given(worker=reader, digest=unit.item.digest))
        for role, one in seated.items():
            draft.write(one.stream, SERVER, Seated(number, role), now)
            draft.claim(Seat(unit=number, role=role, assignment=one.number, worker=one.worker))
        for body in unit.kind.opening(unit.work, now):
            draft.write(stream, unit.kind.author(body, unit.kind.reader), body, now)


def _reader(worker: str) -> str | None:
    """Return the worker, who must not have had the item; None for a program, which may have."""
    return None if is_bot(worker) else worker
