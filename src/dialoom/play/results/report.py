"""An HTML page on one run or two: scores, pass^k, failures with the changes of the database.

html = page([read_run(Path("run"))], examples=3)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.dialogue.transcript import lines
from dialoom.metrics.bootstrap import Bounds, mean_bounds
from dialoom.play.judging.conduct import CONDUCT
from dialoom.play.results.failure import (
    FAILURES,
    FailureClass,
    differences,
    spelled_rows,
    spelled_value,
)
from dialoom.play.results.paired import PairedRuns, compare
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.results.summary import Played, no_result, with_result
from dialoom.render import page as house
from dialoom.render.curves import curves
from dialoom.render.page import Section
from dialoom.render.plots import Bar, Group, Series, bars
from dialoom.render.transcript import to_html

KIND = "dialoom report"

SCORES = {
    "success": "succeeds",
    "reached": "database as it should be",
    "told": "said all values that it had to say",
    "unasked": "did what was not asked for",
}

EXAMPLES = 3


def page(runs: Sequence[PlayRun], examples: int = EXAMPLES) -> str:
    """Return the page on one run, or on two of the same goals; otherwise `UsageError`.

    It shows `examples` dialogues of each class of failures, of each run.
    """
    names = named(runs)
    title = " and ".join(names) + f" with {runs[0].settings['user']} users"
    sections = [
        Section("Scores", _scores(runs, names)),
        Section("pass^k", _pass_hats(runs, names)),
        Section("Paired by goal and seed", _paired(runs, names)),
        Section("Tasks", _tasks(runs, names)),
        *(
            Section(
                f"Failures of {name}" if len(runs) > 1 else "Failures", _failures(run, examples)
            )
            for name, run in zip(names, runs, strict=True)
        ),
        Section("How it was made", _made(runs, names)),
    ]
    return house.page(title, sections, kind=KIND, lead=_lead(runs, names))


def named(runs: Sequence[PlayRun]) -> list[str]:
    """Return the runs' agents; with the folders' names where these are the same."""
    agents = [str(run.settings["agent"]) for run in runs]
    if len(set(agents)) == len(agents):
        return agents
    return [f"{agent} ({run.path.name})" for agent, run in zip(agents, runs, strict=True)]


def _lead(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    first = runs[0].summary
    facts: list[tuple[str, int | float | str]] = [
        (f"{name} succeeds, per cent", run.summary["all"]["success"] if _scored(run) else "–")
        for name, run in zip(names, runs, strict=True)
    ]
    trials = first["all"]["trials"]
    facts += [("dialogues each" if len(runs) > 1 else "dialogues", trials)]
    facts += [("tasks", len(first["tasks"]))]
    facts += [("faults of the users", sum(run.summary["all"]["user_faults"] for run in runs))]
    return house.tiles(facts)


def _scores(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    rows: list[list[Any]] = []
    for name, run in zip(names, runs, strict=True):
        figures = run.summary["all"]
        if not _scored(run):
            rows.append([name, *[None] * (len(SCORES) + 2)])
            continue
        cells = [_with_interval(figures[score], interval(run, score)) for score in SCORES]
        kept = figures["adherence"]
        shown = None if kept is None else f"{kept:.1f}"
        rows.append([name, *cells, shown, f"{figures['turns']:.1f}"])
    silent = runs[0].summary["silent"]
    rows.append(["silent", *(_figure(silent.get(score)) for score in SCORES), None, None])
    header = ("agent", *SCORES.values(), "keeps to the flow", "turns")
    notes = house.paragraph(
        "Per cent of the dialogues, with 95 % intervals over goals. A dialogue succeeds where the "
        "database is as it should be and the agent said all values that it had to; silent is an "
        "agent that never answers.",
        "note",
    )
    failed = "".join(
        house.paragraph(f"{name}: {' '.join(no_result(run.summary['all']))}", "notice")
        for name, run in zip(names, runs, strict=True)
        if run.summary["all"]["no_result"]
    )
    return (
        house.table(header, rows, "Scores")
        + failed
        + notes
        + _conduct(runs, names)
        + _faults(runs, names)
    )


def _conduct(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    """Return the table of agents' errors of conduct; empty without any."""
    wholes = [run.summary["all"] for run in runs]
    figures = {"misstated": "stated what was not so", **CONDUCT}
    rows = [
        [meaning, *(_figure(whole[name]) for whole in wholes)]
        for name, meaning in figures.items()
        if any(whole[name] for whole in wholes)
    ]
    title = "Per cent of the dialogues in which the agent"
    return house.table(("", *names), rows, title) if rows else ""


def _scored(run: PlayRun) -> bool:
    return bool(run.summary["all"]["trials"] > run.summary["all"]["no_result"])


