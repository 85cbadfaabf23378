"""The common parts of all prompts: instruction, schema, visible history, examples, answers.

An answer is a JSON object, `{"answer": …}`, with the JSON of the data model. Its type gives the
schema for servers with structured output, decodes answers, and writes those of examples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from dialoom.dialogue import Act, Event, Example, Prediction, Question, Result, ServiceAct, Span
from dialoom.dialogue.annotation import LABELS, Struct
from dialoom.dialogue.event_lines import event_lines
from dialoom.dialogue.references import dereferenced
from dialoom.errors import clip
from dialoom.http.chat import Message
from dialoom.http.completions import ChatToken
from dialoom.learn.model import Examples, Schemas
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import arguments_schema

VALUES, ITEMS = 40, 1000
"""Most values that are listed of a slot, and most characters of the items of a result."""


def history_text(events: Sequence[Event], agents: Collection[str] = ()) -> str:
    """Return the visible events before a question as lines, with the annotation of some agents."""
    lines = []
    for line, event in zip(event_lines(events), events, strict=True):
        items = isinstance(event, Result) and clip(json_text(event.items), ITEMS)
        lines.append(f"{line.speaker}: {items or line.text}")
        notes = [note for note in line.notes if not note.startswith(f"{LABELS}: ")]
        if line.speaker in agents and notes:
            lines.append(f"  [{'; '.join(notes)}]")
    return "\n".join(lines) or "(nothing was said yet)"


def schema_text(task: TaskSchema, *, calls: bool = False, flow: bool = False) -> str:
    """Return a task or service as text: its calls, or its flow, or its slots and intents."""
    head = f"{'Service' if task.is_service else 'Task'} {task.id}: {task.description}"
    return "\n".join((head.rstrip(" :"), *_described(task, calls=calls, flow=flow)))


def _described(task: TaskSchema, *, calls: bool, flow: bool) -> Iterator[str]:
    if calls:
        for each in arguments_schema(task).get("oneOf", ()):
            yield f"- call {each['description']}: {json_text(each['properties'])}"
    elif flow and task.flow:
        for node in task.flow.nodes.values():
            then = f"; then {' or '.join(node.then)}" if node.then else ""
            yield f"- {node.kind} {node.name}: {' / '.join(node.texts[:2])}{then}"
    else:
        service = contract(task)
        for slot in service.slots:
            values = ", ".join(map(str, slot.possible_values[:VALUES]))
            choices = f" (one of {values})" if slot.categorical else ""
            yield f"- slot {slot.name}: {slot.description or ''}{choices}"
        for intent in service.intents:
            yield f"- intent {intent.name}: {intent.description or ''} ({', '.join(intent.inputs)})"


def json_text(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


UNREADABLE = "unreadable"
"""The label of an answer that cannot be read: it is never right."""

HEAD = "You are an expert on task-oriented dialogues between a user and a system."

FORM = "Answer with one JSON object and nothing else, in this form: "

Tokens = Sequence[ChatToken] | None


class UnreadableError(Exception):
    """An answer that is not in the form that was asked for."""


class Inventory:
    """Names that occur in the answers of training.

    `labels` maps tasks to the answers about them that are texts, `acts` maps acts to their slots.
    `spans` are the labels of spans; `framed` is True if acts refer to frames.
    """

    def __init__(self, examples: Examples = ()) -> None:
        self.labels: dict[str, dict[str, None]] = {}
        self.acts: dict[str, dict[str, None]] = {}
        self.spans: dict[str, None] = {}
        self.framed = False
        for example in examples:
            answer, task = example.answer, getattr(example.question.asked, "task", "")
            if isinstance(answer, str):
                self.labels.setdefault(task, {}).setdefault(answer)
            for each in answer if isinstance(answer, tuple) else ():
                self._learn(each.act if isinstance(each, ServiceAct) else each)

    def _learn(self, each: Any) -> None:
        if isinstance(each, Span):
            self.spans |= dict.fromkeys(each.labels)
        elif isinstance(each, Act):
            self.framed |= any(argument.references for argument in each.arguments)
            for act in dereferenced((each,)):
                slots = self.acts.setdefault(act.name, {})
                slots.update(dict.fromkeys(argument.slot for argument in act.arguments))

    def acts_text(self) -> str:
        """Return the acts with their slots as text."""
        return "; ".join(f"{name}({', '.join(slots)})" for name, slots in self.acts.items())


class Prompt:
    """The prompt of one kind of question; `inventory` has the names of training.

    Attributes:
        kind: The kind of question.
        answer: The type of answers in JSON.
        sample: An answer, to show the form.
        wrong: The answer in place of one that cannot be read.
        instruction: The task of the model.
        agents: The agents whose annotation in earlier turns is shown.
        calls: Whether the calls of the task are shown.
        flow: Whether the flow of the task is shown.
    """

    kind: ClassVar[type[Struct]]
    answer: ClassVar[Any] = str
    sample: ClassVar[Any]
    wrong: ClassVar[Any] = UNREADABLE
    instruction: ClassVar[str]
    agents: ClassVar[tuple[str, ...]] = ()
    calls: ClassVar[bool] = False
    flow: ClassVar[bool] = False

    def __init__(self, schemas: Schemas, inventory: Inventory) -> None:
        self.schemas, self.inventory = schemas, inventory

    def listed(self, question: Question[Any]) -> str:
        """Return what answers may name, if it is the same for many questions."""
        return ""

    def asked(self, question: Question[Any]) -> str:
        """Return what is asked after the history: options, acts, services."""
        return ""

    def write(self, question: Question[Any], answer: Any) -> Any:
        """Return the answer of an example as JSON has it."""
        return answer

    def read(self, question: Question[Any], answer: Any, tokens: Tokens) -> Prediction[Any]:
        """Return the prediction of an answer; `UnreadableError` if the question lacks a name."""
        return Prediction(answer)

    def unreadable(self, question: Question[Any]) -> Any:
        """Return the answer in place of one that cannot be read."""
        return self.wrong

    def type_of(self, question: Question[Any]) -> Any:
        """Return the type of an answer to a question."""
        return self.answer

    def tasks(self, question: Question[Any]) -> Sequence[str]:
        """Return the tasks or services that a question is about."""
        return getattr(question.asked, "services", None) or (getattr(question.asked, "task", ""),)

    @property
    def form(self) -> str:
        """The form of answers, in words."""
        return FORM + json_text({"answer": self.sample})

    def response_format(self, question: Question[Any]) -> dict[str, Any]:
        """Return the form of an answer as structured output."""
        schema = msgspec.json.schema(_shape(self.type_of(question)))
        root = schema["$defs"].pop("Answer")
        wrapper = {"name": "answer", "schema": {**root, "$defs": schema["$defs"]}}
        return {"type": "json_schema", "json_schema": wrapper}

    def messages(
        self, question: Question[Any], examples: Examples, learnt: Prompt
    ) -> list[Message]:
        """Return the messages that ask a question after examples, the least similar first.

        `learnt` is the same prompt with the schemas of training.
        """
        texts: set[str] = set()
        chat = [{"role": "system", "content": f"{HEAD} {self.instruction} {self.form}"}]
        for each in examples:
            chat.append({"role": "user", "content": learnt.content(each.question, texts)})
            chat.append({"role": "assistant", "content": learnt.answered(each)})
        return [*chat, {"role": "user", "content": self.content(question, texts)}]

    def answered(self, example: Example[Any, Any]) -> str:
        """Return the answer of an example as a model writes it."""
        return json_text({"answer": self.write(example.question, example.answer)})

    def content(self, question: Question[Any], context: set[str]) -> str:
        """Return a question as text, with schemas and lists that are not in `context`; add them."""
        tasks = [self.schemas[name] for name in self.tasks(question) if name in self.schemas]
        texts = [schema_text(task, calls=self.calls, flow=self.flow) for task in tasks]
        described = [text for text in (*texts, self.listed(question)) if text not in context]
        context.update(described)
        lines = history_text(question.history, self.agents)
        return "\n\n".join(filter(None, (*described, f"Dialogue:\n{lines}", self.asked(question))))

    def predicted(self, question: Question[Any], text: str, tokens: Tokens) -> Prediction[Any]:
        """Return the prediction that the text of an answer means.

        `UnreadableError` if it has no JSON object, or another one than was asked for.
        """
        start, end = text.find("{"), text.rfind("}")
        if not 0 <= start < end:
            raise UnreadableError("there is no JSON object")
        try:
            reply = msgspec.json.decode(
                text[start : end + 1].encode(), type=_shape(self.type_of(question))
            )
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise UnreadableError(clip(str(error))) from error
        return self.read(question, reply.answer, tokens)


@lru_cache(maxsize=256)
def _shape(answer: Any) -> Any:
    return msgspec.defstruct("Answer", [("answer", answer)], forbid_unknown_fields=True)
