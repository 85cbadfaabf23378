"""What all prompts have in common: a kind's instruction, schema, visible history, examples.

A kind's prompt names the shape of the answer, a struct: its JSON Schema goes to servers that have
structured output, its sample is shown to the model, and answers are decoded by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec

from dialoom.dialogue import SYSTEM, Act, Question, ServiceAct, Span
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.references import dereferenced
from dialoom.errors import clip
from dialoom.http.chat import Message
from dialoom.http.completions import ChatToken
from dialoom.models.base import Examples, Schemas
from dialoom.models.lm.text import history_text, schema_text

UNREADABLE = "unreadable"
"""The label that stands for an answer that cannot be read: it is never right."""

HEAD = "You are an expert on task-oriented dialogues between a user and a system."

FORM = "Answer with one JSON object and nothing else, in this form: {sample}"

REPAIR = "That cannot be used: {what}. {form}"

Tokens = Sequence[ChatToken] | None


class UnreadableError(Exception):
    """An answer that is not in the form that was asked for."""


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the shapes of answers; they have no defaults, as structured output demands."""


@dataclass
class Inventory:
    """Names that occur in the answers of training.

    Attributes:
        labels: Task to the answers about it that are texts, in the order of their first occurrence.
        acts: Act to its slots.
        spans: The labels of spans.
        framed: Whether acts refer to frames.
    """

    labels: dict[str, dict[str, None]] = field(default_factory=dict)
    acts: dict[str, dict[str, None]] = field(default_factory=dict)
    spans: dict[str, None] = field(default_factory=dict)
    framed: bool = False

    def learn(self, examples: Examples) -> None:
        """Collect the names of examples."""
        for example in examples:
            answer, task = example.answer, getattr(example.question.asked, "task", "")
            if isinstance(answer, str):
                self.labels.setdefault(task, {}).setdefault(answer)
            for each in answer if isinstance(answer, tuple) else ():
                self.spans |= dict.fromkeys(each.labels if isinstance(each, Span) else ())
                act = each.act if isinstance(each, ServiceAct) else each
                if isinstance(act, Act):
                    self.framed |= any(argument.references for argument in act.arguments)
                    for plain in dereferenced((act,)):
                        slots = self.acts.setdefault(plain.name, {})
                        slots.update(dict.fromkeys(a.slot for a in plain.arguments))


class Prompt:
    """The prompt of one kind of question.

    Args:
        schemas: The schemas of the tasks or services.
        inventory: The names of training.

    Attributes:
        kind: The kind of question.
        shape: The type of the JSON object that is asked for.
        sample: An answer of that type.
        instruction: What the model is to do.
        agents: The agents whose acts in earlier turns are shown.
        states: Whether the states of earlier turns are shown.
        calls: Whether the arguments of calls are shown.
        flow: Whether the flow of the task is shown.
    """

    kind: ClassVar[type[Struct]]
    shape: ClassVar[type[Shape]]
    sample: ClassVar[Shape]
    instruction: ClassVar[str]
    agents: ClassVar[tuple[str, ...]] = (SYSTEM,)
    states: ClassVar[bool] = False
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

    def write(self, question: Question[Any], answer: Any) -> Shape:
        """Return the answer of an example in the shape that is asked for."""
        raise NotImplementedError

    def read(self, question: Question[Any], given: Any, tokens: Tokens) -> Any:
        """Return the prediction that an answer in the right shape means.

        Raises:
            UnreadableError: It names what the question does not have.
        """
        raise NotImplementedError

    def unreadable(self, question: Question[Any]) -> Any:
        """Return the answer that stands for one that cannot be read."""
        return UNREADABLE

    def tasks(self, question: Question[Any]) -> tuple[str, ...]:
        """Return the tasks or services that a question is about, of those with a schema."""
        named = getattr(question.asked, "services", (getattr(question.asked, "task", ""),))
        return tuple(name for name in named if name in self.schemas)

    @property
    def form(self) -> str:
        """The form of the answer, in words."""
        return FORM.format(sample=msgspec.json.encode(self.sample).decode())

    def response_format(self, question: Question[Any]) -> dict[str, Any]:
        """Return the form of the answer as structured output."""
        schema = msgspec.json.schema(self.shape)
        parts = schema.pop("$defs")
        root = parts.pop(schema.pop("$ref").rpartition("/")[2])
        named = {
            "name": "answer",
            "strict": True,
            "schema": root | ({"$defs": parts} if parts else {}),
        }
        return {"type": "json_schema", "json_schema": named}

    def messages(
        self, question: Question[Any], examples: Examples, learnt: Prompt
    ) -> list[Message]:
        """Return the messages that ask a question.

        Args:
            question: The question.
            examples: Examples of training, the least similar first.
            learnt: The same prompt with the schemas of training.
        """
        shown: set[str] = set()
        found: list[Message] = [
            {"role": "system", "content": f"{HEAD} {self.instruction} {self.form}"}
        ]
        for example in examples:
            found.append({"role": "user", "content": learnt.content(example.question, shown)})
            answer = msgspec.json.encode(learnt.write(example.question, example.answer)).decode()
            found.append({"role": "assistant", "content": answer})
        return [*found, {"role": "user", "content": self.content(question, shown)}]

    def content(self, question: Question[Any], shown: set[str]) -> str:
        """Return a question as text, with schemas and lists that are not in `shown`; add them."""
        named = self.tasks(question)
        texts = (schema_text(self.schemas[n], calls=self.calls, flow=self.flow) for n in named)
        described = [text for text in (*texts, self.listed(question)) if text not in shown]
        shown.update(described)
        said = history_text(question.history, self.agents, states=self.states)
        return "\n\n".join(filter(None, (*described, f"Dialogue:\n{said}", self.asked(question))))

    def decoded(self, text: str) -> Any:
        """Return the JSON object of an answer.

        Raises:
            UnreadableError: There is none, or it is not in the right shape.
        """
        start, end = text.find("{"), text.rfind("}")
        if not 0 <= start < end:
            raise UnreadableError("there is no JSON object")
        try:
            return msgspec.json.decode(text[start : end + 1].encode(), type=self.shape)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise UnreadableError(clip(str(error))) from error
