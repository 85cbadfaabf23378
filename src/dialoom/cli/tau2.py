"""`dialoom tau2`: runs of `dialoom play` as results of tau2-bench, and such results as a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import JsonFile


def tau2(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="A folder that `dialoom play --out` wrote, or a file of results."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="The file, or the new folder, to write.")
    ],
    json: JsonFile = None,
) -> None:
    """Write a run and its tasks as results of tau2-bench, or such results as a native corpus.

    Reports what is lost. Results of tau-bench are read, too. `show`, `stats` and others read the
    corpus. `dialoom play --goals FILE` plays the tasks of such a file.

    Example: dialoom tau2 run --out results.json

    Example: dialoom tau2 results.json --out corpus
    """
    from dialoom.cli.output import not_held, print_lines, write_json

    target = "native" if path.is_file() else "tau2"
    counts, loss = _read(path, out) if path.is_file() else _written(path, out)
    loss = dict(sorted(loss.items()))
    write_json({**counts, "loss": loss}, json)
    tasks = f" of {counts['tasks']} tasks" if "tasks" in counts else ""
    written = f"{counts['simulations']} simulations{tasks} written to {out}"
    print_lines((written, *not_held(loss, target)), json)


def _written(path: Path, out: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Write a run as results; return what was written, and what is lost."""
    import msgspec

    from dialoom import formats
    from dialoom.corpus.files import write_atomic, writing
    from dialoom.play.results.run import read_run
    from dialoom.play.tau2 import results

    run = read_run(path)
    found, lost = results(run, formats.load(path).schemas)
    with writing(out):
        write_atomic(out, msgspec.json.format(msgspec.json.encode(found)))
    return {"simulations": len(found["simulations"]), "tasks": len(found["tasks"])}, lost


def _read(path: Path, out: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Write results as a native corpus; return what was written, and what is lost."""
    from dialoom import formats
    from dialoom.corpus.files import staged_folder
    from dialoom.errors import FormatError
    from dialoom.play.tau2_results import TauResults

    held = TauResults(path)
    dialogues = list(held.dialogues)
    if not dialogues:
        why = ", ".join(f"{what} ({many})" for what, many in held.lost.items())
        raise FormatError(path, f"no dialogue: {why or 'it has no simulations'}")
    with staged_folder(out) as stage:
        formats.get("native").write(dialogues, {}, stage)
    return {"simulations": len(dialogues)}, held.lost
