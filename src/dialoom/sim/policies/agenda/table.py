"""The automaton's table: the user's moves in each state with their weights, whatever the domain.

    table = load()
    table.moves["confirm"]    # Move("AFFIRM", weight 47), Move("REQUEST+AFFIRM", weight 34), …

A move of the user is a set of acts; those after a slash are about the next service: in
`SELECT/INFORM_INTENT` the user takes the offer of one service and states an intent of another. The
weights are set so that each set of acts is about as frequent as in SGD's training files (counted
there); moves whose conditions do not hold are left out before one is drawn (user.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from dialoom.sim.core.rng import SeededRng


class Move(NamedTuple):
    """A possible turn of the user.

    `here` are the acts on the current service, in their order; `there` those on the next one.
    `weight` is the relative frequency in its state.
    """

    here: tuple[str, ...]
    there: tuple[str, ...]
    weight: int


class Automaton(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The states, each with its choices and their weights.

    `user` maps states to moves, as texts, `system` states to choices, `goal` properties of a goal
    to possible values.
    """

    user: dict[str, dict[str, int]]
    system: dict[str, dict[str, int]]
    goal: dict[str, dict[str, int]]

    @cached_property
    def moves(self) -> dict[str, tuple[Move, ...]]:
        """State to the moves of the user."""
        return {
            state: tuple(_move(name, weight) for name, weight in moves.items())
            for state, moves in self.user.items()
        }

    def choose(self, state: str, rng: SeededRng) -> str:
        """Draw a choice of the system, or a property of a goal, by the weights."""
        shares = self.system.get(state) or self.goal[state]
        return list(shares)[rng.weighted(list(shares.values()))]

    def move(self, state: str, allowed: Callable[[Move], bool], rng: SeededRng) -> Move | None:
        """Draw one of the user's allowed moves in a state by the weights; None if none is."""
        moves = [move for move in self.moves[state] if allowed(move)]
        return moves[rng.weighted([move.weight for move in moves])] if moves else None


def _move(name: str, weight: int) -> Move:
    here, _, there = name.partition("/")
    return Move(_acts(here), _acts(there), weight)


def _acts(text: str) -> tuple[str, ...]:
    return tuple(text.split("+")) if text else ()


@lru_cache(maxsize=1)
def load() -> Automaton:
    """Return the bundled table."""
    file = resources.files("dialoom.sim.policies.agenda").joinpath("automaton.json")
    return msgspec.json.decode(file.read_bytes(), type=Automaton)
