"""The figures of a run: by task, and over all tasks, with intervals over goals or tasks.

summary = summarise(dialogues)
summary["tasks"][0]["reached"]          # per cent of the trials
summary["all"]["pass_hat"]["4"]         # pass^4: all of four trials of a goal succeed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Any

from dialoom.dialogue import Dialogue
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import share
from dialoom.metrics.bootstrap import mean_bounds
from dialoom.render.tables import ResultTable

Row = dict[str, Any]

COLUMNS = ("reached", "told", "unasked", "adherence", "user_faults")
"""The figures in the table's columns."""


_SPENT = (
    "{calls} requests of {latency:.2f} s; {read} tokens read, {written} written, cost {cost:.4f}"
)
"""The table's note on what remote participants spent."""


class Played(Struct, frozen=True):
    """The recorded verdict of one dialogue.

    Attributes:
        task: The task's id.
        goal: The number of the goal.
        verdict: The fields of `judging.verdict.Verdict`, and what was spent.
        wanted: The goal with its target.
    """

    task: str
    goal: int
    verdict: Mapping[str, Any]
    wanted: Mapping[str, Any]

    @property
    def passed(self) -> bool:
        """Whether the database is right and all values were told."""
        return bool(self.verdict["reached"]) and not self.verdict.get("untold")


def played(dialogue: Dialogue) -> Played | None:
    """Return the recorded verdict of a dialogue that `play` made; None for any other dialogue."""
    verdict = dialogue.extra.get("play")
    if verdict is None or dialogue.scenario is None:
        return None
    task = dialogue.scenario.capabilities[0].task
    return Played(task, verdict["goal"], verdict, dialogue.scenario.goal)


def pass_hat(successes: int, trials: int, k: int) -> float:
    """Return the probability (0 to 1) that k of a goal's trials, drawn at random, all succeed.

    The unbiased estimate of pass^k (Yao et al. 2024, tau-bench): C(c, k) / C(n, k) with c successes
    in n trials.
    """
    return comb(successes, k) / comb(trials, k)


def summarise(run: Sequence[Played]) -> Row:
    """Return the figures of a run: `all`, `tasks` in the order they were played, and `silent`.

    `silent` has the success of an agent that does nothing: goals without a change and an answer.
    """
    tasks: dict[str, list[Played]] = {}
    for each in run:
        tasks.setdefault(each.task, []).append(each)
    rows = [{"task": task, **_figures(held)} for task, held in tasks.items()]
    whole = _figures(run) | {"pass_hat_interval": _intervals(rows)}
    return {"all": whole, "tasks": rows, "silent": _silent(run, whole["pass_hat"])}


def _silent(run: Sequence[Played], ks: Iterable[str]) -> Row:
    reached = [not each.wanted.get("effects") for each in run]
    told = [not each.wanted.get("told") for each in run]
    success = share(sum(map(all, zip(reached, told, strict=True))), len(run))
    return {
        "reached": share(sum(reached), len(run)),
        "told": share(sum(told), len(run)),
        "success": success,
        "pass_hat": dict.fromkeys(ks, success),
    }


def _figures(run: Sequence[Played]) -> Row:
    verdicts = [each.verdict for each in run]
    many = len(run)
    faults = Counter(fault for verdict in verdicts for fault in verdict.get("faults", ()))
    sound = [each for each in run if not each.verdict.get("faults")]
    return {
        "trials": many,
        "reached": share(sum(bool(v["reached"]) for v in verdicts), many),
        "told": share(sum(not v.get("untold") for v in verdicts), many),
        "unasked": share(sum(bool(v.get("unasked")) for v in verdicts), many),
        "success": share(sum(each.passed for each in run), many),
        "success_without_user_faults": share(sum(e.passed for e in sound), len(sound)),
        "adherence": share(_sum(verdicts, "kept"), _sum(verdicts, "steps")),
        "asked_twice": _sum(verdicts, "twice"),
        "turns": _sum(verdicts, "turns") / many if many else 0.0,
        "ended": dict(sorted(Counter(v.get("ended", "completed") for v in verdicts).items())),
        "pass_hat": _pass_hats(run),
        "user_faults": sum(faults.values()),
        "faults": dict(sorted(faults.items())),
        **_spent(verdicts),
    }


def _spent(verdicts: Iterable[Mapping[str, Any]]) -> Row:
    """Return the sums of what remote participants spent, and the mean seconds of a request."""
    held = [each for verdict in verdicts for each in verdict.get("spent", {}).values()]
    if not held:
        return {}
    calls = _sum(held, "calls")
    seconds = sum(each.get("seconds", 0.0) for each in held)
    return {
        "spent": {
            "calls": calls,
            "read": _sum(held, "read"),
            "written": _sum(held, "written"),
            "cost": sum(each.get("cost", 0.0) for each in held),
            "seconds": seconds,
            "latency": seconds / calls if calls else 0.0,
        }
    }


def _sum(verdicts: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(int(verdict.get(name, 0)) for verdict in verdicts)


def _pass_hats(run: Iterable[Played]) -> dict[str, float]:
    """Return k to pass^k in percent, for k from 1 to the number of a goal's trials."""
    goals: dict[tuple[str, int], list[bool]] = {}
    for each in run:
        goals.setdefault((each.task, each.goal), []).append(each.passed)
    trials = min(map(len, goals.values()), default=0)
    return {
        str(k): share(sum(pass_hat(sum(held), len(held), k) for held in goals.values()), len(goals))
        for k in range(1, trials + 1)
    }


def _intervals(rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """Return k to the 95 % interval of pass^k by a bootstrap over tasks."""
    found = {}
    for k in rows[0]["pass_hat"] if rows else ():
        values = [row["pass_hat"][k] for row in rows if k in row["pass_hat"]]
        found[k] = mean_bounds(values)
    return found


def table(summary: Row, agent: str, user: str) -> ResultTable:
    """Return the table of figures by task, with notes on the silent agent and the oracle."""
    whole = summary["all"]
    shown = [k for k in whole["pass_hat"] if k in ("1", str(len(whole["pass_hat"])))]
    low, high = whole["pass_hat_interval"][shown[-1]]
    spent = whole.get("spent")
    notes = [] if spent is None else [_SPENT.format(**spent)]
    if whole["ended"].keys() == {"silence"}:
        notes.append("The agent never answered.")
    return ResultTable(
        f"{agent} serves {user}",
        ("task", *(name.replace("_", " ") for name in COLUMNS), *(f"pass^{k}" for k in shown)),
        [
            *(_cells(row["task"], row, shown) for row in summary["tasks"]),
            _cells("all", whole, shown),
            _cells("silent", summary["silent"], shown),
        ],
        (
            f"pass^{shown[-1]}: {low:.1f} to {high:.1f} over tasks (95 %). The oracle reaches "
            "every goal, since goals are the end states of its dialogues.",
            *notes,
        ),
    )


def _cells(name: str, row: Row, shown: Iterable[str]) -> list[Any]:
    return [
        name,
        *(row.get(figure) for figure in COLUMNS),
        *(row["pass_hat"][k] for k in shown),
    ]
