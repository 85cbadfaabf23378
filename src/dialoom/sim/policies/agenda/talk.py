"""What both sides of a dialogue share: its events, its services so far, and how they speak.

    talk = Talk(world, moods, services, seed)
    talk.utter(USER, speech, parts)

Equal acts, arguments and constraints are one object, made once a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Result,
    State,
    Utterance,
)
from dialoom.dialogue.event import Item
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.phrases import Listing, Phrasebook, Speech
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.slots import SlotOf, SurfaceForm
from dialoom.sim.policies.agenda.wording import Wording
from dialoom.sim.policies.agenda.world import World

KEPT = 1 << 16
"""Acts and constraints that are remembered at most."""

FORMS = 60
"""Ways to say a value are chosen by a number below this, which as many as six divide evenly."""

Entry = tuple[SlotOf, SurfaceForm]
"""A slot and a value that is said for it."""

INTENT, COUNT = "intent", "count"
"""What acts name besides slots (SGD)."""


class _Acts(dict[tuple[str, str, tuple[SurfaceForm, ...]], Act]):
    """Acts by name, slot and values."""

    def __missing__(self, key: tuple[str, str, tuple[SurfaceForm, ...]]) -> Act:
        name, slot, values = key
        if len(self) >= KEPT:
            self.clear()
        texts = tuple([said.text for said in values])
        canonical = tuple([said.canonical for said in values])
        argument = Argument(slot, texts, None if canonical == texts else canonical)
        act = self[key] = Act(name, (argument,))
        return act


class _Constraints(dict[tuple[str, str], Constraint]):
    """Constraints by slot and value."""

    def __missing__(self, key: tuple[str, str]) -> Constraint:
        if len(self) >= KEPT:
            self.clear()
        found = self[key] = Constraint(key[0], "equal", (key[1],))
        return found


ACTS = _Acts()
CONSTRAINTS = _Constraints()
_BARE: dict[str, tuple[Act, ...]] = {}
_NAMED: dict[tuple[str, str, str], tuple[Act, ...]] = {}


def bare(name: str) -> tuple[Act, ...]:
    """Return an act about nothing."""
    return _BARE.setdefault(name, (Act(name),))


def named(name: str, what: str, value: str) -> tuple[Act, ...]:
    """Return an act about an intent or a count."""
    key = (name, what, value)
    found = _NAMED.get(key)
    if found is None:
        found = _NAMED[key] = (Act(name, (Argument(what, (value,)),)),)
    return found


def about(name: str, entries: Iterable[Entry]) -> tuple[Act, ...]:
    """Return acts that each give a value of a slot."""
    return tuple([ACTS[name, slot.name, (said,)] for slot, said in entries])


def asking(name: str, entries: Iterable[tuple[SlotOf, tuple[SurfaceForm, ...]]]) -> tuple[Act, ...]:
    """Return acts that each ask for a slot, with examples or without."""
    return tuple([ACTS[name, slot.name, values] for slot, values in entries])


class Talk:
    """One dialogue under way.

    Attributes:
        world: What it is made from.
        wishes: The rng that decides what happens.
        language: The rng that decides how it is said.
        events: What has happened.
        legs: The services so far; the last one is at hand.
        state: What the system did last, as the automaton names it.
        offered: What the system offers.
        proposed: The call that the system offers to make.
        over: Whether it has come to its end.
    """

    def __init__(
        self, world: World, moods: Sequence[str], services: Sequence[str], seed: bytes
    ) -> None:
        self.world = world
        self.wishes, self.language = SeededRng(seed, b"wishes"), SeededRng(seed, b"language")
        self.events: list[Event] = []
        self.legs: list[ServiceSession] = []
        self.state = "start"
        self.offered: list[Entry] = []
        self.proposed: str | None = None
        self.over = False
        self._coming = list(zip(services, moods, strict=True))
        self._calls = 0
        self._forms: dict[tuple[str, str], int] = {}
        self._manner: dict[str, int] = {}

    @property
    def leg(self) -> ServiceSession:
        """The service at hand."""
        return self.legs[-1]

    @property
    def book(self) -> Phrasebook:
        """The phrases of the service at hand."""
        return self.world.books[self.legs[-1].provider.name]

    @property
    def words(self) -> Wording:
        """The templates of the language."""
        return self.book.wording

    @property
    def more(self) -> bool:
        """Whether the user will turn to another service."""
        return bool(self._coming)

    def turn_to_next(self) -> ServiceSession:
        """Turn to the next service."""
        service, mood = self._coming.pop(0)
        provider = self.world.providers[service]
        leg = ServiceSession(self.world, provider, mood, self._memory(), self.wishes)
        self.legs.append(leg)
        return leg

    def _memory(self) -> Mapping[str, SurfaceForm]:
        """Return what the user said that other services may need as well."""
        found: dict[str, SurfaceForm] = {}
        for leg in self.legs:
            for name, concept in self.world.concepts(leg.provider.name).items():
                if name in leg.known:
                    found[concept] = SurfaceForm(leg.known[name], str(leg.values[name][0]))
        return found

    # --- how it is said ------------------------------------------------------------------------

    def user_form(self, slot: SlotOf, value: str) -> SurfaceForm:
        """Return how this user says a value: the same way each time."""
        ways = slot.ways(value)
        if len(ways) == 1:
            return ways[0]
        key = (slot.kind, value)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = self.language.below(FORMS)
        return ways[form % len(ways)]

    def system_form(self, slot: SlotOf, value: str) -> SurfaceForm:
        """Return how the system says a value: names as they are, numbers and times in one way."""
        ways = slot.ways(value)
        if len(ways) == 1 or slot.kind not in ("date", "time"):
            return ways[0]
        form = self._manner.get(slot.kind)
        if form is None:
            form = self._manner[slot.kind] = self.language.below(FORMS)
        return ways[form % len(ways)]

    def way(self, kind: str) -> Listing:
        """Return a way to list slots."""
        return self.language.choice(self.book.lists[kind])

    # --- what happens --------------------------------------------------------------------------

    def utter(
        self,
        agent: str,
        speech: Speech,
        frames: Iterable[tuple[ServiceSession, tuple[Act, ...]]],
        requested: tuple[str, ...] = (),
    ) -> None:
        """Add an utterance with its frames; a user's have the state of each service."""
        parts = []
        for leg, acts in frames:
            name = leg.provider.name
            spans = tuple(speech.spans.get(name, ()))
            state = State(leg.intent, requested, leg.values) if agent == USER else None
            parts.append(Part(name, acts, spans, state))
        if len(parts) > 1:
            parts.sort(key=_service)
        layers = (Layer(GOLD, tuple(parts)),)
        self.events.append(Utterance(agent=agent, text=speech.text, layers=layers))

    def call(self, leg: ServiceSession) -> tuple[Item, ...]:
        """Make the call at hand and return what came of it."""
        self._calls += 1
        number = str(self._calls)
        given = leg.parameters()
        items = self.world.backend.call(leg.provider, leg.call, given)
        constraints = tuple([CONSTRAINTS[pair] for pair in given.items()])
        name = leg.provider.name
        query = Query(
            id=number, api=leg.call.name, constraints=constraints, service=name, agent=SYSTEM
        )
        self.events += (query, Result(query=number, items=items))
        return items


def _service(part: Part) -> str:
    return part.service or ""
