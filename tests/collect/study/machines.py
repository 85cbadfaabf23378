"""State machines that play a study at random."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from itertools import combinations, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.json import encode

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Record, is_bot
from dialoom.collect.log.store import Store
from dialoom.collect.message import (
    Consent,
    Envelope,
    Leave,
    Questionnaire,
    QuizAnswer,
    QuizHint,
    Ready,
    Refused,
)
from dialoom.collect.settings import Settings
from dialoom.collect.study import administration, dashboard, page
from dialoom.collect.study.matcher import match
from dialoom.collect.study.quizzes import load_quiz
from dialoom.collect.study.study import Study
from tests.collect.studied import BEGIN, SECOND, Shelf, library, new_study
from tests.collect.studied import settings as small

WORKERS = ("w1", "w2", "w3", "w4", "bot:1")

ANY = st.integers(0, 99)


class Direct(RuleBasedStateMachine):
    """A small study: few workers, fewer scenarios, so that all of it runs out."""

    CHANGES: dict[str, Any] = {"scenarios": 3, "target": 2, "pair_cap": 2}

    def __init__(self) -> None:
        super().__init__()
        self.settings: Settings = small(**self.CHANGES)
        catalogue, self.tools = library(self.settings.scenario)
        self.shelf = Shelf(catalogue.made, catalogue.tasks)
        self.now, self.codes, self.messages = BEGIN, count(), count()
        self.study = self.fresh()
        self.log: list[Record] = []
        self.changes: list[Change] = []
        self.last: tuple[int, Envelope] | None = None
        self.put(self.study.start(self.now))

    def teardown(self) -> None:
        self.finish()
        self.store()

    def fresh(self) -> Study:
        return new_study(self.settings, self.shelf, self.tools, self.codes)

    def replayed(self, log: Iterable[Record] | None = None) -> Study:
        """Return the study as the log tells it, or what is needed of it; with the same people."""
        study = self.fresh()
        for record in self.log if log is None else log:
            study.state.apply(record, passed=log is not None)
        vars(study.presence).update(deepcopy(vars(self.study.presence)))
        vars(study.pairing)["_exhausted"] = set(
            vars(self.study.pairing)["_exhausted"]
        )  # known once asked
        assert dashboard.state(study, self.now) == dashboard.state(self.study, self.now)
        return study

    def put(self, change: Change) -> None:
        """Note a change, and let a second pass."""
        if change.records or change.claims:
            self.changes.append(change)
            self.log += change.records
        self.now += SECOND

    # --- what people do ----------------------------------------------------------------------

    def pick(self, which: int) -> int | None:
        live = sorted(self.study.state.live)
        return live[which % len(live)] if live else None

    def send(self, number: int, message: ClientMessage) -> None:
        envelope = Envelope(f"c-{next(self.messages)}", 0, message)
        before = self.study.state.records
        try:
            change = self.study.handle(number, envelope, self.now)
        except Refused:
            assert self.study.state.records == before
            return
        assert change.records
        self.last = (number, envelope)
        self.put(change)

    @rule(worker=st.sampled_from(WORKERS), role=st.sampled_from([None, None, "user", "wizard"]))
    def enter(self, worker: str, role: Any) -> None:
        try:
            number, change = self.study.enter(worker, self.now, role=role)
        except Refused:
            self.put(self.study.transaction.take())
            return
        self.put(change)
        self.put(self.study.connected(number, self.now))

    @initialize(workers=st.permutations(WORKERS))
    def open_the_doors(self, workers: list[str]) -> None:
        self.come_in_and_wait(workers)

    @rule(workers=st.lists(st.sampled_from(WORKERS), min_size=2, max_size=4, unique=True))
    def come_in_and_wait(self, workers: list[str]) -> None:
        for worker in workers:
            self.enter(worker, None)
            live = self.study.state.worker(worker).live
            if live is not None:
                self.send(live, Consent())
                self.send(live, Ready())

    @rule(which=ANY, message=st.sampled_from([Consent(), Ready(), Ready("user"), Accomplish()]))
    def begin(self, which: int, message: ClientMessage) -> None:
        number = self.pick(which)
        if number is not None:
            self.send(number, message)

    @rule(which=ANY)
    def leave(self, which: int) -> None:
        number = self.pick(which)
        if number is not None:
            self.send(number, Leave())

    @rule(which=ANY, turns=st.integers(1, 6))
    def talk(self, which: int, turns: int) -> None:
        rooms = sorted(self.study.state.open)
        if rooms:
            unit = self.study.units[rooms[which % len(rooms)]]
            for _ in range(turns):
                for role in ("user", "wizard"):
                    self.send(unit.seats[role], Say("Well."))

    @rule(which=ANY)
    def questionnaire(self, which: int) -> None:
        number = self.pick(which)
        if number is None:
            return
        form = page.state(self.study, number, self.now).get("questionnaire")
        if form is None:
            self.send(number, Questionnaire({}))
            return
        answers = {question["id"]: which % 2 == 0 for question in form["questions"]}
        self.send(number, Questionnaire(answers, 1 + which % 5 if form["rating"] else None))

    @rule(which=ANY, both=st.booleans())
    def to_the_end(self, which: int, both: bool) -> None:
        """A dialogue to its end, which single steps seldom reach."""
        self.talk(which, 10)
        for number in sorted(self.study.state.live):
            self.send(number, Accomplish())
        for number in sorted(self.study.state.live)[:: 1 if both else 2]:
            if "questionnaire" in page.state(self.study, number, self.now):
                self.questionnaire(sorted(self.study.state.live).index(number))

    @rule(which=ANY, role=st.sampled_from(["user", "wizard"]))
    def leave_the_room(self, which: int, role: Any) -> None:
        rooms = sorted(self.study.state.open)
        if rooms:
            unit = self.study.units[rooms[which % len(rooms)]]
            if role in unit.live:
                self.send(unit.seats[role], Leave())

    @precondition(lambda self: self.last is not None)
    @rule()
    def send_again(self) -> None:
        assert self.last is not None
        number, message = self.last
        assert not self.study.handle(number, message, self.now).records

    # --- connections, time, the server, the admin --------------------------------------------

    @rule(which=ANY)
    def disconnect(self, which: int) -> None:
        number = self.pick(which)
        if number is not None:
            self.put(self.study.disconnected(number, self.now))

    @rule(which=ANY)
    def reconnect(self, which: int) -> None:
        number = self.pick(which)
        if number is not None:
            self.put(self.study.connected(number, self.now))

    @rule(seconds=st.integers(1, 120))
    def tick(self, seconds: int) -> None:
        for _ in range(0, seconds, 5):
            self.now += 4 * SECOND
            self.put(self.study.tick(self.now))

    @rule(away=st.sampled_from([0, 5, 7200]))
    def restart(self, away: int) -> None:
        study = self.replayed()
        assert study.state.records == self.study.state.records
        for number in study.state.assignments:
            assert page.state(study, number, self.now) == page.state(self.study, number, self.now)
        self.study = self.fresh()
        for record in self.log:
            self.study.state.apply(record)
        self.now += away * SECOND
        for number in sorted(self.study.state.live)[::2]:  # every other one comes back
            self.put(self.study.connected(number, self.now))

    @rule(which=ANY)
    def end_unit(self, which: int) -> None:
        rooms = sorted(self.study.state.open)
        if rooms and which % 3 == 0:
            self.put(self.study.end_unit(rooms[which % len(rooms)], self.now))

    @rule(which=ANY, accepted=st.booleans())
    def review(self, which: int, accepted: bool) -> None:
        waiting = [one.assignment for one in self.study.state.reviews.queue()]
        if waiting:
            number = waiting[which % len(waiting)]
            change = administration.review(
                self.study,
                number,
                self.now,
                accepted=accepted,
                reason="Read.",
                instructions=1 + which % 5,
            )
            self.put(change)

    # --- what holds ---------------------------------------------------------------------------

    @invariant()
    def nobody_is_with_themselves_or_in_two_rooms(self) -> None:
        seated: list[str] = []
        for unit in self.study.state.open.values():
            names = [self.study.assignment(n).worker for n in unit.seats.values()]
            assert len(set(names)) == 2 and not all(map(is_bot, names))
            live = [self.study.assignment(unit.seats[role]).worker for role in unit.live]
            seated += live
            for role in unit.live:
                assert self.study.seat(unit.seats[role]) == (unit, role)
        assert len(seated) == len(set(seated))

    @invariant()
    def no_two_wait_who_could_be_paired(self) -> None:
        pairing = self.study.pairing
        rules = pairing.rules(self.now)
        for one, other in combinations(pairing.waiting(), 2):
            assert match(one, [other], rules) is None
        self.put(self.study.transaction.take())  # what was offered on the way

    @invariant()
    def scenarios_are_not_given_out_too_often(self) -> None:
        uses: dict[str, int] = {}
        read: set[tuple[str, str]] = set()
        for unit in self.study.units.values():
            if unit.outcome in (None, "Complete"):
                uses[unit.item.id] = uses.get(unit.item.id, 0) + 1
            worker = self.study.assignment(unit.seats["user"]).worker
            if not is_bot(worker):
                assert (worker, unit.item.id) not in read
                read.add((worker, unit.item.id))
        assert all(used <= self.settings.target for used in uses.values())

    @invariant()
    def who_has_ended_has_a_code_of_their_own(self) -> None:
        ended = [one for one in self.study.state.assignments.values() if one.outcome]
        codes = [one.code for one in ended]
        assert all(codes) and len(codes) == len(set(codes))
        assert not {one.number for one in ended} & self.study.state.live.keys()

    def finish(self) -> None:
        """After enough time everyone who was admitted has ended, and the log tells all of it."""
        limit = 3 * 3600 // 5
        while any(not is_bot(one.worker) for one in self.study.state.live.values()):
            self.now += 4 * SECOND
            self.put(self.study.tick(self.now))
            limit -= 1
            assert limit, self.study.state.live
        self.who_has_ended_has_a_code_of_their_own()
        seqs: dict[str, int] = {}
        for record in self.log:
            assert record.seq == seqs.get(record.stream, 0) + 1
            seqs[record.stream] = record.seq
        self.replayed()

    def store(self) -> None:
        """The constraints of the store take every change."""
        with TemporaryDirectory() as folder:
            store = Store.open(str(Path(folder) / "study.sqlite"))
            try:
                for future in [store.submit(change) for change in self.changes]:
                    future.result(timeout=60)
                assert encode(list(store.records())) == encode(self.log)
                with patch("dialoom.collect.log.reader.RECENT", 0):
                    self.replayed(store.needed())
            finally:
                store.close()


class Star(Direct):
    """The same with STAR's four stages."""

    CHANGES = {"scenarios": 12, "stages": "star", "scenario": "mixed", "target": 1}

    @initialize(workers=st.permutations(WORKERS))
    def open_the_doors(self, workers: list[str]) -> None:
        for worker in workers[:3]:
            self.grant(worker, "single")
        self.come_in_and_wait(workers)

    @rule(which=ANY, question=st.integers(0, 9), option=st.sampled_from("abcd"))
    def answer(self, which: int, question: int, option: str) -> None:
        number = self.pick(which)
        if number is not None:
            quiz = load_quiz("single_tutorial", "en").questions
            self.send(number, QuizAnswer(quiz[question].id, option))
            self.send(number, QuizHint(quiz[-question].id))

    @rule(which=ANY, wrong=st.integers(0, 10))
    def quiz(self, which: int, wrong: int) -> None:
        number = self.pick(which)
        if number is None:
            return
        self.send(number, Consent())
        for question in load_quiz("multi_tutorial", "en").questions:
            for option in question.options:
                if option == question.right or wrong > 0:
                    wrong -= option != question.right
                    if number in self.study.state.live:
                        self.send(number, QuizAnswer(question.id, option))

    @rule(worker=st.sampled_from(WORKERS), stage=st.sampled_from(["single", "multi"]))
    def grant(self, worker: str, stage: Any) -> None:
        self.put(self.study.grant(worker, stage, self.now))
