"""Feature rows of a service at a turn, their training labels, and the update of the state.

The rows of one service at one turn are called a frame, as SGD calls the annotation of a turn for
one service (Rastogi et al. 2020).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import State
from dialoom.learn.trees import FittedTrees, Trees, keep_few
from dialoom.learn.words import normal_text
from dialoom.models.tracker.features import FeatureSources, FrameFeatures
from dialoom.models.tracker.history import (
    DialogueHistory,
    ServiceHistory,
    ValueCandidate,
    candidates,
)
from dialoom.models.tracker.known_values import UNKNOWN
from dialoom.models.tracker.pairs import Floats

Table = npt.NDArray[np.float32]
"""Features: shape (rows, features)."""

NO_INTENT = "NONE"
"""The intent of a state without one, as in SGD."""

KEPT = 0.3
"""Kept share of training rows without a right one, and of those of intents."""

LEAST = 0.1
"""Least probability of a candidate that a slot changes to."""


@dataclass
class FrameRows:
    """The feature rows of one service at one turn.

    `candidates` are those of all inputs, slot by slot. Shapes: `values` (candidates, features),
    `intents` (intents + 1, features) with no intent last, `requests` (slots, features).
    """

    held: ServiceHistory
    candidates: list[ValueCandidate]
    values: Table
    intents: Table
    requests: Table


class RightRows(NamedTuple):
    """Some rows of a frame, shape (rows, features), whether each is right, and their weight."""

    table: Table
    right: list[bool]
    weight: float


TASKS = ("values", "requests", "intents")
"""The tasks of the trees: candidates, requested slots, and intents (no intent among them)."""

LabelledFrame = dict[str, list[RightRows]]
"""Task to the rows of a frame, labelled by its annotated state; of values, slot by slot."""


class TrainingRows:
    """The training rows of a tracker's classifiers; `draw` samples those without a right one."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._kept: dict[str, list[tuple[RightRows, float]]] = {task: [] for task in TASKS}

    def add(self, frame: LabelledFrame) -> None:
        """Add a frame's rows, those of its intents with a probability of `KEPT`.

        A slot with no right candidate, and slots none of which is requested, are added with a
        probability of `KEPT`, then with their weight over `KEPT`.
        """
        for task in ("values", "intents", "requests"):
            for rows in frame[task]:
                right = any(rows.right) and task != "intents"
                if (right or self._draw.random() < KEPT) and len(rows.right):
                    share = 1.0 if right or task == "intents" else KEPT
                    self._kept[task].append((rows, rows.weight / share))

    def fit(self, task: str, trees: Trees, seed: int) -> FittedTrees:
        """Return trees that classify the rows of a task as right or not."""
        pairs = self._kept[task]
        labels = [each for rows, _ in pairs for each in rows.right]
        if not pairs:
            return trees.fit([], labels, seed)
        # the trees' own type of numbers, so that they make no copy
        table = np.concatenate([rows.table for rows, _ in pairs], dtype=np.float64)
        keep_few(table)
        sizes = [len(rows.right) for rows, _ in pairs]
        return trees.fit(table, labels, seed, np.repeat([weight for _, weight in pairs], sizes))

    def count(self, task: str) -> int:
        """Return the number of rows of a task."""
        return sum(len(rows.right) for rows, _ in self._kept[task])


def labelled(frame: FrameRows, state: State, weight: float = 1.0) -> LabelledFrame:
    """Return the rows of a frame, labelled by its annotated state, all of one weight."""
    view = frame.held.view
    target = state.intent or NO_INTENT
    intents = [name == target for name in (*view.intents, NO_INTENT)]
    return {
        "values": _labelled_values(frame, state, weight),
        "intents": [RightRows(frame.intents, intents, weight)],
        "requests": [
            RightRows(frame.requests, [slot.name in state.requested for slot in view.slots], weight)
        ],
    }


