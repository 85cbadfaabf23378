"""Converts a room's log to a `Dialogue`, with events like those of a dialogue read from STAR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.room.questions import COMMENT
from dialoom.collect.kinds.room.room_state import RoomState
from dialoom.collect.kinds.room.sounds import DRAFT, of_utterance
from dialoom.collect.log.record import USER_ROLE, Answered, Notice, Override, Record
from dialoom.collect.own_questions import OwnQuestion, with_answers
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Answer,
    Capability,
    Completion,
    Dialogue,
    Event,
    Instruction,
    Layer,
    Options,
    Query,
    Result,
    Scenario,
    Selection,
    Utterance,
)
from dialoom.dialogue.annotation import RATERS, RATING
from dialoom.schema.task import TaskSchema

NOTICES = "Notices"
"""The key of a dialogue's `extra` for the admin's messages to its people."""

LANGUAGE = "Language"
"""The key of a dialogue's `extra` for its language, if it is not the study's own."""

OVERRIDE = "Override"
"""The key of an utterance's `extra` for an override of the flow guard: Expected, Reason."""

_EVENTS = (Utterance, Instruction, Query, Result, Options, Selection, Completion)


def dialogue(
    room: RoomState,
    tasks: Sequence[TaskSchema],
    number: str,
    workers: dict[str, str],
    language: str,
    own: Sequence[OwnQuestion] = (),
) -> Dialogue:
    """Return the dialogue of a room.

    Args:
        number: The dialogue's id.
        workers: Agent to (anonymised) worker.
        language: The study's own language.
        own: The study's own questions, for the answers about turns.
    """
    scenario, notices = room.scenario, list(_notices(room.log))
    events: tuple[Event, ...] = tuple(_events(room.log, room.drafts))
    for role, answered in room.answers.items():
        agent = USER if role == USER_ROLE else SYSTEM
        source = f"{RATERS}{workers.get(agent, agent)}"
        events = with_answers(events, own, answered.turns, source)
    notes = {NOTICES: notices} if notices else {}
    return Dialogue(
        id=number,
        events=events,
        scenario=Scenario(
            domains=scenario.domains,
            capabilities=tuple(Capability(task.id, task.domain or None) for task in tasks),
            user_task=scenario.user_task,
            system_task=scenario.wizard_task,
            happy=scenario.happy,
            multi_task=len(tasks) > 1,
            goal=scenario.goal,
        ),
        workers=workers,
        batch=room.batch,
        outcome=room.completion_level,
        answers=tuple(each for answer in room.answers.values() for each in _answers(answer)),
        provenance="collected",
        extra={**notes, **foreign(tasks[0].language, language)},
    )


def foreign(language: str, own: str) -> dict[str, str]:
    """Return a dialogue's `extra` for its language; empty if that is the study's own."""
    return {} if language == own else {LANGUAGE: language}


def _notices(log: Sequence[Record]) -> Iterator[dict[str, Any]]:
    count = 0
    for record in log:
        body = record.body
        count += isinstance(body, Utterance)
        if isinstance(body, Notice):
            yield {"Text": body.text, "To": body.to or "both", "After": count}


def _events(log: Sequence[Record], drafts: Mapping[str, str]) -> Iterator[Event]:
    override: Override | None = None
    for record in log:
        body = record.body
        if isinstance(body, Override):
            override = body
        elif isinstance(body, Utterance) and override is not None:
            entry = {"Expected": list(override.expected), "Reason": override.reason}
            yield replace(body, extra={OVERRIDE: entry})
            override = None
        elif isinstance(body, Utterance):
            yield _heard(body, drafts)
        elif isinstance(body, _EVENTS):
            yield body


def _heard(turn: Utterance, drafts: Mapping[str, str]) -> Utterance:
    sound = of_utterance(turn)
    draft = drafts.get(sound["Digest"]) if sound is not None else None
    if not draft:
        return turn
    return replace(turn, text=draft, layers=(*turn.layers, Layer(DRAFT, extra={"text": draft})))


def _answers(answered: Answered) -> Iterator[Answer]:
    agent = USER if answered.role == USER_ROLE else SYSTEM
    for question, answer in answered.answers.items():
        yield Answer(agent, question, answer)
    if answered.rating is not None:
        yield Answer(agent, RATING, answered.rating)
    if answered.comment is not None:
        yield Answer(agent, COMMENT, answered.comment)
