"""Dialogues that follow task files, converted to formats with dialogue acts of their own.

    flows = Flows(tasks, Vocabulary({"request": (Named("REQUEST"),), …}))
    flows.tasks_of(dialogue)             # each event's task
    flows.with_acts(dialogue)            # hotel_ask_price becomes REQUEST(price)

The acts of such dialogues are nodes of the task's flow. Each becomes the format's acts for the
node's functions (schema/functions.py), with the slots that it mentions, asks for or gives. An act
that is no node is kept if the format has it. Acts without a known function, or for which the format
has none, are left out. If only the label of a reply is annotated, its values are found by matching
the node's texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Utterance
from dialoom.dialogue.annotation import Act, Argument, Layer, Part, Span, Value
from dialoom.dialogue.views import annotated_parts, annotation, by_task, tasks
from dialoom.schema.flow import OUT_OF_SCOPE, Node
from dialoom.schema.functions import Function, Functions
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import parse
from dialoom.schema.values import read

KINDS = {USER: "user", SYSTEM: "system"}
"""Agent to the kind of its nodes."""

STEP = "step"
"""The placeholder for the element of a list that is read out."""


class Named(NamedTuple):
    """An act that a format has for a function of nodes, and which arguments it takes.

    With `given` it is left out if there are no arguments; with `bare` it never has any.
    """

    act: str
    takes: Literal["any", "given", "bare"] = "any"


@dataclass(frozen=True)
class Vocabulary:
    """The dialogue acts of a format.

    Attributes:
        names: Function of a node to the acts that the format has for it.
        anything: The value for no preference.
        slots: Whether inputs and outputs of calls have the names of their slots.
    """

    names: Mapping[Function, tuple[Named, ...]]
    known: frozenset[str]
    anything: str | None = None
    slots: bool = False


class Flow:
    """A task that dialogues follow.

    Attributes:
        slots: Input, output or column of a call to its slot.
        reads: Node to the output of which it reads out an element.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.functions = Functions(task)
        self.slots = {
            column.name: column.slot
            for call in task.calls.values()
            for columns in (call.inputs, call.outputs, task.columns(call))
            for column in columns
            if column.slot in task.slots
        }
        nodes = task.flow.nodes.values()
        read = {n.last: n.reads for n in nodes if n.last is not None and n.reads is not None}
        read |= {n.name: name for n in nodes if (name := n.reads or n.detail) is not None}
        self.reads = read

    def node(self, name: str, agent: str) -> Node | None:
        """Return the node of an agent's act; None if there is none."""
        node = self.task.flow.nodes.get(name)
        return node if node is not None and node.kind == KINDS.get(agent) else None

    def slot(self, name: str) -> str:
        """Return the slot of an input or output; its own name if it has none."""
        return name if name in self.task.slots else self.slots.get(name) or name

    def value(self, name: str, text: str) -> Value:
        """Return the value of a slot or column that a text expresses; else the text itself."""
        slot = self.task.slots.get(self.slot(name))
        meaning: Value = None if slot is None else read(slot, text, self.task.language)
        return text if meaning is None else meaning


Steps = Iterable[tuple[Event, Flow | None]]
"""The events of a dialogue, each with its task."""


