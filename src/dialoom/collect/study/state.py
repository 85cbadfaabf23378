"""Computes the state of a study from its log, record by record, live and in a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import ComparableKind
from dialoom.collect.kinds.registry import study_kinds
from dialoom.collect.ledger import ledger
from dialoom.collect.ledger.ledger import Ledger
from dialoom.collect.ledger.review import Funnel, QualityMeasures, Reviews, Submission
from dialoom.collect.log.facts import LoggedOut, QuizFact, Served
from dialoom.collect.log.person import INVITE
from dialoom.collect.log.record import (
    SERVER,
    STUDY,
    Answered,
    Arranged,
    Batched,
    Body,
    Booked,
    Closed,
    Consented,
    Ended,
    Entered,
    Offered,
    Opened,
    Outcome,
    Qualified,
    Record,
    Reviewed,
    Seated,
    Started,
    Undone,
    is_bot,
    is_erased,
)
from dialoom.collect.recruiters.recruiter import recruiter_of
from dialoom.collect.settings import QUIZ, Settings
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.gold import GoldAnswers
from dialoom.collect.study.item_pool import ItemPool
from dialoom.collect.study.quizzes import QuizAttempt, stage_quiz
from dialoom.collect.study.stages import Worker, study_languages, study_stages
from dialoom.collect.unit import Result, Scenarios, WorkItem, WorkKind, WorkUnit
from dialoom.dialogue import COMPLETE

KEPT = 64
"""The number of closed units whose state stays in memory, so that pages can show their end."""

JOIN_KEY = "join"
"""The key of an assignment's `source` for the digest of its join key (serve/joining.py)."""


