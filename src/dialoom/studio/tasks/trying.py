"""Tries a task as it is in the editor: simulates it, talks to it, asks what it understands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dialoom.dialogue import Event, Utterance
from dialoom.dialogue.event_lines import event_lines
from dialoom.dialogue.views import label
from dialoom.http.failure import NoAnswerError
from dialoom.play.agents.base import AGENTS
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.quality.doctor import examine
from dialoom.reading.stances import heard_alone, heard_dialogue
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import said_values
from dialoom.schema.yaml.reading import refuse
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.studio.folder import StudioFolder
from dialoom.studio.tasks.message import EditedTask, HeardLine, TaskTalk, Trial

DIALOGUES, EXAMINED, VALUES = 5, 100, 12
"""Dialogues that are shown, dialogues that the doctor simulates, and most values of a slot."""

AGENT = "flow"


def dialogues(folder: StudioFolder, trial: Trial) -> list[list[dict[str, Any]]]:
    """Return the lines of five simulated dialogues; the same text and seed give the same ones."""
    simulator = Simulator(task_of(folder, trial), trial.seed)
    talks = (simulator.dialogue(index) for index in range(DIALOGUES))
    return [_lines(dialogue.events) for dialogue in talks]


def diagnose(folder: StudioFolder, trial: Trial) -> dict[str, Any]:
    """Return the findings of the schema doctor, and how many dialogues reached their goal."""
    diagnosis = examine(trial.reviewed(folder)[0], EXAMINED, trial.seed)
    names = ("dialogues", "ended", "reached", "findings")
    return {name: getattr(diagnosis, name) for name in names}


def values(folder: StudioFolder, edited: EditedTask) -> dict[str, Any]:
    """Return each slot's type and sample values, each with all its renderings."""
    task = task_of(folder, edited)
    return {
        slot.name: {"type": slot.type, "values": said_values(slot, task.language, VALUES)}
        for slot in task.slots.values()
    }


def talk(folder: StudioFolder, talk: TaskTalk) -> dict[str, Any]:
    """Say everything that the user has said to the task's bot, and return the talk's lines.

    Nothing is kept from one request to the next, so a talk goes on with an edited task. `goal` is a
    suggestion of what to ask for; `failure` says why the last line has no answer.
    """
    task = task_of(folder, talk)
    agent = AGENTS.made(AGENT)
    agent.ready([task.id])
    goal = LiveGoals({task.id: task}, talk.seed).goal(task.id, 0)
    live = LiveDialogue(goal, agent)
    failure = None
    for text in talk.said:
        try:
            live.say(text)
        except NoAnswerError as error:
            failure = error.what
            break
    lines = _lines(live.events)
    readings = _heard(task, live.events)
    return {
        "lines": [{**line, "heard": readings.get(line["index"])} for line in lines],
        "goal": goal.seat(0).instructions,
        "changed": live.changed,
        "failure": failure or live.failure,
    }


def hear(folder: StudioFolder, request: HeardLine) -> dict[str, Any]:
    """Return what a line is understood as, like `dialoom schema hear`."""
    (turn,) = heard_alone(task_of(folder, request), [request.line], request.speaker)
    return turn.record


def task_of(folder: StudioFolder, edited: EditedTask) -> TaskSchema:
    """Return the task of a text; `SchemaError` if it has errors."""
    _, report, task = edited.reviewed(folder)
    refuse(report)
    return task


def _lines(events: Iterable[Event]) -> list[dict[str, Any]]:
    events = tuple(events)
    return [
        {
            "index": line.index,
            "speaker": line.speaker,
            "text": line.text,
            "kind": line.kind,
            "node": label(event) if isinstance(event, Utterance) else None,
        }
        for line, event in zip(event_lines(events), events, strict=True)
    ]


def _heard(task: TaskSchema, events: Iterable[Event]) -> dict[int, Any]:
    numbered = [n for n, event in enumerate(events) if isinstance(event, Utterance)]
    turns = zip(numbered, heard_dialogue(task, events), strict=True)
    return {n: msgspec.to_builtins(turn.record) for n, turn in turns if turn.speaker == "user"}
