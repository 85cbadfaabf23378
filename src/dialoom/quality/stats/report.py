"""Statistics of one or more corpora as a page with plots, from the JSON values that they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dialoom.quality.stats.analysis import Result
from dialoom.quality.stats.tables import table_1, tables
from dialoom.render.page import (
    Section,
    cards,
    counts,
    noted_table,
    page,
    paragraph,
    scroll,
    text,
    tiles,
)
from dialoom.render.plots import Bar, Group, Series, axis_end, bars, columns, matrix

_TILES = ("dialogues", "complete", "events", "utterances", "turns", "turns_per_complete_dialogue",
          "user_vocabulary", "distinct_action_labels")  # fmt: skip
"""Key figures, which the page shows in large type."""

_CARDS = ("difficulty_of_complete", "outcomes", "events_by_kind", "action_labels",
          "constraint_operators")  # fmt: skip
"""Counts that the page shows as cards where the corpus has them."""


def report(corpora: Sequence[tuple[str, Result]]) -> str:
    """Return a whole page: the corpora side by side, then each with its plots and tables."""
    sections = [Section("Side by side", "".join(map(noted_table, table_1(corpora))))]
    sections += [Section(name, pieces(result)) for name, result in corpora]
    names = ", ".join(name for name, _ in corpora)
    return page(f"Statistics of {names}", sections, kind="dialoom stats")


def pieces(result: Result) -> str:
    """Return one corpus: figures, distributions, and each analysis with its plot and table."""
    figures = [
        (name.replace("_", " "), result[name]) for name in _TILES if result.get(name) is not None
    ]
    plots = dict(_plots(result))
    body = [
        tiles(figures),
        paragraph("Turns are utterances of both sides and queries, in complete dialogues.", "note"),
        cards(_cards(result)),
    ]
    for each in tables(result):
        body += [f"<h3>{text(each.title)}</h3>\n", plots.pop(each.title, ""), noted_table(each)]
    return "".join(body)


def _cards(result: Result) -> Iterator[str]:
    spread = result.get("distributions", {})
    tables: dict[str, Mapping[str, int]] = {
        "services": spread.get("services") or result.get("tasks", {}),
        "domains": spread.get("domains") or result.get("domains", {}),
        "intents": spread.get("intents", {}),
        **{f"acts of the {agent}": acts for agent, acts in spread.get("acts", {}).items()},
        **{f"slots of {kind}": slots for kind, slots in spread.get("slots", {}).items()},
        **{name.replace("_", " "): result.get(name, {}) for name in _CARDS},
    }
    if len(spread.get("services_per_dialogue", {})) > 1:
        tables["dialogues by number of services"] = spread["services_per_dialogue"]
    labels = result.get("action_labels")
    for title, values in tables.items():
        if values and not (title == "acts of the system" and values == labels):
            yield counts(title, values)


def _plots(result: Result) -> Iterator[tuple[str, str]]:
    if order := result.get("question_order"):
        yield "Questions in the schema's order (STAR, table 8)", _order_plot(order["tasks"])
    if acted := result.get("actions"):
        yield "Actions a dialogue (as STAR's figure 6)", _actions_plot(acted["per_dialogue"])
        joined = acted["connections"]
        chart = matrix(
            list(joined["tasks"]),
            {(one, other): n for one, other, n in joined["pairs"]},
            "dialogues whose scenario connects two tasks",
        )
        title = "Tasks that meet in a dialogue (as STAR's figure 7)"
        yield title, scroll(chart, title)
    if items := result.get("generation_items"):
        numbers = items["by_number_of_acts"]
        yield "Generation items by number of acts (GEM)", _slices_plot(numbers, "number of acts")
        for which in ("first", "last"):
            plot = _slices_plot(items[f"by_type_of_{which}_act"], f"type of the {which} act")
            yield f"Generation items by type of the {which} act (GEM)", plot
    if frames := result.get("frames"):
        histograms = [
            (name, frames[key]["histogram"])
            for key, name in (("frames", "frames"), ("frame_changes", "frame changes"))
        ]
        yield "Frames", columns(histograms, "frames and frame changes a dialogue")
    if arguments := result.get("spans", {}).get("required_arguments"):
        yield "Required arguments missing", _missing_plot(arguments)


def _order_plot(tasks: Mapping[str, Result]) -> str:
    published = any("published" in row for row in tasks.values())
    kinds = [(kind, paper) for kind in ("happy", "all") for paper in (False, True)[: 1 + published]]
    series = [Series(f"{kind}, paper" if paper else kind, paper) for kind, paper in kinds]
    groups = []
    for task, row in tasks.items():
        paper_row = row.get("published", {})
        shares = ((paper_row if paper else row).get(kind) for kind, paper in kinds)
        groups.append(Group(task, tuple(map(Bar.percent, shares))))
    return bars(groups, series, "share of dialogues whose questions begin in order, in percent")


def _actions_plot(groups: Mapping[str, Result]) -> str:
    titles = {"user": "utterances of the user", "system": "utterances of the system",
              "queries": "queries"}  # fmt: skip
    return "".join(
        "<figure>\n"
        + columns(
            [(group, kinds[kind]["histogram"]) for group, kinds in groups.items()],
            f"{title} a dialogue",
        )
        + "</figure>\n"
        for kind, title in titles.items()
    )


def _slices_plot(rows: Mapping[str, Result], title: str) -> str:
    both = (("share", Series("here")), ("card_share", Series("GEM card, test split", True)))
    legend = {key: series for key, series in both if all(key in cell for cell in rows.values())}
    shares = {name: [cell[key] for key in legend] for name, cell in rows.items()}
    groups = [Group(name, tuple(map(Bar.percent, values))) for name, values in shares.items()]
    limit = axis_end(100 * max(map(max, shares.values())))
    label = f"{title}: share of items in percent"
    return bars(groups, list(legend.values()), label, limit=limit)


def _missing_plot(verticals: Mapping[str, Result]) -> str:
    groups = [
        Group(f"{vertical}, {argument}", (Bar.percent(n / row["dialogues"]),))
        for vertical, row in verticals.items()
        for argument, n in row["missing"].items()
    ]
    return bars(groups, [Series("missing")], "share of dialogues without the argument, in percent")
