"""Writes annotators' marks into dialogues as layers, and reads marks from layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.marks import frames, layers
from dialoom.collect.kinds.marks.choices import Choices
from dialoom.collect.kinds.marks.marks import Marks
from dialoom.dialogue import GOLD, Dialogue, Event, Layer, Utterance
from dialoom.dialogue.annotation import ANNOTATORS

PUBLISHED = "published"
"""The source of the layer with the annotation that a dialogue was published with."""

_NOTHING = Layer("")


def annotated(
    dialogue: Dialogue, choices: Choices, marks: Mapping[str, Sequence[Marks]]
) -> Dialogue:
    """Return a dialogue with a layer for each source of `marks`: source to marks by utterance."""
    rows = [written_layers(dialogue, choices, *each) for each in marks.items()]
    columns = zip(*rows, strict=True)

    def event(old: Event) -> Event:
        if not isinstance(old, Utterance):
            return old
        others = (each for each in old.layers if each.source not in marks)
        return replace(old, layers=(*next(columns, ()), *others))

    services = tuple(choices.services) if choices.listed else ()
    return replace(
        dialogue,
        events=tuple(map(event, dialogue.events)),
        services=dialogue.services or services,
    )


def written_layers(
    dialogue: Dialogue, choices: Choices, source: str, marks: Sequence[Marks]
) -> list[Layer]:
    """Return the layer of each utterance."""
    turns = utterances(dialogue)
    own_layers = [layers.write(source, *each, choices) for each in zip(marks, turns, strict=True)]
    if "frames" in choices.layers:
        return [layer for layer, _ in frames.followed(turns, own_layers, choices)]
    return own_layers


def marks_by(dialogue: Dialogue, choices: Choices, source: str) -> list[Marks]:
    """Return the marks of a source in each utterance."""
    turns = utterances(dialogue)
    own_layers = [next((e for e in each.layers if e.source == source), _NOTHING) for each in turns]
    marks = [layers.read(*each, choices) for each in zip(own_layers, turns, strict=True)]
    if "frames" in choices.layers:
        active = frames.named_active(turns, own_layers, choices)
        marks = [replace(each, active=frame) for each, frame in zip(marks, active, strict=True)]
    return marks


def with_published(dialogue: Dialogue, *, foreign: bool = False) -> Dialogue:
    """Return a dialogue whose gold layers have the source `PUBLISHED`.

    Args:
        foreign: Whether its annotators are a corpus's own, whose numbers are no workers' of the
            study: `annotator-1` becomes `published-annotator-1`.
    """

    def named(layer: Layer) -> Layer:
        if layer.source == GOLD:
            return replace(layer, source=PUBLISHED)
        theirs = foreign and layer.source.startswith(ANNOTATORS)
        return replace(layer, source=f"{PUBLISHED}-{layer.source}") if theirs else layer

    events = tuple(
        replace(each, layers=tuple(map(named, each.layers)))
        if isinstance(each, Utterance)
        else each
        for each in dialogue.events
    )
    return replace(dialogue, events=events)
