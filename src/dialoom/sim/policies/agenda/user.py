"""The simulated user of the automaton: draws an allowed move and says it.

Acts are carried out and said in one order (`ORDER`: first the answer, then the intent), and listed
in the annotation in another, that of the table: SGD has INFORM before INFORM_INTENT and SELECT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from dialoom.dialogue import USER, Act
from dialoom.errors import SchemaError
from dialoom.schema.service import INTENT
from dialoom.sim.policies.agenda.phrases import Entry, SpokenText
from dialoom.sim.policies.agenda.recorder import AgendaRecorder, acts, named
from dialoom.sim.policies.agenda.session import AMBIGUOUS, ServiceSession
from dialoom.sim.policies.agenda.table import Move

Names = tuple[str, ...]

MOST_ASKED = 2
"""Most slots that a user asks about at once."""


class AgendaUser:
    """The user; `asked` are the slots of the system's last question, then of the user's own."""

    def __init__(self, recorder: AgendaRecorder) -> None:
        self.recorder = recorder
        self.asked: list[str] = []
        self._requested: Names = ()
        self._speech = SpokenText()

    def turn(self) -> Move:
        """Record and return the user's next move; `SchemaError` if the automaton allows none."""
        recorder = self.recorder
        if not recorder.sessions:
            recorder.turn_to_next()
        move = self._decide()
        self._speech, self._requested = SpokenText(), ()
        frames = []
        if move.here:
            frames.append((recorder.session, self._acts(recorder.session, move.here)))
        if move.there:
            recorder.state = "start"
            session = recorder.turn_to_next()
            frames.append((session, self._acts(session, move.there)))
        recorder.turn(USER, self._speech, frames, self._requested)
        return move

    def _decide(self) -> Move:
        recorder = self.recorder
        table, state = recorder.world.table, recorder.state
        move = table.move(state, partial(allowed, recorder), recorder.wishes)
        if move is None:
            raise SchemaError("automaton", f"no move of the user is allowed in the state {state}")
        return move

    def _acts(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        """Carry out a move's acts for one service; return them in the order of the table."""
        groups: dict[str, tuple[Act, ...]] = {}
        for name in ORDER:
            if name in names:
                done = _DONE.get(name)
                groups[name] = done(self, session, names) if done else self._plain(name)
        if names[0] == "NEGATE_INTENT" or names == ("NEGATE", "THANK_YOU"):
            session.intent = None
        return tuple([act for name in names for act in groups[name]])

    def _plain(self, name: str) -> tuple[Act, ...]:
        more = name == "NEGATE" and self.recorder.state in ("more", "failure")
        self._say("NEGATE_MORE" if more else name)
        return (Act(name),)

    def _say(self, name: str, entries: Sequence[Entry] = (), **values: str) -> None:
        recorder = self.recorder
        intent = recorder.session.call.name
        if name in ("AFFIRM_INTENT", "NEGATE_INTENT") and recorder.proposed:
            intent = recorder.proposed
        self._speech.add(recorder.book, name, entries, intent, **values)

    def _select(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        recorder = self.recorder
        if not session.several:
            session.select(recorder.offered)
            return self._plain("SELECT")
        place = recorder.wishes.below(len(session.several))
        session.item, session.several = session.several[place], ()
        entry = recorder.offered[place]
        session.select((entry,))
        self._say("SELECT_ONE", (entry,))
        return acts("SELECT", (entry,))

    def _affirm(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        for slot, (form,) in self.recorder.offered:  # values to confirm
            session.set_value(slot, form)
        return self._plain("AFFIRM")

    def _affirm_intent(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        session.advance()
        return self._plain("AFFIRM_INTENT")

    def _intent(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        recorder = self.recorder
        carried: list[str] = []
        if recorder.state == "start":
            carried = session.begin()
        elif recorder.state != "failure":
            session.advance()
        session.intent = session.call.name
        again: list[Entry] = [(session.provider.slots[name], ()) for name in carried]
        place = "later" if len(recorder.sessions) > 1 else "opening"
        marks = {place if recorder.state == "start" else "going": ""}
        self._say("INFORM_INTENT", again, **marks)
        return named("INFORM_INTENT", INTENT, session.call.name)

    def _inform(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        recorder = self.recorder
        entries: list[Entry] = []
        for name in self._chosen(session, names):
            slot, value = session.provider.slots[name], session.wish(name)
            form = recorder.user_form(slot, value)
            session.set_value(slot, form)
            entries.append((slot, (form,)))
        if not entries:
            return ()
        is_reply = recorder.state == "request"
        self._say("INFORM", entries, **{"asked" if is_reply else "unasked": ""})
        return acts("INFORM", entries)

    def _chosen(self, session: ServiceSession, names: Names) -> list[str]:
        recorder = self.recorder
        if "NEGATE" in names:
            picks, session.corrections = session.correctable(), []
            return picks
        if recorder.state == "failure":
            picks = list(session.fallback)
            session.wishes |= session.fallback
            session.fallback = {}
            return picks
        several = int(recorder.choose("told"))
        if recorder.state == "request":
            more = session.tellable(session.call)[: several - 1]
            return [*self.asked, *(name for name in more if name not in self.asked)]
        if "REQUEST_ALTS" in names:
            session.alternatives -= 1
            return session.refine()
        return session.tellable(session.call)[:several]

    def _others(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        if "INFORM" not in names:
            session.alternatives -= 1
        return self._plain("REQUEST_ALTS")

    def _request(self, session: ServiceSession, names: Names) -> tuple[Act, ...]:
        session.requests -= 1
        self.asked = self._questions(session)
        entries: list[Entry] = [(session.provider.slots[name], ()) for name in self.asked]
        self._say("REQUEST", entries)
        self._requested = tuple(self.asked)
        return acts("REQUEST", entries)

    def _questions(self, session: ServiceSession) -> list[str]:
        wishes = self.recorder.wishes
        many = 1 + wishes.below(MOST_ASKED)
        return wishes.shuffle(session.askable())[:many]


ORDER = (
    "NEGATE",
    "AFFIRM",
    "SELECT",
    "AFFIRM_INTENT",
    "NEGATE_INTENT",
    "THANK_YOU",
    "INFORM_INTENT",
    "INFORM",
    "REQUEST_ALTS",
    "REQUEST",
    "GOODBYE",
)
"""The order of execution and wording of acts."""

_DONE: Mapping[str, Callable[[AgendaUser, ServiceSession, Names], tuple[Act, ...]]] = {
    "SELECT": AgendaUser._select,
    "AFFIRM": AgendaUser._affirm,
    "AFFIRM_INTENT": AgendaUser._affirm_intent,
    "INFORM_INTENT": AgendaUser._intent,
    "INFORM": AgendaUser._inform,
    "REQUEST_ALTS": AgendaUser._others,
    "REQUEST": AgendaUser._request,
}
"""Act to the method that carries it out; other acts are only said."""


def allowed(recorder: AgendaRecorder, move: Move) -> bool:
    """Return True if a move agrees with the user's goal and the values so far."""
    session = recorder.session
    if move.there and not (recorder.more and _done(recorder, session)):
        return False
    for act in move.here:
        guard = _GUARDS.get(act)
        if guard is not None and not guard(recorder, session, move.here):
            return False
    return True


def _done(recorder: AgendaRecorder, session: ServiceSession) -> bool:
    return session.next is None and not (recorder.state == "failure" and session.fallback)


def _finished(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return _done(recorder, session) and not recorder.more


def _inform(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if recorder.state == "request":
        return True
    if recorder.state == "failure":
        return bool(session.fallback)
    if recorder.state == "start":
        return bool(session.tellable(session.call))
    if "NEGATE" in here:
        return bool(session.correctable())
    if "REQUEST_ALTS" in here:
        return bool(session.untold) or any(session.others())
    offered = {slot.name for slot, _ in recorder.offered}
    return session.next is not None and not offered.issuperset(session.missing(session.next))


def _intent(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if recorder.state == "start":
        return True
    return bool(session.fallback) if recorder.state == "failure" else session.next is not None


def _select(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if session.unsatisfied:
        return False
    return len(here) > 1 or session.next is None or session.next.books


def _others(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if "INFORM" in here:
        many = session.kind != AMBIGUOUS and len(session.results) > 1
        return session.unsatisfied or (session.alternatives > 0 and many)
    return session.alternatives > 0 and session.shown < len(session.results)


def _accept(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return session.next is not None and session.next.name == recorder.proposed


_GUARDS: Mapping[str, Callable[[AgendaRecorder, ServiceSession, Names], bool]] = {
    "INFORM": _inform,
    "INFORM_INTENT": _intent,
    "SELECT": _select,
    "REQUEST_ALTS": _others,
    "REQUEST": lambda _, session, here: session.requests > 0 and bool(session.askable()),
    "AFFIRM": lambda recorder, session, _: recorder.state == "instead" or not session.correctable(),
    "AFFIRM_INTENT": _accept,
    "NEGATE_INTENT": lambda *move: not _accept(*move),
    "NEGATE": lambda recorder, *move: (
        recorder.state in ("confirm", "instead") or _finished(recorder, *move)
    ),
    "GOODBYE": _finished,
}
"""Act to its condition, if any. Each takes the recorder, the current session and the names of all
acts of the move."""
