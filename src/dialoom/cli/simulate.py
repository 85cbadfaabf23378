"""`dialoom simulate`: simulate dialogues from task files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import JsonFile, Number, Seed, Workers, number


@dataclass(frozen=True)
class RequestOptions:
    """The dialogues that are asked for (`dialoom.sim.core.plan.Request`)."""

    number: Number = 1000
    tasks: Annotated[
        str | None,
        typer.Option(
            "--tasks",
            help="Tasks or task files, separated by commas; drawn:N draws tasks; default: all.",
        ),
    ] = None
    scenario: Annotated[
        str | None,
        typer.Option(
            "--scenario", help="Users: happy, unhappy, multi or mixed; default: the preset's."
        ),
    ] = None
    story: Annotated[
        str | None,
        typer.Option("--story", help="A story file or bundled story: tasks that belong together."),
    ] = None
    seed: Seed = 0
    wording: Annotated[
        str | None,
        typer.Option(
            "--wording",
            metavar="FILE_OR_NUMBER",
            help="A JSON file with other texts, or the number of a bundled wording of the bot "
            "(presets dstc6, babi).",
        ),
    ] = None
    wizard_noise: Annotated[
        float,
        number(
            "--wizard-noise",
            least=0,
            most=1,
            help="Probability that a wizard skips, repeats or types freely, 0 to 1.",
        ),
    ] = 0.0
    brief: Annotated[
        float | None,
        number(
            "--brief",
            least=0,
            most=1,
            help="Probability that the system omits an optional question or courtesy.",
        ),
    ] = None
    digress: Annotated[
        float | None,
        number(
            "--digress",
            least=0,
            most=100,
            help="Rate of corrections, interruptions and misheard turns; 1 is STAR's.",
        ),
    ] = None
    persons: Annotated[
        str | None,
        typer.Option(
            "--persons",
            help="Who the users are: traits (impatient, terse+confused, plain) or JSON files, "
            "separated by commas.",
        ),
    ] = None


def simulate(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")],
    asked: RequestOptions,
    preset: Annotated[
        str, typer.Option("--preset", help="star, sgd, dstc6, babi, frames or taskmaster.")
    ] = "star",
    workers: Workers = 1,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", help="Run workers as processes of this machine, or on a ray cluster."
        ),
    ] = "processes",
    to: Annotated[
        str | None, typer.Option("--to", help="Format of DIR; default: the preset's.")
    ] = None,
    json: JsonFile = None,
) -> None:
    """Simulate dialogues from schemas; the same options give the same bytes with any workers.

    The engine does not change them either: ray uses the cluster that RAY_ADDRESS names, or starts
    one on this machine. To continue an interrupted run, start it again with the same options.

    Example: dialoom simulate --tasks hotel_book,weather -n 1000 --seed 7 --out dialogues

    Example: dialoom simulate --scenario mixed -n 20000 --workers 2 --out mixed
    """
    from dialoom import formats
    from dialoom.cli.output import not_held, print_lines, write_json
    from dialoom.render.tables import counted
    from dialoom.sim.core.plan import PRESETS, Request
    from dialoom.workbench.simulation import simulating

    family = PRESETS.get(preset)
    writer = formats.get(to or family.format)
    plan = family.plan(Request(**vars(asked)))
    with simulating(plan, out, writer, workers, engine) as found:
        write_json(found, json)
    of = f" of {counted(len(plan.schemas), 'task')}" if plan.schemas else ""
    written = f"{plan.dialogues} dialogues{of} written to {out}"
    print_lines((written, *not_held(found["loss"], writer.name)), json)
