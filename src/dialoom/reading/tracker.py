"""Slots and their values, from the events of a dialogue.

    tracker = SlotTracker(task)
    for event in dialogue.events:
        tracker.observe(event)
    tracker.values["guests"]           # Tracked(4, "answered", 7)

Values come from the acts of an utterance if it has some, else from its text (user_turn.py). An
offer by acts lasts until the user agrees or refuses; without acts, the system offers the values of
the last result that it names. A task without a flow gets a question for each slot in words of its
name (`asked_slots`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec.structs import replace

from dialoom.dialogue import USER, Act, Event, Query, Result, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import label, parts
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.turn import TurnReader, turn_reader
from dialoom.reading.user_turn import reader_of
from dialoom.reading.wording import wording_of
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.lexicon import split_name
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import TEXTS, plain

ASKED = 0.5
"""Least probability at which a question counts as asking for a slot."""

_SYSTEM: Final = "system"
_REQUESTS = frozenset({"request", "options"})
_OPENING = "open"


@once_for_each
def question_reader(task: TaskSchema) -> TurnReader:
    """Return the reader of a task with a question for each slot in place of its flow (cached)."""
    asking = [
        Node(
            name=f"ask_{slot}",
            kind=_SYSTEM,
            asks=(slot,),
            texts=(f"{' '.join(split_name(slot))}?",),
        )
        for slot in task.slots
    ]
    opening = Node(name=_OPENING, kind="user", then=tuple(node.name for node in asking))
    flow = FlowGraph(nodes={node.name: node for node in (opening, *asking)})
    return turn_reader(replace(task, flow=flow), _SYSTEM)


def asked_slots(task: TaskSchema, text: str) -> dict[str, float]:
    """Return slot to the probability that a text of the system asks for it."""
    chances: dict[str, float] = {}
    for act in question_reader(task).read(text).acts:
        labels = function_scorer(task.language, _SYSTEM).probabilities(
            wording_of(act.text, task.language)
        )
        asks = sum(share for name, share in labels.items() if function_of(name) in _REQUESTS)
        for slot in act.asks:
            chances[slot] = max(chances.get(slot, 0.0), asks * act.certainty)
    return chances


Origin = Literal["said", "answered", "offered", "queried", "denied", "elsewhere"]
"""Origin of a value: named by the user, answer to its question, offer with the user's consent,
input of a query, no preference (None), input or output of another task's call."""


class Tracked(Struct, frozen=True):
    """A value, its origin, and the number of its event.

    The value is None if the user has no wish, a list if the slot takes several. Its words are those
    of the utterance that named it, or empty.
    """

    value: Any
    origin: Origin
    event: int
    words: str = ""


Found = Mapping[str, tuple[Any, str]]
"""Slot to a value and the words for it."""

OFFERS = frozenset({"offer", "confirm", "suggest"})
"""Acts of systems whose values count once the user agrees (SGD, Frames)."""


