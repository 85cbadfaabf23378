"""The instructions that user and wizard read before a dialogue.

The texts are the task file's `briefing` for each side, with defaults from `lang/`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from dialoom.flow.program import TaskProgram
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.outline import flow_lines
from dialoom.schema.slot import Slot
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import fill, scenario_texts
from dialoom.sim.stories.story import TaskStory


def briefing(runner: FlowRunner) -> str:
    """Return the user's instructions: the task, and a line for each value of the goal."""
    values = runner.user.goal.said
    if not values:
        return dated(topic(runner.program), runner.program)
    head, facts = _told_of(runner.program)
    lines = [facts[slot].replace(_VALUE, value.text) for slot, value in values.items()]
    return "\n".join((head, *lines))


def head(program: TaskProgram) -> str:
    """Return the first line of the user's instructions, before their facts."""
    return _told_of(program)[0]


def fact(program: TaskProgram, slot: str, value: Any, wording: str = "") -> str:
    """Return the line for a value of a slot, in the user's `wording` if given; None is no wish."""
    texts = scenario_texts(program.language)
    text = _filled(texts.open, text=wording) if wording else texts.dropped
    if value is not None:
        text = program.words.forms(slot, value)[0].text
    return _told_of(program)[1][slot].replace(_VALUE, text)


def dated(text: str, program: TaskProgram) -> str:
    """Return a text with the day of the task before it, if the task states one."""
    today = program.schema.today
    if not today:
        return text
    spoken = lexicon(program.language).weekdays
    weekday = spoken[date.fromisoformat(today).weekday()].capitalize() if spoken else ""
    day = ", ".join(filter(None, (weekday, today)))
    return f"{_filled(scenario_texts(program.language).today, today=day)} {text}"


def wizard_briefing(programs: Sequence[TaskProgram]) -> str:
    """Return the wizard's instructions for one or several tasks."""
    texts = scenario_texts(programs[0].language)
    tasks = " ".join(_told(program, "wizard", texts.wizard) for program in programs)
    return dated(_filled(texts.assistant, tasks=tasks), programs[0])


def policy(programs: Sequence[TaskProgram]) -> str:
    """Return an agent's instructions: the tasks' policies, and their flows as text."""
    texts = scenario_texts(programs[0].language)
    policies = (each.schema.texts.get("policy") for each in programs)
    otherwise = (_told(each, "wizard", texts.wizard) for each in programs)
    tasks = "\n".join(own or text for own, text in zip(policies, otherwise, strict=True))
    flows = (
        fill(texts.flow, {"task": each.task, "lines": "\n".join(flow_lines(each.schema))})[0]
        for each in programs
        if each.steps
    )
    return dated(_filled(texts.agent, tasks=tasks, flows="".join(flows)), programs[0])


def topics(runners: Sequence[FlowRunner]) -> str:
    """Return the user's instructions for several tasks, one after the other."""
    return "\n".join([scenario_texts(runners[0].program.language).topics, *map(briefing, runners)])


def story_briefing(
    runners: Sequence[FlowRunner], story: TaskStory, late_slots: Callable[[str], Collection[str]]
) -> str:
    """Return the user's instructions for a story: its topics, and names and numbers to use.

    Values that people can make up (days, times, numbers, wishes) are left out, as in STAR.
    `late_slots` returns the slots of a task whose values come up during the dialogue.
    """
    texts = scenario_texts(runners[0].program.language)
    topics = [story.topics.get(r.program.task) or topic(r.program) for r in runners]
    labels: dict[str, dict[str, None]] = {}
    for runner in runners:
        program, values = runner.program, runner.user.goal.record["values"]
        later = late_slots(program.task)
        for slot in _named(program):
            if slot in values and slot not in later:
                text = program.words.forms(slot, values[slot])[0].text
                what = program.schema.slots[slot].description or slot
                labels.setdefault(text, {})[what] = None
    facts = (
        fill(texts.fact, {"slot": ", ".join(what), "value": text})[0]
        for text, what in labels.items()
    )
    lines = [f"- {text}" for text in dict.fromkeys(topics)]
    head = " ".join(filter(None, (story.about, texts.story)))
    return dated("\n".join((head, *lines, texts.names, *facts)), runners[0].program)


@once_for_each
def _named(program: TaskProgram) -> tuple[str, ...]:
    """Return the slots with values that people cannot make up: names, and keys of rows."""
    calls = program.schema.calls.values()
    looked_up = {c.slot for call in calls if call.effect in ("find", "update") for c in call.inputs}
    keys = {c.slot for call in calls for c in call.inputs if c.name in call.key}
    return tuple(
        name
        for name, slot in program.schema.slots.items()
        if name in looked_up
        or slot.type == "short text"
        or (slot.type == "integer" and name in keys)
        or _is_name(slot, program.language)
    )


def _is_name(slot: Slot, language: str) -> bool:
    weekdays = lexicon(language).weekdays
    proper = all(value[0].isupper() and value.lower() not in weekdays for value in slot.values)
    return slot.type == "category" and proper


def topic(program: TaskProgram) -> str:
    """Return the task's instruction for the user, without the values of a goal."""
    return _told(program, "user", scenario_texts(program.language).user)


def _told(program: TaskProgram, who: str, otherwise: str) -> str:
    text = program.schema.texts.get(who)
    return text or _filled(otherwise, task=program.schema.description or program.task)


_VALUE = "\0"
"""Replaces a value in an otherwise filled line."""


@lru_cache(maxsize=256)
def _told_of(program: TaskProgram) -> tuple[str, Mapping[str, str]]:
    texts = scenario_texts(program.language)
    facts = {
        name: fill(texts.fact, {"slot": slot.description or name, "value": _VALUE})[0]
        for name, slot in program.schema.slots.items()
    }
    return dated(_filled(texts.briefing, task=topic(program)), program), facts


@lru_cache(maxsize=512)
def _filled(template: str, **texts: str) -> str:
    return fill(template, texts)[0]
