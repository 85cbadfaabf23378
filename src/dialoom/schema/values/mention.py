"""What is found in a text: a mention of a value, and the common form of the types of values.

Each type of value is a module with one class that is a `SlotValues`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from dialoom.schema.values.text import Text


class Mention(msgspec.Struct, frozen=True):
    """A value of a slot that a part of a text expresses.

    Attributes:
        slot: The slot's name.
        value: The canonical value; of a slot that takes several, one of them.
        start: The first character, in Unicode code points.
        end: The character after the last one.
        confidence: How sure it is, from 0 to 1 (values/finding.py tells what it is made of).
    """

    slot: str
    value: Any
    start: int
    end: int
    confidence: float = 1.0


class SlotValues(ABC):
    """The values of one slot in one language; `index.py` finds them together with other slots'."""

    @abstractmethod
    def render(self, value: Any) -> Iterator[str]:
        """Yield what people say for a value, the plainest first."""

    @abstractmethod
    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the mentions of values in a text, also one inside another, besides `phrases`."""

    def phrases(self) -> Iterable[tuple[str, Any]]:
        """Return phrases that are looked for word by word, each with the value that it means."""
        return ()

    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Return value to the words that tell it from the others, which are found misspelt too."""
        return {}

    def answer(self, text: Text) -> Any:
        """Return the value of a text that answers a question for it and mentions none, or None."""
        return None