class Flows:
    """The tasks that dialogues follow, and the acts of a format."""

    def __init__(self, schemas: Mapping[str, TaskSchema], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.known = {name: Flow(task) for name, task in schemas.items() if task.flow.complete}

    def follows(self, dialogue: Dialogue) -> bool:
        """True if a dialogue has a known task, and no acts but nodes of it."""
        if self.known.keys().isdisjoint(tasks(dialogue)):
            return False
        flows = self.tasks_of(dialogue)
        ours = [
            act.name == OUT_OF_SCOPE or self.at(flow, act.name, event.agent) is not None
            for event, flow in zip(dialogue.events, flows, strict=True)
            if isinstance(event, Utterance)
            for part in annotated_parts(event)
            for act in part.acts or ()
        ]
        return not ours or any(ours)

    def tasks_of(self, dialogue: Dialogue) -> Sequence[Flow | None]:
        """Return the task of each event; None if it is not known."""
        flows = [self.known.get(name) for name in tasks(dialogue)]
        if len(flows) == 1:
            return flows * len(dialogue.events)
        owners: list[Flow | None] = [None] * len(dialogue.events)
        for name, places in by_task(dialogue.events).items():
            for place in places:
                owners[place] = self.known.get(name)
        return owners

    def adapter(
        self, convert: Callable[[Steps], Iterable[Event]]
    ) -> Callable[[Dialogue], Dialogue]:
        """Return a function that converts dialogues of known tasks, and leaves others unchanged.

        Args:
            convert: Returns the events for those with the format's acts, each given with its task.
        """

        def adapted(dialogue: Dialogue) -> Dialogue:
            if not self.follows(dialogue):
                return dialogue
            events = self.with_acts(dialogue).events
            steps = zip(events, self.tasks_of(dialogue), strict=True)
            return replace(dialogue, events=tuple(convert(steps)))

        return adapted

    def with_acts(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue with its nodes replaced by the acts of the format."""
        talk = _Talk(self)
        events = map(talk.event, dialogue.events, self.tasks_of(dialogue))
        return replace(dialogue, events=tuple(events))

    def at(self, flow: Flow | None, name: str, agent: str) -> tuple[Flow, Node] | None:
        """Return the node of an act: that of this task, or else that of the only task with it."""
        among = self.known.values() if flow is None else (flow,)
        pairs = [(each, node) for each in among if (node := each.node(name, agent)) is not None]
        return pairs[0] if len(pairs) == 1 else None


class _Talk:
    def __init__(self, flows: Flows) -> None:
        self._flows, self._vocabulary = flows, flows.vocabulary
        self._replied: Node | None = None  # the node of the system's last reply

    def event(self, event: Event, flow: Flow | None) -> Event:
        """Return an event with the acts of the format; events are given in order."""
        layer = annotation(event) if isinstance(event, Utterance) else None
        if not isinstance(event, Utterance) or layer is None:
            return event
        parts = tuple(self._part(part, event, flow) for part in layer.parts)
        return replace(event, layers=(Layer(layer.source, parts, layer.extra),))

    def _part(self, part: Part, event: Utterance, flow: Flow | None) -> Part:
        acts, spans = part.acts or (), part.spans or ()
        moves: list[Act] = []
        operands: list[Argument] = []
        for act in acts:
            at = self._flows.at(flow, act.name, event.agent)
            if at is None:
                moves += [act] if act.name in self._vocabulary.known else ()
                continue
            flow, node = at
            arguments = [self._argument(each, flow, node) for each in act.arguments]
            if not arguments and node.kind == "system":
                arguments, spans = self._read(event.text, flow, node, spans)
            spans = tuple(_renamed(span, flow.reads.get(node.name)) for span in spans)
            if node.kind == "system":
                self._replied = node
                moves += self._reply(flow, node, arguments)
            else:
                new = self._answer(flow, node, arguments)
                moves += [each for each in new if each not in moves]
                operands += [each for each in arguments if each.values]
        if operands:
            moves += self._named("inform", operands)
        return replace(part, acts=tuple(moves), spans=spans or part.spans)

    # --- what a node does ---------------------------------------------------------------------

    def _reply(self, flow: Flow, node: Node, arguments: list[Argument]) -> Iterator[Act]:
        for function in flow.functions.of[node.name]:
            if function == "request":
                yield from self._named(function, [Argument(slot) for slot in node.asks])
            else:
                yield from self._named(function, arguments)

    def _answer(self, flow: Flow, node: Node, arguments: list[Argument]) -> Iterator[Act]:
        answers = self._replied is not None and node.name in self._replied.then
        for function in flow.functions.of[node.name]:
            operands: list[Argument] = []
            if function in ("affirm", "negate") and not answers:
                continue
            if function == "intent":
                call = flow.functions.intents[node.name]
                operands = [] if call is None else [Argument("intent", (call,))]
            elif function == "indifferent":
                anything = self._vocabulary.anything
                operands = [replace(a, values=(anything,)) for a in arguments if not a.values]
            yield from self._named(function, operands)

    def _named(self, function: Function, arguments: Sequence[Argument]) -> Iterator[Act]:
        for term in self._vocabulary.names.get(function, ()):
            if term.takes == "bare":
                yield Act(term.act)
            elif arguments or term.takes == "any":
                yield Act(term.act, tuple(arguments))

    def _argument(self, argument: Argument, flow: Flow, node: Node) -> Argument:
        name = argument.slot
        if name == STEP:
            name = flow.reads.get(node.name, name)
        return replace(argument, slot=flow.slot(name) if self._vocabulary.slots else name)

    def _read(
        self, text: str, flow: Flow, node: Node, spans: tuple[Span, ...]
    ) -> tuple[list[Argument], tuple[Span, ...]]:
        """Return the arguments of a reply and their spans, found by matching the node's texts."""
        for template in map(parse, node.texts):
            match = template.match(text) if template.slots else None
            if match is not None:
                arguments = (_stated(flow, at.slot, text[at.start : at.end]) for at in match.places)
                marks = tuple(Span(at.start, at.end, (at.slot,)) for at in match.places)
                return [self._argument(each, flow, node) for each in arguments], spans or marks
        return [], spans


def _stated(flow: Flow, name: str, phrase: str) -> Argument:
    value = flow.value(name, phrase)
    return Argument(name, (phrase,), None if value == phrase else (value,))


def _renamed(span: Span, output: str | None) -> Span:
    if STEP not in span.labels or output is None:
        return span
    return replace(span, labels=tuple(output if name == STEP else name for name in span.labels))
