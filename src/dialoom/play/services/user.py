"""A user of services whose acts a model chooses and templates put into words."""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.dialogue import USER, Dialogue, NextActs, Question, ServiceAct, Utterance
from dialoom.models.policy import ActPolicy
from dialoom.models.policy.learner import Pattern
from dialoom.play.services.goals import goals
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.recorder import AgendaRecorder
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.user import AgendaUser, Names

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
        """Return the move of acts; thanks and a goodbye without any."""
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
