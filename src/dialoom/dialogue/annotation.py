"""What people, simulators and models say about an utterance: layers of acts, spans, state, frames.

An utterance carries one layer per annotator or source. A layer holds one part per service, in the
order of the file; formats without services have one part whose service is None. SGD's unit is the
(turn, service) pair, and a flat list per turn would lose it.

    Layer("gold", (Part("Restaurants_1",
        acts=(Act("INFORM", (Argument("city", ("san jose",), canonical=("San Jose",)),)),),
        spans=(Span(12, 20, ("city",)),),
        state=State(intent="FindRestaurants", values={"city": ("san jose",)})),))
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

TOKEN = re.compile(r"\w+|[^\w\s]")
"""A word or a punctuation mark of a text."""

Value = str | int | float | bool | None
"""A single value as formats write them; most are strings."""


class Struct(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """Base of every value of the data model: frozen, compared by content and order."""


class Reference(Struct, frozen=True):
    """A mention of another frame by an act (Frames), with what is said of that frame.

    Without `arguments` the act as a whole refers to the frame; None where the file leaves out the
    list, which it also writes empty.
    """

    frame: int
    arguments: tuple[Argument, ...] | None = None
    extra: dict[str, Any] = {}


class Argument(Struct, frozen=True):
    """One slot of an act with its values as said.

    `canonical` holds the values of the knowledge base where they differ from those said
    (SGD's canonical_values); None means that they are the same. An argument that only refers to
    frames has `references` and no values; its slot is ref, read or write, the key in the file.
    """

    slot: str
    values: tuple[Value, ...] = ()
    canonical: tuple[Value, ...] | None = None
    references: tuple[Reference, ...] = ()
    extra: dict[str, Any] = {}


class Act(Struct, frozen=True):
    """A dialogue act: what an utterance does, with its arguments in order.

    In STAR a wizard's action label is an act without arguments; in Frames one act has several.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    extra: dict[str, Any] = {}


class Span(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of the text, with every label they were given.

    Spans may overlap. `text` is kept only where the file's copy of the span differs from the slice;
    `value` only where the format names one beside the slice.
    """

    start: int
    end: int
    labels: tuple[str, ...] = ()
    text: str | None = None
    value: Value = None
    extra: dict[str, Any] = {}


class State(Struct, frozen=True):
    """A service's dialogue state after a user turn: slot to its spoken variants."""

    intent: str | None = None
    requested: tuple[str, ...] = ()
    values: dict[str, tuple[Value, ...]] = {}
    extra: dict[str, Any] = {}


class FrameValue(Struct, frozen=True):
    """One value that a frame holds for a slot, or excludes when negated (Frames)."""

    value: Value
    negated: bool = False
    extra: dict[str, Any] = {}


class FrameQuestion(Struct, frozen=True):
    """A question about a frame that has no answer yet (Frames).

    Attributes:
        slots: The slots that it asks about; one, but for comparisons of frames.
        value: The value that a yes-no question names.
        agent: Who asks; None where that is not told.
        extra: What else the source says of it.
    """

    slots: tuple[str, ...] = ()
    value: Any = None
    agent: str | None = None
    extra: dict[str, Any] = {}


class Frame(Struct, frozen=True):
    """One set of constraints that is alive at a turn (Frames)."""

    id: int
    parent: int | None = None
    info: dict[str, tuple[FrameValue, ...]] = {}
    requests: tuple[FrameQuestion, ...] = ()
    binary_questions: tuple[FrameQuestion, ...] = ()
    compare_requests: tuple[FrameQuestion, ...] = ()
    extra: dict[str, Any] = {}


class Part(Struct, frozen=True):
    """What one layer says of one service in one utterance; each kind is None when absent.

    Absent and empty differ: Taskmaster-1 leaves `segments` out of unannotated utterances, and an
    SGD system turn has no state.
    """

    service: str | None = None
    acts: tuple[Act, ...] | None = None
    spans: tuple[Span, ...] | None = None
    state: State | None = None
    frames: tuple[Frame, ...] | None = None
    active_frame: int | None = None
    extra: dict[str, Any] = {}


class Layer(Struct, frozen=True):
    """The parts that one source gave: "gold", "simulator", an annotator's or a model's name."""

    source: str
    parts: tuple[Part, ...] = ()
    extra: dict[str, Any] = {}


GOLD = "gold"
"""The source of the annotation that a corpus was published with."""

ANNOTATORS = "annotator-"
"""Begins the source of the layer of each of several people who annotated alone."""

PRELABELS = "prelabels"
"""The source of the marks that annotators started from."""

LABELS = "labels"
"""The source of annotation that is learnt from, and not shown when a model is asked."""

GRADES = "grades"
"""Where a part's `extra` has how an utterance was judged: criterion to a grade or rank."""
