"""The simulated system of the automaton: asks, searches, offers, confirms, books and informs.

The user's move and the state decide its action. A choice (how many questions at once, whether to
mention the count, whether to propose a booking) is drawn by the automaton's weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dialoom.dialogue import SYSTEM, Act
from dialoom.dialogue.event import Item
from dialoom.schema.service import COUNT, INTENT
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.agenda.phrases import Entry, SpokenText
from dialoom.sim.policies.agenda.recorder import AgendaRecorder, acts, named
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.user import AgendaUser

AT_ONCE = 3
"""Most results offered at once, if one of their slots separates them (as in SGD)."""

EXAMPLES = 3
"""Least possible values of a slot whose question names two of them as examples."""


class AgendaSystem:
    """The system of one dialogue."""

    def __init__(self, recorder: AgendaRecorder, user: AgendaUser) -> None:
        self.recorder, self.user = recorder, user
        self._speech = SpokenText()
        self._acts: list[Act] = []

    def turn(self, move: Move) -> None:
        """Answer a move of the user."""
        recorder, session = self.recorder, self.recorder.session
        self._speech, self._acts = SpokenText(), []
        here = move.here
        if move.there:
            self._go_on(session)
        elif "GOODBYE" in here or here == ("NEGATE", "THANK_YOU"):
            self._say("GOODBYE")
            recorder.over = True
        elif "REQUEST" in here:
            self._answer(session, affirmed="AFFIRM" in here)
        elif "AFFIRM" in here:
            self._book(session)
        elif here == ("REQUEST_ALTS",):
            self._offer_another(session)
        elif here == ("SELECT",):
            self._propose(session)
        elif here == ("NEGATE",):
            session.stop()
            self._ask_for_more()
        elif {"INFORM", "INFORM_INTENT", "AFFIRM_INTENT"}.intersection(here):
            self._go_on(session)
        else:
            self._ask_for_more()
        recorder.turn(SYSTEM, self._speech, [(session, tuple(self._acts))])

    def _say(self, name: str) -> None:
        self._acts.append(Act(name))
        session = self.recorder.session
        if name == "NOTIFY_FAILURE" and not session.call.books:
            name = f"{name}.more" if session.shown else f"{name}.search"
        self._speak(name)

    def _speak(
        self, name: str, entries: Sequence[Entry] = (), intent: str = "", **values: str
    ) -> None:
        recorder = self.recorder
        intent = intent or recorder.session.call.name
        self._speech.add(recorder.book, name, entries, intent, **values)

    def _ask_for_more(self) -> None:
        self._say("REQ_MORE")
        self.recorder.state = "more"

    def _entries(self, session: ServiceSession, values: Iterable[tuple[str, str]]) -> list[Entry]:
        slots, form = session.provider.slots, self.recorder.system_form
        return [(slots[name], (form(slots[name], value),)) for name, value in values]

    def _list(self, name: str, kind: str, entries: Sequence[Entry]) -> None:
        self._acts += acts(name, entries)
        self._speak(kind, entries)

    def _count(self, session: ServiceSession) -> None:
        count = str(len(session.results))
        kind = "INFORM_COUNT" if count != "1" else "INFORM_COUNT_ONE"
        self._speak(kind, value=count)
        self._acts += named("INFORM_COUNT", COUNT, count)

    def _offer_intent(self, intent: str) -> None:
        recorder = self.recorder
        recorder.proposed = intent
        self._acts += named("OFFER_INTENT", INTENT, intent)
        self._speak("OFFER_INTENT", intent=intent)
        recorder.state = "proposal"

    def _go_on(self, session: ServiceSession) -> None:
        missing = session.missing(session.call)
        if missing:
            self._ask(session, missing)
        elif session.call.books:
            self._confirm(session)
        else:
            before = session.item
            session.results = self.recorder.call_service(session)
            session.shown = int(_again(before, session))
            if session.results:
                self._offer(session, counted="INFORM_COUNT" in self.recorder.choose("found"))
            else:
                self._fail(session)

    def _ask(self, session: ServiceSession, missing: list[str]) -> None:
        recorder = self.recorder
        names = missing[: int(recorder.choose("missing"))]
        entries: list[Entry] = []
        for name in names:
            slot = session.provider.slots[name]
            examples: tuple[SurfaceForm, ...] = ()
            has_many = slot.categorical and not slot.flag and len(slot.values) >= EXAMPLES
            if has_many and recorder.choose("examples") == "yes":
                first = recorder.language.below(len(slot.values) - 1)
                examples = tuple([slot.ways(v)[0] for v in slot.values[first : first + 2]])
            entries.append((slot, examples))
        self._list("REQUEST", "REQUEST", entries)
        self.user.asked = names
        recorder.state = "request"

    # --- searching -----------------------------------------------------------------------------

    def _offer(self, session: ServiceSession, *, counted: bool) -> None:
        recorder = self.recorder
        session.item = session.results[session.shown]
        names = self._offered(session)
        session.several = self._several(session, names)
        session.shown += len(session.several) or 1
        things = [session.item]
        if session.several:
            names, things = names[:1], list(session.several)
        pairs = [(name, str(thing[name])) for thing in things for name in names]
        entries = recorder.offered = self._entries(session, pairs)
        session.stated = set(names)
        if session.several:
            entries = [(entries[0][0], tuple([form for _, (form,) in entries]))]
        self._acts += acts("OFFER", entries)
        if counted:
            self._count(session)
        self._speak("OFFER.several" if session.several else "OFFER", entries)
        recorder.state = "offer"

    def _offered(self, session: ServiceSession) -> list[str]:
        call, item, after = session.call, session.item, session.provider.after(session.call)
        needed = (name for other in after for name in other.key if name not in call.intent.required)
        names = list(dict.fromkeys(name for name in needed if name in item))
        more = [name for name in item if name not in session.known and name not in call.inputs]
        if self.recorder.choose("also") == "yes":
            first = more[: not names]
            more = [*first, *(name for name in call.intent.optional if name in item), *more]
        rest = dict.fromkeys(name for name in more or item if name not in names)
        return names + list(rest)[: max(0, int(self.recorder.choose("offered")) - len(names))]

    def _offer_another(self, session: ServiceSession) -> None:
        if session.shown < len(session.results):
            self._offer(session, counted=False)
        else:
            self._say("NOTIFY_FAILURE")
            self._ask_for_more()

    def _several(self, session: ServiceSession, names: Sequence[str]) -> tuple[Item, ...]:
        """Return results to offer at once, if one slot separates them and the weights allow it."""
        slot = session.provider.slots[names[0]] if names else None
        needed = {name for call in session.provider.after(session.call) for name in call.key}
        if slot is None or slot.categorical or slot.kind != "short text":
            return ()
        if needed - set(session.call.intent.required) != {slot.name}:
            return ()
        if self.recorder.choose("several") == "no":
            return ()
        left = session.results[session.shown :]
        first = {str(item[slot.name]): item for item in reversed(left)}
        rest = [item for item in left if item is first[str(item[slot.name])]]
        return tuple(rest[:AT_ONCE]) if len(rest) > 1 else ()

    def _fail(self, session: ServiceSession) -> None:
        self._say("NOTIFY_FAILURE")
        self._say("REQ_MORE")
        if not session.fallback:
            session.stop()
        self.recorder.state = "failure"

    def _propose(self, session: ServiceSession) -> None:
        books = [call for call in session.provider.after(session.call) if call.books]
        matches = [call for call in books if call is session.next]
        if self.recorder.choose("selected") == "REQ_MORE" or not books:
            self._ask_for_more()
            return
        self._offer_intent((matches or books)[0].name)

    def _answer(self, session: ServiceSession, *, affirmed: bool) -> None:
        """Answer the user's questions; if the user also said yes, book first.

        Slots that only the booking returns have no answer when it fails.
        """
        questions, facts = self.user.asked, session.item
        replies: list[Act] = []
        if affirmed:
            self._book(session)
            replies, self._acts = self._acts, []
        facts = {**facts, **session.item}
        pairs = [(name, str(facts[name])) for name in questions if name in facts]
        if entries := self._entries(session, pairs):
            session.stated.update(questions)
            self._list("INFORM", "INFORM", entries)
        self._acts += replies
        if self.recorder.state == "offer":
            self.recorder.state = "answer"

    # --- booking -------------------------------------------------------------------------------

    def _confirm(self, session: ServiceSession) -> None:
        values = session.parameters()
        pairs = [(name, values[name]) for name in session.call.inputs if name in values]
        entries = self.recorder.offered = self._entries(session, pairs)
        self._list("CONFIRM", "CONFIRM", entries)
        self.recorder.state = "confirm"

    def _book(self, session: ServiceSession) -> None:
        """Make the booking and say whether it succeeded; after a refusal at times offer another."""
        recorder = self.recorder
        items = recorder.call_service(session)
        if items:
            session.item = items[0]
            session.stated |= {slot.name for slot, _ in recorder.offered}
            self._say("NOTIFY_SUCCESS")
            recorder.state = "success"
            return
        scarce = session.call.scarce or ""
        free = self._free(session, scarce)
        if "REQ_MORE" in recorder.choose("refused") or free is None:
            session.fallback = {} if free is None else {scarce: free}
            self._fail(session)
            return
        values = session.parameters() | {scarce: free}
        pairs = [(name, values[name]) for name in (*session.call.key[:1], scarce)]
        recorder.offered = self._entries(session, pairs)
        self._say("NOTIFY_FAILURE")
        self._acts[-1:] = (*acts("OFFER", recorder.offered), self._acts[-1])
        self._speak("INSTEAD", recorder.offered)
        recorder.state = "instead"

    def _free(self, session: ServiceSession, scarce: str) -> str | None:
        """Return the free value of the scarce slot that is nearest to the requested one."""
        values, bookings = session.provider.slots[scarce].values, session.taken()
        wish = session.known.get(scarce, "")
        start = values.index(wish) if wish in values else 0
        nearest = sorted(range(len(values)), key=lambda place: abs(place - start))
        return next((values[n] for n in nearest if values[n] not in bookings | {wish}), None)


def _again(before: Item, session: ServiceSession) -> bool:
    if len(session.results) < 2 or not session.stated:
        return False
    return all(session.results[0].get(name) == before.get(name) for name in session.stated)
