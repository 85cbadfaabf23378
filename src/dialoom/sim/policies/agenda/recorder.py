"""The state of one dialogue that both sides share: its events, services and surface forms."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Part, State
from dialoom.dialogue.event import Item
from dialoom.schema.values.forms import SurfaceForm, surface_form
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.phrases import Entry, Phrasebook, SpokenText
from dialoom.sim.policies.agenda.provider import ServiceCall
from dialoom.sim.policies.agenda.session import ServiceSession
from dialoom.sim.policies.agenda.slots import SlotOf
from dialoom.sim.policies.agenda.world import World

FORMS = 10_000
"""Range of the number that chooses a surface form by its weight."""


def acts(name: str, entries: Iterable[Entry]) -> tuple[Act, ...]:
    """Return acts that each give values of a slot, or ask for it."""
    return tuple([Act(name, (_argument(slot, values),)) for slot, values in entries])


def _argument(slot: SlotOf, values: Sequence[SurfaceForm]) -> Argument:
    texts = tuple([form.text for form in values])
    canonical = tuple([form.canonical for form in values])
    return Argument(slot.name, texts, None if canonical == texts else canonical)


def named(name: str, what: str, value: str) -> tuple[Act, ...]:
    """Return an act about an intent or a count."""
    return (Act(name, (Argument(what, (value,)),)),)


class AgendaRecorder(Recorder):
    """Records a dialogue over services.

    Attributes:
        wishes: Draws goals and moves.
        language: Draws the wording.
        sessions: The services so far, the current one last.
        state: The automaton's state, named after the system's last move.
        offered: The slots and values that the system offers or asks to confirm.
        proposed: The call that the system offers to make.
        over: True if the dialogue has ended.
    """

    def __init__(
        self, world: World, kinds: Sequence[str], services: Sequence[str], seed: bytes
    ) -> None:
        super().__init__()
        self.world = world
        self.wishes, self.language = SeededRng(seed, b"wishes"), SeededRng(seed, b"language")
        self.sessions: list[ServiceSession] = []
        self.state = "start"
        self.offered: list[Entry] = []
        self.proposed: str | None = None
        self.over = False
        self._coming = list(zip(services, kinds, strict=True))
        self._forms: dict[tuple[str, str], int] = {}

    @property
    def session(self) -> ServiceSession:
        """The service at hand."""
        return self.sessions[-1]

    @property
    def book(self) -> Phrasebook:
        """The phrases of the service at hand."""
        return self.world.books[self.session.provider.name]

    @property
    def coming(self) -> list[str]:
        """The services that come later in the dialogue."""
        return [service for service, _ in self._coming]

    @property
    def more(self) -> bool:
        """True if another service comes later."""
        return bool(self._coming)

    def turn_to_next(self) -> ServiceSession:
        """Begin the session of the next service, and return it."""
        session = self._session(*self._coming.pop(0))
        self.sessions.append(session)
        return session

    def _session(self, service: str, kind: str) -> ServiceSession:
        memory = {
            concept: surface_form(name, value, (str(earlier.values.get(name, (value,))[0]),))
            for earlier in self.sessions
            for name, concept in self.world.concepts[earlier.provider.name].items()
            if (value := earlier.learned(name)) is not None
        }
        provider = self.world.providers[service]
        return ServiceSession(self.world, provider, kind, memory, self.wishes)

    def choose(self, state: str) -> str:
        """Draw by the automaton's weights for a state of the system."""
        return self.world.table.choose(state, self.wishes)

    # --- surface forms -------------------------------------------------------------------------

    def user_form(self, slot: SlotOf, value: str) -> SurfaceForm:
        """Return this user's surface form of a value, the same each time."""
        return self._form(slot, value, value, USER)

    def system_form(self, slot: SlotOf, value: str) -> SurfaceForm:
        """Return the system's surface form: names plain, dates, times and sums in one style."""
        if slot.kind in self.book.wording.styles:
            return self._form(slot, value, "", SYSTEM)
        return slot.ways(value)[0]

    def _form(self, slot: SlotOf, value: str, scope: str, side: str) -> SurfaceForm:
        ways, key = slot.ways(value), (slot.kind, scope)
        if len(ways) == 1:
            return ways[0]
        if key not in self._forms:
            self._forms[key] = self.language.below(FORMS)
        sums = self.world.sums(slot, value, side)
        return ways[bisect_right(sums, self._forms[key] * sums[-1] // FORMS)]

    # --- events --------------------------------------------------------------------------------

    def turn(
        self,
        agent: str,
        speech: SpokenText,
        frames: Iterable[tuple[ServiceSession, tuple[Act, ...]]],
        requested: tuple[str, ...] = (),
    ) -> None:
        """Record an utterance with its frames; a user's have the state of each service."""
        parts = []
        text, spans = speech.say(self.world.drafts[agent], self.language)
        for session, acts in frames:
            name = session.provider.name
            state = State(session.intent, requested, session.values) if agent == USER else None
            parts.append(Part(name, acts, tuple(spans.get(name, ())), state))
        self.utter(agent, text, *sorted(parts, key=lambda part: part.service or ""))

    def call_service(self, session: ServiceSession) -> tuple[Item, ...]:
        """Make the session's present call with its current values, and return the results."""
        return self.make_call(session, session.call, session.parameters())

    def make_call(
        self, session: ServiceSession, call: ServiceCall, inputs: Mapping[str, str]
    ) -> tuple[Item, ...]:
        """Make and record a call; return the results."""
        provider = session.provider
        self.call(call.name, inputs, service=provider.name)
        items = self.world.backend.call(provider, call, inputs)
        self.result(items)
        return items
