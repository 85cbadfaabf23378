"""The same studies with people and an admin who do what they should not, at every step."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    Pick,
    Say,
    Suggest,
    SwitchTask,
)
from dialoom.collect.log.record import is_bot
from dialoom.collect.message import (
    Consent,
    Envelope,
    Leave,
    Questionnaire,
    QuizHint,
    Ready,
    Refused,
)
from dialoom.collect.settings import Pay
from dialoom.collect.study import administration, page
from dialoom.collect.unit import ItemFilter
from tests.collect.study.machines import ANY, WORKERS, Direct, Star

WISHES: tuple[ClientMessage, ...] = (
    Accomplish(),
    Ask("restaurant_book", ()),
    Choose("primary", 0),
    Choose("secondary", None),
    Consent(),
    QuizHint("q1"),
    Leave(),
    Pick("hello", "-"),
    Questionnaire({}),
    Ready("wizard"),
    Say("\u200b"),
    Say("Well."),
    Suggest("hello"),
    SwitchTask("hotel_book"),
)
BEST = Pay(top_least=1, top_share=1.0)


class _Adverse(Direct):
    """What people do who have two tabs, old pages and no patience."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[int, Envelope]] = []

    def send(self, number: int, message: ClientMessage) -> None:
        before = self.last
        super().send(number, message)
        if self.last is not None and self.last is not before:
            self.sent.append(self.last)

    @rule(which=ANY)
    def send_something_old_again(self, which: int) -> None:
        """From another tab, or after the end: a message that was kept changes nothing more."""
        if not self.sent:
            return
        number, message = self.sent[which % len(self.sent)]
        before = self.study.state.records
        try:
            assert not self.study.handle(number, message, self.now).records
        except Refused as refused:
            assert refused.code == "over"
            assert self.study.assignment(number).outcome is not None
        assert self.study.state.records == before

    @rule(which=ANY, message=st.sampled_from(WISHES))
    def anything_at_any_step(self, which: int, message: ClientMessage) -> None:
        numbers = sorted(self.study.state.assignments)
        if numbers:
            self.send(numbers[which % len(numbers)], message)

    @rule(which=ANY)
    def a_second_tab(self, which: int) -> None:
        """The hub knows one connection an assignment: the first is taken over, and tells no end."""
        number = self.pick(which)
        if number is not None:
            self.put(self.study.connected(number, self.now))
            self.put(self.study.connected(number, self.now))

    @rule(which=ANY)
    def somebody_who_has_ended_comes_and_goes(self, which: int) -> None:
        done = [one.number for one in self.study.state.assignments.values() if one.outcome]
        if done:
            number = done[which % len(done)]
            assert not self.study.connected(number, self.now).records
            assert not self.study.disconnected(number, self.now).records
            assert page.state(self.study, number, self.now)["step"] == "done"

    @rule(which=ANY)
    def leave_while_being_paired(self, which: int) -> None:
        """Their partner comes in the same instant: no second passes."""
        waiting = sorted(self.study.state.waiting)
        if waiting:
            number = waiting[which % len(waiting)]
            self.come_in_and_wait([WORKERS[which % len(WORKERS)]])
            self.now -= self.now % 2
            self.send(number, Leave())

    @rule(which=ANY, worker=st.sampled_from([None, *WORKERS]))
    def come_again_with_an_invite(self, which: int, worker: str | None) -> None:
        before = [n for n, one in self.study.state.assignments.items() if one.outcome]
        again = before[which % len(before)] if before and worker is None else None
        nonce = f"n{which % 4}"
        used = nonce in self.study.state.invites
        try:
            number, change = self.study.enter(worker, self.now, invite=nonce, again_of=again)
        except Refused:
            self.put(self.study.transaction.take())
            return
        assert not used
        self.put(change)
        self.put(self.study.connected(number, self.now))

    # --- the admin ----------------------------------------------------------------------------

    @rule(which=ANY)
    def end_somebody(self, which: int) -> None:
        number = self.pick(which)
        if number is None:
            return
        inside = self.study.assignment(number).step == "room"
        try:
            self.put(self.study.end(number, self.now))
            assert not inside
        except Refused as refused:
            assert inside and refused.code == "not_now"

    @rule(which=ANY)
    def end_any_room(self, which: int) -> None:
        rooms = sorted(self.study.units)
        if not rooms:
            return
        number = rooms[which % len(rooms)]
        live = number in self.study.state.open
        try:
            self.put(self.study.end_unit(number, self.now))
            assert live and self.study.units[number].outcome is not None
        except Refused as refused:
            assert not live and refused.code == "unknown"

    @rule(worker=st.sampled_from(WORKERS), which=ANY, granted=st.booleans())
    def decide_on_a_stage(self, worker: str, which: int, granted: bool) -> None:
        names = [stage.name for stage in self.study.state.stages]
        name = names[which % len(names)]
        self.put(self.study.grant(worker, name, self.now, granted=granted))

    @rule(which=ANY, accepted=st.booleans())
    def review_anything(self, which: int, accepted: bool) -> None:
        numbers = sorted(self.study.state.reviews.all)
        if numbers:
            number = numbers[which % len(numbers)]
            try:
                self.put(
                    administration.review(
                        self.study, number, self.now, accepted=accepted, reason="Read."
                    )
                )
            except Refused as refused:
                assert refused.code in ("reviewed_already", "paid_already")

    @rule()
    def confirm_all(self) -> None:
        keys = [row["key"] for row in administration.proposed(self.study)]
        self.put(administration.confirm_bonuses(self.study, [*keys, *keys], self.now))
        assert not {row["key"] for row in administration.proposed(self.study)} & {*keys}

    # --- what holds ---------------------------------------------------------------------------

    @invariant()
    def nobody_is_paid_twice(self) -> None:
        rows = [row for _, row in self.study.state.ledger.rows]
        assert len({row.key for row in rows}) == len(rows)
        # a rejection, of no cents, may be taken back by accepting the work after all
        payments = Counter(row.assignment for row in rows if row.kind == "payment")
        assert all(number == 1 for number in payments.values())
        for row in rows:
            outcome = self.study.assignment(row.assignment or 0).outcome
            assert outcome is not None and row.cents >= 0 and not is_bot(row.worker)

    @invariant()
    def no_two_meet_too_often(self) -> None:
        met: Counter[frozenset[str]] = Counter()
        for unit in self.study.units.values():
            pair = {self.study.assignment(number).worker for number in unit.seats.values()}
            met[frozenset(pair)] += not any(map(is_bot, pair))
        assert all(number <= self.settings.pair_cap for number in met.values())

    @invariant()
    def leases_are_those_of_rooms(self) -> None:
        """No number of a scenario is worked on twice at once, and none is lost."""
        leases: dict[str, list[int]] = {}
        for unit in self.study.units.values():
            if unit.outcome in (None, "Complete"):
                leases.setdefault(unit.item.id, []).append(unit.lease)
        pool = self.study.state.pool
        for numbers in leases.values():
            assert len(set(numbers)) == len(numbers) and max(numbers) <= self.settings.target
        offered = {r.body.item["id"]: r.body.item["group"] for r in self.offered()}
        for kind in ("single", "multi"):
            mine = [name for name, each in offered.items() if each == kind]
            total = sum(len(leases.get(name, ())) for name in mine)
            assert pool.left(ItemFilter("", (kind,))) == len(mine) * self.settings.target - total

    def offered(self) -> list[Any]:
        return [r for r in self.log if type(r.body).__name__ == "Offered"]

    @invariant()
    def roles_played_are_counted_truly(self) -> None:
        played: Counter[tuple[str, str, str]] = Counter()
        for unit in self.study.units.values():
            for role, number in unit.seats.items():
                one = self.study.assignment(number)
                fine = unit.outcome in (None, "Complete")
                played[one.worker, one.stage, role] += fine
        for name, worker in self.study.state.workers.items():
            for (stage, role), number in worker.played.items():
                assert number == played[name, stage, role]


class Adverse(_Adverse):
    """Straight to the dialogues."""

    CHANGES = {**Direct.CHANGES, "pay": BEST, "spare": 2}


class AdverseStar(_Adverse, Star):
    """Through the stages."""

    CHANGES = {**Star.CHANGES, "pay": BEST}


_SETTINGS = settings(
    max_examples=15,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestAdverse = Adverse.TestCase
TestAdverseStar = AdverseStar.TestCase
TestAdverse.settings = TestAdverseStar.settings = _SETTINGS
