"""Plays each user with each system, by rules or learnt, and counts the goals reached.

    for (user, system), dialogue, cell in matrix(plan, Policies(user, system, calls, schemas)):
        cell.reached      # how many of the pair's dialogues so far

The services, their items and the goal of a dialogue depend only on its number: they are what the
preset `sgd` draws, or those of an annotated dialogue. A goal is reached where each call that the
user wanted was made with the values that they gave, and had a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from dialoom.dialogue import USER, Dialogue, NextActs, NextCall, Utterance
from dialoom.errors import SchemaError, UsageError
from dialoom.learn.model import Model
from dialoom.models import load
from dialoom.models.policy import ActPolicy
from dialoom.play.services.goals import reached
from dialoom.play.services.learnt import LearntSystem, LearntUser
from dialoom.render.tables import ResultTable
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.agenda.system import AgendaSystem
from dialoom.sim.policies.agenda.user import AgendaUser
from dialoom.sim.policies.agenda.world import World
from dialoom.sim.presets.sgd import SgdPlan

RULES, LEARNT = "rules", "learnt"

PAIRS = tuple(product((RULES, LEARNT), (RULES, LEARNT)))

MOST = 40


@dataclass(frozen=True)
class Policies:
    """Fitted models."""

    user: ActPolicy
    system: Model
    calls: Model
    schemas: Mapping[str, TaskSchema]

    @classmethod
    def read(
        cls, user: Path, system: Path, calls: Path, schemas: Mapping[str, TaskSchema]
    ) -> Policies:
        """Read models from files; `UsageError` if a model answers other questions."""
        model = load(user, NextActs).model
        if not isinstance(model, ActPolicy) or USER not in model.agents:
            raise UsageError(f"{user}: not a user; `dialoom train sgd-user` keeps one")
        return cls(model, load(system, NextActs).model, load(calls, NextCall).model, schemas)


@dataclass
class Cell:
    """The counts of one user with one system; `stuck` were too long, or without a rule."""

    dialogues: int = 0
    reached: int = 0
    turns: int = 0
    stuck: int = 0


def played(
    plan: SgdPlan, world: World, index: int, pair: tuple[str, str], policies: Policies
) -> tuple[Dialogue, bool, bool]:
    """Return a dialogue of a user with a system, whether it reached its goal, and was given up."""
    recorder = plan.recorder(world, index)
    user = LearntUser(recorder, policies.user, policies.schemas) if pair[0] == LEARNT else None
    stuck = False
    with world.backend.dialogue():
        speaker: AgendaUser = user or AgendaUser(recorder)
        system = (
            LearntSystem(recorder, speaker, policies.system, policies.calls, policies.schemas)
            if pair[1] == LEARNT
            else AgendaSystem(recorder, speaker)
        )
        try:
            for _ in range(MOST):
                system.turn(speaker.turn())
                if recorder.over:
                    break
        except SchemaError:  # the automaton has nothing to say to what the other side did
            stuck = True
    targets = {each.provider.name: each.wanted for each in recorder.sessions}
    done = not recorder.more and reached(targets, recorder.events)
    return plan.recorded(recorder, index), done, stuck or not recorder.over


def matrix(plan: SgdPlan, policies: Policies) -> Iterator[tuple[tuple[str, str], Dialogue, Cell]]:
    """Yield each dialogue of each pair, with what came of the pair so far."""
    world = plan.world()
    for pair in PAIRS:
        cell = Cell()
        for index in range(plan.dialogues):
            dialogue, done, stuck = played(plan, world, index, pair, policies)
            cell.dialogues += 1
            cell.reached += done
            cell.stuck += stuck
            cell.turns += sum(
                isinstance(event, Utterance) and event.agent == USER for event in dialogue.events
            )
            yield pair, dialogue, cell


def summary(plan: SgdPlan, cells: Mapping[tuple[str, str], Cell]) -> dict[str, Any]:
    """Return the run and what came of each pair, as JSON values; shares in percent."""
    rows = [
        {
            "user": user,
            "system": system,
            "dialogues": cell.dialogues,
            "reached": 100 * cell.reached / cell.dialogues,
            "turns": cell.turns / cell.dialogues,
            "given_up": 100 * cell.stuck / cell.dialogues,
        }
        for (user, system), cell in cells.items()
    ]
    run = {"preset": plan.preset, "seed": plan.seed, "dialogues": plan.dialogues, **plan.settings}
    return {"run": run, "pairs": rows}


COLUMNS = ("user", "system", "reached", "turns", "given_up")


def table(matrix: Mapping[str, Any]) -> ResultTable:
    """Return the pairs as a table."""
    rows = [[row[name] for name in COLUMNS] for row in matrix["pairs"]]
    title = f"Goals reached, of {matrix['run']['dialogues']}, in percent"
    return ResultTable(title, ("user", "system", "reached", "turns", "given up"), rows)
