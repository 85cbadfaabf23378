"""`dialoom simulate`: simulate dialogues from task files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Number, Seed, Workers
from dialoom.cli.output import not_held, print_lines, write_json
from dialoom.render.tables import counted


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
