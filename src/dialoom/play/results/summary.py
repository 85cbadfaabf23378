"""The figures of a run: by task, and over all tasks, with intervals over goals or tasks.

Dialogues without a result, because a server or program failed, are counted and in no share.

    summary = summarise(dialogues)
    summary["tasks"][0]["reached"]          # per cent of the trials
    summary["all"]["pass_hat"]["4"]         # pass^4: all of four trials of a goal succeed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb
from types import MappingProxyType
from typing import Any

from dialoom.dialogue import Dialogue
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.metrics.base import share
from dialoom.metrics.bootstrap import needed
from dialoom.play.judging.conduct import CONDUCT
from dialoom.play.results.intervals import share_interval
from dialoom.render.tables import ResultTable

Row = dict[str, Any]

COLUMNS = ("reached", "reported", "unasked", "adherence", "user_faults")

MOST_FAILURES = 3
"""Most failures, the most frequent ones, that the table spells out."""

MOST_UNREAD = 5.0
"""Share of the agent's turns, in per cent, above which a warning says that they were not read."""

EXAMPLES = 3

_SPENT = (
    "{calls} requests of {latency:.2f} s, median {latency_p50:.2f}, 95 % in {latency_p95:.2f}; "
    "{read} tokens read, {written} written, cost {cost:.4f}"
)
"""The table's note on what remote participants spent."""

_UNMETERED = "{unmetered} answers came without a number of tokens; they are not in the cost"
"""The note on answers of servers that report no tokens."""


NOTHING: Mapping[str, Any] = MappingProxyType({})


class Played(Struct, frozen=True):
    """The recorded verdict of one dialogue, and the goal with its target."""

    task: str
    goal: int
    verdict: Mapping[str, Any]
    wanted: Mapping[str, Any]

    @property
    def passed(self) -> bool:
        """Whether the database is right, all values were said, and nothing untrue was said."""
        done = self.failure is None and bool(self.verdict["reached"])
        return done and not self.unreported and not self.verdict.get("misstated")

    @property
    def unreported(self) -> Sequence[Mapping[str, Any]]:
        """The values that the agent had to say and did not (`judging.target.DueValue`)."""
        values: Sequence[Mapping[str, Any]] = self.verdict.get("unreported", ())
        return values

    @property
    def failure(self) -> str | None:
        """The failure in words, if the dialogue has no result."""
        cause = self.verdict.get("failure")
        return None if cause is None else f"{cause['side']}: {cause['what']}"


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


def summarise(run: Sequence[Played], spent: Mapping[str, Any] = NOTHING) -> Row:
    """Return the figures of a run: `all`, `tasks` in the order they were played, and `silent`.

    `silent` has the success of an agent that does nothing: goals without a change and an answer.
    `spent` replaces sums of `all`: a resumed run paid for more than the dialogues that it has.
    """
    tasks: dict[str, list[Played]] = {}
    for each in run:
        tasks.setdefault(each.task, []).append(each)
    rows = [
        {"task": task, **_figures(plays), "silent": _silent(plays, ())["success"]}
        for task, plays in tasks.items()
    ]
    whole = _figures(run)
    whole |= _intervals(run, whole["pass_hat"])
    if "spent" in whole:
        whole["spent"] |= spent
    return {"all": whole, "tasks": rows, "silent": _silent(run, whole["pass_hat"])}


def _silent(run: Sequence[Played], ks: Iterable[str]) -> Row:
    reached = [not each.wanted.get("effects") for each in run]
    quiet = [not each.wanted.get("reported") for each in run]
    success = share(sum(map(all, zip(reached, quiet, strict=True))), len(run))
    return {
        "reached": share(sum(reached), len(run)),
        "reported": share(sum(quiet), len(run)),
        "success": success,
        "pass_hat": dict.fromkeys(ks, success),
    }


def with_result(run: Iterable[Played]) -> list[Played]:
    """Return the dialogues that have a result."""
    return [each for each in run if each.failure is None]