class SlotTracker:
    """Follows one dialogue of one task.

    `values` maps slots to values; the mapping never changes: each event with values creates a new
    one. `asked` are the slots that the last utterance of the system asked for, `count` the number
    of observed events.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.values: Mapping[str, Tracked] = {}
        self.asked: tuple[str, ...] = ()
        self.count = 0
        self._reader = reader_of(task)
        self._reading = DialogueReading(task)
        self._required = {c.name: c.slot for c in task.call_inputs if c.required and c.slot}
        self._node: Node | None = None
        self._offered: Found = {}
        self._found: dict[str, Any] = {}
        self._api = ""

    def observe(self, event: Event) -> None:
        """Update the slots by the next event."""
        if isinstance(event, Utterance) and event.agent == USER:
            self._reading.observe(event)
            self._hear(event)
        elif isinstance(event, Utterance):
            self._say(event)
        elif isinstance(event, Query):
            self._reading.observe(event)
            self._api = event.api
            self._query(event)
        elif isinstance(event, Result):
            self._reading.observe(event)
            self._conclude(event)
        self.count += 1

    def _conclude(self, event: Result) -> None:
        own = self._reader.columns.get(self._api)
        columns = self._required if own is None else own
        items = ((event.items or ({},))[0] or {}).items()
        self._found = {columns[name]: v for name, v in items if name in columns}
        if own is None:
            self._elsewhere(self._found.items())

    def _elsewhere(self, values: Iterable[tuple[str, Any]]) -> None:
        """Take over values of another task's call, for the slots of the same name without one."""
        slots = self.task.slots
        fitting = {
            name: (value, "")
            for name, value in values
            if name not in self.values or self.values[name].origin == "elsewhere"
            if slots[name].type in TEXTS or self._reader.states(plain(value), name, value)
        }
        self._put(fitting, "elsewhere")

    @property
    def _stated(self) -> set[str]:
        return {mention.slot for mention in self._reading.turn.mentions}

    @property
    def fresh(self) -> dict[str, Tracked]:
        """The slots that the last event changed."""
        return {n: each for n, each in self.values.items() if each.event == self.count - 1}

    def _put(self, readings: Found, origin: Origin) -> None:
        source: Origin = "answered" if origin == "said" else origin
        brought = {
            slot: Tracked(value, source if slot in self.asked else origin, self.count, words)
            for slot, (value, words) in readings.items()
        }
        if brought:
            self.values = {**self.values, **brought}

    def _hear(self, event: Utterance) -> None:
        readings, stated = _annotated(event, self.task), self._stated
        if readings is None:
            state = {name: each.value for name, each in self.values.items()}
            readings = self._reader.heard(event.text, self.asked, self._node, state, stated)
        self._put(readings, "said")
        truth = self._reader.agreed(event.text) if self._offered else None
        if truth is None:
            truth = self._reader.truth(event.text)
        if not (self._reader.cares(event.text) or stated & set(readings)):
            self._put({n: (None, "") for n in self.asked if n not in readings}, "denied")
        if truth:
            self._put({n: v for n, v in self._offered.items() if n not in readings}, "offered")
        if truth is not None:
            self._offered = {}
        self.asked, self._node = (), None

    def _say(self, event: Utterance) -> None:
        self._reading.observe(event)
        acts = _acts(event)
        read = None if acts else self._reading.turn.action
        self._node = self.task.flow.nodes.get(label(event) or read or "")
        requested = (a.slot for act in acts for a in act.arguments if not a.values)
        asks = self._asks(event.text) if not acts or self._node is not None else tuple(requested)
        self.asked = tuple(name for name in asks if name in self.task.slots)
        offered = _annotated(event, self.task, OFFERS)
        if offered is None:
            self._offered = {
                name: (value, "")
                for name, value in self._found.items()
                if name not in self.values and self._reader.states(event.text, name, value)
            }
        elif offered:
            self._offered = offered

    def _asks(self, text: str) -> Sequence[str]:
        if self.task.flow:
            return self._reading.turn.asks
        return [slot for slot, chance in asked_slots(self.task, text).items() if chance >= ASKED]

    def _query(self, event: Query) -> None:
        columns = self._reader.columns.get(event.api)
        if columns is None:
            arguments = {each.slot: each.value for each in event.constraints}
            self._elsewhere(
                (s, arguments[name]) for name, s in self._required.items() if name in arguments
            )
            return
        inputs = {
            columns[each.slot]: (each.value, "")
            for each in event.constraints
            if each.slot in columns and each.operator == "equal"
        }
        state = {name: each.value for name, each in self.values.items()}
        self._put(
            {n: v for n, v in inputs.items() if n not in state or state[n] != v[0]}, "queried"
        )


def _acts(event: Utterance) -> list[Act]:
    return [act for part in parts(event) for act in part.acts or ()]


def _annotated(
    event: Utterance, task: TaskSchema, names: Collection[str] | None = None
) -> Found | None:
    """Return the values in the acts of an utterance; None if it has no acts.

    In an offer, only slots that some call requires count; the others describe it. `names` are the
    acts that count, in small letters, if not all do.
    """
    acts = _acts(event)
    required = {column.slot for column in task.call_inputs if column.required}
    readings: dict[str, tuple[Any, str]] = {}
    for act in acts:
        for argument in act.arguments if names is None or act.name.lower() in names else ():
            slot, values = task.slots.get(argument.slot), argument.canonical or argument.values
            described = act.name.lower() == "offer" and argument.slot not in required
            if slot is not None and values and not described:
                value = list(values) if slot.type == "categories" else values[0]
                readings[slot.name] = value, str((argument.values or values)[0])
    return readings if acts else None
