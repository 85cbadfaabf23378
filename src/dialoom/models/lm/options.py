"""Questions with listed answers: the model names one by its letter or number.

Log-probabilities, where the server gives them, rank the options whose letter or number is a single
token at the answer's place; without them the answer alone is ranked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

from dialoom.dialogue import Prediction, Question
from dialoom.errors import clip
from dialoom.models.lm.prompt import Prompt, Shape, Tokens, UnreadableError

MARKS = ' \n"{}:,.'
"""Characters around a letter or number in a token of JSON."""


class OptionAnswer(Shape, frozen=True):
    """The letter or number of an option."""

    answer: str


class OptionPrompt(Prompt):
    """The prompt of a question with listed answers."""

    shape: ClassVar[type[Shape]] = OptionAnswer
    sample: ClassVar[Shape] = OptionAnswer("A")

    def options(self, question: Question[Any]) -> Mapping[str, str]:
        """Return each possible answer with its text."""
        raise NotImplementedError

    def asked(self, question: Question[Any]) -> str:
        """Return the options, each with its letter or number."""
        found = self.options(question)
        pairs = zip(keys(len(found)), found.values(), strict=True)
        return "\n".join(("Options:", *(f"{key}: {text}" for key, text in pairs)))

    def write(self, question: Question[Any], answer: Any) -> Shape:
        """Return the letter or number of an answer."""
        found = list(self.options(question))
        place = found.index(answer) if answer in found else None
        return OptionAnswer("none" if place is None else keys(len(found))[place])

    def read(self, question: Question[Any], given: OptionAnswer, tokens: Tokens) -> Any:
        """Return the option, and the ranking where log-probabilities are known."""
        found = list(self.options(question))
        named = dict(zip(keys(len(found)), found, strict=True))
        key = given.answer.strip(MARKS).upper()
        if key not in named:
            raise UnreadableError(f"answer {clip(given.answer)!r} is none of {', '.join(named)}")
        chances = ranking(tokens, key, named)
        order = sorted(chances, key=lambda each: (each != key, -chances[each]))
        rank = tuple((named[each], round(chances[each], 6)) for each in order)
        return Prediction(named[key], rank, chances[key] if tokens else None)

    def response_format(self, question: Question[Any]) -> dict[str, Any]:
        """Return the form of the answer, with the letters or numbers that it may be."""
        found = super().response_format(question)
        listed = {"type": "string", "enum": keys(len(self.options(question)))}
        found["json_schema"]["schema"]["properties"]["answer"] = listed
        return found


def keys(number: int) -> list[str]:
    """Return letters for so many options; numbers of equal length for more than 26."""
    if number <= len(ascii_uppercase):
        return list(ascii_uppercase[:number])
    width = len(str(number))
    return [f"{each:0{width}}" for each in range(1, number + 1)]


def ranking(tokens: Tokens, key: str, named: Sequence[str] | Mapping[str, str]) -> dict[str, float]:
    """Return the probabilities of keys at the place of the answer; 1 for the answer if unknown."""
    text = ""
    for token in tokens or ():
        if token.token.strip(MARKS) == key and '"answer"' in text:
            found = {each.token.strip(MARKS): math.exp(each.logprob) for each in token.top_logprobs}
            return {key: math.exp(token.logprob)} | {k: v for k, v in found.items() if k in named}
        text += token.token
    return {key: 1.0}