def _figures(whole: Sequence[Played]) -> Row:
    run = with_result(whole)
    verdicts = [each.verdict for each in run]
    many, failures = len(run), Counter(each.failure for each in whole if each.failure)
    ended = Counter(str(each.verdict.get("ended", "completed")) for each in whole)
    faults = Counter(fault for verdict in verdicts for fault in verdict.get("faults", ()))
    sound = [each for each in run if not each.verdict.get("faults")]
    counts = [verdict.get("conduct", {}) for verdict in verdicts]
    unread = [text for verdict in verdicts for text in verdict.get("unread", ())]
    shares: dict[str, float | None] = {
        "reached": share(sum(bool(v["reached"]) for v in verdicts), many),
        "reported": share(sum(not each.unreported for each in run), many),
        "unasked": share(sum(bool(v.get("unasked")) for v in verdicts), many),
        "misstated": share(sum(bool(v.get("misstated")) for v in verdicts), many),
        **{name: share(sum(name in c for c in counts), many) for name in CONDUCT},
        "success": share(sum(each.passed for each in run), many),
        "success_without_user_faults": share(sum(e.passed for e in sound), len(sound)),
        "adherence": share(_sum(verdicts, "kept"), _sum(verdicts, "steps")),
    }
    if not _sum(verdicts, "steps"):
        shares["adherence"] = None  # nothing was done, or the task has no flow to keep to

    return {
        "trials": len(whole),
        "no_result": len(whole) - many,
        "failures": dict(failures.most_common()),
        "not_understood": share(len(unread), _sum(verdicts, "said")),
        "unread": [text for text, _ in Counter(unread).most_common(EXAMPLES)],
        **(shares if many else dict.fromkeys(shares)),  # None: there is nothing to have a share of
        "counts": {name: times for name in CONDUCT if (times := _sum(counts, name))},
        "turns": _sum(verdicts, "turns") / many if many else 0.0,
        "ended": dict(sorted(ended.items())),
        "pass_hat": _pass_hats(run),
        "user_faults": sum(faults.values()),
        "faults": dict(sorted(faults.items())),
        **_spent(each.verdict for each in whole),
    }


def _spent(verdicts: Iterable[Mapping[str, Any]]) -> Row:
    """Return the sums of both sides' costs, and the seconds of the agent's requests."""
    verdicts = list(verdicts)
    costs = [each for verdict in verdicts for each in verdict.get("spent", {}).values()]
    if not costs:
        return {}
    agents = [spent["agent"] for v in verdicts if "agent" in (spent := v.get("spent", {}))]
    timed = agents or costs  # a slow user does not make the agent slow
    each = sorted(took for side in timed for took in side.get("each", ()))
    return {
        "spent": {
            "calls": _sum(costs, "calls"),
            "read": _sum(costs, "read"),
            "written": _sum(costs, "written"),
            "unmetered": _sum(costs, "unmetered"),
            "cost": sum(each.get("cost", 0.0) for each in costs),
            "seconds": sum(side.get("seconds", 0.0) for side in costs),
            "latency": sum(each) / len(each) if each else 0.0,
            "latency_p50": percentile(each, 50),
            "latency_p95": percentile(each, 95),
        }
    }


