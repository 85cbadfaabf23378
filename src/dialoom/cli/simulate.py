"""`dialoom simulate` and `cross-play`: dialogues by rules, and by learnt users and systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Number, Seed, Workers
from dialoom.cli.output import not_held, print_lines, report, write_json
from dialoom.errors import UsageError
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.dialogue import Dialogue
    from dialoom.sim.presets.sgd import SgdPlan


@dataclass(frozen=True)
class RequestOptions:
    """The dialogues that are asked for (`dialoom.sim.core.plan.Request`).

    Attributes:
        tasks: Tasks or task files, separated by commas; drawn:N draws so many; default: all.
        scenario: Users: happy, unhappy, multi or mixed; default: the preset's.
        story: A story file or bundled story: tasks that belong together.
        wording (FILE_OR_NUMBER): A JSON file with other texts, or the number of a bundled wording
            of the bot (presets dstc6, babi).
        wizard_noise: Probability that a wizard skips, repeats or types freely, 0 to 1.
        brief: Probability that the system omits an optional question or courtesy.
        digress: Rate of corrections, interruptions and misheard turns; 1 is STAR's.
        persons: Traits of the users: (impatient, terse+confused, plain) or JSON files,
            separated by commas.
    """

    number: Number = 1000
    tasks: str | None = None
    scenario: str | None = None
    story: str | None = None
    seed: Seed = 0
    wording: str | None = None
    wizard_noise: Annotated[float, Bounds(0, 1)] = 0.0
    brief: Annotated[float | None, Bounds(0, 1)] = None
    digress: Annotated[float | None, Bounds(0, 100)] = None
    persons: str | None = None


def simulate(
    out: Path,
    asked: RequestOptions,
    preset: str = "star",
    workers: Workers = 1,
    engine: str = "processes",
    to: str | None = None,
    json: JsonFile = None,
) -> None:
    """Simulate dialogues from schemas; the same options give the same bytes with any workers.

    The engine does not change them either: ray uses the cluster that RAY_ADDRESS names, or starts
    one on this machine. To continue an interrupted run, start it again with the same options.

    Example: dialoom simulate --tasks hotel_book,weather -n 1000 --seed 7 --out dialogues

    Example: dialoom simulate --scenario mixed -n 20000 --workers 2 --out mixed

    Args:
        out (--out, DIR): A new folder.
        preset: star, sgd, dstc6, babi, frames or taskmaster.
        engine: Run workers as processes of this machine, or on a ray cluster.
        to: Format of DIR; default: the preset's.
    """
    from dialoom import formats
    from dialoom.sim.core.plan import PRESETS, Request
    from dialoom.workbench.simulation import simulating

    family = PRESETS.get(preset)
    writer = formats.get(to or family.format)
    plan = family.plan(Request(**vars(asked)))
    with simulating(plan, out, writer, workers, engine) as report:
        write_json(report, json)
    of = f" of {counted(len(plan.schemas), 'task')}" if plan.schemas else ""
    summary = f"{plan.dialogues} dialogues{of} written to {out}"
    print_lines((summary, *not_held(report["loss"], writer.name)), json)


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
