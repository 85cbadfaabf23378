"""A study and its commands, each of which returns a change to be written in one transaction.

    study = Study(settings, ScenarioLibrary(settings))
    for record in store.needed():
        study.state.apply(record, passed=True)       # the state is computed from the log
    number, change = study.enter("w1", now)          # already applied in memory
    store.submit(change)
    change = study.handle(number, message, now)      # if it raises Refused, nothing is written
    change = study.tick(now)                         # each second: timeouts

A change is applied in memory before it is stored. If the store cannot write it, the study object is
discarded and built anew from the log, so that nothing has to be undone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence

import msgspec

from dialoom.collect.log.change import Change, LinkUsed
from dialoom.collect.log.facts import BEAT, Away
from dialoom.collect.log.person import INVITE
from dialoom.collect.log.record import (
    ADMIN,
    SERVER,
    STUDY,
    WORKER,
    Attention,
    Batched,
    Body,
    Changed,
    Consented,
    Entered,
    Outcome,
    Qualified,
    Role,
    Started,
    Waiting,
    assignment_stream,
    is_bot,
    is_erased,
)
from dialoom.collect.message import Attend, Envelope, Leave, Ready, Refused, visible
from dialoom.collect.settings import Settings
from dialoom.collect.study.acceptance import accept_waiting
from dialoom.collect.study.admission import Admission
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.completion import AssignmentCompletion
from dialoom.collect.study.handing_on import hand_on
from dialoom.collect.study.pairing import Pairing
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.stages import Worker, next_stage
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.timeouts import Timeouts
from dialoom.collect.study.transaction import Transaction
from dialoom.collect.unit import Scenarios, WorkKind, WorkUnit
from dialoom.dialogue import Candidate

LONGEST_ID = 200
"""Characters of a worker's id; recruiters' have some 24."""


class Study:
    """A study in memory; its methods change it and return the `Change` for the store to write.

    Args:
        token: Returns a new random text for completion codes and ids of visitors.
    """

    def __init__(
        self,
        settings: Settings,
        scenarios: Scenarios,
        *,
        token: Callable[[], str] = lambda: secrets.token_hex(8),
        kinds: Mapping[str, WorkKind] | None = None,
    ) -> None:
        self.settings = settings
        self.state = StudyState(settings, scenarios, kinds)
        self.units = self.state.units
        self.presence = Presence()
        self.transaction = Transaction(self.state, self.presence)
        self.pairing = Pairing(self.state, self.transaction, self.presence)
        self.completion = AssignmentCompletion(
            self.state, self.transaction, self.presence, token, self.pairing.another
        )
        self.timeouts = Timeouts(self.state, self.presence, self.completion)
        self.admission = Admission(self.state, self.pairing, self.timeouts)
        self._token = token

    # --- look-ups ---------------------------------------------------------------------------

    def assignment(self, number: int) -> Assignment:
        """Return an assignment by its number; `Refused` (`unknown`) if there is none."""
        one = self.state.assignments.get(number)
        if one is None:
            raise Refused("unknown", f"there is no assignment {number}")
        return one

    def seat(self, number: int) -> tuple[WorkUnit, Role] | None:
        """Return the unit and the role of an assignment; None if it is not in a unit."""
        one = self.assignment(number)
        if one.step != "room" or one.unit is None or one.role is None:
            return None
        return self.units[one.unit], one.role

    # --- start, batches, entry --------------------------------------------------------------

    def start(self, now: int) -> Change:
        """Begin the log of a new study."""
        if not self.state.started:
            self.transaction.write(STUDY, SERVER, Started(msgspec.to_builtins(self.settings)), now)
        return self.transaction.take()

    def change(self, settings: Settings, now: int) -> Change:
        """Record new settings, which hold when the log is next replayed (settings_change.py)."""
        self.transaction.write(STUDY, ADMIN, Changed(msgspec.to_builtins(settings)), now)
        return self.transaction.take()

    def begin_batch(self, batch: str, now: int, *, pilot: bool) -> Change:
        """Begin a batch, to which units opened later belong; no change if it is the current one."""
        if (batch, pilot) != (self.state.batch, self.state.pilot):
            self.transaction.write(STUDY, ADMIN, Batched(batch, pilot), now)
        return self.transaction.take()

    def enter(
        self,
        worker: str | None,
        now: int,
        *,
        role: Role | None = None,
        language: str = "",
        source: dict[str, str] | None = None,
        invite: str | None = None,
        again_of: int | None = None,
        stage: str = "",
    ) -> tuple[int, Change]:
        """Begin an assignment of a worker, in the stage that they may enter now.

        Args:
            worker: The worker's id; None for the worker of `again_of`, or a new anonymous one.
            language: The chosen language; where empty, that of the worker's last assignment.
            invite: The nonce of a single-use link.
            again_of: An ended assignment whose worker begins another one.
            role: The role that the link fixes; it leads to the stages that have it.
            stage: The stage that the link leads to; empty for the latest that is open.

        Returns:
            The assignment's number, and the change to write.

        Raises:
            Refused: `link_used`, `already_in`, `not_a_wizard`, `screened_out`, `rejected`, `full`,
                `paused`, `language_wanted`: the worker has to choose a language of the study, or
                `malformed`: the worker's id is not valid.
        """
        if invite is not None and invite in self.state.invites:
            raise Refused("link_used", "this link has been used")
        if worker is None:
            before = None if again_of is None else self.assignment(again_of).worker
            is_known = before is not None and not is_erased(before)
            worker = before if before and is_known else f"visitor-{self._token()}"
        _check_worker(worker)
        if self.settings.paused and not is_bot(worker):
            raise Refused("paused", "the study is paused; come back later")
        language = self._language(worker, language)
        to = (stage,) if stage else self.pairing.stages_of(role)
        entered = next_stage(
            self.state.workers.get(worker) or Worker(worker),
            self.state.stages,
            lambda name: self.admission.admits(worker, name, role, now, language),
            lambda name: bool(self.pairing.roles_for(worker, role, name)),
            to,
        )
        self._make_way(worker, now)
        number = len(self.state.assignments) + 1
        ids = dict(source or {}) if invite is None else {**(source or {}), INVITE: invite}
        body = Entered(worker=worker, stage=entered.name, language=language, role=role, source=ids)
        self.transaction.write(assignment_stream(number), SERVER, body, now)
        version, kind = self.settings.consent.version, self.state.stages.work(entered.name).kind
        if (version, kind) in self.state.worker(worker).agreed and not is_bot(worker):
            one = self.state.assignments[number]
            self.transaction.write(one.stream, SERVER, Consented(version), now)
            self._begin_alone(one, now)
        if invite is not None:
            self.transaction.claim(LinkUsed(nonce=invite, assignment=number))
        return number, self.transaction.take()

    def _language(self, worker: str, choice: str) -> str:
        languages, record = self.state.languages, self.state.workers.get(worker)
        if not choice and record is not None and record.last is not None:
            return self.assignment(record.last).language
        if not choice and (len(languages) == 1 or is_bot(worker)):
            return self.settings.language
        if choice not in languages:
            what = "choose a language that this study has"
            raise Refused("language_wanted", what, languages=list(languages))
        return choice

    def _make_way(self, worker: str, now: int) -> None:
        live = self.state.worker(worker).live
        if live is None:
            return
        one = self.assignment(live)
        if one.step == "room" or self.presence.here(live):
            raise Refused("already_in", "this worker is in the study already, in another browser")
        self.completion.end(one, "lost", now)

    # --- participants' messages -------------------------------------------------------------

    def handle(
        self,
        number: int,
        envelope: Envelope,
        now: int,
        ranked: tuple[Candidate, ...] | None = None,
    ) -> Change:
        """Apply a participant's message; return its change, empty if it was handled before.

        Args:
            ranked: For a `Suggest`, the candidates, best first.

        Raises:
            Refused: The message is not allowed now or not valid.
        """
        one = self.assignment(number)
        if envelope.client in one.clients:
            return Change()
        if one.step == "done":
            raise Refused("over", "this assignment is over")
        if isinstance(envelope.message, Attend):
            self._note_attention(one, envelope.message, envelope.client, now)
        elif one.step == "room":
            self._in_unit(one, envelope, now, ranked)
        elif isinstance(envelope.message, Leave):
            outcome: Outcome = self.completion.of_wait(one) if one.waiting is not None else "left"
            self.completion.end(one, outcome, now, author=WORKER, client=envelope.client)
        else:
            self._outside(one, envelope, now)
        return self.transaction.take()

    def _note_attention(self, one: Assignment, noted: Attend, client: str, now: int) -> None:
        if not self.settings.attention or one.step != "room":
            raise Refused("not_now", "this study does not record that, or not now")
        body = Attention(pasted=noted.pasted, away=noted.away)
        self.transaction.write(one.stream, WORKER, body, now, client=client)

    def _outside(self, one: Assignment, envelope: Envelope, now: int) -> None:
        role = envelope.message.role if isinstance(envelope.message, Ready) else None
        if role is not None and role not in self.pairing.roles(one):
            raise Refused("role_closed", f"this worker cannot play the {role}")
        body = one.decide(envelope.message, self.settings.consent.version)
        self.transaction.write(one.stream, WORKER, body, now, client=envelope.client)
        self._begin_alone(one, now)
        if one.attempt is not None and one.attempt.over:
            self._quizzed(one, now)
        elif one.waiting is not None:
            self.pairing.pair(one, now)

    def _begin_alone(self, one: Assignment, now: int) -> None:
        """Begin the wait for work that needs no partner at once, without a message `Ready`."""
        alone = self.pairing.kind(one.stage).policy != "together"
        if one.step == "waiting" and one.waiting is None and alone:
            self.transaction.write(one.stream, WORKER, Waiting(), now)

    def _quizzed(self, one: Assignment, now: int) -> None:
        passed = one.attempt is not None and one.attempt.passed
        after = self.state.stages.after(one.stage) if passed else self.state.stages[one.stage]
        if after is not None:
            self.transaction.write(STUDY, SERVER, Qualified(one.worker, after.name, passed), now)
        self.completion.end(one, "completed" if passed else "screened_out", now)

    def _in_unit(
        self,
        one: Assignment,
        envelope: Envelope,
        now: int,
        ranked: tuple[Candidate, ...] | None,
    ) -> None:
        unit, role, client = self.units[one.unit or 0], one.role, envelope.client
        if unit.work is None or role is None:
            raise Refused("not_now", "the unit is closed")
        if isinstance(envelope.message, Leave):
            self.completion.depart(unit, {role: "left"}, now, author=role, client=client)
        else:
            for body in unit.kind.decide(unit.work, role, envelope.message, now, ranked):
                author = unit.kind.author(body, role)
                self.transaction.write(unit.stream, author, body, now, client=client)
                client = ""
        self._settle(unit, now)

    def answer(self, number: int, bodies: Sequence[Body], now: int) -> Change:
        """Write records of the server to a live unit, such as the utterances of a bot."""
        unit = self.state.open[number]
        for body in bodies:
            author = unit.kind.author(body, unit.kind.reader)
            self.transaction.write(unit.stream, author, body, now)
        return self.transaction.take()

    def _settle(self, unit: WorkUnit, now: int) -> None:
        handed = hand_on(self.state, self.transaction, unit, now)
        if self.completion.settle(unit, now) or handed:
            self.pairing.pair_all(now)
        accept_waiting(self.state, self.transaction, unit, now)

    # --- connections and time ---------------------------------------------------------------

    def connected(self, number: int, now: int) -> Change:
        """Record that an assignment is connected, and pair it if it waits."""
        one = self.assignment(number)
        if one.step != "done":
            self.transaction.serve(now)
            self.presence.connect(number)
            if one.away is not None:
                self.transaction.write(one.stream, SERVER, Away(None), now)
            self.pairing.pair(one, now)
        return self.transaction.take()

    def disconnected(self, number: int, now: int) -> Change:
        """Record that an assignment has lost its last connection."""
        if self.assignment(number).step != "done":
            self.presence.disconnect(number, now)
        return self.transaction.take()

    def tick(self, now: int) -> Change:
        """Apply all timeouts at `now` (ms since 1970): free seats, end waits, make new pairs."""
        self.presence.tick(now)
        self.transaction.serve(now)
        for unit in list(self.state.open.values()):
            if self.timeouts.given_up(unit, now):
                self._settle(unit, now)
        for one in list(self.state.live.values()):
            self.completion.note_away(one, now)
            self.timeouts.expire(one, now)
        if self.presence.anybody and now - max(self.state.latest, self.presence.up) >= BEAT:
            self.transaction.beat(now)
        return self.transaction.take()

    # --- the admin --------------------------------------------------------------------------

    def end_unit(self, number: int, now: int) -> Change:
        """End a live unit for the admin, and pay the time; `Refused` (`unknown`) for another."""
        unit = self.state.open.get(number)
        if unit is None:
            raise Refused("unknown", f"there is no live unit {number}")
        causes: dict[Role, Outcome] = dict.fromkeys(unit.live, "ended")
        self.completion.depart(unit, causes, now, author=ADMIN)
        self._settle(unit, now)
        return self.transaction.take()

    def end(self, number: int, now: int) -> Change:
        """End an assignment outside of units; `Refused` (`not_now`) within one."""
        one = self.assignment(number)
        if one.step in ("done", "room"):
            code = "over" if one.step == "done" else "not_now"
            raise Refused(code, f"assignment {number} cannot be ended in the step {one.step!r}")
        self.completion.end(one, "ended", now, author=ADMIN)
        return self.transaction.take()

    def grant(self, worker: str, stage: str, now: int, *, granted: bool = True) -> Change:
        """Qualify a worker for a stage, or withdraw that; `Refused` for invalid ids and stages."""
        _check_worker(worker)
        if stage not in self.state.stages:
            raise Refused("unknown", f"this study has no stage {stage!r}")
        self.transaction.write(STUDY, ADMIN, Qualified(worker, stage, granted), now)
        return self.transaction.take()


def _check_worker(worker: str) -> None:
    erased = is_erased(worker)
    if erased or not worker.isprintable() or not visible(worker) or len(worker) > LONGEST_ID:
        raise Refused("malformed", f"a worker's id has 1 to {LONGEST_ID} printable characters")
