"""Questions to models about a dialogue, and their predictions.

    Question(dialogue, 4, NextAction("hotel_book"))        # Prediction("ask_name", ranking)
    Question(dialogue, 4, StateOf(("Hotels_1",)))          # Prediction({"Hotels_1": State(…)})

A question refers to an event of a dialogue; the model may use only the events before it. `asked`
is one of a closed set of kinds, and each kind determines the type of the answer:

    NextAction  label of the next system action               str
    NextReply   text of the next system utterance             str
    NextCall    next call of an API                           Query
    NextCalls   all calls of the next turn, in any order      tuple[Query, ...]
    StateOf     state of services after the last user turn    dict[str, State], by service
    Spans       spans with labels in the last utterance       tuple[Span, ...]
    Acts        dialogue acts of the last utterance           tuple[Act, ...]
    NextActs    dialogue acts of the next utterance           tuple[ServiceAct, ...]
    FrameOf     frames that each act and argument refers to   tuple[ActFrames, ...]
    Choice      the right one of several candidates           str, the candidate's id
    Realise     text that says some acts                      str
    InScope     probability that the user is in scope         float
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from dialoom.dialogue.annotation import Act, DefaultedStruct, Struct, Value
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event import Candidate, Event, Utterance


class NextAction(Struct, frozen=True, tag="next-action"):
    """Which action does the system take next in `task`?"""

    task: str


class NextReply(Struct, frozen=True, tag="next-reply"):
    """What does the system say next in `task`? The task is empty where the dialogue has none."""

    task: str


class NextCall(Struct, frozen=True, tag="next-call"):
    """What does the system ask the knowledge base next in `task`?"""

    task: str


class NextCalls(Struct, frozen=True, tag="next-calls"):
    """Which functions does the system call in its next turn, in any order?

    `functions` are those that it may call, with name, description and parameters (JSON Schema).
    """

    functions: tuple[dict[str, Any], ...] = ()


class StateOf(Struct, frozen=True, tag="state"):
    """What is the state of these services after the last user utterance?"""

    services: tuple[str, ...]


class Spans(Struct, frozen=True, tag="spans"):
    """The spans of the last utterance with these labels, slots of `task`."""

    labels: tuple[str, ...]
    task: str = ""


class Acts(Struct, frozen=True, tag="acts"):
    """Which dialogue acts does the last utterance have?"""


class FrameOf(Struct, frozen=True, tag="frames"):
    """Which frames do these acts of the last utterance, and their arguments, refer to?"""

    acts: tuple[Act, ...]


class Choice(Struct, frozen=True, tag="choice"):
    """Which of these candidates does the system say next?"""

    candidates: tuple[Candidate, ...]


class ServiceAct(Struct, frozen=True):
    """A dialogue act and its service; None in formats without services."""

    act: Act
    service: str | None = None


class ServiceGoal(Struct, frozen=True):
    """The goal of a user for one service.

    Attributes:
        values: Slot to the values that the user asks for, in order: where one is not available,
            the next one.
        requests: The slots that the user asks the system about.
    """

    service: str
    intents: tuple[str, ...] = ()
    values: dict[str, tuple[Value, ...]] = {}
    requests: tuple[str, ...] = ()


class NextActs(Struct, frozen=True, tag="next-acts"):
    """Which acts does `agent` do next; a user, who has a `goal`, in order to reach it?"""

    agent: str
    goal: tuple[ServiceGoal, ...] = ()


class Realise(Struct, frozen=True, tag="realise"):
    """With which words does the system say these acts?"""

    acts: tuple[ServiceAct, ...]


class InScope(Struct, frozen=True, tag="in-scope"):
    """Is the last user utterance something that `task` can help with?"""

    task: str


Asked = (
    NextAction
    | NextReply
    | NextCall
    | NextCalls
    | StateOf
    | Spans
    | Acts
    | NextActs
    | FrameOf
    | Choice
    | Realise
    | InScope
)

K = TypeVar("K", bound=Asked)
A = TypeVar("A")


VIEW = "/"
"""Mark in a dialogue's id, before the name of the part of it that a question shows."""


class Question(Struct, Generic[K], frozen=True):
    """A question about the event at index `event` of a dialogue, from the events before it."""

    dialogue: Dialogue
    event: int
    asked: K

    @property
    def history(self) -> tuple[Event, ...]:
        """The events before the event in question, all that a model may use."""
        return self.dialogue.events[: self.event]

    @property
    def utterances(self) -> list[Utterance]:
        """The utterances before the event in question."""
        return [event for event in self.history if isinstance(event, Utterance)]


class AnswerRecord(DefaultedStruct, frozen=True):
    """Costs of an answer of a language model.

    Attributes:
        requests: Number of requests: 2 if the first answer could not be read.
        read: Number of tokens that the model read.
        written: Number of tokens that it wrote.
        unreadable: Why the last answer cannot be read either; empty if it can.
    """

    requests: int
    read: int = 0
    written: int = 0
    unreadable: str = ""


class Prediction(Struct, Generic[A], frozen=True):
    """The answer of a model to a question.

    Attributes:
        answer: The best answer; its type depends on the kind of question.
        ranking: All labels or candidates with the model's scores, best first.
        confidence: The model's probability (0 to 1) that the answer is right, if it gives one.
        log_likelihood: The natural logarithm of the probability of the right answer, computed on
            request after the model has answered.
        record: The costs of a language model's answer.
    """

    answer: A
    ranking: tuple[tuple[str, float], ...] = ()
    confidence: float | None = None
    log_likelihood: float | None = None
    record: AnswerRecord | None = None


class Example(Struct, Generic[K, A], frozen=True):
    """A question with its right answer, for training."""

    question: Question[K]
    answer: A


def kind_name(kind: type[Struct]) -> str:
    """Return the name of a kind of question or event in files: "next-action", "utterance"."""
    return str(kind.__struct_config__.tag)
