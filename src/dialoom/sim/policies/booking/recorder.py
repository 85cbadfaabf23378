"""Records the events of a dialogue about a booking: lines with their acts, spans and state.

The user's words are drawn from the lines of the wording, the bot's are always the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Part, Span, State
from dialoom.dialogue.annotation import Value
from dialoom.schema.template import Rendered, Template
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.booking.restaurants import Restaurant, Values
from dialoom.sim.policies.booking.wording import MENTIONED, NAMED, Templates, spans

CALL = "api_call"
"""The name of the booking API, and the name of the act that calls it."""

_NOTHING: Mapping[str, str] = {}


class Turn(NamedTuple):
    """A turn of the bot: the index of its event, the id of its line (or the API) and its text.

    `restaurant` is the one that it names; `values` are those of a call.
    """

    place: int
    line: str
    text: str
    restaurant: Restaurant | None = None
    values: Values = ()


class BookingRecorder(Recorder):
    """Records a dialogue about a booking.

    Args:
        slots: The slots of a call, in its order.
        silence: Text of a user who says nothing.

    Attributes:
        state: The user's requests so far, by slot.
        found: The last results of the knowledge base.
    """

    def __init__(
        self, lines: Templates, slots: tuple[str, ...], silence: str, rng: SeededRng
    ) -> None:
        super().__init__()
        self.slots, self._silence = slots, silence
        self._lines, self._rng = lines, rng
        self.turns: list[Turn] = []
        self.state: dict[str, tuple[Value, ...]] = {}
        self.found: Sequence[Restaurant] = ()

    def _line(self, name: str, values: Mapping[str, str] = _NOTHING) -> Rendered:
        return self._rng.choice(self._lines[name]).render(values)

    def silent(self) -> None:
        """Record that the user says nothing, and the bot goes on."""
        self.utter(USER, self._silence)

    def user(self, line: str, values: Mapping[str, str] = _NOTHING) -> None:
        """Record that the user says one of the texts of a line."""
        speech = self._line(line, values)
        pairs = [(p.slot, values[p.slot]) for p in speech.places if p.slot not in MENTIONED]
        self._user(line, speech.text, pairs, spans(speech.places, besides=MENTIONED))

    def request(self, wishes: Sequence[tuple[str, str]]) -> None:
        """Record that the user asks for a table and gives some of the wishes, in any order."""
        text = self._line("request").text
        marks: tuple[Span, ...] = ()
        pairs, before = self._rng.shuffle(list(wishes)), ""
        firsts = {
            slot: {_first(line) for line in self._lines[f"request.{slot}"]} for slot, _ in pairs
        }
        only = {min(words) for words in firsts.values() if len(words) == 1}
        used = set(only)
        for slot, value in pairs:
            fragment = self._fragment(slot, value, used, {before, *only})
            before = fragment.text.partition(" ")[0]
            used.add(before)
            marks += spans(fragment.places, len(text) + 1)
            text = f"{text} {fragment.text}"
        self._user("request", text, pairs, marks)

    def _fragment(self, slot: str, value: str, used: Set[str], near: Set[str]) -> Rendered:
        """Return a random wording of a wish, not beginning with a word of `used` if one can.

        If every wording does, those of `near` are still left out: the word before, and the only
        one that a wish after it can begin with.
        """
        lines = self._lines[f"request.{slot}"]
        fresh = [line for line in lines if _first(line) not in used]
        others = fresh or [line for line in lines if _first(line) not in near]
        return self._rng.choice(others or lines).render({slot: value})

    def update(self, slot: str, value: str) -> None:
        """Record that the user wants another value."""
        fragment = self._line(f"request.{slot}", {slot: value})
        speech = self._line("update", {"change": fragment.text})
        marks = spans(fragment.places, speech.places[0].start)
        self._user("update", speech.text, [(slot, value)], marks)

    def _user(
        self, line: str, text: str, pairs: Sequence[tuple[str, str]], marks: tuple[Span, ...]
    ) -> None:
        name, _, topic = line.partition(".")
        self.state |= {slot: (value,) for slot, value in pairs if slot in self.slots}
        arguments = tuple(Argument(slot, (value,)) for slot, value in pairs)
        if topic and not arguments:
            arguments = (Argument(topic),)
        state = State(values=self.state.copy())
        self.utter(USER, text, Part(acts=(Act(name, arguments),), spans=marks, state=state))

    def bot(self, line: str, restaurant: Restaurant | None = None) -> None:
        """Record that the bot says its text of a line, about a restaurant if that names one."""
        item = restaurant.item if restaurant is not None else {}
        form = self._lines[line][0].render(item)
        name, _, topic = line.partition(".")
        arguments = (Argument(topic),) if topic else ()
        if entity := NAMED.get(line):
            arguments = (Argument(entity, (item[entity],)),)
        self.turns.append(Turn(len(self.events), line, form.text, restaurant))
        self.utter(SYSTEM, form.text, Part(acts=(Act(name, arguments),), spans=spans(form.places)))

    def book(self, values: Values) -> None:
        """Record that the bot calls the knowledge base."""
        self.turns.append(Turn(len(self.events), CALL, call_line(values), None, values))
        self.call(CALL, dict(zip(self.slots, values, strict=True)))

    def returned(self, matches: Sequence[Restaurant]) -> None:
        """Record the results of the last call, or the values before any."""
        self.found = matches
        self.result(each.item for each in matches)


def _first(line: Template) -> str:
    return line.bare.partition(" ")[0]


def call_line(values: Values) -> str:
    """Return a call as a line."""
    return " ".join((CALL, *values))