class StudyState:
    """Workers, assignments, units of work, items, payments and reviews of a study.

    Args:
        kinds: Stage to its kind of work; None for those that the stages name.

    Raises:
        UnknownNameError: A stage is a tutorial, and its quiz is not in all languages of the study.
    """

    def __init__(
        self, settings: Settings, scenarios: Scenarios, kinds: Mapping[str, WorkKind] | None
    ) -> None:
        self.settings = settings
        self.stages = study_stages(settings)
        self.languages = study_languages(settings, scenarios.tasks)
        for stage in self.stages:
            if stage.kind == QUIZ:
                for language in self.languages:
                    stage_quiz(settings, stage, language)
        self.kinds = kinds or study_kinds(self.stages, scenarios, settings)
        self.started = False
        self.batch, self.pilot = settings.batch, settings.pilot
        self.records = self.latest = 0
        self.pool = ItemPool()
        self.workers: dict[str, Worker] = {}
        self.numbers: dict[str, int] = {}
        """Worker to their number in dialogues, in the order in which they first entered."""
        self.assignments: dict[int, Assignment] = {}
        self.live: dict[int, Assignment] = {}
        self.waiting: dict[int, Assignment] = {}
        self.units: dict[int, WorkUnit] = {}
        self.open: dict[int, WorkUnit] = {}
        self.results: dict[str, list[Result]] = {}
        self.ledger = Ledger()
        self.reviews = Reviews()
        self.funnel = Funnel()
        self.gold = GoldAnswers()
        self.measures = QualityMeasures(scenarios.tasks)
        self.codes: set[str] = set()
        self.invites: dict[str, int] = {}
        self.join_keys: dict[str, int] = {}
        self.submissions: dict[str, int] = {}
        """The recruiter's id of a submission to the first assignment of it."""
        self.logged_out: set[str] = set()
        """The ids of admins' sessions that ended by a logout."""
        self._recruiter = recruiter_of(settings)
        self.comments: list[dict[str, Any]] = []
        self._seq = 0
        self.closed: list[WorkUnit] = []
        """The closed units, in the order in which they were closed."""
        self._streams: dict[str, Assignment | WorkUnit] = {}

    def worker(self, name: str) -> Worker:
        """Return the worker with an id, who is added if new."""
        if name not in self.workers:
            self.workers[name] = Worker(name)
        return self.workers[name]

    def next_seq(self, stream: str) -> int:
        """Return the `seq` of the next record of a stream."""
        if stream == STUDY:
            return self._seq + 1
        owner = self._streams.get(stream)
        return 1 if owner is None else owner.seq + 1

    def apply(self, record: Record, *, passed: bool = False) -> None:
        """Update the state with the next record of the log.

        Args:
            passed: Whether it is of the log, where earlier records of its unit may be left out
                (`Store.needed`), and one that its unit's work cannot read is skipped.

        Raises:
            ValueError: It is not the next record of its stream: the log is damaged.
        """
        owner = self._streams.get(record.stream)
        skipped = record.seq - (owner.seq + 1 if owner else self.next_seq(record.stream))
        if skipped:
            if not (passed and skipped > 0 and isinstance(owner, WorkUnit)):
                raise ValueError(f"record {record.seq} of {record.stream} is not the next one")
            owner.drop()  # a closed unit: without these records its state would be incomplete
        self.records += 1 + skipped
        self.latest = max(self.latest, record.time)
        if record.stream == STUDY:
            self._seq = record.seq
            self._study(record)
            return
        if owner is None:
            owner = self._begin(record)
        owner.seq = record.seq
        if isinstance(owner, WorkUnit):
            self._in_unit(owner, record, passed)
        else:
            self._of_assignment(owner, record)

    # --- the study's own stream -------------------------------------------------------------

    def _study(self, record: Record) -> None:
        body = record.body
        if isinstance(body, Offered):
            self._offer(msgspec.convert(body.item, WorkItem))
        elif isinstance(body, Arranged):
            self.pool.arrange(body.item, body.priority, withdrawn=body.withdrawn)
        elif isinstance(body, Booked):
            self.ledger.apply(record.time, body)
        elif isinstance(body, Reviewed):
            self.reviews.apply(body)
        elif isinstance(body, Undone):
            self.reviews.undo(body)
        elif isinstance(body, Qualified):
            self._qualified(body)
        else:
            self._server(body)

    def _server(self, body: Body) -> None:
        if isinstance(body, LoggedOut):
            self.logged_out.add(body.session)
        elif isinstance(body, Batched):
            self.batch, self.pilot = body.batch, body.pilot
        elif isinstance(body, Started):
            self.started = True
        elif isinstance(body, Served):
            for one in self.live.values():
                one.absences += body.absent

    def _offer(self, item: WorkItem) -> None:
        """Add an item to the pool; a scenario's target is at least the current setting `target`."""
        if not item.source:
            item = replace(item, target=max(item.target, self.settings.target))
        self.pool.add(item)

    def _qualified(self, body: Qualified) -> None:
        granted = self.worker(body.worker).granted
        if body.granted is None:
            granted.pop(body.stage, None)
            return
        granted[body.stage] = body.granted
        if not body.granted:
            return
        for stage in self.stages:
            after = self.stages.after(stage.name)
            if after is not None and after.name == body.stage:
                self.funnel.go_on(body.worker, stage.name)

    # --- beginnings -------------------------------------------------------------------------

    def _begin(self, record: Record) -> Assignment | WorkUnit:
        body = record.body
        if isinstance(body, Entered):
            return self._enter(record, body)
        if isinstance(body, Opened):
            return self._opened(record, body)
        raise ValueError(f"{record.stream} begins with {type(body).__name__}")

    def _enter(self, record: Record, body: Entered) -> Assignment:
        number = int(record.stream.rpartition("/")[2])
        one = Assignment(
            number=number,
            worker=body.worker,
            stage=body.stage,
            entered=record.time,
            fixed=body.role,
            language=body.language or self.settings.language,
            source=body.source,
            touched=record.time,
        )
        stage = self.stages[one.stage]
        if stage.kind == QUIZ:
            quiz = stage_quiz(self.settings, stage, one.language)
            one.attempt = QuizAttempt(quiz, stage.limits or self.settings.quiz)
        self.assignments[number] = self.live[number] = self._streams[record.stream] = one
        self.numbers.setdefault(body.worker, len(self.numbers) + 1)
        worker = self.worker(body.worker)
        worker.live = worker.last = number
        for name, index in ((INVITE, self.invites), (JOIN_KEY, self.join_keys)):
            if name in body.source:
                index[body.source[name]] = number
        if self._recruiter is not None and self._recruiter.submission in body.source:
            self.submissions.setdefault(body.source[self._recruiter.submission], number)
        self.funnel.mark(body.worker, body.stage, "entered")
        return one

    def _opened(self, record: Record, body: Opened) -> WorkUnit:
        number = int(record.stream.rpartition("/")[2])
        kind, item = self.kinds[body.stage], self.pool[body.item]
        people = (*(self.assignments[n].worker for n in body.seats.values()), *item.participants)
        erased = any(map(is_erased, people))  # then its log cannot be read in full
        one = WorkUnit(
            number=number,
            kind=kind,
            item=item,
            stage=body.stage,
            lease=self.pool.lease(item.id),
            seats=dict(body.seats),
            batch=body.batch,
            opened=record.time,
            work=None if erased else kind.begin(item, self.stages[body.stage]),
            view=None if erased else kind.view(),
            live=set(body.seats),
        )
        self.units[number] = self.open[number] = self._streams[record.stream] = one
        seated = {role: self.assignments[each] for role, each in one.seats.items()}
        self.pool.give(seated[kind.reader].worker, item.id)
        for role, each in seated.items():
            worker = self.worker(each.worker)
            worker.met.update(o.worker for p, o in seated.items() if p != role)
            worker.played[each.stage, role] += 1
        return one

    # --- assignments and units --------------------------------------------------------------

    def _of_assignment(self, one: Assignment, record: Record) -> None:
        if record.client:
            one.clients[record.client] = record.seq
        one.apply(record)
        body = record.body
        if one.waiting is not None:
            self.waiting[one.number] = one
        else:
            self.waiting.pop(one.number, None)
        if isinstance(body, Consented):
            self.worker(one.worker).agreed.add((body.version, self.stages.work(one.stage).kind))
        elif isinstance(body, QuizFact | Seated):
            self.funnel.mark(one.worker, one.stage, "attempted")
        elif isinstance(body, Ended):
            del self.live[one.number]
            self.worker(one.worker).live = None
            self.codes.add(body.code)
            if body.outcome == "completed":
                self.funnel.mark(one.worker, one.stage, "passed")
            self._submit(one, body.outcome, record.time)

    def done(self, one: Assignment, outcome: Outcome | None) -> tuple[int, ...]:
        """Return the units that an assignment with an outcome has finished."""
        own = (one.unit,) if one.unit is not None and outcome == "completed" else ()
        return tuple(dict.fromkeys((*one.finished, *own)))

    def earned(self, one: Assignment, outcome: Outcome) -> tuple[ledger.Payment, ...]:
        """Return the payments for the finished units of an assignment with an outcome."""
        units = self.done(one, outcome)
        if not units:
            return ()
        stage, item = self.stages[one.stage], self.units[units[-1]].item
        return ledger.unit(self.settings.pay, stage, item, len(units))

    def reviewed_first(self, one: Assignment) -> bool:
        """True if the work of an assignment is paid after a review only."""
        rules = self.stages[one.stage].accept
        return rules is not None or self.reviews.is_first(one.worker, one.stage)

    def _submit(self, one: Assignment, outcome: Outcome, time: int) -> None:
        units = self.done(one, outcome)
        if not units or one.role is None or is_bot(one.worker) or self.settings.open:
            return
        self.reviews.submit(
            Submission(
                assignment=one.number,
                worker=one.worker,
                stage=one.stage,
                role=one.role,
                units=units,
                time=time,
                first=self.reviewed_first(one),
                payments=self.earned(one, outcome),
            )
        )

    def _in_unit(self, unit: WorkUnit, record: Record, logged: bool) -> None:
        if record.client:
            role = record.author if record.author in unit.seats else unit.kind.reader
            self.assignments[unit.seats[role]].clients[record.client] = record.seq
        unit.apply(record, logged=logged)
        if type(record.body) is Answered and unit.kind.policy != "together":
            self.assignments[unit.seats[record.body.role]].finished.append(unit.number)
        if type(record.body) is Closed:
            self._close(unit, record.body)

    def _close(self, unit: WorkUnit, body: Closed) -> None:
        self.open.pop(unit.number)
        self.comments += fault_comments(unit)
        for role, answered in unit.answers.items():
            if answered.comment:
                row = {"room": unit.number, "role": role, "text": answered.comment}
                self.comments.append({**row, "time": unit.last})
        if body.outcome == COMPLETE:
            self.pool.complete[unit.item.source] += 1
            if body.result is not None:
                worker = self.assignments[unit.seats[unit.kind.reader]].worker
                result = Result(unit.number, worker, body.result, unit.batch)
                self._score(unit, worker, body.result)
                self.results.setdefault(unit.item.id, []).append(result)
        else:
            self.pool.release(unit.item.id, unit.lease)
            for role, number in unit.seats.items():
                one = self.assignments[number]
                self.worker(one.worker).played[one.stage, role] -= 1
        if body.tally is not None:
            scenario = unit.kind.given(unit.item)
            measures = self.measures.measure(body.tally, scenario, body.outcome, unit.answers)
            for role, number in unit.seats.items():
                self.reviews.measured(number, measures[role])
        self.closed.append(unit)
        if len(self.closed) > KEPT:
            self.closed[-KEPT - 1].drop()

    def _score(self, unit: WorkUnit, worker: str, document: Mapping[str, Any]) -> None:
        rules = self.stages[unit.stage].gold
        if unit.item.gold and rules is not None and isinstance(unit.kind, ComparableKind):
            score = unit.kind.score(unit.kind.given(unit.item), document)
            right = score >= rules.right
            self.gold.answer(worker, unit.stage, unit.number, right=right)


def fault_comments(unit: WorkUnit) -> Iterator[dict[str, Any]]:
    """Yield a comment for the admin on what went wrong in a unit."""
    if unit.work is not None and unit.work.faults.noted:
        text = str(unit.work.faults)
        yield {"room": unit.number, "role": SERVER, "text": text, "time": unit.last}
