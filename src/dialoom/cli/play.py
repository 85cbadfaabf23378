"""`dialoom play` lets an agent serve users and judges it; a subcommand judges a run again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds, Commands
from dialoom.cli.options import FollowerModel, JsonFile, Seed, Workers, with_model
from dialoom.cli.output import STDOUT, print_lines, print_table, write_json, write_out
from dialoom.cli.play_runs import AtLeast, AtMost, compare, judge
from dialoom.errors import UsageError
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.http.metering import WireLimits
    from dialoom.play.running.plan import PlayPlan

play_app = Commands("play", no_args_is_help=False)
play_app.command("judge")(judge)
play_app.command("compare")(compare)

ACCOUNT = ".spent.sqlite"
"""File of the costs of an unfinished run so far."""


@dataclass(frozen=True)
class PlayOptions:
    """The agent, the users and their goals.

    Attributes:
        agent: The agent: flow, follower, oracle, silent, …; see `dialoom agents`.
        user: The users: simulated:KIND, replay:RUN, …; see `dialoom users`.
        traits (NAMES): Traits of the users: impatient, confused, …, or JSON files.
        tasks: Names of tasks or task files, separated by commas, or all.
        number (-n, --number): Goals drawn for each task.
        goals: Play these goals: YAML files or folder, or tau2-bench's JSON.
        trials: Dialogues of each goal.
        forbid (WORDS): Words the agent must not say, separated by commas, or a file of them.
    """

    agent: str = "flow"
    user: str = "simulated"
    traits: str = ""
    tasks: str = "all"
    number: Annotated[int, Bounds(1, 10**6)] = 20
    goals: Path | None = None
    model: FollowerModel = None
    trials: Annotated[int, Bounds(1, 1000)] = 1
    forbid: str | None = None

    def plan(self, wire: WireOptions, seed: int) -> PlayPlan:
        """Return the plan of the run; `DialoomError` for a wrong option."""
        from dialoom.play.judging.conduct import read_forbidden
        from dialoom.play.running.plan import plan_of
        from dialoom.play.tau2_tasks import given_goals
        from dialoom.sim.presets.star import load_tasks

        tasks = {task.id: task for task in load_tasks(self.tasks, seed)}
        return plan_of(
            tuple(tasks.values()),
            with_model(self.agent, self.model),
            self.user,
            self.number,
            self.trials,
            seed,
            given_goals(self.goals, tasks, seed),
            wire.limits(),
            wire.at_once,
            read_forbidden(self.forbid),
            self.traits,
        )


@dataclass(frozen=True)
class WireOptions:
    """Limits and settings of remote participants.

    Attributes:
        at_once: Dialogues at a time in a worker, for slow participants.
        timeout: Longest wait for an answer of a remote participant, in seconds.
        rate: Maximum requests to remote participants per second.
        max_calls: Maximum requests to remote participants in the whole run.
        max_cost: Highest cost of the whole run, in the currency of --prices.
        prices (READ,WRITTEN): Prices of a million tokens read and written, such as 0.5,1.5.
        agent_settings (SETTINGS): Settings of a remote agent's requests: name=value,… or a YAML
            file.
        user_settings (SETTINGS): Settings of a remote user's requests.
    """

    at_once: Annotated[int, Bounds(1, 1000)] = 1
    timeout: Annotated[float, Bounds(0.1, 3600)] = 30.0
    rate: Annotated[float | None, Bounds(0.001, 10**6)] = None
    max_calls: Annotated[int | None, Bounds(1, 10**9)] = None
    max_cost: Annotated[float | None, Bounds(0, 10**9)] = None
    prices: str | None = None
    agent_settings: str | None = None
    user_settings: str | None = None

    def limits(self) -> WireLimits:
        """Return them as limits of a run; `UsageError` for a wrong one."""
        from dialoom.http.metering import read_limits

        fields = {name: value for name, value in vars(self).items() if name != "at_once"}
        return read_limits(**fields)


@dataclass(frozen=True)
class CheckOptions:
    """Thresholds of a run, and its dialogues as test cases.

    Attributes:
        precision: Report how many goals an interval of ± this many points needs.
        junit (FILE): Write the dialogues as JUnit test cases.
        annotate: Print failures as GitHub's annotations.
    """

    at_least: AtLeast = None
    at_most: AtMost = None
    precision: Annotated[float | None, Bounds(0.1, 50)] = None
    junit: Path | None = None
    annotate: bool = False


@play_app.callback(invoke_without_command=True)
def play(
    context: typer.Context,
    game: PlayOptions,
    wire: WireOptions,
    checks: CheckOptions,
    out: Path | None = None,
    workers: Workers = 1,
    seed: Seed = 0,
    json: JsonFile = None,
) -> None:
    """Let an agent serve users of some tasks; judge the dialogues by the database.

    The run is a native corpus, for `show`, `lint`, `stats` and the others. The same options resume
    an interrupted run. Figures are shares in per cent. Exits 1 if dialogues have no result, because
    a server or program failed, or a figure misses its threshold.

    Example: dialoom play --agent flow --tasks hotel_book -n 20 --trials 4 --out run

    Args:
        out (DIR): A new folder for the run (required).
    """
    if context.invoked_subcommand is not None:
        return
    if out is None:
        raise UsageError("play: missing option '--out'", code="not-given")
    if json is not None and json == checks.junit:
        raise UsageError("--json and --junit name the same file", code="conflict")
    from dialoom.play.results.summary import table
    from dialoom.play.results.thresholds import failed, read_thresholds

    thresholds = read_thresholds(checks.at_least, checks.at_most)
    plan = game.plan(wire, seed)
    summary = _run(plan, out, workers, json)
    aside = STDOUT if STDOUT in (json, checks.junit) else None
    if aside is None:
        print_table(table(summary, plan.agent_name, game.user), digits=1)
    _show_cases(out, checks)
    beyond = failed(thresholds, summary["all"])
    notice = f"{counted(plan.dialogues, 'dialogue')} written to {out}"
    print_lines((*_needed(summary, checks.precision), *beyond, notice), aside)
    if beyond:
        raise typer.Exit(1)


def _needed(summary: dict[str, Any], precision: float | None) -> Iterator[str]:
    from dialoom.metrics.bootstrap import needed

    success = summary["all"]["success"]
    if precision is not None and success is not None:
        many = needed(success, precision)
        yield f"{precision:g} points to either side need some {many} independent goals"


def _show_cases(out: Path, checks: CheckOptions) -> None:
    from dialoom.play.results.junit import annotation_lines, to_junit
    from dialoom.play.results.run import read_run

    if checks.junit is not None or checks.annotate:
        run = read_run(out)
        if checks.junit is not None:
            write_out(to_junit(run.dialogues), checks.junit)
        for line in annotation_lines(run.dialogues) if checks.annotate else ():
            typer.echo(line)


def _run(plan: PlayPlan, out: Path, workers: int, json: Path | None) -> dict[str, Any]:
    """Play a plan into a native corpus, and return the figures; a run with a budget is kept."""
    from dataclasses import replace

    from dialoom import formats
    from dialoom.corpus import unfinished
    from dialoom.http.metering import Budget
    from dialoom.play.agents.base import AGENTS
    from dialoom.play.results.summary import played, summarise
    from dialoom.sim.core.run import WorkerPool, record
    from dialoom.workbench.simulation import begun, made, staged

    native = formats.get("native")
    settings = record(plan)
    folder = unfinished.work_folder(out)
    plan = replace(plan, account=folder / ACCOUNT)
    pool = WorkerPool(plan, folder, workers)
    with begun(out, settings, keep=plan.limits.budgeted) as work:
        AGENTS.made(plan.agent).ready(plan.schemas)
        with _kept(work):
            shards = made(pool, plan)
        if (work / ACCOUNT).is_file():
            plan = replace(plan, spent=Budget(plan.limits, plan.account).total)
        with staged(work, shards, plan, out, native):
            (work / ACCOUNT).unlink(missing_ok=True)
            files = (work / shard.name for shard in shards)
            dialogues = (each for file in files for each in native.read_file(file, work))
            summary = summarise([p for each in dialogues if (p := played(each))], plan.spent)
            write_json({"run": record(plan), **summary}, json)
    return summary


@contextmanager
def _kept(work: Path) -> Iterator[None]:
    """Print the place of the dialogues that were played before the budget was spent."""
    from dialoom.http.metering import BudgetError

    try:
        yield
    except BudgetError as error:
        files = sorted((*work.glob("dialogues-*.jsonl"), *work.glob("unfinished-*.jsonl")))
        parts = [file for file in files if file.stat().st_size]
        hint = f"; to look at them: dialoom show {parts[0]}" if parts else ""
        raise BudgetError(f"{error}{hint}") from None
