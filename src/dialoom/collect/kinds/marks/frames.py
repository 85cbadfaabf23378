"""Computes the frames of each utterance from annotated acts and their frame references (Frames).

Frames follow from the acts by the rules of the corpus (dialogue/frames.py); an annotator may name
the active frame where the rules give another one. A user who switches back to an existing frame
makes no new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.marks.choices import Choices
from dialoom.dialogue import USER, Frame, Layer, Part, Utterance
from dialoom.dialogue.frames import CONSTRAINTS, START, FramesState, step
from dialoom.errors import UsageError


def followed(
    utterances: Sequence[Utterance], layers: Iterable[Layer], choices: Choices
) -> Iterator[tuple[Layer, bool]]:
    """Yield the layer of each utterance with its frames, and whether all frames it names exist.

    Args:
        layers: The layer of each; a part's active frame is one that the annotator named.
    """
    state = START
    for utterance, layer in zip(utterances, layers, strict=True):
        state, sound = _next(state, utterance, layer.parts, choices)
        first, *others = layer.parts
        first = replace(first, frames=state.frames, active_frame=state.active)
        yield replace(layer, parts=(first, *others)), sound


def _next(
    state: FramesState, utterance: Utterance, parts: Sequence[Part], choices: Choices
) -> tuple[FramesState, bool]:
    sound, target, before = True, parts[0].active_frame, len(state.frames)
    try:
        state = _stepped(state, utterance, parts, choices)
    except UsageError:
        sound = False
    if target is not None and target <= len(state.frames) + 1:
        if target > len(state.frames):
            info = state.frame(state.active).info
            state = FramesState((*state.frames, Frame(target, state.active, info)), target)
        limit = before if utterance.agent == USER and target <= before else None
        return FramesState(state.frames[:limit], target), sound
    return state, sound and target is None


def named_active(utterances: Sequence[Utterance], layers: Iterable[Layer], choices: Choices) -> Any:
    """Yield the active frame of each utterance where the rules give another; else None."""
    state = START
    for utterance, layer in zip(utterances, layers, strict=True):
        part = next((each for each in layer.parts if each.frames), Part())
        try:
            active = _stepped(state, utterance, layer.parts, choices).active
        except UsageError:
            active = None
        own_frames = tuple(Frame(each.id, each.parent, each.info) for each in part.frames or ())
        state = FramesState(own_frames or state.frames, part.active_frame or state.active)
        yield None if state.active == active else state.active


def _stepped(
    state: FramesState, utterance: Utterance, parts: Sequence[Part], choices: Choices
) -> FramesState:
    names = {slot for each in choices.services.values() for slot in each.slots}
    acts = [act for part in parts for act in part.acts or ()]
    return step(state, utterance.agent, acts, names or CONSTRAINTS)


def shown(utterances: Sequence[Utterance], layers: Iterable[Layer], choices: Choices) -> list[Any]:
    """Return, for each utterance, the active frame and the frames that are new or changed."""
    rows, before = [], START.frames
    for layer, _ in followed(utterances, layers, choices):
        frames = layer.parts[0].frames or ()
        changed = [each for each in frames if each not in before]
        rows.append({"active": layer.parts[0].active_frame, "changed": list(map(_shown, changed))})
        before = frames
    return rows


def _shown(frame: Frame) -> dict[str, Any]:
    values = {
        slot: [f"not {each.value}" if each.negated else str(each.value) for each in entries]
        for slot, entries in frame.info.items()
    }
    return {"frame": frame.id, "parent": frame.parent, "values": values}
