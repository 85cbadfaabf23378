"""Programs that play the user or the wizard of a room: the simulated user and the follower.

A program sends the same messages as a person's page, so rooms treat both alike. The follower is
trained on simulated dialogues of its task, so a new task can have a program for its wizard at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import Accomplish, Ask, FormCondition, Pick, Say, Suggest
from dialoom.collect.kinds.room.scenario import Scenario, ScenarioLibrary
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, RoomRole
from dialoom.collect.settings import ROOMS, SPOKEN
from dialoom.collect.study.stages import study_stages
from dialoom.dialogue import USER, Candidate, Completion, Event, Query, Utterance, digest
from dialoom.dialogue.participant import Participant
from dialoom.dialogue.views import label
from dialoom.errors import UsageError
from dialoom.flow.program import compile_task
from dialoom.render.progress import track
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.participant import simulated_user
from dialoom.sim.presets.star import StarPlan

if TYPE_CHECKING:
    from dialoom.models.follower import Follower
    from dialoom.play.agents.follower import LearntAgent

Ranked = tuple[Candidate, ...]
"""Suggested replies, the best first."""

LESSONS = 120
"""Simulated dialogues of each task that the model learns from; training on them takes seconds."""


def seat_bot(role: RoomRole, scenario: Scenario, library: ScenarioLibrary) -> Participant:
    """Return a role's program; `UsageError` for the wizard of several tasks."""
    tasks = [library.tasks[task] for task in scenario.tasks]
    if role == USER_ROLE:
        goal = scenario.goal if isinstance(scenario.goal, dict) else {}
        goals = goal.get("tasks") or {tasks[0].id: goal}
        values = {task: task_goal.get("values", {}) for task, task_goal in goals.items()}
        return simulated_user(tasks, scenario.seed, goals=values)
    if len(tasks) > 1:
        raise _too_many()
    return follower_wizard(tasks[0], scenario.seed)


def follower_wizard(task: TaskSchema, seed: int) -> LearntAgent:
    """Return the agent that plays a task's wizard; `seed` draws its training and wordings."""
    from dialoom.play.agents.follower import LearntAgent  # deferred: it imports scikit-learn

    program, model = compile_task(task), taught(task, seed)
    return LearntAgent(program, seed_of(seed, 0), model, {task.id: task}, most=1)


_TAUGHT: dict[tuple[str, int], Follower] = {}
"""(Task's digest, seed) to the trained model."""


def taught(task: TaskSchema, seed: int) -> Follower:
    """Return a follower trained on simulated dialogues of a task; it is trained once and kept."""
    from dialoom.models.follower import Follower  # deferred: they import scikit-learn
    from dialoom.play.agents.follower import trained

    key = (digest(task), seed)
    if key not in _TAUGHT:
        source = StarPlan(tasks=(task,), seed=seed, dialogues=LESSONS).source()
        lessons = map(source, range(LESSONS))
        _TAUGHT[key] = trained(Follower(seed=seed), {task.id: task}, lessons)
    return _TAUGHT[key]


def check_seat(role: RoomRole, library: ScenarioLibrary) -> None:
    """Check that a program can play a role in a study.

    Raises:
        UsageError: The study has no stage of two people; a task has no flow; the role is the wizard
            and dialogues have several tasks; or dialogues are spoken, and the role is the user or
            there is no recogniser.
    """
    kinds = {stage.kind for stage in study_stages(library.settings)}
    if kinds.isdisjoint(ROOMS):
        raise UsageError("in none of the study's stages do two people talk")
    if SPOKEN in kinds and role == USER_ROLE:
        raise UsageError("no program speaks: in spoken dialogues take --try user")
    if SPOKEN in kinds and not library.settings.speech.recogniser:
        raise UsageError(
            "the wizard's program reads what `speech: {recogniser: …}` makes of sounds"
        )
    for task in library.tasks.values():
        if not task.flow.complete:
            raise UsageError(f"{task.id} has no flow that a program could follow", code="no-flow")
    several = len(library.tasks) > 1 and library.settings.scenario in ("multi", "mixed")
    if role == WIZARD_ROLE and (several or library.settings.story):
        raise _too_many()


def teach(role: RoomRole, library: ScenarioLibrary) -> None:
    """Train the models of a role's programs ahead of use; errors as of `check_seat`."""
    check_seat(role, library)
    if role == USER_ROLE:
        return
    for task in track(library.tasks.values(), "teaching the wizard", len(library.tasks)):
        taught(task, library.settings.seed)


def _too_many() -> UsageError:
    what = "the follower plays the wizard of one task at a time"
    return UsageError(f"{what}; take --scenario happy or unhappy", code="not-taken")


def client_messages(events: tuple[Event, ...]) -> Iterator[tuple[ClientMessage, Ranked | None]]:
    """Yield a participant's events as the messages of a client.

    A request for suggestions comes with the ranking that the room is to show, others with None.
    """
    for event in events:
        if isinstance(event, Completion):
            yield Accomplish(), None
        elif isinstance(event, Query):
            conditions = tuple(
                FormCondition(c.slot, c.operator or "equal", _value(c.operator, c.values))
                for c in event.constraints
            )
            yield Ask(event.api, conditions), None
        elif isinstance(event, Utterance):
            name = label(event)
            if event.agent == USER or name is None:
                yield Say(event.text), None
            else:
                yield Suggest(event.text), (Candidate(name, event.text),)
                yield Pick(name), None


def _value(operator: str | None, values: tuple[object, ...]) -> object:
    """Return the content of a form field: a list for operators that take several values."""
    return list(values) if operator == "one_of" or len(values) != 1 else values[0]
