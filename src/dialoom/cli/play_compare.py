"""`dialoom play compare`: how the users of runs talk, and how far their agents differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile
from dialoom.cli.output import STDOUT


def compare(
    runs: list[Path],
    agent: str = "",
    precision: Annotated[float, Bounds(0.1, 50)] = 2.0,
    json: JsonFile = None,
) -> None:
    """Compare the users of several runs or corpora, and the agents of runs with the same users.

    The first is what the others are compared with: people, for instance, whom simulated users
    should be like. Two runs of the same goals, users and seed are compared by success too, paired
    by goal and trial.

    Example: dialoom play compare people run

    Example: dialoom play compare talks run-happy run-unhappy --agent flow

    Args:
        runs (RUN): Folders of runs, or corpora of people.
        agent: Count only the talks of people with this agent.
        precision: Wished half width of intervals, in points.
    """
    from dialoom import formats
    from dialoom.cli.output import print_lines, print_table, write_json
    from dialoom.play.results.users import compare_users, users_table

    figures = compare_users({str(path): formats.load(path) for path in runs}, agent)
    pairs = {str(other): _paired(runs[0], other, precision) for other in runs[1:]}
    differences = {name: each for name, each in pairs.items() if each}
    write_json({"users": figures, "success": differences}, json)
    if json != STDOUT:
        print_table(users_table(figures), digits=2)
    print_lines((f"{name}: {each['words']}" for name, each in differences.items()), json)


def _paired(one: Path, other: Path, precision: float) -> dict[str, Any]:
    """Return the difference in success of two runs; empty for runs with other users."""
    from dialoom.errors import DialoomError
    from dialoom.play.results.paired import compare as compared
    from dialoom.play.results.run import read_run

    try:
        found = compared(read_run(one), read_run(other))
    except DialoomError:
        return {}
    low, high = found.interval
    needs = found.needed(precision)
    words = (
        f"success {found.difference:+.1f} points ({low:+.1f} to {high:+.1f}, p {found.p:.3f}) over "
        f"{found.goals} goals; {precision:g} points to either side need some {needs}"
    )
    return {
        "difference": found.difference,
        "interval": [low, high],
        "p": found.p,
        "goals": found.goals,
        "needed": needs,
        "words": words,
    }
