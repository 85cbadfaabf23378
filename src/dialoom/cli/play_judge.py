"""`dialoom play judge`: judge a run again under the rules of today."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dialoom.cli.options import JsonFile
from dialoom.cli.output import STDOUT

AtLeast = Annotated[
    str | None,
    typer.Option(
        "--at-least",
        metavar="FIGURES",
        help="Exit 1 if a figure is worse, such as success=90,latency_p95=2.",
    ),
]
AtMost = Annotated[
    str | None,
    typer.Option(
        "--at-most",
        metavar="FIGURES",
        help="The same for figures of which less is better, such as asked_twice=5.",
    ),
]


def judge(
    run: Path,
    goals: Path | None = None,
    out: Path | None = None,
    at_least: AtLeast = None,
    at_most: AtMost = None,
    json: JsonFile = None,
) -> None:
    """Judge a finished run again under the rules of today, without playing it.

    Prints the figures, and each dialogue whose verdict is another now, with the reason.

    Example: dialoom play judge run --json again.json

    Args:
        run (RUN): The folder of the run.
        goals: Goals that take the place of the run's, by their ids.
        out (DIR): A new folder for the run with its verdicts.
    """
    from dialoom.cli.output import print_lines, print_table, write_json
    from dialoom.corpus.files import staged_folder
    from dialoom.play.results.run import read_run, write_run
    from dialoom.play.results.summary import summarise, table
    from dialoom.play.results.thresholds import missed, read_thresholds
    from dialoom.play.running.rejudge import Rejudged
    from dialoom.play.tau2_tasks import given_goals
    from dialoom.render.tables import counted

    thresholds = read_thresholds(at_least, at_most)
    old = read_run(run)
    again = Rejudged(old, given_goals(goals, old.tasks, old.settings["seed"]))
    changes = list(again.changes)
    summary = summarise([each.played for each in again.dialogues])
    if out is not None:
        with staged_folder(out) as stage:
            write_run(again.dialogues, again.settings, old.tasks, stage)
    found: dict[str, Any] = {"run": again.settings, **summary}
    write_json({**found, "changed": [each._asdict() for each in changes]}, json)
    if json != STDOUT:
        print_table(table(summary, old.settings["agent"], old.settings["user"]), digits=1)
    lines = [f"{e.id}: {e.before} -> {e.after}: {'; '.join(e.why)}".rstrip(": ") for e in changes]
    beyond = list(missed(thresholds, summary["all"]))
    many = counted(len(changes), "verdict")
    print_lines((*lines, f"{many} changed of {len(again.dialogues)}", *beyond), json)
    if beyond:
        raise typer.Exit(1)
