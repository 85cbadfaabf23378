"""`dialoom cross-play`: users and systems of services, by rules and learnt, each with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Seed
from dialoom.cli.output import report
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from dialoom.dialogue import Dialogue
    from dialoom.sim.presets.sgd import SgdPlan


@dataclass(frozen=True)
class PolicyFiles:
    """The files of the learnt policies.

    Attributes:
        user (--user, FILE): Model of the user, from `dialoom train sgd-user`.
        system (--system, FILE): Model of the system's acts, from `dialoom train sgd-policy`.
        calls (--calls, FILE): Model of the system's calls, from `dialoom train sgd-calls`.
    """

    user: Path
    system: Path
    calls: Path


@dataclass(frozen=True)
class GoalOptions:
    """The goals of the users.

    Attributes:
        number (-n, --number): Goals.
        tasks: Services, packs or schema files, separated by commas; default: all.
        scenario: Users: happy (the default), unhappy, multi or mixed.
        goals (DIR): Take the goals of users in the SGD dialogues of this folder.
    """

    number: Annotated[int, Bounds(1, 10**6)] = 100
    tasks: str | None = None
    scenario: str | None = None
    goals: Path | None = None
    seed: Seed = 0

    def plan(self) -> SgdPlan:
        """Return the plan of the dialogues; `UsageError` for options that contradict."""
        from dialoom.play.services.goals import annotated_plan
        from dialoom.sim.core.plan import Request
        from dialoom.sim.presets.sgd import PRESET

        if self.goals is None:
            fields = vars(self) | {"scenario": self.scenario or "happy"}
            del fields["goals"]
            return PRESET.plan(Request(**fields))
        if self.tasks is not None or self.scenario is not None:
            raise UsageError(
                "--goals brings services and goals; leave --tasks and --scenario out",
                code="not-taken",
            )
        return annotated_plan(self.goals, self.number, self.seed)


def cross_play(
    files: PolicyFiles,
    goals: GoalOptions,
    out: Path | None = None,
    json: JsonFile = None,
) -> None:
    """Let rule-based and learnt users talk to rule-based and learnt systems; count goals reached.

    Rules and goals are those of `simulate --preset sgd`. With --goals, goals are those of the users
    in annotated dialogues, and services have the results of the calls there. A goal is reached
    where each call that the user wanted was made with the values they gave, and had a result.

    Example: dialoom cross-play --user u.model --system s.model --calls c.model -n 100

    Args:
        out (DIR): A new folder for the dialogues of each pair, in format sgd.
    """
    from dialoom.play.services.matrix import Policies, matrix, summary, table

    plan = goals.plan()
    policies = Policies.read(files.user, files.system, files.calls, plan.schemas)
    pairs: dict[tuple[str, str], list[Dialogue]] = {}
    cells = {}
    for pair, dialogue, cell in matrix(plan, policies):
        cells[pair] = cell
        if out is not None:
            pairs.setdefault(pair, []).append(dialogue)
    if out is not None:
        _write(pairs, plan, out)
    figures = summary(plan, cells)
    report(figures, json, tables=[table(figures)], digits=1)


def _write(pairs: Mapping[tuple[str, str], Sequence[Dialogue]], plan: SgdPlan, out: Path) -> None:
    from dialoom import formats
    from dialoom.corpus.files import staged_folder

    with staged_folder(out) as stage:
        for (user, system), dialogues in pairs.items():
            folder = stage / f"{user}-user-{system}-system"
            folder.mkdir()
            formats.get("sgd").write(dialogues, plan.schemas, folder)
