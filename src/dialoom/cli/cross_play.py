"""`dialoom cross-play`: users and systems of services, by rules and learnt, each with each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import JsonFile, Seed
from dialoom.cli.options import number as number_option


def cross_play(
    user: Annotated[
        Path, typer.Option("--user", metavar="FILE", help="A user: `train sgd-user` kept it.")
    ],
    system: Annotated[
        Path, typer.Option("--system", metavar="FILE", help="A system: from `train sgd-policy`.")
    ],
    calls: Annotated[
        Path, typer.Option("--calls", metavar="FILE", help="Its calls: from `train sgd-calls`.")
    ],
    number: Annotated[
        int, number_option("-n", "--number", least=1, most=10**6, help="Goals.")
    ] = 100,
    tasks: Annotated[
        str | None,
        typer.Option("--tasks", help="Services, packs or schema files, commas between; all."),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="happy, unhappy, multi or mixed; happy.")
    ] = None,
    goals: Annotated[
        Path | None,
        typer.Option("--goals", metavar="DIR", help="What users of SGD dialogues here wanted."),
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="A new folder: dialogues of each pair, as sgd."),
    ] = None,
    json: JsonFile = None,
) -> None:
    """Let each user talk to each system: the share of goals that they reach together.

    Rules are those of `simulate --preset sgd`, and so is what dialogues are about, unless --goals
    has annotated dialogues: then it is what their users wanted, and services have what the calls
    there found. A goal is reached where each call that the user wanted was made with the values
    they gave, and found or made something.

    Example: dialoom cross-play --user u.model --system s.model --calls c.model -n 100
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, print_table, write_json
    from dialoom.corpus.files import staged_folder
    from dialoom.dialogue import Dialogue
    from dialoom.errors import UsageError
    from dialoom.play.services.annotated import annotated_plan
    from dialoom.play.services.matrix import Policies, matrix, summary, table
    from dialoom.sim.core.plan import Request
    from dialoom.sim.presets.sgd import PRESET, SgdPlan

    plan: SgdPlan
    if goals is None:
        request = Request(number=number, seed=seed, tasks=tasks, scenario=scenario or "happy")
        plan = PRESET.plan(request)
    elif tasks is not None or scenario is not None:
        raise UsageError("--goals brings services and goals; leave --tasks and --scenario out")
    else:
        plan = annotated_plan(goals, number, seed)
    policies = Policies.read(user, system, calls, plan.schemas)
    held: dict[tuple[str, str], list[Dialogue]] = {}
    cells = {}
    for pair, dialogue, cell in matrix(plan, policies):
        cells[pair] = cell
        if out is not None:
            held.setdefault(pair, []).append(dialogue)
    if out is not None:
        with staged_folder(out) as stage:
            for (one, other), dialogues in held.items():
                folder = stage / f"{one}-user-{other}-system"
                folder.mkdir()
                formats.get("sgd").write(dialogues, plan.schemas, folder)
    found = summary(plan, cells)
    write_json(found, json)
    if json != STDOUT:
        print_table(table(found), digits=1)
