"""The system: asks for what is missing, searches, offers, confirms, books, and tells.

What it does follows from what the user did and what is known; where there is a choice (how many
questions at once, whether to tell the count, whether to propose a booking), the automaton's weights
decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import SYSTEM, Act
from dialoom.dialogue.event import Item
from dialoom.sim.policies.agenda.phrases import Speech
from dialoom.sim.policies.agenda.provider import Call
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.slots import SlotOf, SurfaceForm
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.talk import COUNT, INTENT, Entry, Talk, about, asking, bare, named
from dialoom.sim.policies.agenda.user import User

OFFERED = 2
"""Slots of a thing that are told when it is offered, beside those that a booking needs."""

AT_ONCE = 3
"""Things that are offered at once at most, where one of their slots names them (SGD)."""

EXAMPLES = 3
"""Possible values that a slot has at least before two of them are given as examples."""


class System:
    """The system of one dialogue."""

    def __init__(self, talk: Talk, user: User) -> None:
        self.talk, self.user = talk, user
        self._speech = Speech()
        self._acts: list[Act] = []

    def turn(self, move: Move) -> None:
        """Answer a move of the user."""
        talk, leg = self.talk, self.talk.leg
        self._speech, self._acts = Speech(), []
        here = move.here
        if move.there:
            self._go_on(leg)
        elif "GOODBYE" in here or here == ("NEGATE", "THANK_YOU"):
            self._say("GOODBYE")
            talk.over = True
        elif "REQUEST" in here:
            self._answer(leg, affirmed="AFFIRM" in here)
        elif "AFFIRM" in here:
            self._book(leg)
        elif here == ("REQUEST_ALTS",):
            self._offer(leg, counted=False)
        elif here == ("SELECT",):
            self._propose(leg)
        elif here == ("NEGATE",):
            leg.stop()
            self._ask_for_more()
        elif "INFORM" in here or "INFORM_INTENT" in here or "AFFIRM_INTENT" in here:
            self._go_on(leg)
        else:
            self._ask_for_more()
        talk.utter(SYSTEM, self._speech, [(leg, tuple(self._acts))])

    def _say(self, name: str) -> None:
        self._acts += bare(name)
        self._speech.say(self.talk.language.choice(self.talk.words.system[name]))

    def _ask_for_more(self) -> None:
        self._say("REQ_MORE")
        self.talk.state = "more"

    def _list(self, kind: str, leg: ServiceSession, entries: Sequence[Entry]) -> None:
        held = [(slot, (said,)) for slot, said in entries]
        self._speech.listing(leg.provider.name, self.talk.way(kind), held, self.talk.words)

    def _entries(self, leg: ServiceSession, values: Sequence[tuple[str, str]]) -> list[Entry]:
        slots, form = leg.provider.slots, self.talk.system_form
        return [(slots[name], form(slots[name], value)) for name, value in values]

    def _go_on(self, leg: ServiceSession) -> None:
        """Do what the active intent needs next."""
        missing = leg.missing(leg.call)
        if missing:
            self._ask(leg, missing)
        elif leg.call.books:
            self._confirm(leg)
        else:
            before = leg.item
            leg.results = self.talk.call(leg)
            leg.shown = int(_again(before, leg))
            if leg.results:
                found = self.talk.world.table.choose("found", self.talk.wishes)
                self._offer(leg, counted="INFORM_COUNT" in found)
            else:
                self._fail(leg)

    def _ask(self, leg: ServiceSession, missing: list[str]) -> None:
        talk = self.talk
        many = int(talk.world.table.choose("missing", talk.wishes))
        asked = missing[:many]
        held: list[tuple[SlotOf, tuple[SurfaceForm, ...]]] = []
        for name in asked:
            slot = leg.provider.slots[name]
            examples: tuple[SurfaceForm, ...] = ()
            listed = slot.categorical and not slot.flag and len(slot.values) >= EXAMPLES
            if listed and talk.world.table.choose("examples", talk.wishes) == "yes":
                first = talk.language.below(len(slot.values) - 1)
                examples = tuple([slot.ways(v)[0] for v in slot.values[first : first + 2]])
            held.append((slot, examples))
        self._acts += asking("REQUEST", held)
        self._speech.listing(leg.provider.name, talk.way("REQUEST"), held, talk.words)
        self.user.asked = asked
        talk.state = "request"

    # --- searching -----------------------------------------------------------------------------

    def _offer(self, leg: ServiceSession, *, counted: bool) -> None:
        """Offer the next of the results, with their number if it is to be told."""
        talk = self.talk
        leg.item = leg.results[leg.shown]
        names = _offered(leg.provider.after(leg.call), leg)
        leg.several = self._several(leg, names)
        leg.shown += len(leg.several) or 1
        things = [leg.item]
        if leg.several:
            names, things = names[:1], list(leg.several)
        pairs = [(name, str(thing[name])) for thing in things for name in names]
        talk.offered = self._entries(leg, pairs)
        leg.told = set(names)
        held: list[tuple[SlotOf, tuple[SurfaceForm, ...]]]
        held = [(slot, (said,)) for slot, said in talk.offered]
        if leg.several:
            held = [(talk.offered[0][0], tuple([said for _, said in talk.offered]))]
        self._acts += asking("OFFER", held)
        if counted:
            count = str(len(leg.results))
            kind = "INFORM_COUNT" if count != "1" else "INFORM_COUNT_ONE"
            text = talk.language.choice(talk.words.system[kind])
            self._speech.say(text.replace("{value}", count))
            self._acts += named("INFORM_COUNT", COUNT, count)
        self._speech.listing(leg.provider.name, talk.way("OFFER"), held, talk.words)
        talk.state = "offer"

    def _several(self, leg: ServiceSession, names: Sequence[str]) -> tuple[Item, ...]:
        """Return things to be offered at once: those that one slot alone tells apart."""
        slot = leg.provider.slots[names[0]] if names else None
        needed = {name for call in leg.provider.after(leg.call) for name in call.key}
        if slot is None or slot.categorical or slot.kind != "short text":
            return ()
        if needed - set(leg.call.intent.required) != {slot.name}:
            return ()
        if self.talk.world.table.choose("several", self.talk.wishes) == "no":
            return ()
        things = {str(item[slot.name]): item for item in reversed(leg.results[leg.shown :])}
        rest = [item for item in leg.results[leg.shown :] if item is things[str(item[slot.name])]]
        return tuple(rest[:AT_ONCE]) if len(rest) > 1 else ()

    def _fail(self, leg: ServiceSession) -> None:
        """Say that nothing came of a call, and wait for other wishes."""
        self._say("NOTIFY_FAILURE")
        self._say("REQ_MORE")
        if not leg.fallback:
            leg.stop()
        self.talk.state = "failure"

    def _propose(self, leg: ServiceSession) -> None:
        """Propose to book what was selected, if there is such a call."""
        talk = self.talk
        books = [call for call in leg.provider.after(leg.call) if call.books]
        wanted = [call for call in books if call is leg.next]
        choice = talk.world.table.choose("selected", talk.wishes)
        talk.state = "more"
        if not books or choice == "REQ_MORE":
            self._ask_for_more()
            return
        call = (wanted or books)[0]
        talk.proposed = call.name
        self._acts += named("OFFER_INTENT", INTENT, call.name)
        self._speech.say(talk.language.choice(talk.book.intents[call.name]["OFFER_INTENT"]))
        talk.state = "proposal"

    def _answer(self, leg: ServiceSession, *, affirmed: bool) -> None:
        """Tell what the user asked about; if the user also said yes, book first.

        Of what is not known before it is booked, nothing can be told when that fails.
        """
        talk, asked, known = self.talk, self.user.asked, leg.item
        said: list[Act] = []
        if affirmed:
            self._book(leg)
            said, self._acts = self._acts, []
        known = {**known, **leg.item}
        entries = self._entries(leg, [(name, str(known[name])) for name in asked if name in known])
        if entries:
            leg.told.update(asked)
            self._acts += about("INFORM", entries)
            self._list("ANSWER", leg, entries)
        self._acts += said
        if talk.state == "offer":
            talk.state = "answer"

    # --- booking -------------------------------------------------------------------------------

    def _confirm(self, leg: ServiceSession) -> None:
        talk = self.talk
        given = leg.parameters()
        names = [name for name in leg.call.inputs if name in given]
        talk.offered = self._entries(leg, [(name, given[name]) for name in names])
        self._acts += about("CONFIRM", talk.offered)
        self._list("CONFIRM", leg, talk.offered)
        talk.state = "confirm"

    def _book(self, leg: ServiceSession) -> None:
        """Make the call, and tell how it ended."""
        talk = self.talk
        items = talk.call(leg)
        if items:
            leg.item = items[0]
            leg.told |= {slot.name for slot, _ in talk.offered}
            self._say("NOTIFY_SUCCESS")
            talk.state = "success"
            return
        scarce = leg.call.scarce or ""
        free = self._free(leg, scarce)
        refused = talk.world.table.choose("refused", talk.wishes)
        if free is None or "REQ_MORE" in refused:
            leg.fallback = {} if free is None else {scarce: free}
            self._fail(leg)
            return
        names = [*leg.call.key[:1], scarce]
        values = leg.parameters() | {scarce: free}
        talk.offered = self._entries(leg, [(name, values[name]) for name in names])
        self._say("NOTIFY_FAILURE")
        said = self._acts.pop()
        self._acts += (*about("OFFER", talk.offered), said)
        self._list("INSTEAD", leg, talk.offered)
        talk.state = "instead"

    def _free(self, leg: ServiceSession, scarce: str) -> str | None:
        """Return the free value of the scarce slot that comes nearest to what was wanted."""
        values, taken = leg.provider.slots[scarce].values, leg.taken()
        wanted = leg.known.get(scarce, "")
        start = values.index(wanted) if wanted in values else 0
        nearest = sorted(range(len(values)), key=lambda place: abs(place - start))
        return next((values[n] for n in nearest if values[n] not in taken | {wanted}), None)


def _again(before: Item, leg: ServiceSession) -> bool:
    """Tell whether the first of several results is what was offered before."""
    if len(leg.results) < 2 or not leg.told:
        return False
    return all(leg.results[0].get(name) == before.get(name) for name in leg.told)


def _offered(after: Sequence[Call], leg: ServiceSession) -> list[str]:
    """Return the slots of a thing that an offer tells: what later calls need, and some more."""
    call, item = leg.call, leg.item
    found = [name for other in after for name in other.key if name not in call.intent.required]
    found = [name for name in dict.fromkeys(found) if name in item]
    more = [name for name in item if name not in leg.known and name not in call.inputs] or list(
        item
    )
    for name in more:
        if len(found) >= OFFERED:
            break
        if name not in found:
            found.append(name)
    return found
