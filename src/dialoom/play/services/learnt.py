"""A system and a user of services whose acts models choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    NextActs,
    NextCall,
    Question,
    ServiceAct,
    Utterance,
)
from dialoom.learn.model import Model
from dialoom.models.policy import ActPolicy
from dialoom.models.policy.learner import Pattern
from dialoom.play.services.goals import goals
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.phrases import Entry, SpokenText
from dialoom.sim.policies.agenda.recorder import AgendaRecorder
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.system import AgendaSystem
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.user import AgendaUser, Names


class LearntSystem(AgendaSystem):
    """A system whose calls, acts and slots models choose; values come from calls and the user."""

    def __init__(
        self,
        recorder: AgendaRecorder,
        user: AgendaUser,
        policy: Model,
        calls: Model,
        schemas: Mapping[str, TaskSchema],
    ) -> None:
        super().__init__(recorder, user)
        self._policy, self._calls, self._schemas = policy, calls, schemas

    def turn(self, move: Move) -> None:
        """Make the chosen calls, then say the chosen acts."""
        recorder, session = self.recorder, self.recorder.session
        self._speech, self._acts = SpokenText(), []
        question = self._question(NextCall(session.provider.name))
        (call,) = self._calls.predict([question], self._schemas)
        if call.answer.api in session.provider.calls:
            self._call(session, call.answer.api, call.answer.constraints)
        (choice,) = self._policy.predict([self._question(NextActs(SYSTEM))], self._schemas)
        slots: dict[str, list[tuple[str, tuple[Any, ...]]]] = {}
        for each in choice.answer:
            group = slots.setdefault(each.act.name, [])
            group += [(argument.slot, argument.values) for argument in each.act.arguments]
        for name, pairs in slots.items():
            _DONE.get(name, LearntSystem._plain)(self, session, name, pairs)
        if not self._acts:
            self._ask_for_more()
        recorder.turn(SYSTEM, self._speech, [(session, tuple(self._acts))])

    def _question(self, target: NextCall | NextActs) -> Question[Any]:
        events = tuple(self.recorder.events)
        return Question(Dialogue(id="", events=events), len(events), target)

    def _call(self, session: ServiceSession, api: str, constraints: Sequence[Any]) -> None:
        values = {each.slot: str(each.value) for each in constraints}
        call = session.provider.calls[api]
        items = self.recorder.make_call(session, call, values)
        if not call.books:
            session.results, session.shown = items, 0
        elif items:
            session.item = items[0]

    # --- what is said --------------------------------------------------------------------------

    def _plain(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        recorder = self.recorder
        self._say(name)
        if name == "GOODBYE":
            recorder.over = True
        elif name == "NOTIFY_SUCCESS":
            recorder.state = "success"
        elif name == "NOTIFY_FAILURE":
            recorder.state = "instead" if "OFFER" in {act.name for act in self._acts} else "failure"
        elif recorder.state != "failure":
            recorder.state = "more"

    def _request(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        slots = [slot for slot, _ in pairs if slot in session.provider.slots]
        entries = [(session.provider.slots[slot], ()) for slot in slots]
        if entries:
            self._list("REQUEST", "REQUEST", entries)
            self.user.asked = slots
            self.recorder.state = "request"

    def _confirm_acts(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        facts = [(slot, str(values[0])) for slot, values in pairs if values]
        self._list_offered("CONFIRM", self._entries(session, facts))
        self.recorder.state = "confirm"

    def _offer_acts(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        if session.shown >= len(session.results):
            return
        session.item = session.results[session.shown]
        session.shown += 1
        values = [(slot, str(session.item[slot])) for slot, _ in pairs if slot in session.item]
        self._list_offered("OFFER", self._entries(session, values))
        session.stated = {slot for slot, _ in values}
        self.recorder.state = "offer"

    def _list_offered(self, name: str, entries: list[Entry]) -> None:
        if entries:
            self.recorder.offered = entries
            self._list(name, name, entries)

    def _inform(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        values = [(slot, str(session.item[slot])) for slot, _ in pairs if slot in session.item]
        if entries := self._entries(session, values):
            session.stated.update(slot for slot, _ in values)
            self._list("INFORM", "INFORM", entries)
            if self.recorder.state == "offer":
                self.recorder.state = "answer"

    def _intent(self, session: ServiceSession, name: str, pairs: Pairs) -> None:
        proposed = next((str(values[0]) for _, values in pairs if values), "")
        if proposed in self.recorder.book.intents:
            self._offer_intent(proposed)


Pairs = Sequence[tuple[str, tuple[Any, ...]]]

_DONE: Mapping[str, Callable[[LearntSystem, ServiceSession, str, Pairs], None]] = {
    "REQUEST": LearntSystem._request,
    "CONFIRM": LearntSystem._confirm_acts,
    "OFFER": LearntSystem._offer_acts,
    "INFORM": LearntSystem._inform,
    "INFORM_COUNT": lambda system, session, *_: system._count(session),
    "OFFER_INTENT": LearntSystem._intent,
}
"""Act to the method that carries it out; the other acts are only said."""


FINE = 1 << 30
"""Number of equally likely values of a random share from 0 to 1."""


class LearntUser(AgendaUser):
    """A user whose moves, and the slots in them, a model chooses.

    Moves that are impossible are left out of the choice: to accept without an offer, or to ask for
    something that is not in the goal. The user may say goodbye before the goal is reached.
    """

    def __init__(
        self, recorder: AgendaRecorder, model: ActPolicy, schemas: Mapping[str, TaskSchema]
    ) -> None:
        super().__init__(recorder)
        self._model, self._schemas = model, schemas
        self._draw: SeededRng = recorder.wishes
        self._informed: dict[str, list[str]] = {}
        self._wondered: list[str] = []

    def _decide(self) -> Move:
        recorder = self.recorder
        utterances = tuple(event for event in recorder.events if isinstance(event, Utterance))
        target = NextActs(USER, goals(recorder))
        question = Question(Dialogue(id="", events=utterances), len(utterances), target)
        share = self._draw.below(FINE) / FINE
        acts = self._model.drawn(question, self._schemas, self._possible, share)
        return self._move(acts)

    def _move(self, acts: tuple[ServiceAct, ...]) -> Move:
        here = self.recorder.session.provider.name
        slots = [(e.act.name, e.service, a.slot) for e in acts for a in e.act.arguments]
        self._informed = {}
        for name, service, slot in slots:
            if name == "INFORM":
                self._informed.setdefault(service or "", []).append(slot)
        self._wondered = [slot for name, _, slot in slots if name == "REQUEST"]
        names = [(each.act.name, each.service == here) for each in acts]
        mine = tuple(dict.fromkeys(name for name, own in names if own))
        other = tuple(dict.fromkeys(name for name, own in names if not own))
        return Move(mine, other, 1) if acts else Move(("THANK_YOU", "GOODBYE"), (), 1)

    def _possible(self, pattern: Pattern) -> bool:
        here, there = pattern
        recorder, session = self.recorder, self.recorder.session
        offered = bool(recorder.offered) and recorder.state not in ("start", "request")
        need = {
            "SELECT": offered,
            "AFFIRM": offered,
            "AFFIRM_INTENT": session.next is not None and session.next.name == recorder.proposed,
            "INFORM_INTENT": recorder.state in ("start", "failure") or session.next is not None,
            "REQUEST": bool(session.askable()),
            "REQUEST_ALTS": bool(session.results),
        }
        if there and (not recorder.more or "INFORM_INTENT" not in there):
            return False
        return bool(here or there) and all(need.get(name, True) for name in here)

    def _chosen(self, session: ServiceSession, names: Names) -> list[str]:
        slots = session.provider.slots
        if self.recorder.state == "failure":
            session.wishes |= session.fallback
            session.fallback = {}
        informed = [name for name in self._informed.get(session.provider.name, ()) if name in slots]
        return informed or session.tellable(session.call)[:1]

    def _questions(self, session: ServiceSession) -> list[str]:
        askable = session.askable()
        return [name for name in self._wondered if name in askable] or askable[:1]
