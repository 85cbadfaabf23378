"""Statistics as tables, for a terminal and a page, from the JSON values that `Statistics` gives.

A published figure is never shown without its source, and a note says so where ours are of
a part of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dialoom.quality.stats.analysis import Result
from dialoom.render.tables import Cell, ResultTable, Row, percent

STAR_PAPER = "STAR paper"
GEM_CARD = "GEM card of schema_guided_dialog"

TIMES_MULTIWOZ = 3.6
"""STAR's users' words by those of MultiWOZ's users (section 4 of the STAR paper)."""

TASKMASTER = {"dialogues": 13_215, "unannotated": 146}
"""The release: 5,507 spoken and 7,708 written dialogues; 146 of them unannotated (its README)."""

PAPER = "paper"
"""Over columns of published figures."""

NOT_COMPARABLE = "shared part only, not comparable"

TABLE_1 = {
    "dialogues": "dialogues",
    "domains": "domains",
    "tasks": "tasks or services",
    "intents": "intents",
    "acts": "acts",
    "slots": "slots",
    "values": "slot values",
    "utterances": "utterances",
    "utterances_per_dialogue": "utterances a dialogue",
    "speaker_turns": "speaker turns",
    "speaker_turns_per_dialogue": "speaker turns a dialogue",
    "queries": "queries",
    "turns": "utterances and queries",
    "turns_per_dialogue": "utterances and queries a dialogue",
    "tokens_per_utterance_white_space": "tokens an utterance, white space",
    "tokens_per_utterance_punctuation_split": "tokens an utterance, punctuation split",
    "tokens_per_turn": "tokens a turn, tokeniser not named",
    "unique_tokens": "unique tokens",
    "slots_in_schemas": "slots in schemas",
}
"""The rows of table 1: the place of each in the JSON, and its name; tokens_per_turn is the paper's
alone."""

PROPERTIES = {
    "flow_graphs": "flow graphs (paper: ensures system consistency)",
    "picked_replies": "replies picked from the task's own, percent (consistency as it came out)",
    "in_order": "dialogues that begin in the schema's order, percent (consistency as it came out)",
    "time_stamps": "time stamps (paper: collected in real time)",
    "difficulty_progression": "difficulty progression",
    "explicit_queries": "explicit queries",
}
"""Its yes/no rows; the paper's four are judgements, ours are read off the files. How consistent
systems came out is measured as well."""

_PAPERS = {
    "dialogues": "dialogues",
    "domains": "domains",
    "tasks": "tasks",
    "flow_graphs": "consistent",
    "time_stamps": "real_time",
    "difficulty_progression": "difficulty_progression",
    "explicit_queries": "explicit_queries",
}
"""Rows of table 1 that the STAR paper has as well, with its name."""


def table_1(corpora: Sequence[tuple[str, Result]]) -> Iterator[ResultTable]:
    """Yield corpora side by side, each with what the STAR paper prints of it where it does."""
    header, columns, notes = ["corpus"], list[Mapping[str, Cell]](), []
    for name, result in corpora:
        figures = result.get("table_1", {})
        header.append(name)
        columns.append({**figures, **_consistency(result)})
        if paper := figures.get("published"):
            header.append(f"{STAR_PAPER}, {name}")
            columns.append(_published(paper))
            if not paper["comparable"]:
                ours, theirs = figures["dialogues"], paper["dialogues"]
                notes.append(
                    f"{name}: {ours:,} dialogues here, {theirs:,} there; {NOT_COMPARABLE}."
                )
    for title, keys in (("Corpora side by side", TABLE_1), ("What they have", PROPERTIES)):
        rows: list[Row] = [
            [what, *(column.get(key) for column in columns)] for key, what in keys.items()
        ]
        yield ResultTable(title, tuple(header), rows, tuple(notes))
        notes = []


def _consistency(result: Result) -> dict[str, Cell]:
    custom = result.get("replies", {}).get("stages", {}).get("all", {}).get("custom_share")
    order = result.get("question_order", {}).get("mean", {}).get("all")
    return {
        "picked_replies": None if custom is None else percent(1 - custom),
        "in_order": percent(order),
    }


def _published(paper: Result) -> dict[str, Cell]:
    column: dict[str, Cell] = {key: paper[name] for key, name in _PAPERS.items()}
    kind = paper["turns_are"]
    column[kind] = paper["turns"]
    column[f"{kind}_per_dialogue"] = paper["turns_per_dialogue"]
    column["tokens_per_turn"] = paper["tokens_per_turn"]
    return column


def tables(result: Result) -> Iterator[ResultTable]:
    """Yield the tables of one corpus, table 1 excepted, that are not empty."""
    makers = {
        "question_order": question_order,
        "actions": actions,
        "generation_items": generation_items,
        "frames": frames,
        "people": people,
        "replies": replies,
        "vocabulary": vocabulary,
        "spans": spans,
        "distributions": skew,
    }
    for key, make in makers.items():
        if key in result:
            yield from make(result[key])


