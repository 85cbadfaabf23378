"""An HTML page on one run or two, and its tables, which studio shows as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.dialogue.transcript import lines
from dialoom.metrics.bootstrap import Bounds
from dialoom.play.judging.conduct import CONDUCT
from dialoom.play.results.failure import (
    FAILURES,
    FailureClass,
    differences,
    spelled_rows,
    spelled_value,
)
from dialoom.play.results.intervals import Ratio, Unit, share_interval
from dialoom.play.results.paired import PairedRuns, compare
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.results.summary import Played, no_result, with_result
from dialoom.render import page as house
from dialoom.render.curves import curves
from dialoom.render.page import Section
from dialoom.render.plots import Bar, Group, Series, bars
from dialoom.render.tables import ResultTable
from dialoom.render.transcript import to_html

KIND = "dialoom report"

EXAMPLES = 3

Runs = Sequence[PlayRun]

SCORES = {
    "success": "succeeds",
    "reached": "database as it should be",
    "reported": "said all values that it had to say",
    "unasked": "did what was not asked for",
}

MADE_BY = ("dialoom", "agent", "user", "goals", "trials", "seed")
"""The settings of a run that a report lists."""

MOST_TASKS = 8
"""Most tasks whose differences are listed."""

_NOTE = (
    "Per cent of the dialogues, with 95 % intervals over {over}. A dialogue succeeds if the "
    "database is as it should be, the agent said all values that it had to, and it stated nothing "
    "that is not so; silent is an agent that never answers."
)

_PASS_HAT = (
    "The chance that k trials of a goal all succeed, in per cent; 95 % intervals over {over}."
)


def page(runs: Runs, examples: int = EXAMPLES) -> str:
    """Return the page on one run, or on two of the same goals; otherwise `UsageError`.

    It shows `examples` dialogues of each class of failures, of each run.
    """
    names = named(runs)
    title = " and ".join(names) + f" with {runs[0].settings['user']} users"
    sections = [
        Section("Scores", "".join(map(house.noted_table, scores_tables(runs)))),
        Section("pass^k", _pass_hats(runs, names)),
        Section("Paired by goal and seed", "".join(map(house.noted_table, paired_tables(runs)))),
        Section("Tasks", _tasks(runs, names)),
        *(
            Section(
                f"Failures of {name}" if len(runs) > 1 else "Failures", _failures(run, examples)
            )
            for name, run in zip(names, runs, strict=True)
        ),
        Section("How it was made", house.noted_table(made_table(runs))),
    ]
    return house.page(title, sections, kind=KIND, lead=_lead(runs, names))


def _lead(runs: Runs, names: Sequence[str]) -> str:
    first = runs[0].summary
    facts: list[tuple[str, int | float | str]] = [
        (f"{name} succeeds, per cent", run.summary["all"]["success"] if scored(run) else "–")
        for name, run in zip(names, runs, strict=True)
    ]
    trials = first["all"]["trials"]
    facts += [("dialogues each" if len(runs) > 1 else "dialogues", trials)]
    facts += [("tasks", len(first["tasks"]))]
    facts += [("faults of the users", sum(run.summary["all"]["user_faults"] for run in runs))]
    return house.tiles(facts)


def _pass_hats(runs: Runs, names: Sequence[str]) -> str:
    wholes, ks = [run.summary["all"] for run in runs], pass_hat_ks(runs)
    if not ks:
        return ""
    plots = [
        (Series(name), [Bar(whole["pass_hat"][k], whole["pass_hat_interval"][k]) for k in ks])
        for name, whole in zip(names, wholes, strict=True)
    ]
    silent = runs[0].summary["silent"]["pass_hat"]
    plots.append((Series("silent", reference=True), [Bar(silent[k]) for k in ks]))
    [note] = next(pass_hat_tables(runs)).notes
    return house.paragraph(note, "note") + curves(ks, plots, "pass^k by k")


def _tasks(runs: Runs, names: Sequence[str]) -> str:
    tables = [{row["task"]: row for row in run.summary["tasks"]} for run in runs]
    groups = [
        Group(task, tuple(Bar(rows[task]["success"] if task in rows else None) for rows in tables))
        for task in tables[0]
    ]
    return bars(groups, [Series(name) for name in names], "Success by task, in per cent")


def _failures(run: PlayRun, examples: int) -> str:
    classes: dict[FailureClass, list[PlayedDialogue]] = {name: [] for name in FAILURES}
    for failure, each in run.missed():
        classes[failure].append(each)
    groups = {name: cases for name, cases in classes.items() if cases}
    if not groups:
        return house.paragraph("Every dialogue succeeded.")
    overview = house.noted_table(failures_table(run))
    return overview + "".join(_examples(name, cases[:examples]) for name, cases in groups.items())


def _examples(name: FailureClass, cases: Sequence[PlayedDialogue]) -> str:
    if not cases:
        return ""
    details = "".join(
        house.folded(
            f"{each.dialogue.id}: {_summary(each.played)}",
            '<div class="beside">\n'
            + to_html(lines(each.dialogue))
            + f'<div class="card">\n{house.definitions(outcome_facts(each.played))}</div>\n'
            + "</div>\n",
        )
        for each in cases
    )
    return f"<h3>{house.text(name)}</h3>\n{details}"


def _summary(played: Played) -> str:
    verdict = played.verdict
    if played.failure is not None:
        return next(differences(played))
    unreported = len(played.unreported)
    facts = [
        f"{verdict.get('turns', 0)} turns",
        "" if verdict["reached"] else "database otherwise",
        f"{unreported} not reported" if unreported else "",
        *verdict.get("faults", ()),
    ]
    return ", ".join(fact for fact in facts if fact)


def named(runs: Runs) -> list[str]:
    """Return the runs' agents; with the folders' names where these are the same."""
    agents = [str(run.settings["agent"]) for run in runs]
    if len(set(agents)) == len(agents):
        return agents
    return [f"{agent} ({run.path.name})" for agent, run in zip(agents, runs, strict=True)]


def scores_tables(runs: Runs) -> Iterator[ResultTable]:
    """Yield the table of scores, and that of the agents' errors of conduct if there are any."""
    names, rows, over = named(runs), [], set[str]()
    for name, run in zip(names, runs, strict=True):
        figures = run.summary["all"]
        cells: list[Any] = [None] * (len(SCORES) + 2)
        if scored(run):
            intervals = {score: interval(run, score) for score in SCORES}
            over |= {unit for _, unit in intervals.values()}
            cells = [_with_interval(figures[s], bounds) for s, (bounds, _) in intervals.items()]
            cells += [_figure(figures["adherence"]), f"{figures['turns']:.1f}"]
        rows.append([name, *cells])
    silent = runs[0].summary["silent"]
    rows.append(["silent", *(_figure(silent.get(score)) for score in SCORES), None, None])
    header = ("agent", *SCORES.values(), "keeps to the flow", "turns")
    note = _NOTE.format(over=" or ".join(sorted(over)))
    notes = (*_faults(runs, names), *_failed(runs, names), note)
    yield ResultTable("Scores", header, rows, notes)
    wholes = [run.summary["all"] for run in runs]
    conduct = [
        [meaning, *(_figure(whole[name]) for whole in wholes)]
        for name, meaning in {"misstated": "stated what was not so", **CONDUCT}.items()
        if any(whole[name] for whole in wholes)
    ]
    if conduct:
        title = "Per cent of the dialogues in which the agent"
        yield ResultTable(title, ("", *names), conduct)


