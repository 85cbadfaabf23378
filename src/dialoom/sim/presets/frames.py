"""Dialogues about trips as Frames has them: `simulate --preset frames`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import SYSTEM, USER, Answer, Dialogue, Scenario, digest
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.frames.goals import TripGoal, draw
from dialoom.sim.policies.frames.packages import packages
from dialoom.sim.policies.frames.policy import FramesPolicy
from dialoom.sim.policies.frames.recorder import FramesRecorder
from dialoom.sim.policies.frames.travel import texts

PARTICIPANTS = 12
"""Number of people in the collection of Frames (Asri et al. 2017)."""

SURVEY = ("userSurveyRating", "wizardSurveyTaskSuccessful")
"""The user's and the wizard's question after a dialogue, as Frames names them."""

BEGINNING = 1_470_000_000_000
"""Beginning of the first dialogue, in milliseconds since 1970: summer 2016, as in Frames."""

APART = 900_000
"""Milliseconds between the beginnings of two dialogues: a quarter of an hour."""

RATINGS = {True: (5.0,) * 6 + (4.5, 4.0, 4.0, 4.0), False: (5.0,) * 4 + (4.0,) * 4 + (3.0, 2.0)}
"""Ratings to draw from, by whether a trip was booked; their mean is near the 4.58 that the page of
Frames gives."""


@dataclass(frozen=True, kw_only=True)
class FramesPlan(Plan):
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
        """Return the function from an index to its dialogue."""
        base = packages(self.seed)

        def dialogue(index: int) -> Dialogue:
            seed = seed_of(self.seed, index)
            goal = draw(base, SeededRng(seed, b"goal"))
            words = SeededRng(seed, b"language")
            alone = str(goal.wish.get("n_adults")) == "1"
            recorder = FramesRecorder(words, BEGINNING + index * APART, alone=alone)
            policy = FramesPolicy(base, goal, recorder, SeededRng(seed, b"course"))
            policy.run()
            return _finished(policy, SeededRng(seed, b"people"))

        return dialogue


def _finished(policy: FramesPolicy, people: SeededRng) -> Dialogue:
    user = people.below(PARTICIPANTS)
    wizard = (user + 1 + people.below(PARTICIPANTS - 1)) % PARTICIPANTS
    booked = policy.booked is not None
    rating, successful = SURVEY
    return Dialogue(
        id=people.uuid(),
        events=tuple(policy.recorder.events),
        scenario=_scenario(policy.goal, policy),
        workers={USER: f"U{user + 1:08d}", SYSTEM: f"U{wizard + 1:08d}"},
        answers=(
            Answer(USER, rating, people.choice(RATINGS[booked])),
            Answer(SYSTEM, successful, booked),
        ),
        provenance="simulated",
    )


def _scenario(goal: TripGoal, policy: FramesPolicy) -> Scenario:
    record: dict[str, Any] = {"kind": goal.kind, "values": goal.wish}
    if goal.relaxed:
        record["changes"] = [goal.relaxed]
    if len(goal.cities) > 1:
        record["cities"] = list(goal.cities)
    if policy.booked is not None:
        record["booked"] = {"frame": policy.taken, "name": policy.booked.name}
    return Scenario(user_task=goal.text, system_task=texts().assistant, goal=record)


class FramesPreset:
    """Dialogues about trips."""

    name = "frames"
    format = "frames"

    def plan(self, request: Request) -> FramesPlan:
        """Return the plan of a run; `UsageError` for tasks, a scenario or a wording."""
        request.check(self.name)
        return FramesPlan(seed=request.seed, dialogues=request.number)


PRESET = FramesPreset()
"""The preset under its name in the registry."""
