"""Utterances with placeholders for the values that their acts name.

acts = [ServiceAct(Act("REQUEST", (Argument("city", ("Bonn",)),)), "Cafes_1")]
find_wording("Which city? Perhaps Bonn?", content(acts))
# Wording(("Which city? Perhaps ", Placeholder("REQUEST(city)", 0), "?"))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.dialogue import Argument, ServiceAct
from dialoom.schema.service import INTENT

if TYPE_CHECKING:
    import numpy as np

TRUTH = ("True", "False")
"""Truth values, which an utterance says in other words ("it has music") and never literally."""


class ContentItem(NamedTuple):
    """The content of one argument of an act, to be realised in a text.

    `slot` is empty for none. `implicit` is a truth value or intent, which the text paraphrases;
    `values` must be in the text literally.
    """

    act: str
    slot: str
    implicit: str
    values: tuple[str, ...]
    service: str

    @property
    def key(self) -> str:
        """The act, slot, implicit value and number of values, without the values and service."""
        count = f"*{len(self.values)}" if self.values else ""
        return f"{self.act}({self.slot}{'=' if self.implicit else ''}{self.implicit}{count})"

    @property
    def shape(self) -> str:
        """The key without the names of the slot and the intent: equal across services."""
        implicit = self.implicit if self.implicit in ("", *TRUTH) else INTENT
        return f"{self.act}({bool(self.slot)} {implicit} {len(self.values)})"


class Placeholder(NamedTuple):
    """A placeholder: the value at `number` (from 0) of the items with this key."""

    key: str
    number: int


def spelling(value: str) -> int:
    """Return the class of a value by its characters.

    Whether it is "1" ("1 person", "2 people"), and whether it has digits, capitals, lower case and
    other signs: "today", "March 3rd", "10 pm" and "$15" differ.
    """
    if value == "1":
        return 16
    tests = (str.isdigit, str.isupper, str.islower, lambda sign: not sign.isalnum() and sign != " ")
    return sum(any(map(test, value)) << place for place, test in enumerate(tests))


Wording = tuple[str | Placeholder, ...]
"""Literal parts and placeholders in order."""

Signature = tuple[str, ...]
"""The keys of an utterance's content items, in alphabetical order."""


def content(acts: Sequence[ServiceAct]) -> list[ContentItem]:
    """Return the content items of acts, in their order."""
    return [item for act in acts for item in _items(act)]


def _items(source: ServiceAct) -> Iterator[ContentItem]:
    act, service = source.act, source.service or ""
    for argument in act.arguments or (Argument(""),):
        values = tuple(map(str, argument.values))
        explicit = () if argument.slot == INTENT or set(values) & set(TRUTH) else values
        implicit = "" if explicit else "|".join(values)
        yield ContentItem(act.name, argument.slot, implicit, explicit, service)


def signature(items: Sequence[ContentItem]) -> Signature:
    """Return the keys of content items, in alphabetical order."""
    return tuple(sorted(item.key for item in items))


def numbered(items: Sequence[ContentItem]) -> dict[Placeholder, str]:
    """Return placeholder to value for all values of content items.

    Numbers run on over items with the same key: if the first has one value, the first value of the
    second has the number 1.
    """
    fillings: dict[Placeholder, str] = {}
    counts: dict[str, int] = {}
    for item in items:
        for value in item.values:
            number = counts.get(item.key, 0)
            counts[item.key] = number + 1
            fillings[Placeholder(item.key, number)] = value
    return fillings


def find_wording(text: str, values: dict[Placeholder, str]) -> Wording | None:
    """Return a text with all mentions of values replaced by placeholders.

    Mentions are whole words in any case; longer values are replaced first. Placeholders with the
    same value take its mentions in turn. None if mentions are fewer than placeholders.
    """
    holders: dict[str, list[Placeholder]] = {}
    for slot, value in values.items():
        holders.setdefault(value.lower(), []).append(slot)
    low = text.lower()
    if len(low) != len(text):  # a letter with two in lower case would move all places after it
        return None
    spans: list[tuple[int, int, Placeholder]] = []
    for value in sorted(holders, key=len, reverse=True):
        slots = holders[value]
        places = [
            p for p in _mentions(low, value) if all(p[1] <= a or p[0] >= b for a, b, _ in spans)
        ]
        if len(places) < len(slots):
            return None
        spans += [(*p, slots[min(n, len(slots) - 1)]) for n, p in enumerate(places)]
    return tuple(_parts(text, sorted(spans)))


def _mentions(text: str, value: str) -> Iterator[tuple[int, int]]:
    start = text.find(value) if value else -1
    while start >= 0:
        end = start + len(value)
        inside = text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()
        if not inside:
            yield start, end
        start = text.find(value, start + 1 if inside else end)


def _parts(text: str, spans: Sequence[tuple[int, int, Placeholder]]) -> Iterator[str | Placeholder]:
    at = 0
    for start, end, slot in spans:
        if start > at:
            yield text[at:start]
        yield slot
        at = end
    if at < len(text):
        yield text[at:]


def fill(wording: Wording, values: dict[Placeholder, str]) -> str:
    """Return the text of a wording, with the values in place of its placeholders."""
    return "".join(part if isinstance(part, str) else values[part] for part in wording)


ORDER = 4
"""The longest n-gram of BLEU."""


class NgramSpace:
    """Assigns a column to each n-gram, and to each repetition of it."""

    def __init__(self) -> None:
        self._columns: dict[tuple[Any, ...], int] = {}
        self._orders = bytearray()

    def row(self, wording: Wording) -> list[int]:
        """Return the columns of a wording's n-grams; new ones get new columns."""
        pieces = tokens(wording)
        counts: Counter[tuple[str | Placeholder, ...]] = Counter()
        columns = []
        for size in range(1, ORDER + 1):
            for gram in zip(*(pieces[start:] for start in range(size)), strict=False):
                key = (gram, counts[gram])
                counts[gram] += 1
                column = self._columns.get(key)
                if column is None:
                    column = self._columns[key] = len(self._orders)
                    self._orders.append(size - 1)
                columns.append(column)
        return columns

    def orders(self) -> np.ndarray[Any, Any]:
        """Return the length minus one of each column's n-gram: shape (columns,)."""
        import numpy as np

        return np.frombuffer(self._orders, dtype=np.int8)

    def matrix(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Return rows as a CSR matrix (rows, used columns), and those columns, ascending."""
        import numpy as np
        import scipy.sparse as sp

        columns = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows])
        ends = np.cumsum([0, *map(len, rows)])
        own, places = np.unique(columns, return_inverse=True)
        ones = np.ones(len(columns), dtype=np.float32)
        return sp.csr_matrix((ones, places, ends), shape=(len(rows), len(own))), own


def tokens(wording: Iterable[str | Placeholder]) -> list[str | Placeholder]:
    """Return the tokens of a wording, split as sacrebleu does by default (13a)."""
    pieces: list[str | Placeholder] = []
    for part in wording:
        pieces += _split(part) if isinstance(part, str) else (part,)
    return pieces


@lru_cache(maxsize=1 << 16)
def _split(text: str) -> tuple[str, ...]:
    return tuple(_tokenizer()(text).split())


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()  # type: ignore[no-untyped-call]
