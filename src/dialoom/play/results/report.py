"""An HTML page on one run or two: scores, pass^k, failures with the changes of the database."""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue.transcript import lines
from dialoom.play.results.failure import FAILURES, FailureClass, differences
from dialoom.play.results.report_tables import (
    failures_table,
    made_table,
    named,
    outcome_facts,
    paired_tables,
    pass_hat_ks,
    pass_hat_tables,
    scored,
    scores_tables,
)
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.results.summary import Played
from dialoom.render import page as house
from dialoom.render.curves import curves
from dialoom.render.page import Section
from dialoom.render.plots import Bar, Group, Series, bars
from dialoom.render.transcript import to_html

KIND = "dialoom report"

EXAMPLES = 3


def page(runs: Sequence[PlayRun], examples: int = EXAMPLES) -> str:
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


def _lead(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
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


def _pass_hats(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
    """Return the curves of pass^k; empty if each goal was played once."""
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


def _tasks(runs: Sequence[PlayRun], names: Sequence[str]) -> str:
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
