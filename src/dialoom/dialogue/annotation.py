"""Annotation of utterances: layers with dialogue acts, spans, state and frames.

An utterance has one layer for each annotator or other source. A layer has one part for each
service, in the order of the file; in formats without services one part whose service is None.
Parts keep what SGD annotates for each (turn, service) pair, which a flat list per turn would lose.

    Layer("gold", (Part("Restaurants_1",
        acts=(Act("INFORM", (Argument("city", ("san jose",), canonical=("San Jose",)),)),),
        spans=(Span(12, 20, ("city",)),),
        state=State(intent="FindRestaurants", values={"city": ("san jose",)})),))
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

TOKEN = re.compile(r"\w+|[^\w\s]")
"""Pattern of a word or a punctuation mark."""

Value = str | int | float | bool | None
"""A single value of a slot, as in JSON; most are strings."""


class Struct(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base class of the data model: frozen structs, equal if content and order are equal."""


class DefaultedStruct(Struct, frozen=True):
    """Base class of structs with a default that is a text or a float.

    Takes the default in place of an equal value, since msgspec omits only the same object.
    Otherwise equal structs would have other bytes and digests after they were pickled or decoded.
    """

    def __post_init__(self) -> None:
        for name, default in _defaults(type(self)):
            if getattr(self, name) == default:
                msgspec.structs.force_setattr(self, name, default)


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    fields = ((each.name, each.default) for each in msgspec.structs.fields(kind))
    return tuple((name, d) for name, d in fields if isinstance(d, float) or (d and type(d) is str))


class Reference(Struct, frozen=True):
    """A reference of an act to a frame, with values of that frame (Frames).

    Without `arguments` the act as a whole refers to the frame. None is a missing list in
    the file, () for an empty one.
    """

    frame: int
    arguments: tuple[Argument, ...] | None = None
    extra: dict[str, Any] = {}


class Argument(Struct, frozen=True):
    """One slot of a dialogue act with its values as they are said.

    `canonical` has the values as the knowledge base spells them where these differ (SGD's
    canonical_values); None means that they are the same. An argument that only refers to frames has
    `references` and no values; its slot is then the key of the file: ref, read or write.
    """

    slot: str
    values: tuple[Value, ...] = ()
    canonical: tuple[Value, ...] | None = None
    references: tuple[Reference, ...] = ()
    extra: dict[str, Any] = {}


class Act(Struct, frozen=True):
    """A dialogue act: its name, and its arguments in order.

    The action label of STAR's wizards is an act without arguments; in Frames one act has several.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    extra: dict[str, Any] = {}


class Span(Struct, frozen=True):
    """A span of an utterance's text, characters `start` to `end` (exclusive), with all its labels.

    Spans may overlap. `text` is kept only where the file's copy differs from the text at this
    place, `value` only where the format has a value besides the text.
    """

    start: int
    end: int
    labels: tuple[str, ...] = ()
    text: str | None = None
    value: Value = None
    extra: dict[str, Any] = {}


class State(Struct, frozen=True):
    """A service's dialogue state after a user turn; `values` is slot to its spoken variants."""

    intent: str | None = None
    requested: tuple[str, ...] = ()
    values: dict[str, tuple[Value, ...]] = {}
    extra: dict[str, Any] = {}


class FrameValue(Struct, frozen=True):
    """A value of a slot in a frame; if `negated`, one that the user excludes (Frames)."""

    value: Value
    negated: bool = False
    extra: dict[str, Any] = {}


class FrameQuestion(Struct, frozen=True):
    """An open question about a frame (Frames).

    Attributes:
        slots: The slots that it asks about; several only if frames are compared.
        value: The value in a yes-no question.
        agent: The asking agent; None if the file does not say.
        extra: Other keys of the source.
    """

    slots: tuple[str, ...] = ()
    value: Any = None
    agent: str | None = None
    extra: dict[str, Any] = {}


class Frame(Struct, frozen=True):
    """A frame: one set of constraints, and the questions about it that are open (Frames)."""

    id: int
    parent: int | None = None
    info: dict[str, tuple[FrameValue, ...]] = {}
    requests: tuple[FrameQuestion, ...] = ()
    binary_questions: tuple[FrameQuestion, ...] = ()
    compare_requests: tuple[FrameQuestion, ...] = ()
    extra: dict[str, Any] = {}


class Part(Struct, frozen=True):
    """The annotation of one service in one utterance by one source; None for kinds that are absent.

    Absent and empty differ: Taskmaster-1 has no key `segments` in utterances without annotation,
    and a system turn of SGD has no state.
    """

    service: str | None = None
    acts: tuple[Act, ...] | None = None
    spans: tuple[Span, ...] | None = None
    state: State | None = None
    frames: tuple[Frame, ...] | None = None
    active_frame: int | None = None
    extra: dict[str, Any] = {}


class Layer(Struct, frozen=True):
    """The annotation of an utterance by one source: "gold", "simulator", an annotator, a model."""

    source: str
    parts: tuple[Part, ...] = ()
    extra: dict[str, Any] = {}


GOLD = "gold"
"""The source of the annotation that a corpus was published with."""

ANNOTATORS = "annotator-"
"""Prefix of the source of a single annotator's layer, where several annotate independently."""

PRELABELS = "prelabels"
"""The source of suggested marks that annotators start from."""

LABELS = "labels"
"""The source of annotation that models are trained on but do not get as input."""

RATERS = "rater-"
"""Prefix of the source of a person's answers about an utterance."""

GRADES = "grades"
"""Key in a part's `extra` for ratings of an utterance: criterion to a grade or rank."""

CHOICES = "choices"
"""Key in a part's `extra` for answers about an utterance: question to one of its options."""

COMMENTS = "comments"
"""Key in a part's `extra` for answers about an utterance: question to a free text."""

RELATIONS = "span_relations"
"""Key in a part's `extra` for relations between spans: a list of `relation`, `start`, `end` (the
first span, of this utterance), `line` (index of the other span's utterance among the utterances),
`to_start` and `to_end`."""

RATING = "userSurveyRating"
"""The name of a user's rating from 1 to 5 among a dialogue's answers, as in Frames."""

SYSTEM_NAME = "system"
"""The key of a dialogue's `extra` with the name of the system that people judged."""

ITEM = "Item"
"""The key of a dialogue's `extra` with the id of the item that people judged."""

REVIEWS = "Reviews"
"""The key of a dialogue's `extra` with a study's reviews, by agent or else by source of a layer."""

SETTLED = "Adjudicator"
"""The key of a dialogue's `extra` with the number of the worker who made its gold layer."""
