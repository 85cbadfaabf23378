"""Steps of tracking: rows for trees at each turn, labels for them, and the states they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import State
from dialoom.models.tracker.features import Candidate, Weigher
from dialoom.models.tracker.listening import Listener
from dialoom.models.tracker.memory import Memory, ServiceMemory
from dialoom.models.tracker.pairs import Floats
from dialoom.models.tracker.words import normal_text

Table = npt.NDArray[np.float32]
Judge = Callable[[Table], Floats]
"""Returns the probability of each row."""

NO_INTENT = "NONE"

KEPT = 0.4
"""Share of the slots that do not change at a turn that are learnt from."""


@dataclass
class Choice:
    """What may happen to one service at one turn: rows, and what each of them stands for.

    Attributes:
        held: The service.
        candidates: What the rows of values stand for.
        values: Rows of slots and candidates.
        intents: Rows of intents, the last one of none.
        requests: Rows of slots, in the service's order.
    """

    held: ServiceMemory
    candidates: list[Candidate]
    values: list[list[float]]
    intents: list[list[float]]
    requests: list[list[float]]


@dataclass
class Rows:
    """Rows with labels to learn from."""

    tables: list[Table] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)

    def add(self, rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> None:
        """Add some."""
        if rows:
            self.tables.append(np.array(rows, np.float32))
            self.labels.extend(labels)


@dataclass
class Lessons:
    """Rows of all that trees decide on.

    Args:
        draw: Decides which rows are kept of what does not change.
    """

    draw: Random
    values: Rows = field(default_factory=Rows)
    intents: Rows = field(default_factory=Rows)
    requests: Rows = field(default_factory=Rows)

    def add(self, choice: Choice, state: State) -> None:
        """Add what the right state of a turn teaches."""
        view = choice.held.view
        label(choice, state, self.draw, self.values)
        if self.draw.random() < KEPT:
            names = (*view.intents, NO_INTENT)
            self.intents.add(
                choice.intents, [name == (state.intent or NO_INTENT) for name in names]
            )
        asked = [slot.name in state.requested for slot in view.slots]
        if any(asked) or self.draw.random() < KEPT / 2:
            self.requests.add(choice.requests, asked)


def choices(
    memory: Memory, idf: dict[str, float], known: frozenset[str], listener: Listener, acts: bool
) -> list[Choice]:
    """Return what may happen to each service at a dialogue's last turn."""
    found = []
    for name in memory.turns[-1].services:
        held = memory.services.get(name)
        if held is None:
            continue
        weigher = Weigher(memory, held, idf, name in known, listener, acts)
        candidates: list[Candidate] = []
        rows: list[list[float]] = []
        for slot in held.view.inputs:
            mine = weigher.candidates(slot)
            candidates += mine
            rows += weigher.rows(slot, mine)
        found.append(Choice(held, candidates, rows, weigher.intents(), weigher.requests()))
    return found


def right(candidate: str, gold: Sequence[Any], listed: bool) -> bool:
    """Return whether a value is the right one of a slot."""
    if not gold:
        return False
    if listed:
        return candidate == str(gold[0])
    return candidate in map(str, gold) or normal_text(candidate) in {
        normal_text(str(value)) for value in gold
    }


def label(choice: Choice, state: State, draw: Random, rows: Rows) -> None:
    """Add a choice's rows of values with their labels: which candidates a state takes up.

    Where a slot has a right value already, other spellings of it are left out. Of slots that do
    not change, a share is kept.
    """
    by_slot: dict[str, list[int]] = {}
    for n, each in enumerate(choice.candidates):
        by_slot.setdefault(each.slot, []).append(n)
    view = choice.held.view
    for slot, places in by_slot.items():
        gold = state.values.get(slot, ())
        listed = view.slots[view.place[slot]].listed
        mine = choice.held.values.get(slot)
        fine = mine is not None and right(mine, gold, listed)
        fits = [right(choice.candidates[n].value, gold, listed) for n in places]
        if fine:
            places = [n for n, fit in zip(places, fits, strict=True) if not fit]
            fits = [False] * len(places)
        if any(fits) or draw.random() < KEPT:
            rows.add([choice.values[n] for n in places], fits)


def decide(choice: Choice, chances: Floats, now: int, threshold: float = 0.5) -> None:
    """Update a service's state by the probability of each candidate.

    The surest come first; a slot is filled once, and a value that the user said fills one slot of
    its kind.
    """
    held = choice.held
    done: set[str] = set()
    used: set[tuple[str, str]] = set()
    for n in np.argsort(-chances).tolist():
        if chances[n] < threshold:
            break
        each = choice.candidates[n]
        said = (each.norm, each.kind)
        new = any(turn == now and user for turn, user, _ in each.seen)
        if each.slot in done or (new and said in used):
            continue
        done.add(each.slot)
        if new:
            used.add(said)
        held.values[each.slot] = each.value
        held.filled[each.slot] = now


def set_gold(held: ServiceMemory, state: State, now: int) -> None:
    """Set a service's state to the right one."""
    for slot, values in state.values.items():
        mine = held.values.get(slot)
        listed = slot in held.view.place and held.view.slots[held.view.place[slot]].listed
        if values and (mine is None or not right(mine, values, listed)):
            held.values[slot] = str(values[0])
            held.filled[slot] = now
    held.intent = state.intent or NO_INTENT
