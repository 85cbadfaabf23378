"""`dialoom tau2`: write a run of `dialoom play` as results of tau2-bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import JsonFile


def tau2(
    path: Annotated[
        Path, typer.Argument(metavar="RUN", help="A folder that `dialoom play --out` wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    json: JsonFile = None,
) -> None:
    """Write a run and its tasks in the layout of tau2-bench's results; report what that loses.

    `dialoom play --goals FILE` plays the tasks of such a file.

    Example: dialoom tau2 run --out results.json
    """
    import msgspec

    from dialoom import formats
    from dialoom.cli.output import not_held, print_lines, write_json
    from dialoom.corpus.files import write_atomic, writing
    from dialoom.play.results.run import read_run
    from dialoom.play.tau2 import results

    run = read_run(path)
    found, lost = results(run, formats.load(path).schemas)
    with writing(out):
        write_atomic(out, msgspec.json.format(msgspec.json.encode(found)))
    loss = dict(sorted(lost.items()))
    counts = {"simulations": len(found["simulations"]), "tasks": len(found["tasks"])}
    write_json({**counts, "loss": loss}, json)
    written = f"{counts['simulations']} simulations of {counts['tasks']} tasks written to {out}"
    print_lines((written, *not_held(loss, "tau2")), json)
