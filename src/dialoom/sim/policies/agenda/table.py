"""The automaton's table: what may follow what, and how often. It knows no domain.

    table = load()
    table.moves["confirm"]    # Move("AFFIRM", weight 47), Move("REQUEST+AFFIRM", weight 34), …

A move of the user is a set of acts; what stands after a bar is about the next service: in
`SELECT/INFORM_INTENT` the user takes what one service offers and turns to another one. The weights
are set so that each set of acts is about as frequent as in SGD's training files (counted there);
moves that make no sense in a situation are left out before one is drawn (guards.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from dialoom.sim.core.rng import SeededRng


class Move(NamedTuple):
    """What a user may do in one turn.

    Attributes:
        here: The acts about the service at hand, in the order in which they are written.
        there: The acts about the next service.
        weight: How often it is done.
    """

    here: tuple[str, ...]
    there: tuple[str, ...]
    weight: int


class Automaton(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The automaton: state to what may be done there and how often.

    Attributes:
        user: The moves of the user, as texts.
        system: What the system does where it has a choice.
        goal: What a user's goal has.
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
        """Return what the system does in a state, or what a goal has."""
        shares = self.system.get(state) or self.goal[state]
        return list(shares)[rng.weighted(list(shares.values()))]

    def move(self, state: str, allowed: Callable[[Move], bool], rng: SeededRng) -> Move | None:
        """Return one of the user's moves that are allowed in a state; None where none is."""
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
