"""Rows for trees at each turn, with their labels in training, and the states that trees make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import State
from dialoom.models.tracker.candidates import ValueCandidate, candidates
from dialoom.models.tracker.features import FeatureSources, FrameFeatures
from dialoom.models.tracker.history import DialogueHistory, ServiceHistory
from dialoom.models.tracker.pairs import Floats
from dialoom.models.tracker.words import normal_text

Table = npt.NDArray[np.float32]
Classifier = Callable[[Table], Floats]
"""Returns the probability of each row."""

NO_INTENT = "NONE"

KEPT = 0.3
"""Share of the slots that do not change at a turn that are learnt from; they weigh the more."""

LEAST = 0.1
"""The least probability of a value that a slot takes."""


@dataclass
class FrameRows:
    """Rows of one service at one turn, and what each of them stands for.

    Attributes:
        held: The service.
        candidates: What the rows of values stand for.
        values: Rows of slots and candidates.
        intents: Rows of intents, the last one of none.
        requests: Rows of slots, in the service's order.
    """

    held: ServiceHistory
    candidates: list[ValueCandidate]
    values: Table
    intents: Table
    requests: Table


class RightRows(NamedTuple):
    """Some rows of one frame, and which of them are right."""

    table: Table
    right: list[bool]


class LabelledFrame(NamedTuple):
    """What the right state of a frame teaches.

    Attributes:
        values: The rows of each slot's candidates.
        intents: Rows of intents.
        requests: Rows of slots.
    """

    values: list[RightRows]
    intents: RightRows
    requests: RightRows


@dataclass
class LabelledRows:
    """Rows with labels to learn from, and what each row weighs."""

    tables: list[Table] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, rows: RightRows, weight: float = 1.0) -> None:
        """Add some."""
        if len(rows.right):
            self.tables.append(rows.table)
            self.labels.extend(rows.right)
            self.weights.extend([weight] * len(rows.right))


@dataclass
class TrainingRows:
    """Rows of all that trees decide.

    Args:
        draw: Decides which rows are kept of what does not change.
    """

    draw: Random
    values: LabelledRows = field(default_factory=LabelledRows)
    intents: LabelledRows = field(default_factory=LabelledRows)
    requests: LabelledRows = field(default_factory=LabelledRows)

    def add(self, frame: LabelledFrame) -> None:
        """Add a frame: of what does not change, a share."""
        for rows in frame.values:
            self._add_changed(self.values, rows)
        if self.draw.random() < KEPT:
            self.intents.add(frame.intents)
        self._add_changed(self.requests, frame.requests)

    def _add_changed(self, of: LabelledRows, rows: RightRows) -> None:
        if any(rows.right):
            of.add(rows)
        elif self.draw.random() < KEPT:
            of.add(rows, 1 / KEPT)


def labelled(frame: FrameRows, state: State) -> LabelledFrame:
    """Return what the right state of a frame teaches."""
    view = frame.held.view
    wanted = state.intent or NO_INTENT
    return LabelledFrame(
        _labelled_values(frame, state),
        RightRows(frame.intents, [name == wanted for name in (*view.intents, NO_INTENT)]),
        RightRows(frame.requests, [slot.name in state.requested for slot in view.slots]),
    )


def _labelled_values(frame: FrameRows, state: State) -> list[RightRows]:
    """Return which candidates a state takes up, slot by slot.

    Where a slot has a right value already, other spellings of it are left out.
    """
    by_slot: dict[str, list[int]] = {}
    for n, each in enumerate(frame.candidates):
        by_slot.setdefault(each.slot, []).append(n)
    found = []
    for slot, places in by_slot.items():
        reference = state.values.get(slot, ())
        listed = frame.held.view.slot(slot).listed
        mine = frame.held.values.get(slot)
        fits = [is_correct(frame.candidates[n].value, reference, listed) for n in places]
        if mine is not None and is_correct(mine, reference, listed):
            places = [n for n, fit in zip(places, fits, strict=True) if not fit]
            fits = [False] * len(places)
        found.append(RightRows(frame.values[places], fits))
    return found


def frame_rows(history: DialogueHistory, sources: FeatureSources) -> list[FrameRows]:
    """Return the rows of each service that a dialogue's last turn has a state of."""
    found = []
    for name in history.turns[-1].services:
        held = history.services.get(name)
        if held is None:
            continue
        features = FrameFeatures(history, held, sources)
        found_values: list[ValueCandidate] = []
        values: list[list[float]] = []
        for slot in held.view.inputs:
            mine = candidates(history, held, slot)
            found_values += mine
            values += features.rows(slot, mine)
        tables = (
            np.array(rows, np.float32) for rows in (values, features.intents(), features.requests())
        )
        found.append(FrameRows(held, found_values, *tables))
    return found


def is_correct(value: str, reference: Sequence[Any], listed: bool) -> bool:
    """Return whether a value is the right one of a slot."""
    if not reference:
        return False
    if listed:
        return value == str(reference[0])
    return value in map(str, reference) or normal_text(value) in {
        normal_text(str(each)) for each in reference
    }


def update_state(frame: FrameRows, chances: Floats, now: int, threshold: float) -> None:
    """Update a service's state by the probability of each candidate.

    A slot takes one of its candidates at most: it changes where all of them together are likely
    enough. A value that the user says now fills one slot of its kind at most: it does where all
    of them together are likely enough to take it. The surest come first.
    """
    held = frame.held
    change: defaultdict[str, float] = defaultdict(float)
    use: defaultdict[tuple[str, str], float] = defaultdict(float)
    said = [
        (each.norm, each.kind) if any(p.turn == now and p.user for p in each.seen) else None
        for each in frame.candidates
    ]
    for each, value, chance in zip(frame.candidates, said, chances.tolist(), strict=True):
        change[each.slot] += chance
        if value:
            use[value] += chance
    filled: set[str] = set()
    used: set[tuple[str, str]] = set()
    for n in np.argsort(-chances, kind="stable").tolist():
        if chances[n] < LEAST:
            break
        each, value = frame.candidates[n], said[n]
        if each.slot in filled:
            continue
        if value in used:
            change[each.slot] -= chances[n]
        elif change[each.slot] >= threshold or (value and use[value] >= threshold):
            filled.add(each.slot)
            if value:
                used.add(value)
            held.values[each.slot] = each.value
            held.filled[each.slot] = now


def set_reference(held: ServiceHistory, state: State, now: int) -> None:
    """Set a service's state to the right one."""
    for slot, values in state.values.items():
        mine = held.values.get(slot)
        listed = slot in held.view.place and held.view.slot(slot).listed
        if values and (mine is None or not is_correct(mine, values, listed)):
            held.values[slot] = str(values[0])
            held.filled[slot] = now
    held.intent = state.intent or NO_INTENT
