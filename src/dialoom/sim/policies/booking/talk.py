"""One dialogue about a booking as it goes on: who said which line, and what it means.

    talk = Talk(lines, slots, silence="<silence>", rng)
    talk.user("answer.cuisine", {"cuisine": "thai"})
    talk.bot("ask.location")
    talk.turns                  # the bot's turns: where they stand, which line, which entity

The user's words are drawn from the lines of the wording, the bot's are always the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.booking.knowledge import Restaurant, Values, shuffle
from dialoom.sim.policies.booking.wording import MENTIONED, NAMED, Line, Wording

CALL = "api_call"
"""The name of the only API, and the act of calling it."""

_NOTHING: Mapping[str, str] = {}


class Turn(NamedTuple):
    """A turn of the bot.

    Attributes:
        place: The index of its event.
        line: The id of its line, or the name of the API.
        text: What it says, or the call as a line.
        restaurant: The restaurant it names.
        values: The values of the call.
    """

    place: int
    line: str
    text: str
    restaurant: Restaurant | None = None
    values: Values = ()


class Talk:
    """A dialogue under way.

    Args:
        wording: The lines.
        slots: The slots of a call, in its order.
        silence: What the user says who says nothing.
        rng: Which of several texts is taken.

    Attributes:
        events: What happened so far.
        turns: The bot's turns.
        state: What the user has asked for so far, by slot.
        found: What the knowledge base returned last.
    """

    def __init__(
        self, wording: Wording, slots: tuple[str, ...], silence: str, rng: SeededRng
    ) -> None:
        self.wording, self.slots, self.rng = wording, slots, rng
        self.events: list[Event] = []
        self.turns: list[Turn] = []
        self.state: dict[str, tuple[Value, ...]] = {}
        self.found: Sequence[Restaurant] = ()
        self._silence = Utterance(agent=USER, text=silence)
        self._calls = 0

    def silent(self) -> None:
        """The user says nothing, and the bot goes on."""
        self.events.append(self._silence)

    def user(self, line: str, values: Mapping[str, str] = _NOTHING) -> None:
        """The user says one of the texts of a line."""
        said = self.rng.choice(self.wording.lines(line))
        arguments = tuple(
            Argument(place, (values[place],)) for place in said.places if place not in MENTIONED
        )
        self._user(line, said.fill(values), arguments, said.spans(values))

    def request(self, given: Sequence[tuple[str, str]]) -> None:
        """The user asks for a table and says some of what they want, in any order."""
        text, spans = self.rng.choice(self.wording.lines("request")).plain, []
        said = list(given)
        shuffle(said, self.rng)
        for slot, value in said:
            fragment, values = self._fragment(slot), {slot: value}
            text += " "
            spans += fragment.spans(values, len(text))
            text += fragment.fill(values)
        arguments = tuple(Argument(slot, (value,)) for slot, value in said)
        self._user("request", text, arguments, spans)

    def update(self, slot: str, value: str) -> None:
        """The user wants another value."""
        lead = self.rng.choice(self.wording.lines("update"))
        fragment, values = self._fragment(slot), {slot: value}
        spans = fragment.spans(values, len(lead.pieces[0]))
        text = lead.fill({"change": fragment.fill(values)})
        self._user("update", text, (Argument(slot, (value,)),), spans)

    def _fragment(self, slot: str) -> Line:
        return self.rng.choice(self.wording.lines(f"request.{slot}"))

    def _user(
        self, line: str, text: str, arguments: tuple[Argument, ...], spans: list[Span]
    ) -> None:
        name, _, topic = line.partition(".")
        for argument in arguments:
            if argument.slot in self.slots:
                self.state[argument.slot] = argument.values
        if topic and not arguments:
            arguments = (Argument(topic),)
        part = Part(
            acts=(Act(name, arguments),), spans=tuple(spans), state=State(values=self.state.copy())
        )
        layers = (Layer(GOLD, (part,)),)
        self.events.append(Utterance(agent=USER, text=text, layers=layers))

    def bot(self, line: str, restaurant: Restaurant | None = None) -> None:
        """The bot says its text of a line, about a restaurant if the line names one."""
        said = self.wording.line(line)
        name, _, topic = line.partition(".")
        entity = NAMED.get(line)
        if entity is None or restaurant is None:
            text = said.plain
            spans: tuple[Span, ...] = ()
            arguments = (Argument(topic),) if topic else ()
        else:
            values = {entity: getattr(restaurant, entity)}
            text, spans = said.fill(values), tuple(said.spans(values))
            arguments = (Argument(entity, (values[entity],)),)
        part = Part(acts=(Act(name, arguments),), spans=spans)
        self.turns.append(Turn(len(self.events), line, text, restaurant))
        self.events.append(Utterance(agent=SYSTEM, text=text, layers=(Layer(GOLD, (part,)),)))

    def call(self, values: Values) -> None:
        """The bot calls the knowledge base."""
        self._calls += 1
        pairs = zip(self.slots, values, strict=True)
        constraints = tuple(Constraint(slot, "equal", (value,)) for slot, value in pairs)
        text = call_line(values)
        self.turns.append(Turn(len(self.events), CALL, text, None, values))
        self.events.append(Query(id=str(self._calls), api=CALL, constraints=constraints))

    def result(self, found: Sequence[Restaurant]) -> None:
        """The knowledge base tells its facts: of the last call, or before any."""
        self.found = found
        query = str(self._calls) if self._calls else ""
        self.events.append(Result(query=query, items=tuple(each.item for each in found)))


def call_line(values: Values) -> str:
    """Return a call as a line."""
    return " ".join((CALL, *values))