def _faults(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    found = [
        f"{name}: {figures['user_faults']} ({', '.join(figures['faults'])}); without these "
        f"dialogues {figures['success_without_user_faults']:.1f} succeed"
        for name, figures in ((n, r.summary["all"]) for n, r in zip(names, runs, strict=True))
        if figures["user_faults"]
    ]
    return "".join(house.paragraph(f"Faults of the users: {faults}.", "notice") for faults in found)


def interval(run: PlayRun, score: str) -> Bounds:
    """Return the 95 % interval of a share over the goals of a run."""
    goals: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for each in with_result(each.played for each in run.dialogues):
        goals[each.task, each.goal].append(100.0 * _counts(each, score))
    return mean_bounds([sum(held) / len(held) for held in goals.values()])


def _counts(played: Played, score: str) -> bool:
    verdict = played.verdict
    if score == "success":
        return played.passed
    return not played.untold if score == "told" else bool(verdict.get(score))


def _pass_hats(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    """Return the curves of pass^k; empty if each goal was played once."""
    wholes = [run.summary["all"] for run in runs]
    ks = [k for k in wholes[0]["pass_hat"] if all(k in whole["pass_hat"] for whole in wholes)]
    if len(ks) < 2:
        return ""
    drawn = [
        (Series(name), [Bar(whole["pass_hat"][k], whole["pass_hat_interval"][k]) for k in ks])
        for name, whole in zip(names, wholes, strict=True)
    ]
    silent = runs[0].summary["silent"]["pass_hat"]
    drawn.append((Series("silent", reference=True), [Bar(silent[k]) for k in ks]))
    note = "The chance that k trials of a goal all succeed, in per cent; 95 % intervals over tasks."
    return house.paragraph(note, "note") + curves(ks, drawn, "pass^k by k")


def _paired(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    if len(runs) < 2:
        return ""
    found = compare(*runs)
    rows: list[list[Any]] = [
        ["both succeed", found.outcomes.get((True, True), 0)],
        [f"only {names[0]}", found.outcomes.get((True, False), 0)],
        [f"only {names[1]}", found.outcomes.get((False, True), 0)],
        ["neither", found.outcomes.get((False, False), 0)],
    ]
    low, high = found.interval
    message = (
        f"{names[1]} succeeds {abs(found.difference):.1f} points "
        f"{'more' if found.difference >= 0 else 'less'} often than {names[0]} "
        f"(difference {found.difference:+.1f}, 95 % interval over goals {low:+.1f} to {high:+.1f}, "
        f"p <= {max(found.p, 0.0001):.4f} by randomisation over goals)."
    )
    if found.left_out:
        message += f" {found.left_out} trials without a result in one of the runs are left out."
    return house.paragraph(message) + house.table(("trials", ""), rows, "Pairs") + _by_task(found)


def _by_task(found: PairedRuns) -> str:
    most = sorted(found.tasks.items(), key=lambda pair: (-abs(pair[1]), pair[0]))[:8]
    rows = [[task, f"{value:+.1f}"] for task, value in most if value]
    return house.table(("task", "difference"), rows, "Differences by task") if rows else ""


def _tasks(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    held = [{row["task"]: row for row in run.summary["tasks"]} for run in runs]
    groups = [
        Group(task, tuple(Bar(rows[task]["success"] if task in rows else None) for rows in held))
        for task in held[0]
    ]
    return bars(groups, [Series(name) for name in names], "Success by task, in per cent")


def _failures(run: PlayRun, examples: int) -> str:
    classes: dict[FailureClass, list[PlayedDialogue]] = {name: [] for name in FAILURES}
    for failure, each in run.missed():
        classes[failure].append(each)
    found = {name: held for name, held in classes.items() if held}
    if not found:
        return house.paragraph("Every dialogue succeeded.")
    rows = [[name, len(held), FAILURES[name]] for name, held in found.items()]
    counted = house.table(("class", "dialogues", "what it means"), rows, "Classes of failures")
    return counted + "".join(_examples(name, held[:examples]) for name, held in found.items())


def _examples(name: FailureClass, held: Sequence[PlayedDialogue]) -> str:
    if not held:
        return ""
    shown = "".join(
        house.folded(
            f"{each.dialogue.id}: {_summary(each.played)}",
            '<div class="beside">\n'
            + to_html(lines(each.dialogue))
            + _difference(each.played)
            + "</div>\n",
        )
        for each in held
    )
    return f"<h3>{house.text(name)}</h3>\n{shown}"


def _summary(played: Played) -> str:
    verdict = played.verdict
    if played.failure is not None:
        return next(differences(played))
    untold = len(played.untold)
    facts = [
        f"{verdict.get('turns', 0)} turns",
        "" if verdict["reached"] else "database otherwise",
        f"{untold} not told" if untold else "",
        *verdict.get("faults", ()),
    ]
    return ", ".join(fact for fact in facts if fact)


def _difference(played: Played) -> str:
    """Return a transcript's side card: right and actual changes, and missing values."""
    verdict, wanted = played.verdict, played.wanted
    effects = wanted.get("effects", {})
    changed = effects if verdict["reached"] else verdict.get("changed", {})
    untold = [f"{each['name']} = {spelled_value(each['value'])}" for each in played.untold]
    facts = "".join(
        f"<dt>{house.text(what)}</dt>\n{''.join(f'<dd>{house.text(row)}</dd>' for row in rows)}\n"
        for what, rows in (
            ("Goal", list(_goal(wanted))),
            ("Database should have", list(spelled_rows(effects)) or ["nothing changed"]),
            ("Database has", list(spelled_rows(changed)) or ["nothing changed"]),
            ("Not told", untold),
        )
        if rows
    )
    return f'<div class="card">\n<dl>\n{facts}</dl>\n</div>\n'


def _goal(wanted: Mapping[str, Any]) -> Iterator[str]:
    for task, goal in wanted.get("tasks", {"": wanted}).items():
        before = f"{task}: " if task else ""
        for values in (goal.get("values", {}), *goal.get("changes", ())):
            yield from (f"{before}{slot} = {spelled_value(v)}" for slot, v in values.items())


def _made(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    keys = ("dialoom", "agent", "user", "goals", "trials", "seed")
    rows = [[key, *(str(run.settings.get(key)) for run in runs)] for key in keys]
    return house.table(("setting", *names), rows, "Settings of the runs")


def _with_interval(value: float, bounds: Bounds) -> str:
    return f"{value:.1f} ({bounds[0]:.1f} to {bounds[1]:.1f})"


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:.1f}"
