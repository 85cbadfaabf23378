"""`dialoom play judge`, `play compare` and `tau2`: what is done with finished runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dialoom.cli.command import Bounds, Help
from dialoom.cli.options import JsonFile
from dialoom.cli.output import not_held, print_lines, report, write_json
from dialoom.errors import DialoomError, UsageError
from dialoom.render.tables import counted

AtLeast = Annotated[
    str | None, Help("Exit 1 if a figure is worse, such as success=90,latency_p95=2.", "FIGURES")
]
AtMost = Annotated[
    str | None,
    Help("The same for figures of which less is better, such as asked_twice=5.", "FIGURES"),
]


def judge(
    run: Path,
    goals: Path | None = None,
    out: Path | None = None,
    at_least: AtLeast = None,
    at_most: AtMost = None,
    json: JsonFile = None,
) -> None:
    """Judge a finished run again under the current rules, without playing it.

    Prints the figures, and each dialogue whose verdict has changed, with the reason.

    Example: dialoom play judge run --json again.json

    Args:
        run (RUN): The folder of the run.
        goals: Goals that replace those of the run with the same ids.
        out (DIR): A new folder for the run with its verdicts.
    """
    from dialoom.corpus.files import staged_folder
    from dialoom.play.results.run import read_run, write_run
    from dialoom.play.results.summary import summarise, table
    from dialoom.play.results.thresholds import missed, read_thresholds
    from dialoom.play.running.rejudge import Rejudged
    from dialoom.play.tau2_tasks import given_goals

    thresholds = read_thresholds(at_least, at_most)
    old = read_run(run)
    again = Rejudged(old, given_goals(goals, old.tasks, old.settings["seed"]))
    changes = list(again.changes)
    spent = again.settings.get("spent", {})
    summary = summarise([each.played for each in again.dialogues], spent)
    if out is not None:
        with staged_folder(out) as stage:
            write_run(again.dialogues, again.settings, old.tasks, stage)
    figures = {"run": again.settings, **summary, "changed": [each._asdict() for each in changes]}
    lines = [f"{e.id}: {e.before} -> {e.after}: {'; '.join(e.why)}".rstrip(": ") for e in changes]
    beyond = list(missed(thresholds, summary["all"]))
    lines += [f"{counted(len(changes), 'verdict')} changed of {len(again.dialogues)}", *beyond]
    grid = table(summary, old.settings["agent"], old.settings["user"])
    report(figures, json, lines, [grid], digits=1)
    if beyond:
        raise typer.Exit(1)


def compare(
    runs: list[Path],
    agent: str = "",
    precision: Annotated[float, Bounds(0.1, 50)] = 2.0,
    json: JsonFile = None,
) -> None:
    """Compare the users of several runs or corpora, and the agents of runs with the same users.

    The others are compared with the first, for example with people as the reference for simulated
    users. Two runs of the same goals, users and seed are compared by success too, paired
    by goal and trial.

    Example: dialoom play compare people run

    Example: dialoom play compare talks run-happy run-unhappy --agent flow

    Args:
        runs (RUN): Folders of runs, or corpora of people.
        agent: Count only the talks of people with this agent.
        precision: Target half-width of the intervals, in points.
    """
    from dialoom import formats
    from dialoom.play.results.users import compare_users, users_table

    figures = compare_users({str(path): formats.load(path) for path in runs}, agent)
    pairs = {str(other): _paired(runs[0], other, precision) for other in runs[1:]}
    differences = {name: each for name, each in pairs.items() if each}
    lines = [f"{name}: {each['words']}" for name, each in differences.items()]
    report({"users": figures, "success": differences}, json, lines, [users_table(figures)])


def _paired(one: Path, other: Path, precision: float) -> dict[str, Any]:
    from dialoom.play.results.paired import compare as compared
    from dialoom.play.results.run import read_run

    try:
        test = compared(read_run(one), read_run(other))
    except DialoomError:
        return {}
    low, high = test.interval
    needs = test.needed(precision)
    words = (
        f"success {test.difference:+.1f} points ({low:+.1f} to {high:+.1f}, p {test.p:.3f}) over "
        f"{test.goals} goals; {precision:g} points to either side need some {needs}"
    )
    return {
        "difference": test.difference,
        "interval": [low, high],
        "p": test.p,
        "goals": test.goals,
        "needed": needs,
        "words": words,
    }


def tau2(path: Path, out: Path, json: JsonFile = None) -> None:
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
