"""State trackers without learning: the baselines of learnt ones."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Act, Event, NextCalls, Prediction, State, StateOf, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import gold, parts
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.reading.tracker import SlotTracker, Tracked
from dialoom.schema.lexicon import cues, lexicon, split_name, words
from dialoom.schema.once import once_for_each
from dialoom.schema.service import ANYTHING, NO_INTENT
from dialoom.schema.task import TaskSchema


@lru_cache(maxsize=8)
def relative_days(language: str) -> re.Pattern[str]:
    """Return the pattern of days relative to the day of the dialogue, which no slot lists.

    >>> relative_days("en").search("Is next Friday free?")[0]
    'next Friday'
    """
    spoken = lexicon(language)
    days = {"{weekday}": spoken.weekdays, "{nth}": spoken.days}
    pattern = spoken.relative_days or "(?!)"
    for name, words_ in days.items():
        longest = sorted(map(re.escape, words_), key=len, reverse=True)
        pattern = pattern.replace(name, f"(?:{'|'.join(longest)})")
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


@dataclass
class EmptyState(Unlearnt):
    """Answers with the empty state for every service, and with no call."""

    name: ClassVar[str] = "empty"
    kinds: ClassVar[Kinds] = (StateOf, NextCalls)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Any]]:
        """Answer each question with empty states, or without calls."""
        return [
            Prediction({name: State(intent=NO_INTENT) for name in question.asked.services})
            if isinstance(question.asked, StateOf)
            else Prediction(())
            for question in questions
        ]


@dataclass
class RuleTracker(Unlearnt):
    """Tracks values that the user says, and offers of the system that the user accepts, by rules.

    The schema's slots match values. The user's words match names and descriptions of intents, and
    names of requested slots in a question.
    """

    name: ClassVar[str] = "rules"
    kinds: ClassVar[Kinds] = (StateOf,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[dict[str, State]]]:
        """Read each dialogue once for each of the requested services."""
        tasks = {name: inputs_only(task) for name, task in schemas.items()}
        read: dict[tuple[str, str], TrackedFrame] = {}
        answers = []
        for question in questions:
            states = {}
            for service in question.asked.services:
                key = (question.dialogue.id, service)
                frame = read.get(key)
                if frame is None or not frame.precedes(question.history):
                    frame = read[key] = TrackedFrame(schemas[service], tasks[service])
                frame.read(question.history)
                states[service] = frame.state()
            answers.append(Prediction(states))
        return answers


@once_for_each
def inputs_only(task: TaskSchema) -> TaskSchema:
    """Return a task with the inputs of its calls as its only slots (cached)."""
    names = {column.slot for column in task.call_inputs}
    return replace(task, slots={name: slot for name, slot in task.slots.items() if name in names})


class TrackedFrame:
    """Tracks the state of one service in a dialogue; `heard` has only the inputs of its calls."""

    def __init__(self, task: TaskSchema, schema: TaskSchema) -> None:
        self._task, self._inputs = task, schema.slots
        self._tracker = SlotTracker(schema)
        self._events: tuple[Event, ...] = ()
        self._unread: Utterance | None = None  # the system's last words without annotation
        self._offered, self._closing = "", False
        self._asked: tuple[str, ...] = ()
        self._days: dict[str, str] = {}
        self._requested: tuple[str, ...] = ()
        self._intent = NO_INTENT
        self._about = {
            name: set(words(f"{' '.join(split_name(name))} {intent.description}"))
            for name, intent in task.intents.items()
        }
        uses = Counter(word for name in task.slots for word in set(split_name(name)))
        self._asked_by = {
            name: {word for word in split_name(name) if uses[word] == 1 and len(word) > 3}
            for name in task.slots
        }

    def precedes(self, history: tuple[Event, ...]) -> bool:
        """True if the events read so far are the beginning of a history."""
        n = len(self._events)
        return n <= len(history) and (not n or self._events[-1] is history[n - 1])

    def read(self, history: tuple[Event, ...]) -> None:
        """Read the rest of a history: the utterances that are about this service."""
        for event in history[len(self._events) :]:
            if not isinstance(event, Utterance):
                continue
            own = tuple(part for part in parts(event) if part.service == self._task.id)
            layer = gold(event)
            if event.agent != USER:
                self._unread = event if layer is None else None
            if own and layer is not None:
                if event.agent == USER and self._unread is not None:
                    self._tracker.observe(self._unread)
                acts = [act for part in own for act in part.acts or ()]
                self._asked = self._tracker.asked
                self._tracker.observe(replace(event, layers=(replace(layer, parts=own),)))
                if event.agent == USER:
                    self._hear(event.text)
                else:
                    self._offered = next(filter(None, map(self._intent_of, acts)), "")
                    self._closing = any(act.name in ("REQ_MORE", "OFFER_INTENT") for act in acts)
        self._events = history

    def state(self) -> State:
        """Return the state after the events read: values in the user's words, or as listed."""
        values: dict[str, tuple[Value, ...]] = {
            name: (self._written(name, entry),) for name, entry in self._tracker.values.items()
        }
        values |= {name: (day,) for name, day in self._days.items()}
        return State(self._intent, self._requested, values)

    def _written(self, name: str, entry: Tracked) -> Value:
        if entry.value is None:
            return ANYTHING
        if isinstance(entry.value, bool):
            return str(entry.value)
        return str(entry.value) if self._task.slots[name].values else entry.words

    def _intent_of(self, act: Act) -> str:
        values = (str(value) for argument in act.arguments for value in argument.values)
        return next((value for value in values if value in self._task.intents), "")

    def _hear(self, text: str) -> None:
        signs, spoken = cues(text, self._task.language), set(words(text))
        shared = {name: len(about & spoken) for name, about in self._about.items()}
        likely = max(shared, key=lambda n: (shared[n], self._searches(n)), default=NO_INTENT)
        if self._offered and signs.get("yes"):
            self._intent = self._offered
        elif signs.get("no") and self._closing:
            self._intent = NO_INTENT
        elif self._intent == NO_INTENT or shared[likely] > shared[self._intent] + 1:
            self._intent = likely
        day, slot = relative_days(self._task.language).search(text), self._dated()
        for name in self._tracker.fresh:
            self._days.pop(name, None)
        if day is not None and slot is not None and slot not in self._tracker.fresh:
            self._days[slot] = day[0]
        self._requested = tuple(
            name
            for name, about in self._asked_by.items()
            if signs["mark"]
            and not signs.get("change")
            and name not in self._tracker.values
            and about & spoken
        )

    def _dated(self) -> str | None:
        """Return the slot of dates that a day belongs to: the requested one, or the only one."""
        dates = [name for name, slot in self._inputs.items() if slot.type == "date"]
        requests = [name for name in dates if name in self._asked]
        return next(iter(requests or dates), None) if requests or len(dates) == 1 else None

    def _searches(self, intent: str) -> bool:
        calls = (self._task.calls[name] for name in self._task.intents[intent].calls)
        return all(call.effect == "search" for call in calls)
