"""`dialoom tau2`: runs of `dialoom play` as results of tau2-bench, and such results as a corpus."""

from __future__ import annotations

from pathlib import Path

from dialoom.cli.options import JsonFile
from dialoom.cli.output import not_held, print_lines, write_json
from dialoom.errors import UsageError


def tau2(
    path: Path,
    out: Path,
    json: JsonFile = None,
) -> None:
    """Write a run and its tasks as results of tau2-bench; report what is lost.

    `dialoom convert FILE OUT --to native` reads such results, and those of tau-bench. `dialoom play
    --goals FILE` plays the tasks of such a file.

    Example: dialoom tau2 run --out results.json

    Args:
        path (RUN): A folder that `dialoom play --out` wrote.
        out (--out, PATH): The file, or the new folder, to write.
    """
    import msgspec

    from dialoom import formats
    from dialoom.corpus.files import write_atomic, writing
    from dialoom.play.results.run import read_run
    from dialoom.play.tau2 import results

    if path.is_file():
        raise UsageError(f"{path}: a file; `dialoom convert {path} OUT --to native` reads results")
    run = read_run(path)
    document, lost = results(run, formats.load(path).schemas)
    with writing(out):
        write_atomic(out, msgspec.json.format(msgspec.json.encode(document)))
    counts = {name: len(document[name]) for name in ("simulations", "tasks")}
    loss = dict(sorted(lost.items()))
    write_json({**counts, "loss": loss}, json)
    summary = f"{counts['simulations']} simulations of {counts['tasks']} tasks written to {out}"
    print_lines((summary, *not_held(loss, "tau2")), json)