def _failed(runs: Runs, names: Sequence[str]) -> Iterator[str]:
    for name, run in zip(names, runs, strict=True):
        if run.summary["all"]["no_result"]:
            yield f"{name}: {' '.join(no_result(run.summary['all']))}"


def _faults(runs: Runs, names: Sequence[str]) -> Iterator[str]:
    for name, run in zip(names, runs, strict=True):
        figures = run.summary["all"]
        if figures["user_faults"]:
            yield (
                f"Faults of the users of {name}: {figures['user_faults']} "
                f"({', '.join(figures['faults'])}); without these dialogues "
                f"{figures['success_without_user_faults']:.1f} succeed."
            )


def scored(run: PlayRun) -> bool:
    """True if a dialogue of a run has a result."""
    return bool(run.summary["all"]["trials"] > run.summary["all"]["no_result"])


def interval(run: PlayRun, score: str) -> tuple[Bounds, Unit]:
    """Return the 95 % interval of a share, and its unit, as those of pass^k (`share_interval`)."""
    goals: dict[tuple[str, int], Ratio] = {}
    for each in with_result(each.played for each in run.dialogues):
        before = goals.get((each.task, each.goal), (0.0, 0.0))
        goals[each.task, each.goal] = before[0] + _counts(each, score), before[1] + 1
    return share_interval(goals)


def _counts(played: Played, score: str) -> bool:
    verdict = played.verdict
    if score == "success":
        return played.passed
    return not played.unreported if score == "reported" else bool(verdict.get(score))


def pass_hat_ks(runs: Runs) -> list[str]:
    """Return the numbers of trials for which all runs have pass^k; empty if only for one."""
    wholes = [run.summary["all"]["pass_hat"] for run in runs]
    ks = [k for k in wholes[0] if all(k in whole for whole in wholes)]
    return ks if len(ks) > 1 else []


