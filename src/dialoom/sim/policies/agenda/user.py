"""The user: makes one of the moves that the automaton allows.

What is done and said follows one order (first the answer, then the wish), what is written down
another: SGD lists INFORM before INFORM_INTENT and SELECT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from dialoom.dialogue import USER, Act
from dialoom.errors import SchemaError
from dialoom.sim.policies.agenda.guards import allowed
from dialoom.sim.policies.agenda.phrases import LIST, Speech, halves
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.slots import ANYTHING, INDIFFERENT, SlotOf, SurfaceForm
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.talk import INTENT, Entry, Talk, about, asking, bare, named

Names = tuple[str, ...]

MOST_ASKED = 2
"""Slots that a user asks about at once."""

BARE_ANSWERS = 2
"""One in so many answers to a single question is nothing but the value."""


class User:
    """The user of one dialogue."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.asked: list[str] = []
        """The slots of the last question of the system, then those of the user's own."""
        self._requested: Names = ()
        self._speech = Speech()

    def turn(self) -> Move:
        """Say something, and return what move it was.

        Raises:
            SchemaError: Nothing can be said: the automaton's table has a hole.
        """
        talk = self.talk
        if not talk.legs:
            talk.turn_to_next()
        move = talk.world.table.move(talk.state, partial(allowed, talk), talk.wishes)
        if move is None:
            raise SchemaError("automaton", f"a user has nothing to say in the state {talk.state}")
        self._speech, self._requested = Speech(), ()
        frames = []
        if move.here:
            frames.append((talk.leg, self._acts(talk.leg, move.here)))
        if move.there:
            talk.state = "start"
            leg = talk.turn_to_next()
            frames.append((leg, self._acts(leg, move.there)))
        talk.utter(USER, self._speech, frames, self._requested)
        return move

    def _acts(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        """Do what a move says, and return the acts in the order in which they are written."""
        found: dict[str, tuple[Act, ...]] = {}
        for name in ORDER:
            if name in names:
                done = _DONE.get(name)
                found[name] = done(self, leg, names) if done else self._plain(name)
        if names[0] == "NEGATE_INTENT" or names == ("NEGATE", "THANK_YOU"):
            leg.intent = None
        return tuple([act for name in names for act in found[name]])

    def _plain(self, name: str) -> tuple[Act, ...]:
        talk = self.talk
        key = name
        if name == "NEGATE" and talk.state in ("more", "failure"):
            key = "NEGATE_MORE"
        self._speech.say(talk.language.choice(talk.words.user[key]))
        return bare(name)

    def _select(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        """Take what is offered; of several things, name the one that is meant."""
        talk = self.talk
        if not leg.several:
            leg.select(talk.offered)
            return self._plain("SELECT")
        place = talk.wishes.below(len(leg.several))
        leg.item, leg.several = leg.several[place], ()
        chosen = talk.offered[place]
        leg.select((chosen,))
        around = halves(talk.language.choice(talk.words.user["SELECT_ONE"]))
        self._speech.answer(leg.provider.name, *chosen, around)
        return about("SELECT", (chosen,))

    def _affirm(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        for slot, said in self.talk.offered:  # what was to be confirmed
            leg.tell(slot, said)
        return self._plain("AFFIRM")

    def _affirm_intent(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        leg.advance()
        return self._plain("AFFIRM_INTENT")

    def _intent(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        """Say what one wants; of another service, with what holds for it as well."""
        talk = self.talk
        book = talk.world.books[leg.provider.name]
        carried: list[str] = []
        if talk.state == "start":
            carried = [book.slots[name] for name in leg.begin()]
        elif talk.state != "failure":
            leg.advance()
        leg.intent = leg.call.name
        self._speech.say(talk.language.choice(book.intents[leg.call.name]["INFORM_INTENT"]))
        if carried:
            words = book.wording
            listed = words.between.join(carried[:-1]) + (words.last if carried[1:] else "")
            text = talk.language.choice(words.carry).replace(LIST, listed + carried[-1])
            self._speech.say(text)
        return named("INFORM_INTENT", INTENT, leg.call.name)

    def _inform(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        talk = self.talk
        chosen = self._chosen(leg, names)
        entries: list[Entry] = []
        for name in chosen:
            slot = leg.provider.slots[name]
            value = leg.wish(name)
            said = INDIFFERENT if value == ANYTHING else talk.user_form(slot, value)
            leg.tell(slot, said)
            entries.append((slot, said))
        if not entries:
            return ()
        single = talk.state == "request" and len(entries) == 1 and len(self.asked) == 1
        if single and talk.language.once_in(BARE_ANSWERS):
            self._answer(leg, *entries[0])
        else:
            held = [(slot, (said,)) for slot, said in entries]
            book = talk.world.books[leg.provider.name]
            way = talk.language.choice(book.lists["INFORM"])
            self._speech.listing(leg.provider.name, way, held, book.wording)
        return about("INFORM", entries)

    def _answer(self, leg: ServiceSession, slot: SlotOf, said: SurfaceForm) -> None:
        """Say nothing but a value."""
        language, words = self.talk.language, self.talk.words
        if said is INDIFFERENT:
            self._speech.say(language.choice(words.answer_any))
        elif slot.flag:
            yes = said.canonical in slot.yes
            self._speech.say(language.choice(words.answer_yes if yes else words.answer_no))
        else:
            ways = self.talk.book.answers
            if said.text[0].islower():  # a sentence does not begin with it
                ways = tuple([way for way in ways if way[0]])
            around = language.choice(ways)
            self._speech.answer(leg.provider.name, slot, said, around)

    def _chosen(self, leg: ServiceSession, names: Names) -> list[str]:
        """Return the slots that the user tells."""
        talk = self.talk
        if "NEGATE" in names:
            chosen, leg.corrections = leg.correctable(), []
            return chosen
        if talk.state == "failure":
            chosen = list(leg.fallback)
            leg.wishes |= leg.fallback
            leg.fallback = {}
            return chosen
        several = int(talk.world.table.choose("told", talk.wishes))
        if talk.state == "request":
            more = leg.tellable(leg.call)[: several - 1]
            return [*self.asked, *(name for name in more if name not in self.asked)]
        if "REQUEST_ALTS" in names:
            leg.alternatives -= 1
            return leg.untold[:1]
        return leg.tellable(leg.call)[:several]

    def _others(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        if "INFORM" not in names:
            leg.alternatives -= 1
        return self._plain("REQUEST_ALTS")

    def _request(self, leg: ServiceSession, names: Names) -> tuple[Act, ...]:
        talk = self.talk
        leg.requests -= 1
        free = leg.askable()
        many = min(len(free), 1 + talk.wishes.below(MOST_ASKED))
        self.asked = [free.pop(talk.wishes.below(len(free))) for _ in range(many)]
        held = [(leg.provider.slots[name], ()) for name in self.asked]
        self._speech.listing(leg.provider.name, talk.way("REQUEST_USER"), held, talk.words)
        self._requested = tuple(self.asked)
        return asking("REQUEST", held)


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
"""The order in which acts are done and said."""

_DONE: Mapping[str, Callable[[User, ServiceSession, Names], tuple[Act, ...]]] = {
    "SELECT": User._select,
    "AFFIRM": User._affirm,
    "AFFIRM_INTENT": User._affirm_intent,
    "INFORM_INTENT": User._intent,
    "INFORM": User._inform,
    "REQUEST_ALTS": User._others,
    "REQUEST": User._request,
}
"""Act to what does it; the others are only said."""
