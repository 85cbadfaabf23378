"""Retrieval: say acts as training said the same acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import Example, Prediction, Question, Realise
from dialoom.models.base import Kinds, need
from dialoom.models.realiser.wording import (
    Signature,
    ToSay,
    Wording,
    content,
    fill,
    find_wording,
    numbered,
    signature,
)
from dialoom.schema.task import TaskSchema


@dataclass
class Retrieve:
    """Says acts in the most frequent wording of the same acts in training."""

    name: ClassVar[str] = "retrieve"
    kinds: ClassVar[Kinds] = (Realise,)
    _wordings: dict[Signature, Counter[Wording]] = field(
        default_factory=dict, init=False, repr=False
    )

    def fit(
        self, examples: Sequence[Example[Realise, str]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Collect the wordings of training.

        Raises:
            UsageError: There are no examples.
        """
        need(examples)
        self._wordings = {}
        for example in examples:
            items = content(example.question.asked.acts)
            wording = find_wording(example.answer, numbered(items))
            if wording is not None:
                self._wordings.setdefault(signature(items), Counter())[wording] += 1

    def predict(
        self, questions: Sequence[Question[Realise]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Answer each question with a text."""
        return [Prediction(self._say(content(q.asked.acts))) for q in questions]

    def _say(self, items: list[ToSay]) -> str:
        values = numbered(items)
        found = self._wordings.get(signature(items))
        if found:
            return fill(max(found, key=lambda each: (found[each], str(each))), values)
        if len(items) > 1:
            return " ".join(self._say([item]) for item in items)
        return " ".join((items[0].key, *items[0].values))