def question_order(figures: Result) -> Iterator[ResultTable]:
    """Yield table 8: shares of dialogues whose questions begin in the schema's order."""
    rows: list[Row] = []
    notes = []
    for task, row in figures["tasks"].items():
        paper = row.get("published", {})
        rows.append([
            task, row["happy"], paper.get("happy"), row["all"], paper.get("all"),
            len(row["checked"]), row["happy_dialogues"], row["dialogues"], row.get("within"),
        ])  # fmt: skip
        if row.get("within") is False:
            notes.append(_reason(task, row, figures["tolerance"]))
    mean, theirs = figures["mean"], figures["published_mean_of_these_tasks"]
    rows.append([
        "mean", mean["happy"], theirs["happy"], mean["all"], theirs["all"], None, None, None, None
    ])  # fmt: skip
    header = ("task", "happy", PAPER, "all", PAPER, "checked", "happy dialogues", "dialogues",
              f"within {figures['tolerance']}")  # fmt: skip
    notes.append("Complete single-task dialogues.")
    places = list(range(len(header)))
    if theirs["happy"] is None:  # nothing is published of these
        places = [place for place in places if place < 8 and header[place] != PAPER]
    else:
        notes[-1] += " The paper's mean of all 24 tasks is 0.91 in both columns."
    yield ResultTable(
        "Questions in the schema's order (STAR, table 8)",
        tuple(header[place] for place in places),
        [[row[place] for place in places] for row in rows],
        tuple(notes),
    )


def _reason(task: str, row: Result, tolerance: float) -> str:
    other = row.get("in_another_order")
    if other is None:
        return f"{task}: more than {tolerance} from the paper; it does not list what it checked."
    return (
        f"{task}: the schema asks in another order than the paper's figures suggest; in the order "
        f"{', '.join(other['checked'])} it is {other['happy']:.2f} and {other['all']:.2f}."
    )


def actions(figures: Result) -> Iterator[ResultTable]:
    """Yield the data of figure 6, and the most frequent pairs of figure 7."""
    rows: list[Row] = [
        [group, kind, cell["n"], cell["mean"], *cell["quartiles"], cell["max"]]
        for group, kinds in figures["per_dialogue"].items()
        for kind, cell in kinds.items()
    ]
    header = ("dialogues", "what", "n", "mean", "quartile 1", "median", "quartile 3", "most")
    yield ResultTable("Actions a dialogue (as STAR's figure 6)", header, rows)
    pairs = figures["connections"]["pairs"]
    if pairs:
        note = f"{len(pairs)} pairs in all." if len(pairs) > 10 else ""
        yield ResultTable(
            "Tasks that meet in a dialogue (as STAR's figure 7)",
            ("task", "with", "dialogues"),
            [list(pair) for pair in pairs[:10]],
            (note,) if note else (),
        )


def generation_items(figures: Result) -> Iterator[ResultTable]:
    """Yield the two tables of GEM's card."""
    card = "card_items" in figures
    notes = (
        f"The card's are {figures['card_items']:,} items of the test split, ours "
        f"{figures['items']:,} of what is at hand: {NOT_COMPARABLE}; look at the shares.",
    ) if card else ()  # fmt: skip
    rows: list[Row] = [
        [int(n), *_percents(cell)] for n, cell in figures["by_number_of_acts"].items()
    ]
    header = ("items", "percent", *((GEM_CARD, "percent of them") if card else ()))
    yield ResultTable("Generation items by number of acts (GEM)", ("acts", *header), rows, notes)
    for which in ("first", "last"):
        types: list[Row] = [
            [cell["number"], name, *_percents(cell), cell["items_with_it_anywhere"]]
            for name, cell in figures[f"by_type_of_{which}_act"].items()
        ]
        far = 100 * figures["distance"][f"by_type_of_{which}_act"] if card else 0
        yield ResultTable(
            f"Generation items by type of the {which} act (GEM)",
            ("number", f"{which} act", *header, "items with it anywhere"),
            types,
            (
                "Both of the card's tables add up to 10,000, so an item has one type there; the "
                f"{which} act's is taken here. {far:.1f} percent of the items differ.",
            )
            if card
            else (),
        )


def _percents(cell: Result) -> tuple[Cell, ...]:
    card = (cell["card"], 100 * cell["card_share"]) if "card" in cell else ()
    return (cell["items"], 100 * cell["share"], *card)