def _labelled_values(frame: FrameRows, state: State, weight: float) -> list[RightRows]:
    """Return the rows of each slot's candidates, right if the annotated state has the value.

    If the slot's present value is right, no candidate is, and other spellings of the value are left
    out.
    """
    by_slot: dict[str, list[int]] = {}
    for n, each in enumerate(frame.candidates):
        by_slot.setdefault(each.slot, []).append(n)
    rows = []
    for slot, places in by_slot.items():
        reference = state.values.get(slot, ())
        has_list = frame.held.view.slot(slot).listed
        mine = frame.held.values.get(slot)
        fits = [is_correct(frame.candidates[n].value, reference, has_list) for n in places]
        if mine is not None and is_correct(mine, reference, has_list):
            places = [n for n, fit in zip(places, fits, strict=True) if not fit]
            fits = [False] * len(places)
        rows.append(RightRows(frame.values[places], fits, weight))
    return rows


def frame_rows(history: DialogueHistory, sources: FeatureSources) -> list[FrameRows]:
    """Return the rows of each service with a frame at a dialogue's last turn."""
    frames = []
    for name in history.turns[-1].services:
        record = history.services.get(name)
        if record is None:
            continue
        features = FrameFeatures(history, record, sources)
        found_values: list[ValueCandidate] = []
        values: list[list[float]] = []
        for slot in record.view.inputs:
            mine = candidates(history, record, slot)
            found_values += mine
            values += features.rows(slot, mine)
        tables = (
            np.array(rows, np.float32) for rows in (values, features.intents(), features.requests())
        )
        frames.append(FrameRows(record, found_values, *tables))
    return frames


def is_correct(value: str, reference: Sequence[Any], has_list: bool) -> bool:
    """True if a value is right for a slot.

    `reference` has annotated spellings of one value; empty for none. A listed value has to equal
    the first one, others any of them in text or normal form.
    """
    if not reference:
        return False
    if has_list:
        return value == str(reference[0])
    return value in map(str, reference) or normal_text(value) in {
        normal_text(str(each)) for each in reference
    }


def update_state(frame: FrameRows, chances: Floats, now: int, threshold: float) -> None:
    """Update a service's state by the probabilities (candidates,), highest first, in place.

    A slot changes at most once: to its most probable candidate, if the probabilities of its
    candidates add up to the threshold (0 to 1). A value that the user mentions in this turn goes to
    at most one slot, of canonical values one for each mention: to the most probable one, if its
    probabilities for all slots add up to the threshold, whatever the slot's other candidates.
    Candidates below `LEAST` are ignored.
    """
    record = frame.held
    change: defaultdict[str, float] = defaultdict(float)
    use: defaultdict[str, float] = defaultdict(float)
    norms = [
        each.norm if any(p.turn == now and p.user for p in each.seen) else None
        for each in frame.candidates
    ]
    for each, value, chance in zip(frame.candidates, norms, chances.tolist(), strict=True):
        change[each.slot] += chance
        if value:
            use[value] += chance
    filled: set[str] = set()
    used: Counter[str] = Counter()
    for n in np.argsort(-chances, kind="stable").tolist():
        if chances[n] < LEAST:
            break
        each, value = frame.candidates[n], norms[n]
        if each.slot in filled:
            continue
        canonical = record.view.slot(each.slot).known != UNKNOWN
        times = sum(p.turn == now and p.user for p in each.seen) if canonical else 1
        if value and used[value] >= times:
            change[each.slot] -= chances[n]
        elif change[each.slot] >= threshold or (value and use[value] >= threshold):
            filled.add(each.slot)
            if value:
                used[value] += 1
            record.values[each.slot] = each.value
            record.filled[each.slot] = now


def set_reference(service: ServiceHistory, state: State, now: int) -> None:
    """Set a service's state to the annotated one; values that are right in any spelling stay.

    Slots that the service's schema lacks are ignored. `now` is the index of the turn.
    """
    for slot, values in state.values.items():
        if slot not in service.view.place:
            continue
        mine, has_list = service.values.get(slot), service.view.slot(slot).listed
        if values and (mine is None or not is_correct(mine, values, has_list)):
            service.values[slot] = str(values[0])
            service.filled[slot] = now
    service.intent = state.intent or NO_INTENT