def pass_hat_tables(runs: Runs) -> Iterator[ResultTable]:
    """Yield the table of pass^k; none if each goal was played once."""
    ks = pass_hat_ks(runs)
    if not ks:
        return
    wholes = [run.summary["all"] for run in runs]
    rows = [
        [k, *(_with_interval(w["pass_hat"][k], w["pass_hat_interval"][k]) for w in wholes),
         _figure(runs[0].summary["silent"]["pass_hat"][k])]
        for k in ks
    ]  # fmt: skip
    note = _PASS_HAT.format(over=wholes[0]["interval_over"][ks[0]])
    yield ResultTable("pass^k", ("k", *named(runs), "silent"), rows, (note,))


def paired_tables(runs: Runs) -> Iterator[ResultTable]:
    """Yield the comparison of two runs, and the differences by task; none for one run.

    Raises:
        UsageError: The runs are of other goals.
    """
    if len(runs) < 2:
        return
    pairs, names = compare(*runs), named(runs)
    rows: list[list[Any]] = [
        ["both succeed", pairs.outcomes.get((True, True), 0)],
        [f"only {names[0]}", pairs.outcomes.get((True, False), 0)],
        [f"only {names[1]}", pairs.outcomes.get((False, True), 0)],
        ["neither", pairs.outcomes.get((False, False), 0)],
    ]
    yield ResultTable("Pairs", ("trials", ""), rows, tuple(_sentences(pairs, names)))
    most = sorted(pairs.tasks.items(), key=lambda pair: (-abs(pair[1]), pair[0]))[:MOST_TASKS]
    by_task = [[task, f"{value:+.1f}"] for task, value in most if value]
    if by_task:
        yield ResultTable("Differences by task", ("task", "difference"), by_task)


def _sentences(pairs: PairedRuns, names: Sequence[str]) -> Iterator[str]:
    low, high = pairs.interval
    yield (
        f"{names[1]} succeeds {abs(pairs.difference):.1f} points "
        f"{'more' if pairs.difference >= 0 else 'less'} often than {names[0]} "
        f"(difference {pairs.difference:+.1f}, 95 % interval over goals {low:+.1f} to {high:+.1f}, "
        f"p <= {max(pairs.p, 0.0001):.4f} by randomisation over goals)."
    )
    if pairs.left_out:
        yield f"{pairs.left_out} trials without a result in one of the runs are left out."


def task_table(runs: Runs) -> ResultTable:
    """Return the table of success by task."""
    tables = [{row["task"]: row for row in run.summary["tasks"]} for run in runs]
    rows = [
        [task, *(_figure(each[task]["success"]) if task in each else None for each in tables)]
        for task in tables[0]
    ]
    return ResultTable("Success by task, in per cent", ("task", *named(runs)), rows)


def failures_table(run: PlayRun) -> ResultTable:
    """Return the table of the classes of failures that occur in a run."""
    counts = Counter(failure for failure, _ in run.missed())
    rows = [[name, counts[name], what] for name, what in FAILURES.items() if counts[name]]
    return ResultTable("Classes of failures", ("class", "dialogues", "what it means"), rows)


def made_table(runs: Runs) -> ResultTable:
    """Return the table of the runs' settings."""
    rows = [[key, *(str(run.settings.get(key)) for run in runs)] for key in MADE_BY]
    return ResultTable("Settings of the runs", ("setting", *named(runs)), rows)


def outcome_facts(played: Played) -> list[tuple[str, list[str]]]:
    """Return the goal, the right and the actual changes of the database, and missing values."""
    verdict, goal = played.verdict, played.wanted
    effects = goal.get("effects", {})
    changed = effects if verdict.get("reached") else verdict.get("changed", {})
    facts = [
        ("Goal", list(_goal(goal))),
        ("Database should have", list(spelled_rows(effects)) or ["nothing changed"]),
        ("Database has", list(spelled_rows(changed)) or ["nothing changed"]),
        (
            "Not said",
            [f"{each['name']} = {spelled_value(each['value'])}" for each in played.unreported],
        ),
    ]
    return [(what, rows) for what, rows in facts if rows]


def _goal(aim: Mapping[str, Any]) -> Iterator[str]:
    for task, goal in aim.get("tasks", {"": aim}).items():
        before = f"{task}: " if task else ""
        for values in (goal.get("values", {}), *goal.get("changes", ())):
            yield from (f"{before}{slot} = {spelled_value(v)}" for slot, v in values.items())


def _with_interval(value: float, bounds: Bounds) -> str:
    return f"{value:.1f} ({bounds[0]:.1f} to {bounds[1]:.1f})"


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:.1f}"
