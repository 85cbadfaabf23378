"""Prompts of NextAction and Choice: the model names an option by its letter or number.

Log-probabilities, where the server gives them, rank the options whose letter or number is a single
token at the answer's place; without them the answer alone is ranked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from string import ascii_uppercase
from typing import Any, ClassVar, Literal

from dialoom.dialogue import SYSTEM, Choice, NextAction, Prediction, Question
from dialoom.models.lm.prompt import Prompt, Tokens
from dialoom.schema.flow import label

MARKS = ' \n"{}:,.'
"""Characters around a letter or number in a token of JSON."""


class OptionPrompt(Prompt, ABC):
    """The prompt of a question with listed answers."""

    sample: ClassVar[str] = "A"

    @abstractmethod
    def options(self, question: Question[Any]) -> dict[str, str]:
        """Return each possible answer with its text."""

    def asked(self, question: Question[Any]) -> str:
        """Return the options, each with its letter or number."""
        texts = self.options(question).values()
        pairs = zip(keys(len(texts)), texts, strict=True)
        return "\n".join(("Options:", *(f"{key}: {text}" for key, text in pairs)))

    def type_of(self, question: Question[Any]) -> Any:
        """Return the type of the letters or numbers."""
        return Literal[tuple(keys(len(self.options(question))))]

    def write(self, question: Question[Any], answer: str) -> str:
        """Return the letter or number of an answer."""
        names = list(self.options(question))
        return keys(len(names))[names.index(answer)]

    def read(self, question: Question[Any], answer: str, tokens: Tokens) -> Prediction[str]:
        """Return the option, and the ranking where log-probabilities are known."""
        names = list(self.options(question))
        by_key = dict(zip(keys(len(names)), names, strict=True))
        chances = ranking(tokens, answer, by_key)
        order = sorted(chances, key=lambda key: (key != answer, -chances[key]))
        rank = tuple((by_key[key], round(chances[key], 6)) for key in order)
        return Prediction(by_key[answer], rank, chances[answer] if tokens else None)


class ActionPrompt(OptionPrompt):
    """Asks for the system's next action."""

    kind = NextAction
    instruction = (
        "You are given a task, the dialogue so far with the system's actions in brackets, and the "
        "actions that the system can take. Choose the action that the system takes next."
    )
    agents = (SYSTEM,)
    flow = True

    def options(self, question: Question[Any]) -> dict[str, str]:
        """Return the actions of the task's flow with their texts, then those of training."""
        task = self.schemas.get(question.asked.task)
        actions: dict[str, str] = {}
        for node in task.flow.nodes.values() if task is not None else ():
            if node.kind in ("system", "call"):
                actions.setdefault(label(node), " - ".join((label(node), *node.texts[:1])))
        learnt = self.inventory.labels.get(question.asked.task, ())
        return {name: actions.get(name, name) for name in dict.fromkeys((*actions, *learnt))}


class ChoicePrompt(OptionPrompt):
    """Asks which candidate the system says next."""

    kind = Choice
    instruction = (
        "You are given the dialogue so far, with calls and results of a knowledge base, and "
        "candidates for the system's next utterance. Choose the one that the system says next."
    )

    def options(self, question: Question[Any]) -> dict[str, str]:
        """Return the candidates with their texts."""
        return {each.id: each.text or each.id for each in question.asked.candidates}


def keys(number: int) -> list[str]:
    """Return letters for so many options; numbers of equal length for more than 26."""
    if number <= len(ascii_uppercase):
        return list(ascii_uppercase[:number])
    width = len(str(number))
    return [f"{each:0{width}}" for each in range(1, number + 1)]


def ranking(tokens: Tokens, key: str, keys: Collection[str]) -> dict[str, float]:
    """Return the probabilities of keys at the place of the answer; 1 for the answer if unknown."""
    text = ""
    for token in tokens or ():
        if token.token.strip(MARKS) == key and '"answer"' in text:
            tops = token.top_logprobs or ()
            chances = {each.token.strip(MARKS): each.chance for each in tops}
            return {key: token.chance} | {k: v for k, v in chances.items() if k in keys}
        text += token.token
    return {key: 1.0}
