"""Figures of users' language: those of the users of runs, and of people, side by side.

    figures = user_figures(run.dialogues, run.tasks)
    figures["words"]                      # words of a turn

Values are read off the words, of simulated users too, so that kinds of users are counted alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.play.results.summary import played
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.user_turn import reader_of
from dialoom.render.tables import ResultTable
from dialoom.schema.task import TaskSchema

COLUMNS = ("dialogues", "turns", "words", "slots", "corrections", "success")

NOTE = (
    "turns: of the user, in a dialogue; words: in a turn; slots: values said in a turn; "
    "corrections: values that differ from those said before, in a dialogue; success in per cent of "
    "the dialogues with a verdict. Values are read off the words."
)

UserFigures = dict[str, float | int | None]


def user_figures(dialogues: Iterable[Dialogue], tasks: Mapping[str, TaskSchema]) -> UserFigures:
    """Return the figures of the users of some tasks' dialogues; None without any."""
    counts = [0, 0, 0, 0, 0]
    passed: list[bool] = []
    for dialogue in dialogues:
        names = [c.task for c in dialogue.scenario.capabilities] if dialogue.scenario else []
        own = [tasks[name] for name in names if name in tasks]
        if not own:
            continue
        counts = [sum(pair) for pair in zip(counts, (1, *_counted(dialogue, own)), strict=True)]
        verdict = played(dialogue)
        if verdict is not None and verdict.failure is None:
            passed.append(verdict.passed)
    many, turns, words, slots, corrections = counts
    return {
        "dialogues": many,
        "turns": turns / many if many else None,
        "words": words / turns if turns else None,
        "slots": slots / turns if turns else None,
        "corrections": corrections / many if many else None,
        "success": 100 * sum(passed) / len(passed) if passed else None,
    }


def _counted(dialogue: Dialogue, tasks: Sequence[TaskSchema]) -> tuple[int, int, int, int]:
    readings = [(DialogueReading(task), reader_of(task)) for task in tasks]
    known: dict[str, Any] = {}
    turns = words = slots = corrections = 0
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            said = {
                slot: value
                for reading, reader in readings
                for slot, (value, _) in reader.heard(event.text, reading.turn.asks).items()
            }
            turns, words, slots = turns + 1, words + len(event.text.split()), slots + len(said)
            corrections += sum(known.get(slot, value) != value for slot, value in said.items())
            known |= said
        for reading, _ in readings:
            reading.observe(event)
    return turns, words, slots, corrections


def users_table(figures: Mapping[str, UserFigures]) -> ResultTable:
    """Return the table of several kinds of users; differences are to the first."""
    rows: list[list[Any]] = []
    first = next(iter(figures.values()), {})
    for name, held in figures.items():
        rows.append([name, *(held[column] for column in COLUMNS)])
        if held is not first:
            rows.append(["  difference", None, *(_less(held[c], first[c]) for c in COLUMNS[1:])])
    return ResultTable("Users", ("users", *COLUMNS), rows, (NOTE,))


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
