"""A task compiled for speed: templates split once, nodes linked, sets of slots as bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dialoom.dialogue import GOLD, Act, Constraint, Layer, Part, Span
from dialoom.dialogue.constraint import Operator
from dialoom.dialogue.event import Item
from dialoom.errors import SchemaError
from dialoom.schema.call import Call, Column
from dialoom.schema.condition import Condition
from dialoom.schema.flow import Node
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.forms import SurfaceForm, ValueForms

REQUEST = "request"
"""The type of the input that tells checking from booking."""

STEP = "step"
"""The placeholder of the element that a node reads out."""

_KEPT = 20_000
"""Acts and constraints remembered in one place at most."""

_KEPT_LINES = 200
"""Renderings of a line remembered at most."""

MISSES = frozenset({"nothing", "unavailable", "failed"})
"""Outcomes of a call for what is not there, or no longer."""

FAILURES = MISSES | {"refused", "error"}
"""Outcomes that leave the user without what they asked for."""


class Spoken(NamedTuple):
    """A line with values in it: text and annotation, the system's also as a layer."""

    text: str
    acts: tuple[Act, ...]
    spans: tuple[Span, ...]
    layers: tuple[Layer, ...]


@dataclass(slots=True, eq=False)
class FlowLine:
    """A template: literal parts around placeholders.

    Attributes:
        literals: The parts between the placeholders, one more than these.
        names: The placeholders.
        slots: The bits of the slots among them.
        outputs: The names of the inputs and outputs among them.
        made: What was said before, with the same values.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]
    slots: int
    outputs: frozenset[str]
    made: dict[Sequence[SurfaceForm], Spoken] = field(default_factory=dict)

    def fill(self, values: Sequence[SurfaceForm], at: int = 0) -> tuple[str, tuple[Span, ...]]:
        """Return the text with values in the placeholders, and where they stand.

        Args:
            values: A value for each placeholder.
            at: How many characters stand before the text.
        """
        literals = self.literals
        text: str = literals[0]
        spans: list[Span] = []
        for place, said in enumerate(values, start=1):
            spans += said.at(at + len(text))
            text = f"{text}{said.text}{literals[place]}"
        return text, tuple(spans)

    def speak(self, step: Step, values: tuple[SurfaceForm, ...], *, apart: bool) -> Spoken:
        """Put values in the placeholders.

        Args:
            step: The node whose line this is, which names the acts.
            values: A value for each placeholder.
            apart: Whether every value gets an act of its own, or all share one.
        """
        made = self.made.get(values)
        if made is not None:
            return made
        text, parts = self.fill(values)
        if apart:
            acts = tuple([step.act(said) for said in dict.fromkeys(values)])
            acts += step.plain_acts if step.sets else ()
        else:
            acts = (Act(step.node.name, tuple([said.argument for said in values])),)
        layers = () if apart else (Layer(GOLD, (Part(None, acts, parts),)),)
        spoken = Spoken(text, acts, parts, layers)
        if (len(values) == 1 or not apart) and len(self.made) < _KEPT_LINES:
            self.made[values] = spoken
        return spoken


@dataclass(slots=True, eq=False)
class Input:
    """An input of a call, how its value restricts the column, and constraints made before.

    Without an operator it is the request type, whose constraint is always the node's.
    """

    name: str
    slot: str
    required: bool
    operator: Operator | None
    always: tuple[Constraint, ...] = ()
    made: dict[SurfaceForm, tuple[Constraint, ...]] = field(default_factory=dict)

    def constrain(self, said: SurfaceForm) -> tuple[Constraint, ...]:
        """Return the constraints that a value makes: of several values, one for each."""
        found = self.made.get(said)
        if found is None:
            if len(self.made) > _KEPT:
                self.made.clear()
            operator = self.operator
            if operator == "one_of":
                found = (Constraint(self.name, operator, said.values),)
            else:
                found = tuple(Constraint(self.name, operator, (value,)) for value in said.values)
            self.made[said] = found
        return found


@dataclass(slots=True, eq=False, repr=False)  # a graph: the text of one would be that of all
class Step:
    """A node of the flow with its neighbours at hand; sets of slots are bits."""

    node: Node
    kind: str
    lines: tuple[FlowLine, ...]
    asks: int
    forget: int
    when: tuple[Condition, ...]
    sets: tuple[SurfaceForm, ...]
    gives: int
    alters: int
    plain_acts: tuple[Act, ...]
    plain_layers: tuple[Layer, ...]
    call: Call | None = None
    inputs: tuple[Input, ...] = ()
    then: tuple[Step, ...] = ()
    users: tuple[Step, ...] = ()
    given: Step | None = None
    """What a question leads to that is passed over since something that it asks for is known: the
    answer that it would have got, or itself where it takes none."""
    declined: Step | None = None
    """What a question that is passed over leads to where nothing that it asks for is known."""
    onward: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    outcomes: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    last: Step | None = None
    reads: str | None = None
    acts: dict[SurfaceForm, Act] = field(default_factory=dict)
    chosen: dict[tuple[int, int, int], tuple[FlowLine, ...]] = field(default_factory=dict)
    slots: int = 0
    """What its lines name, of the slots."""
    outputs: frozenset[str] = frozenset()
    """What its lines name, of inputs and outputs."""
    guarded: bool = False
    """Whether a user chooses among its branches by conditions."""
    takes_none: bool = False
    """Whether a user may answer that they have no wish."""
    bare: bool = False
    """Whether a user only says something here: nothing is forgotten, set, counted or declined."""
    straight: Step | None = None
    """The node that comes after it, where nothing has to be chosen or looked up for that."""
    gate: bool = False
    """Whether it may be passed over, or stand aside for the node of the last element."""
    plain: bool = False
    """Whether none of its lines names anything."""
    spare: bool = False
    """Whether a brief system may leave it out (dialoom.schema.omissible)."""
    past: Step | None = None
    """What comes where it is left out: None is the end, itself that it stays. A question's is what
    comes after an answer that gives none."""
    past_user: Step | None = None
    """Likewise, right after the user has spoken."""
    unasked: int = 0
    """What a user may name here although nobody has asked for it yet."""

    @property
    def name(self) -> str:
        """The node's name."""
        return self.node.name

    @property
    def settles(self) -> bool:
        """Whether its call changes the knowledge base."""
        writes = self.call is not None and self.call.effect in ("book", "insert", "update")
        return writes and self.node.request != "Check"

    def act(self, said: SurfaceForm) -> Act:
        """Return the act that gives a value here."""
        found = self.acts.get(said)
        if found is None:
            if len(self.acts) > _KEPT:
                self.acts.clear()
            found = self.acts[said] = Act(self.node.name, (said.argument,))
        return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A task ready to be simulated.

    Attributes:
        task: The task's id.
        schema: What it was compiled from.
        language: The language of its words.
        words: How its values are said.
        bits: Slot to its bit.
        unless: Slot to the other slot that makes up for it.
        owned: The slots that a user has a wish for.
        first: The node that opens the dialogue.
        steps: Every node, by name.
        brought: What a call's result brings: slots that no user has a wish for, and columns.
        asked: The bits of slots that the system asks for.
        needed: The bits of slots that a call cannot be made without.
        fixed: The bits of slots whose value decides where the flow goes.
        closing: The nodes from which no call is made any more: the task only takes its leave.
        opening: The first node, and the courtesies that follow it.
        sentences: Slot to the sentences that tell its value to who has not asked for it.
        columns: Inputs and outputs of each API, with the columns of its table, by name.
        inputs: The bits of the slots that each API is called with.
        corrections: The nodes at which users give another value, at any time.
        anytime: The nodes of what else users may say at any time.
        apology: The reply to what was not understood.
        repeated: The APIs that are asked for another row.
        detours: As many nodes as may be passed over on the way to one: more lead in a circle.
        namesakes: The slots that a column is called by: what a result shows of such a slot is told
            as the result has it, unless the user names another value after it.
    """

    task: str
    schema: TaskSchema
    language: str
    words: ValueForms
    bits: dict[str, int]
    unless: tuple[tuple[int, str], ...]
    owned: tuple[str, ...]
    first: Step
    steps: dict[str, Step]
    columns: dict[str, dict[str, Column]]
    inputs: dict[str, int]
    brought: dict[str, tuple[tuple[str, str], ...]]
    asked: int
    needed: int
    fixed: int
    closing: frozenset[Step]
    detours: range
    opening: frozenset[Step] = frozenset()
    sentences: Mapping[str, tuple[FlowLine, ...]] = field(default_factory=dict)
    namesakes: frozenset[str] = frozenset()
    corrections: tuple[Step, ...] = ()
    anytime: tuple[Step, ...] = ()
    apology: Step | None = None
    repeated: frozenset[str] = frozenset()

    @property
    def digressive(self) -> bool:
        """Whether users may do something beside the flow."""
        return bool(self.corrections or self.anytime or self.apology)

    def mask(self, slots: Iterable[str]) -> int:
        """Return the bits of some slots."""
        return mask(slots, self.bits)

    def bound(self, slots: Iterable[str]) -> list[str]:
        """Return some slots, and those whose values depend on them."""
        found = list(slots)
        for name in found:
            dependent = self.schema.dependent
            found += [s.name for s in dependent if name in s.depends_on and s.name not in found]
        return found

    def offered(self, items: Sequence[Item]) -> dict[str, Any]:
        """Return what a result brings of slots that its columns are called by."""
        held = items[0] if items and self.namesakes else {}
        return {name: held[name] for name in self.namesakes if held.get(name) is not None}

    def error(self, what: str) -> SchemaError:
        """Return an error about the task."""
        return SchemaError(f"task {self.task}", what)


def reads_last(step: Step) -> bool:
    """Tell whether the node for the last element reads it out itself."""
    return step.last is not None and step.last.reads is not None


def successors(step: Step) -> tuple[Step, ...]:
    """Return the nodes that may come next."""
    return step.then if step.last is None else (*step.then, step.last)


def mask(slots: Iterable[str], bits: Mapping[str, int]) -> int:
    """Return the bits of some slots."""
    found = 0
    for slot in slots:
        found |= bits[slot]
    return found