def frames(figures: Result) -> Iterator[ResultTable]:
    """Yield the statistics of frames, and the published ones where there are any."""
    page = figures.get("published")
    columns = [figures, page] if page else [figures]
    rows: list[Row] = [
        ["dialogues", *(each["dialogues"] for each in columns)],
        ["turns", *(each["turns"] for each in columns)],
        ["turns a dialogue", *(each["turns_per_dialogue"] for each in columns)],
    ]
    for key, name in (("frame_changes", "frame changes"), ("frames", "frames")):
        rows += [
            [f"{name}, mean", *(each[key]["mean"] for each in columns)],
            [f"{name}, most", *(each[key]["max"] for each in columns)],
        ]
    rows += [[what, *(each[what] for each in columns)] for what in ("rating", "participants")]
    notes = () if not page or page["comparable"] else (f"{NOT_COMPARABLE.capitalize()}.",)
    header = ("what", "here", *((page["source"],) if page else ()))
    yield ResultTable("Frames", header, rows, notes)


def people(figures: Result) -> Iterator[ResultTable]:
    """Yield participants and answers."""
    rows: list[Row] = [
        [answer["agent"], answer["question"], sum(answer["answers"].values()),
         answer.get("mean"), percent(answer.get("share_of_yes"))]
        for answer in figures["answers"]
    ]  # fmt: skip
    note = f"{figures['participants']} participants."
    header = ("of", "question", "answers", "mean", "yes, percent")
    if rows:
        yield ResultTable("Ratings and questionnaires", header, rows, (note,))


def replies(figures: Result) -> Iterator[ResultTable]:
    """Yield the share of custom replies by stage."""
    rows: list[Row] = [
        [stage, row["replies"], row["custom"], percent(row["custom_share"])]
        for stage, row in figures["stages"].items()
    ]
    header = ("dialogues", "system replies", "custom", "custom, percent")
    note = "Complete dialogues. A reply without a label is custom: in the wizard's own words."
    yield ResultTable("Custom replies by stage", header, rows, (note,))


def vocabulary(figures: Result) -> Iterator[ResultTable]:
    """Yield how many words users use, with the STAR paper's count."""
    paper = figures.get("published")
    names = {
        "words": "distinct words",
        "without_entities": "without entities",
        "again": "without entities, in two dialogues or more",
    }
    rows: list[Row] = [
        [name, figures[key], *([paper if key == "without_entities" else None] if paper else [])]
        for key, name in names.items()
    ]
    notes = [
        "Entities are words written with a capital more often than not, where no sentence begins."
    ]
    if paper:
        notes.append(
            f"The paper counts dictionary words of 24 tasks, {TIMES_MULTIWOZ} times "
            "MultiWOZ's; it names no dictionary, and MultiWOZ is not read here: neither its list "
            f"nor the ratio can be made again. {NOT_COMPARABLE.capitalize()}."
        )
    header = ("words of users", "here", *((STAR_PAPER,) if paper else ()))
    yield ResultTable("User vocabulary (STAR, section 4)", header, rows, tuple(notes))


def spans(figures: Result) -> Iterator[ResultTable]:
    """Yield counts of spans, and the required arguments that are missing."""
    keys = (
        "dialogues", "annotated_dialogues", "utterances", "annotated_utterances", "spans",
        "spans_with_several_labels", "spans_that_overlap_another", "labels", "distinct_labels",
        "accepted", "rejected",
    )  # fmt: skip
    rows: list[Row] = [[key.replace("_", " "), figures[key]] for key in keys]
    rows.append(["annotated utterances, percent", percent(figures["annotated_share"])])
    yield ResultTable("Spans", ("what", "n"), rows)
    missing: list[Row] = [
        [vertical, argument, n, row["dialogues"], 100 * n / row["dialogues"]]
        for vertical, row in figures["required_arguments"].items()
        for argument, n in row["missing"].items()
    ]
    if missing:
        none = sum(row["without_any"] for row in figures["required_arguments"].values())
        release = (
            f" (the release left such out); {TASKMASTER['unannotated']} of its "
            f"{TASKMASTER['dialogues']:,} are unannotated"
        )
        remark = release if figures["published"] else ""
        note = f"{none} dialogues have none of their vertical's{remark}."
        header = ("vertical", "argument", "missing in", "of", "percent")
        yield ResultTable("Required arguments missing", header, missing, (note,))


def skew(figures: Result) -> Iterator[ResultTable]:
    """Yield how unevenly dialogues are spread over services, domains and intents."""
    rows: list[Row] = [
        [what, cell["n"], cell["largest"], cell["smallest"], cell["largest_to_smallest"],
         cell["evenness"], cell["half_in"]]
        for what, cell in figures["skew"].items()
        if cell["n"] > 1
    ]  # fmt: skip
    header = ("over", "n", "largest", "smallest", "ratio", "evenness", "half of all in")
    if rows:
        note = (
            "Dialogues that have each; evenness is the entropy of the shares over that of equal "
            "ones."
        )
        yield ResultTable("How evenly dialogues are spread", header, rows, (note,))
