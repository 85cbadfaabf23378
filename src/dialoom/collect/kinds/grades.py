"""Reads people's grades of systems from exported dialogues."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.collect.kinds.rated_chat import FAILURE, REACHED
from dialoom.collect.kinds.room.questions import RATING
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.annotation import GRADES

SYSTEM_NAME = "system"
"""The key of a dialogue's `extra` with the name of the system that is judged."""

_CRITERIA = {RATING: "rating", REACHED: "goal reached, says the person"}

DATABASE = "goal reached, says the database"


def judgements(dialogue: Dialogue) -> Iterator[tuple[bool, bool]]:
    """Yield whether a talk's goal was reached, by the database and by the person, if both say."""
    if FAILURE not in dialogue.extra and dialogue.outcome in ("reached", "missed"):
        for answer in dialogue.answers:
            if answer.question == REACHED:
                yield dialogue.outcome == "reached", bool(answer.answer)


def given_grades(dialogue: Dialogue) -> Iterator[tuple[str, str, int]]:
    """Yield the system, the criterion and the grade of each judgement in a dialogue.

    For an output to be compared, these are raters' grades or ranks. For a talk with a bot, these
    are the person's rating, and 1 or 0 for whether the goal was reached, as the person says and as
    the database shows; a talk in which the bot failed has no grade.
    """
    system = dialogue.extra.get(SYSTEM_NAME)
    if system is None or FAILURE in dialogue.extra:
        return
    said = dialogue.events[-1] if dialogue.events else None
    for layer in said.layers if isinstance(said, Utterance) else ():
        for part in layer.parts:
            yield from ((system, name, grade) for name, grade in part.extra.get(GRADES, {}).items())
    for answer in dialogue.answers:
        if answer.question in _CRITERIA and isinstance(answer.answer, int):
            yield system, _CRITERIA[answer.question], int(answer.answer)
    if dialogue.outcome is not None:
        yield system, DATABASE, int(dialogue.outcome == "reached")