def percentile(ordered: Sequence[float], share: int) -> float:
    """Return the value that `share` per cent of some ordered values do not exceed; 0 of none."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else 0.0


def _sum(verdicts: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(int(verdict.get(name, 0)) for verdict in verdicts)


def _by_goal(run: Iterable[Played], k: int = 1) -> dict[tuple[str, int], tuple[float, float]]:
    """Return (task, goal) to pass^k and 1, for the goals that have k trials with a result."""
    goals: dict[tuple[str, int], list[bool]] = {}
    for each in with_result(run):
        goals.setdefault((each.task, each.goal), []).append(each.passed)
    return {
        goal: (pass_hat(sum(trials), len(trials), k), 1.0)
        for goal, trials in goals.items()
        if len(trials) >= k
    }


def _pass_hats(run: Iterable[Played]) -> dict[str, float]:
    run, hats = list(run), dict[str, float]()
    while goals := _by_goal(run, len(hats) + 1):
        hats[str(len(hats) + 1)] = share(sum(each for each, _ in goals.values()), len(goals))
    return hats


def _intervals(run: Sequence[Played], hats: Mapping[str, float]) -> Row:
    intervals = {k: share_interval(_by_goal(run, int(k))) for k in hats}
    goals = {"goals": len(_by_goal(run))}
    if "1" in hats:
        goals["goals_for_2_points"] = needed(hats["1"], 2)
    return {
        "pass_hat_interval": {k: bounds for k, (bounds, _) in intervals.items()},
        "interval_over": {k: over for k, (_, over) in intervals.items()},
        **goals,
    }


def table(summary: Row, agent: str, user: str) -> ResultTable:
    """Return the table of figures by task, with notes on the silent agent and the oracle."""
    whole = summary["all"]
    ks = [k for k in whole["pass_hat"] if k in ("1", str(len(whole["pass_hat"])))]
    columns = (*COLUMNS, *(("no_result",) if whole["no_result"] else ()))
    notes = [_over_tasks(whole, ks[-1])] if ks else []
    if idle := [row["task"] for row in summary["tasks"] if row.get("silent") == 100]:
        notes.append(f"No agent can fail these tasks, as they want nothing: {', '.join(idle)}.")
    spent = whole.get("spent", {})
    notes += [_SPENT.format(**spent)] if spent else []
    notes += [_UNMETERED.format(**spent)] if spent.get("unmetered") else []
    notes += [*conduct_note(whole), *no_result(whole), *_not_understood(whole)]
    if whole["ended"].keys() == {"silence"}:
        notes.append("Every dialogue ended because the agent fell silent.")
    return ResultTable(
        f"{agent} serves {user}",
        ("task", *(name.replace("_", " ") for name in columns), *(f"pass^{k}" for k in ks)),
        [
            *(_cells(row["task"], row, columns, ks) for row in summary["tasks"]),
            _cells("all", whole, columns, ks),
            _cells("silent", summary["silent"], columns, ks),
        ],
        tuple(notes),
    )


def _over_tasks(whole: Row, k: str) -> str:
    low, high = whole["pass_hat_interval"][k]
    over, needs = whole["interval_over"][k], whole["goals_for_2_points"]
    return (
        f"pass^{k}: {low:.1f} to {high:.1f} over {over} (95 %); 2 points to either side need some "
        f"{needs} goals, here are {whole['goals']}. Every goal can be reached: its end is that "
        "of the oracle's dialogue, or of the calls that it states."
    )


def no_result(whole: Row) -> Iterator[str]:
    """Yield a sentence on the share of dialogues without a result, and one on each failure."""
    many, trials = whole["no_result"], whole["trials"]
    if many:
        message = f"{many} of {trials} dialogues ({share(many, trials):.1f} %) have no result"
        yield f"{message}, and no figure counts them."
        failures = list(whole["failures"].items())
        yield from (f"{times} x {what}" for what, times in failures[:MOST_FAILURES])


def conduct_note(whole: Row) -> Iterator[str]:
    """Yield a sentence on what the agent did that it should not (`CONDUCT`), where it did."""
    done = [f"{name} {whole[name]:.1f} ({CONDUCT[name]})" for name in CONDUCT if whole[name]]
    if done:
        yield f"In per cent of the dialogues the agent was at fault: {'; '.join(done)}."


def _not_understood(whole: Row) -> Iterator[str]:
    if whole["not_understood"] > MOST_UNREAD:
        examples = "; ".join(repr(clip(text)) for text in whole["unread"])
        yield (
            f"Warning: {whole['not_understood']:.1f} % of the agent's turns were not understood. "
            f"That is a fault of the simulated user, not of the agent. Examples: {examples}"
        )


def _cells(name: str, row: Row, columns: Iterable[str], ks: Iterable[str]) -> list[Any]:
    return [
        name,
        *(row.get(figure) for figure in columns),
        *(row["pass_hat"].get(k) for k in ks),
    ]
