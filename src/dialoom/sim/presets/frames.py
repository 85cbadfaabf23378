"""Runs that make dialogues about trips as Frames has them.

plan = PRESET.plan(Request(number=1000, seed=7))
plan.source()(41)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import SYSTEM, USER, Answer, Dialogue, Scenario, digest
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.frames.course import FlowRunner
from dialoom.sim.policies.frames.goals import Goal, draw
from dialoom.sim.policies.frames.knowledge import knowledge
from dialoom.sim.policies.frames.talk import Talk
from dialoom.sim.policies.frames.wording import texts

PARTICIPANTS = 12
"""People who took part (seed 004)."""

SURVEY = ("userSurveyRating", "wizardSurveyTaskSuccessful")
"""The questions that users and wizards answer afterwards, as Frames names them."""

BEGINNING = 1_470_000_000_000
"""Milliseconds since 1970 when the first dialogue begins, in the summer of Frames."""

APART = 900_000
"""Milliseconds between the beginnings of two dialogues."""

RATINGS = {True: (5.0,) * 6 + (4.5, 4.0, 4.0, 4.0), False: (5.0,) * 4 + (4.0,) * 4 + (3.0, 2.0)}
"""How users rate a dialogue by whether they got what they wanted, as often as each occurs; the
mean comes near the page's 4.58."""


@dataclass(frozen=True, kw_only=True)
class PackagesPlan(Plan):
    """A run of dialogues about trips."""

    preset: ClassVar[str] = "frames"

    @property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """None: the format has no schemas."""
        return {}

    @property
    def settings(self) -> dict[str, Any]:
        """The digest of the words."""
        return {"wording": digest(texts())}

    def source(self) -> Callable[[int], Dialogue]:
        """Return what makes a dialogue by its index."""
        return _Source(self).dialogue


class _Source:
    """Makes the dialogues of a plan."""

    def __init__(self, plan: PackagesPlan) -> None:
        self.plan = plan
        self.base = knowledge(plan.seed)

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run."""
        seed = seed_of(self.plan.seed, index)
        people = SeededRng(seed, b"people")
        goal = draw(self.base, SeededRng(seed, b"goal"))
        talk = Talk(SeededRng(seed, b"language"), BEGINNING + index * APART)
        course = FlowRunner(self.base, goal, talk, SeededRng(seed, b"course"))
        course.run()
        user = people.below(PARTICIPANTS)
        wizard = (user + 1 + people.below(PARTICIPANTS - 1)) % PARTICIPANTS
        booked = course.booked is not None
        rating, successful = SURVEY
        return Dialogue(
            id=_id(people),
            events=tuple(talk.events),
            scenario=_scenario(goal, course),
            workers={USER: _worker(user), SYSTEM: _worker(wizard)},
            answers=(
                Answer(USER, rating, people.choice(RATINGS[booked])),
                Answer(SYSTEM, successful, booked),
            ),
            provenance="simulated",
        )


def _scenario(goal: Goal, course: FlowRunner) -> Scenario:
    told: dict[str, Any] = {"kind": goal.kind, "values": goal.wish}
    if goal.relaxed:
        told["changes"] = [goal.relaxed]
    if len(goal.cities) > 1:
        told["cities"] = list(goal.cities)
    if course.booked is not None:
        told["booked"] = {"frame": course.taken, "name": course.booked.hotel.name}
    return Scenario(user_task=goal.text, system_task=texts().assistant, goal=told)


def _id(rng: SeededRng) -> str:
    digits = rng.bytes().hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def _worker(number: int) -> str:
    return f"U{number + 1:08d}"


class PackagesPreset:
    """Dialogues about trips."""

    name = "frames"
    format = "frames"

    def plan(self, request: Request) -> PackagesPlan:
        """Return the plan of a run.

        Raises:
            UsageError: Tasks, a scenario or a wording are asked for.
        """
        given = {
            "--tasks": request.tasks,
            "--scenario": request.scenario,
            "--wording": request.wording,
        }
        for option, value in given.items():
            if value is not None:
                raise UsageError(f"--preset {self.name} has no choice there; leave {option} out")
        return PackagesPlan(seed=request.seed, dialogues=request.number)


PRESET = PackagesPreset()
"""The preset, as the registry knows it."""
