"""The nodes of a compiled task: templates split, nodes linked, sets of slots as bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dialoom.dialogue import GOLD, Act, Constraint, Layer, Part, Span
from dialoom.dialogue.constraint import Operator
from dialoom.dialogue.event import CHECK
from dialoom.schema.call import Call
from dialoom.schema.condition import Condition
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import Seams, seams
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse
from dialoom.schema.values.forms import SurfaceForm

REQUEST = "request"
"""The type of the input that separates checking from booking."""

_KEPT = 20_000
"""Most acts kept in memory for a node, and most constraints for an input."""

_KEPT_LINES = 200
"""Most renderings kept in memory for a line."""

MISSES = frozenset({"nothing", "unavailable", "failed"})
"""Outcomes of a call whose row does not exist or is taken: other values may succeed."""

FAILURES = MISSES | {"refused", "error"}
"""All outcomes of a call without success."""


class Spoken(NamedTuple):
    """A line with values in it: text and annotation, the system's also as a layer."""

    text: str
    acts: tuple[Act, ...]
    spans: tuple[Span, ...]
    layers: tuple[Layer, ...]


@dataclass(slots=True, eq=False)
class FlowLine:
    """A template: literal parts around placeholders, one more than these.

    `slots` are the bits of the slots among the placeholders, `outputs` the names of the inputs and
    outputs among them; `made` caches renderings by their values. `seams` are the language's.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]
    slots: int
    outputs: frozenset[str]
    seams: Seams = field(default_factory=dict)
    made: dict[Sequence[SurfaceForm], Spoken] = field(default_factory=dict)

    def fill(self, values: Sequence[SurfaceForm], at: int = 0) -> tuple[str, tuple[Span, ...]]:
        """Return the text with values in the placeholders, and their spans, shifted by `at`."""
        literals = self.literals
        text: str = literals[0]
        spans: list[Span] = []
        for place, form in enumerate(values, start=1):
            if self.seams and text.endswith(" "):
                text = self._before(text, form.text)
            spans += form.at(at + len(text))
            text = f"{text}{form.text}{literals[place]}"
        return text, tuple(spans)

    def _before(self, text: str, value: str) -> str:
        """Return a text as it is before a value: "at the" is "at" before "The Weaver's Rest"."""
        head, space, word = text[:-1].rpartition(" ")  # in "this coming", word by word
        for start, instead in self.seams.get(word.lower(), ()):
            if start.match(value):
                if not instead:
                    return self._before(f"{head}{space}", value)
                return f"{head}{space}{word[:1]}{instead[1:]} "
        return text

    def speak(self, step: Step, values: tuple[SurfaceForm, ...], *, apart: bool) -> Spoken:
        """Put values in the placeholders; each gets an act of its own if `apart`."""
        hit = self.made.get(values)
        if hit is not None:
            return hit
        text, parts = self.fill(values)
        if apart:
            acts = tuple([step.act(form) for form in dict.fromkeys(values)])
            acts += step.plain_acts if step.sets else ()
        else:
            acts = (Act(step.node.name, tuple([form.argument for form in values])),)
        layers = () if apart else (Layer(GOLD, (Part(None, acts, parts),)),)
        spoken = Spoken(text, acts, parts, layers)
        if (len(values) == 1 or not apart) and len(self.made) < _KEPT_LINES:
            self.made[values] = spoken
        return spoken


def flow_line(text: str, bits: Mapping[str, int], language: str) -> FlowLine:
    """Return a template split at its placeholders: slots in `bits`, else inputs and outputs."""
    literals, names = [""], []
    for part in parse(text).parts:
        if isinstance(part, Place):
            names.append(part.name)
            literals.append("")
        else:
            literals[-1] += part
    slots = mask((name for name in names if name in bits), bits)
    outputs = frozenset(name for name in names if name not in bits)
    return FlowLine(tuple(literals), tuple(names), slots, outputs, seams(language))


@dataclass(slots=True, eq=False)
class Input:
    """An input of a call, and the operator by which its value restricts the column.

    The request type has no `slot` or `operator` but the node's constraint `always`. `made` caches
    constraints by value.
    """

    name: str
    slot: str
    required: bool
    operator: Operator | None
    always: tuple[Constraint, ...] = ()
    made: dict[SurfaceForm, tuple[Constraint, ...]] = field(default_factory=dict)

    def constrain(self, form: SurfaceForm) -> tuple[Constraint, ...]:
        """Return the constraints for a value: one for each element of a list, or one `one_of`."""
        limits = self.made.get(form)
        if limits is None:
            if len(self.made) > _KEPT:
                self.made.clear()
            operator = self.operator
            if operator == "one_of":
                limits = (Constraint(self.name, operator, form.values),)
            else:
                limits = tuple(Constraint(self.name, operator, (value,)) for value in form.values)
            self.made[form] = limits
        return limits


@dataclass(slots=True, eq=False, repr=False)  # the repr of one would contain the whole graph
class Step:
    """A node of the flow linked to its neighbours; sets of slots are bit masks."""

    node: Node
    kind: str
    label: str
    """The action of a reply or call; empty for others."""
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
    after: tuple[Step, ...] = ()
    """The nodes that may come next, that for a list's last element included."""
    answers: tuple[Step, ...] = ()
    """A question's answers, those that decline last."""
    declining: tuple[Step, ...] = ()
    """A question's answers, those that decline first."""
    onward: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    outcomes: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    last: Step | None = None
    reads: str | None = None
    acts: dict[SurfaceForm, Act] = field(default_factory=dict)
    chosen: dict[tuple[int, int, int], tuple[FlowLine, ...]] = field(default_factory=dict)
    slots: int = 0
    """The slots that its lines name."""
    outputs: frozenset[str] = frozenset()
    """The inputs and outputs of calls that its lines name."""
    guarded: bool = False
    """True if a user chooses among its branches by conditions."""
    takes_none: bool = False
    """True if a user may answer that they have no wish."""
    bare: bool = False
    """True if a user only speaks here: no slot is forgotten, set, counted or declined."""
    straight: Step | None = None
    """The only possible next node, if neither a choice nor the dialogue state decides on it."""
    gate: bool = False
    """True if the flow may skip it, or use the node for a list's last element instead."""
    plain: bool = False
    """True if none of its lines has a placeholder."""
    reads_last: bool = False
    """True if the node for a list's last element reads it out itself."""
    spare: bool = False
    """True if a brief system may leave it out (dialoom.flow.steps)."""
    ways: tuple[tuple[Step, ...], ...] = ()
    """The ways on without a courtesy or opening that may be left out."""
    past: Step | None = None
    """The node after an omission: None at the end, the node itself if it may not be left out."""
    past_user: Step | None = None
    """The same if the user spoke last."""
    unasked: int = 0
    """The slots that a user may give here without having been asked."""

    @property
    def name(self) -> str:
        """The node's name."""
        return self.node.name

    @property
    def settles(self) -> bool:
        """True if its call writes to the knowledge base rather than checks."""
        return self.call is not None and self.call.writes and self.node.request != CHECK

    def act(self, form: SurfaceForm) -> Act:
        """Return the act that gives a value here."""
        entry = self.acts.get(form)
        if entry is None:
            if len(self.acts) > _KEPT:
                self.acts.clear()
            entry = self.acts[form] = Act(self.node.name, (form.argument,))
        return entry


def mask(slots: Iterable[str], bits: Mapping[str, int]) -> int:
    """Return the bits of some slots."""
    return union(bits[slot] for slot in slots)


def union(masks: Iterable[int]) -> int:
    """Return the bits that are in any of some masks."""
    total = 0
    for bits in masks:
        total |= bits
    return total
