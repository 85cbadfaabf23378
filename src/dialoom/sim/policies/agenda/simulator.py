"""One dialogue after another: a user and a system exchange acts until the user says goodbye.

    simulator = Simulator(world, scenario="mixed")
    dialogue = simulator.dialogue(41)

A dialogue is a function of the services, the seed, the scenario and its index.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dialoom.dialogue import Dialogue, Scenario
from dialoom.errors import SchemaError, UnknownNameError
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.agenda.session import AMBIGUOUS, HAPPY, OVER, REFUSED
from dialoom.sim.policies.agenda.system import System
from dialoom.sim.policies.agenda.talk import Talk
from dialoom.sim.policies.agenda.user import User
from dialoom.sim.policies.agenda.world import World

UNHAPPY = (OVER, REFUSED, REFUSED, AMBIGUOUS)
"""How wishes are that cannot be met as they are; not every service can refuse a booking."""

SCENARIOS: Mapping[str, tuple[str, ...]] = {
    "happy": ("happy",),
    "unhappy": ("unhappy",),
    "multi": ("multi",),
    "mixed": ("happy",) * 30 + ("unhappy",) * 14 + ("multi",) * 42 + ("multi unhappy",) * 14,
}
"""Name of a scenario to the kinds of dialogue it is made of, as often as each occurs. In SGD's
training files 44 % of the dialogues have one service, and 15 % tell of a failure."""

PER_FILE = 128
"""Dialogues a file, as published: their ids tell the file and the place in it."""

LONGEST = 200
"""Turns after which a dialogue is given up: the automaton's table would have to lead in circles."""


class Simulator:
    """Simulates the dialogues of a run."""

    def __init__(self, world: World, scenario: str) -> None:
        if scenario not in SCENARIOS:
            raise UnknownNameError("scenario", scenario, SCENARIOS)
        self.world = world
        self._kinds = SCENARIOS[scenario]
        self._services = tuple(world.providers)

    def dialogue(self, index: int) -> Dialogue:
        """Return dialogue `index` of the run.

        Raises:
            SchemaError: The automaton's table leads to no end.
        """
        seed = seed_of(self.world.seed, index)
        rng = SeededRng(seed, b"scenario")
        kind = rng.choice(self._kinds)
        services = self._chosen(index, kind, rng)
        moods = [HAPPY] * len(services)
        if "unhappy" in kind:
            moods[rng.below(len(moods))] = rng.choice(UNHAPPY)
        name = f"{1 + index // PER_FILE}_{index % PER_FILE:05d}"
        talk = Talk(self.world, moods, services, seed)
        with self.world.backend.dialogue(name):
            self._run(talk)
        scenario = Scenario(
            happy=all(leg.mood == HAPPY for leg in talk.legs),
            multi_task=len(services) > 1,
            goal=_goal(talk),
        )
        return Dialogue(
            id=name,
            events=tuple(talk.events),
            services=tuple([leg.provider.name for leg in talk.legs]),
            scenario=scenario,
            provenance="simulated",
        )

    def _chosen(self, index: int, kind: str, rng: SeededRng) -> list[str]:
        known = self._services
        chosen = [known[index % len(known)]]
        if "multi" in kind:
            many = min(int(self.world.table.choose("services", rng)), len(known))
            while len(chosen) < many:
                other = rng.choice(known)
                if other not in chosen:
                    chosen.append(other)
        return chosen

    def _run(self, talk: Talk) -> None:
        user = User(talk)
        system = System(talk, user)
        for _ in range(LONGEST):
            system.turn(user.turn())
            if talk.over:
                return
        raise SchemaError("automaton", f"no goodbye within {LONGEST} turns")


def _goal(talk: Talk) -> list[dict[str, Any]]:
    """Return what the user wanted of each service."""
    return [
        {
            "service": leg.provider.name,
            "kind": leg.mood,
            "intents": [call.name for call in leg.calls],
            "values": {name: value for name, value in leg.wishes.items() if name in leg.known},
            "carried": sorted(leg.carried),
        }
        for leg in talk.legs
    ]
