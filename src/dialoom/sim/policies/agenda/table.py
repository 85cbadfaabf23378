"""The automaton's table: what may follow what, and how often. It knows no domain.

    table = load()
    table.user["confirm"]     # Move("AFFIRM", weight 47), Move("REQUEST+AFFIRM", weight 34), …

A move of the user is a set of acts; what stands after a bar is about the next service: in
`SELECT/INFORM_INTENT` the user takes what one service offers and turns to another one. The weights
are set so that each set of acts is about as frequent as in SGD's training files (counted there);
moves that make no sense in a situation are left out before one is drawn (guards.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import msgspec

from dialoom.sim.core.rng import SeededRng


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """What a user may do in one turn.

    Attributes:
        here: The acts about the service at hand, in the order in which they are written.
        there: The acts about the next service.
        weight: How often it is done.
    """

    here: tuple[str, ...]
    there: tuple[str, ...]
    weight: int


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: state to what may be done there and how often."""

    user: dict[str, dict[str, int]]
    system: dict[str, dict[str, int]]
    goal: dict[str, dict[str, int]]


class Table:
    """The automaton.

    Attributes:
        user: State to the moves of the user.
    """

    def __init__(self, shares: Shares) -> None:
        self.user: Mapping[str, tuple[Move, ...]] = {
            state: tuple(_move(name, weight) for name, weight in moves.items())
            for state, moves in shares.user.items()
        }
        self._others: dict[str, tuple[str, ...]] = {
            state: tuple(name for name, weight in moves.items() for _ in range(weight))
            for state, moves in (*shares.system.items(), *shares.goal.items())
        }

    def choose(self, state: str, rng: SeededRng) -> str:
        """Return what the system does in a state, or what a goal has."""
        return rng.choice(self._others[state])

    def move(self, state: str, allowed: Callable[[Move], bool], rng: SeededRng) -> Move | None:
        """Return one of the user's moves that are allowed in a state; None where none is."""
        moves = [move for move in self.user[state] if allowed(move)]
        return _weighted(moves, rng) if moves else None


def _weighted(moves: Sequence[Move], rng: SeededRng) -> Move:
    if len(moves) == 1:
        return moves[0]
    place = rng.below(sum([move.weight for move in moves]))
    for move in moves:
        place -= move.weight
        if place < 0:
            break
    return move


def _move(name: str, weight: int) -> Move:
    here, _, there = name.partition("/")
    return Move(_acts(here), _acts(there), weight)


def _acts(text: str) -> tuple[str, ...]:
    return tuple(text.split("+")) if text else ()


@lru_cache(maxsize=1)
def load() -> Table:
    """Return the bundled table."""
    file = resources.files("dialoom.sim.policies.agenda").joinpath("automaton.json")
    return Table(msgspec.json.decode(file.read_bytes(), type=Shares))
