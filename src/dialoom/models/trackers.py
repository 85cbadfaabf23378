"""State trackers without learning: what any other must beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import (
    USER,
    Act,
    Event,
    Example,
    Prediction,
    Question,
    State,
    StateOf,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import parts
from dialoom.models.base import Kinds
from dialoom.schema.lexicon import cues, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention, best, find, parse


@dataclass
class EmptyState:
    """Answers that nothing is wanted of any service."""

    name: ClassVar[str] = "empty"
    kinds: ClassVar[Kinds] = (StateOf,)

    def fit(
        self, examples: Sequence[Example[Any, dict[str, State]]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Learn nothing."""

    def predict(
        self, questions: Sequence[Question[StateOf]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[dict[str, State]]]:
        """Answer each question with empty states."""
        return [
            Prediction({name: State(intent="NONE") for name in question.asked.services})
            for question in questions
        ]


@dataclass
class RuleTracker:
    """Takes what the user says and what the system offers and the user accepts; learns nothing.

    Values are found by the schema's slots, the intent by the words it shares with its name and
    description, requested slots by the words of their names in a question.

    Attributes:
        confidence: The least confidence of a mention that is taken.
    """

    name: ClassVar[str] = "rules"
    kinds: ClassVar[Kinds] = (StateOf,)
    confidence: float = 0.5

    def fit(
        self, examples: Sequence[Example[Any, dict[str, State]]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Learn nothing."""

    def predict(
        self, questions: Sequence[Question[StateOf]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[dict[str, State]]]:
        """Read each dialogue once for each service that is asked about."""
        read: dict[tuple[str, str], TrackedFrame] = {}
        answers = []
        for question in questions:
            states = {}
            for service in question.asked.services:
                key = (question.dialogue.id, service)
                frame = read.get(key)
                if frame is None or not frame.precedes(question.history):
                    frame = read[key] = TrackedFrame(schemas[service], self.confidence)
                frame.read(question.history)
                states[service] = frame.state()
            answers.append(Prediction(states))
        return answers


class TrackedFrame:
    """What is known of one service so far in a dialogue.

    Args:
        task: The service's schema.
        confidence: The least confidence of a mention that is taken.
    """

    def __init__(self, task: TaskSchema, confidence: float) -> None:
        self._task, self._confidence = task, confidence
        self._events: tuple[Event, ...] = ()
        self._values: dict[str, tuple[Value, ...]] = {}
        self._offered: dict[str, tuple[Value, ...]] = {}
        self._asked: list[Slot] = []
        self._requested: tuple[str, ...] = ()
        self._intent = "NONE"
        self._about = {
            name: set(words(f"{' '.join(split_name(name))} {intent.description}"))
            for name, intent in task.intents.items()
        }

    def precedes(self, history: tuple[Event, ...]) -> bool:
        """Tell whether what was read is the beginning of a history."""
        n = len(self._events)
        return n <= len(history) and (not n or self._events[-1] is history[n - 1])

    def read(self, history: tuple[Event, ...]) -> None:
        """Read on to the end of a history."""
        for event in history[len(self._events) :]:
            if isinstance(event, Utterance):
                own = [part for part in parts(event) if part.service == self._task.id]
                if event.agent != USER:
                    self._hear_system([act for part in own for act in part.acts or ()])
                elif own:
                    self._hear_user(event.text)
        self._events = history

    def state(self) -> State:
        """Return the state after what was read."""
        return State(self._intent, self._requested, dict(self._values))

    def _hear_system(self, acts: list[Act]) -> None:
        self._offered, self._asked = {}, []
        for act in acts:
            for argument in act.arguments:
                if argument.values:
                    self._offered[argument.slot] = argument.values
                elif argument.slot in self._task.slots:
                    self._asked.append(self._task.slots[argument.slot])

    def _hear_user(self, text: str) -> None:
        language = self._task.language
        if cues(text, language).get("yes"):
            self._values |= self._offered
        found = best(find(text, self._task.slots.values(), language))
        for mention in found:
            if mention.confidence >= self._confidence:
                self._values[mention.slot] = (self._said(mention, text),)
        for slot in self._asked:
            if not found and (value := parse(slot, text, language)) is not None:
                self._values[slot.name] = (value,)
        spoken = set(words(text))
        shared = {name: len(about & spoken) for name, about in self._about.items()}
        if self._intent == "NONE" or max(shared.values(), default=0) > 1:
            self._intent = max(shared, key=lambda name: shared[name], default="NONE")
        self._requested = tuple(
            name
            for name in self._task.slots
            if "?" in text and name not in self._values and spoken.issuperset(split_name(name))
        )

    def _said(self, mention: Mention, text: str) -> Value:
        """Return a value as a state has it: of a list as listed, else as it was said."""
        slot = self._task.slots[mention.slot]
        return str(mention.value) if slot.values else text[mention.start : mention.end]
