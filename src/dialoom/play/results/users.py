"""Compares kinds of users, people among them, with intervals: length, language, goals, ratings.

    found = compare_users({"people": talks, "simulated": run})     # corpora, such as `load` returns
    found["simulated"]["turns"], found["simulated"]["differences"]["turns"]

Values are read off the words, of simulated users too, so that kinds of users are counted alike.
Intervals draw goals with replacement (cluster bootstrap). Differences to the first are of the goals
that both kinds of users played if there are two or more, else of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Dialogue, Utterance, digest
from dialoom.dialogue.annotation import RATING, SYSTEM_NAME
from dialoom.errors import UsageError
from dialoom.metrics.bootstrap import difference_bounds, percentiles, wilson
from dialoom.play.results.intervals import Ratio, draws, ratio
from dialoom.play.results.summary import played
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.user_turn import reader_of
from dialoom.render.tables import ResultTable, interval_cell
from dialoom.schema.task import TaskSchema

COLUMNS = ("turns", "words", "slots", "corrections", "reached", "success", "rating")

SHARES = ("reached", "success")
"""Columns in per cent of the dialogues with a verdict."""

NOTE = (
    "turns: of the user, in a dialogue; words: in a turn; slots: values said in a turn; "
    "corrections: values that differ from those said before, in a dialogue; reached, success: per "
    "cent of the dialogues with a verdict; rating: of the agent, 1 to 5. Values are read off the "
    "words. Intervals are 95 %, over goals; differences are to the first users."
)

Goal = tuple[Any, ...]

Cells = dict[str, Ratio]
"""Column to the sum and the number of the things that its mean is over."""


class UserGoals(NamedTuple):
    """The counts of some users, by goal; a dialogue without a goal counts as one of its own."""

    dialogues: int
    goals: Mapping[Goal, Cells]


def compare_users(corpora: Mapping[str, Corpus], agent: str = "") -> dict[str, dict[str, Any]]:
    """Return the figures of users by name, with `intervals`, and `differences` to the first.

    Args:
        agent: The agent whose talks are counted, where people talked with several.

    Raises:
        UsageError: No dialogue of a corpus is about its tasks, or with the agent; or people talked
            with several agents and none is named.
    """
    kinds = {name: _counted(name, corpus, agent) for name, corpus in corpora.items()}
    first = next(iter(kinds.values()))
    results = {}
    for name, users in kinds.items():
        figures: dict[str, Any] = {"dialogues": users.dialogues, "goals": len(users.goals)}
        figures |= {column: ratio(_ratios(users.goals, column)) for column in COLUMNS}
        figures["intervals"] = {column: _interval(users.goals, column) for column in COLUMNS}
        if users is not first:
            shared = [goal for goal in first.goals if goal in users.goals]
            figures["shared_goals"] = len(shared)
            figures["differences"] = {c: _difference(first, users, shared, c) for c in COLUMNS}
        results[name] = figures
    return results


def _counted(name: str, corpus: Corpus, agent: str) -> UserGoals:
    goals: dict[Goal, Cells] = {}
    many = 0
    agents: set[str] = set()
    for dialogue in corpus.dialogues():
        about = dialogue.scenario.capabilities if dialogue.scenario else ()
        own = [corpus.schemas[each.task] for each in about if each.task in corpus.schemas]
        talked = dialogue.extra.get(SYSTEM_NAME, agent)
        if not own or (agent and talked != agent):
            continue
        many, agents = many + 1, agents | {talked}
        cells = goals.setdefault(_goal(dialogue), {})
        for column, (total, number) in _cells(dialogue, own).items():
            before = cells.get(column, (0.0, 0.0))
            cells[column] = before[0] + total, before[1] + number
    if not many:
        whose = f" with the agent {agent}" if agent else ""
        raise UsageError(f"{name}: no dialogue{whose} about a task of the corpus")
    if len(agents) > 1:
        raise UsageError(
            f"{name}: talks with {', '.join(sorted(agents))}; name one of these agents",
            code="not-given",
        )
    return UserGoals(many, goals)


def _goal(dialogue: Dialogue) -> Goal:
    """Return what identifies a goal: task, number and right end, as other seeds have others."""
    verdict = played(dialogue)
    if verdict is None:
        return (dialogue.id,)
    end = [verdict.wanted.get(key) for key in ("effects", "reported")]
    return verdict.task, verdict.goal, digest(end)


def _cells(dialogue: Dialogue, tasks: Sequence[TaskSchema]) -> Cells:
    turns, words, slots, corrections = _language(dialogue, tasks)
    cells: Cells = {
        "turns": (turns, 1),
        "words": (words, turns),
        "slots": (slots, turns),
        "corrections": (corrections, 1),
    }
    verdict = played(dialogue)
    if verdict is not None and verdict.failure is None:
        cells["reached"] = 100 * bool(verdict.verdict["reached"]), 1
        cells["success"] = 100 * verdict.passed, 1
    ratings = [
        each.answer
        for each in dialogue.answers
        if each.question == RATING and isinstance(each.answer, int | float)
    ]
    return cells | ({"rating": (sum(ratings), len(ratings))} if ratings else {})


def _language(dialogue: Dialogue, tasks: Sequence[TaskSchema]) -> tuple[int, int, int, int]:
    readings = [(DialogueReading(task), reader_of(task)) for task in tasks]
    memory: dict[str, Any] = {}
    turns = words = slots = corrections = 0
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            values = {
                slot: value
                for reading, reader in readings
                for slot, (value, _) in reader.heard(event.text, reading.turn.asks).items()
            }
            turns, words, slots = turns + 1, words + len(event.text.split()), slots + len(values)
            corrections += sum(memory.get(slot, value) != value for slot, value in values.items())
            memory |= values
        for reading, _ in readings:
            reading.observe(event)
    return turns, words, slots, corrections


def _ratios(goals: Mapping[Goal, Cells], column: str) -> list[Ratio]:
    return [cells[column] for cells in goals.values() if column in cells]


def _interval(goals: Mapping[Goal, Cells], column: str) -> tuple[float, float] | None:
    ratios = _ratios(goals, column)
    value = ratio(ratios)
    if value is None or len(ratios) < 2:
        return None
    return wilson(value, len(ratios)) if column in SHARES else _bounds(draws(ratios))


def _bounds(draws: Iterable[float | None]) -> tuple[float, float]:
    return percentiles([each for each in draws if each is not None]).bounds


def _difference(
    first: UserGoals, other: UserGoals, shared: Sequence[Goal], column: str
) -> dict[str, Any] | None:
    sides = [first.goals, other.goals]
    both = [goal for goal in shared if all(column in side[goal] for side in sides)]
    if len(both) > 1:
        sides = [{goal: side[goal] for goal in both} for side in sides]
    before, after = (_ratios(side, column) for side in sides)
    one, two = ratio(before), ratio(after)
    paired, many = len(both) > 1, min(len(before), len(after))
    if one is None or two is None or many < 2:
        return None
    if column in SHARES:
        bounds = difference_bounds(one, two, many)
    else:
        pairs = zip(draws(before), draws(after, 0 if paired else 1), strict=True)
        bounds = _bounds(b - a for a, b in pairs if a is not None and b is not None)
    return {"value": two - one, "interval": bounds, "paired": paired}


def users_table(figures: Mapping[str, Mapping[str, Any]]) -> ResultTable:
    """Return the table of several kinds of users with intervals and differences to the first."""
    rows: list[list[Any]] = []
    for name, entry in figures.items():
        rows.append([name, entry["dialogues"], *(entry[column] for column in COLUMNS)])
        rows.append(["  95 %", None, *(interval_cell(entry["intervals"][c]) for c in COLUMNS)])
        if differences := entry.get("differences"):
            cells = [differences[column] for column in COLUMNS]
            rows.append(["  difference", None, *(each and each["value"] for each in cells)])
            rows.append(
                ["  95 %", None, *(interval_cell(each and each["interval"]) for each in cells)]
            )
    return ResultTable("Users", ("users", "dialogues", *COLUMNS), rows, (NOTE,))
