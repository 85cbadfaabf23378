"""Evidence for each side's lines in a task: words, functions, slots and values of each node.

    profiles = Profiles(task, "system")
    profiles.replies["hotel_ask_hotel"].function      # "request"

The function of a node follows from its place in the flow (dialoom.schema.functions), never from its
name. The words come from its templates, the descriptions, values and answers of the slots that it
asks for, and the descriptions of the values that it states.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from dialoom.reading.wording import DAY, NAME, NUMBER, TEXT, TIME, YES_NO, SentenceWords, wording_of
from dialoom.schema.call import Column
from dialoom.schema.flow import Node
from dialoom.schema.functions import Function, Functions
from dialoom.schema.lexicon import lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import TEXTS, kind

OUT_OF_SCOPE = "out_of_scope"
"""The label of the replies to anything else, which are in no flow."""

FEW = 0.5
"""Added to the squared weight of a text, so that a single common word makes it like nothing.

With 0, 0.5 and 1, bots' lines were read in 89.0, 89.6 and 89.6 %; wizards' in 94.0, 94.0 and 93.4.
"""

T = TypeVar("T", str, int)

Speaker = Literal["system", "user"]

SpokenFunction = (
    Function
    | Literal[
        "acknowledge",
        "change",
        "correct",
        "give",
        "hand_over",
        "not_understood",
        "options",
        "out_of_scope",
        "small_talk",
        "wait",
    ]
)
"""Functions of a sentence: those of flows, and those that flows do not need."""

SEVERAL = 3
"""Fewest slots of a question that leaves the choice to the user, as searches do."""

_WITH_KIND = ("request", "give", "correct")
"""Functions whose labels have the kind of value that is asked for or given."""

_KINDS = {
    "time": TIME,
    "date": DAY,
    "number": NUMBER,
    "boolean": YES_NO,
    "name": NAME,
    "choice": NAME,
    "text": TEXT,
}

_PERSON = "person"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A node of one speaker, as evidence for the meaning of a text.

    Attributes:
        action: Its node, or `OUT_OF_SCOPE`.
        function: Its function; None if the flow does not decide it.
        asks: The slots that it asks for; of a user's node, those that it gives.
        asked_kind: The kind of the first of these ("time", "person"); empty if there is none.
        named: True if the first of these is a name, perhaps a person's.
        templates: The wordings of its templates.
        described: Those of the descriptions of its slots.
        listed: The words of the values that these list.
        answered: The words of users' answers to it.
        stated: The wordings of the descriptions of the values that it states.
        open: True if it states an arbitrary text.
    """

    action: str
    function: SpokenFunction | None
    asks: tuple[str, ...] = ()
    asked_kind: str = ""
    named: bool = False
    templates: tuple[SentenceWords, ...] = ()
    described: tuple[SentenceWords, ...] = ()
    listed: frozenset[str] = frozenset()
    answered: SentenceWords
    stated: tuple[SentenceWords, ...] = ()
    open: bool = False

    @property
    def label(self) -> str:
        """The function, for requests with the kind of value that is asked for."""
        if self.function == "request" and len(self.asks) >= SEVERAL:
            return "options"
        if self.function in _WITH_KIND and self.asked_kind:
            return f"{self.function}:{self.asked_kind}"
        return self.function or ""

    @property
    def labels(self) -> tuple[str, ...]:
        """The label, and that for persons if a name may be a person's."""
        return (self.label, f"{self.function}:{_PERSON}") if self.named else (self.label,)


class Bag(Generic[T]):
    """Words or concepts with their weights."""

    __slots__ = ("items", "square", "total")

    def __init__(self, items: Iterable[T], weight: Callable[[T], float]) -> None:
        self.items: dict[T, float] = {each: weight(each) for each in items}
        self.total: float = sum(self.items.values())
        self.square: float = sum(each * each for each in self.items.values())

    def likeness(self, other: Bag[T]) -> float:
        """Return the weighted cosine of two bags, 0 to 1."""
        shared = self.items.keys() & other.items.keys()
        if not shared:
            return 0.0
        common = sum(self.items[each] ** 2 for each in shared)
        return common / math.sqrt((self.square + FEW) * other.square)

    def covered(self, other: Bag[T]) -> float:
        """Return the share of this bag's weight that another bag has, 0 to 1."""
        shared = self.items.keys() & other.items.keys()
        return sum(self.items[each] for each in shared) / self.total if shared else 0.0


class Bags(NamedTuple, Generic[T]):
    """The words or the concepts of one reply."""

    whole: Bag[T]
    templates: tuple[Bag[T], ...]
    slots: tuple[Bag[T], ...]
    stated: tuple[Bag[T], ...]
    answered: Bag[T]


class Profiles:
    """The nodes of one speaker in one task, and the weights of their words.

    `replies`, `words` and `concepts` are by action; `known` has the words of all replies.
    """

    def __init__(
        self, task: TaskSchema, speaker: Speaker, without: tuple[str, int] | None = None
    ) -> None:
        """Make one speaker's profiles, in training without a node's template of that number."""
        self.task, self._speaker, self._without = task, speaker, without
        self._functions = Functions(task).of
        self._columns = {
            column.name: column
            for call in task.calls.values()
            for column in (*call.inputs, *task.result_columns(call))
        }
        self.replies = {reply.action: reply for reply in self._replies()}
        replies = self.replies.values()
        self._by_word = _weight([_words(reply) for reply in replies])
        self._by_concept = _weight([_concepts(reply) for reply in replies])
        self.known = self.words_in(each for reply in replies for each in _words(reply))
        self.words = {
            reply.action: _bags(reply, _words(reply), self.words_in, lambda wording: wording.words)
            for reply in replies
        }
        self.concepts = {
            reply.action: _bags(
                reply, _concepts(reply), self.concepts_in, lambda wording: wording.concepts
            )
            for reply in replies
        }

    def words_in(self, words: Iterable[str]) -> Bag[str]:
        """Return words, weighed by how few replies of the task have them."""
        return Bag(words, self._by_word)

    def concepts_in(self, concepts: Iterable[int]) -> Bag[int]:
        """Return concepts, weighed likewise."""
        return Bag(concepts, self._by_concept)

    def _replies(self) -> Iterator[Reply]:
        task = self.task
        for node in task.flow.nodes.values():
            if node.kind == self._speaker and node.texts:
                yield self._reply(node)
        if task.out_of_scope and self._speaker == "system":
            yield Reply(
                action=OUT_OF_SCOPE,
                function="out_of_scope",
                templates=tuple(map(self.wording, task.out_of_scope)),
                answered=merged(()),
            )

    def _reply(self, node: Node) -> Reply:
        task, language = self.task, self.task.language
        slots = [task.slots[name] for name in self._slots(node) if name in task.slots]
        texts = [text for n, text in enumerate(node.texts) if (node.name, n) != self._without]
        names = sorted({name for text in node.texts for name in PLACEHOLDER.findall(text)})
        after = task.flow.following(node) if node.asks else []
        answers = [text for user in after if user.kind == "user" for text in user.texts]
        stated = [self._slot(name, self._columns.get(name)) for name in names]
        listing = slots or [slot for slot in stated if slot is not None]
        values = (
            each for slot in listing for v, ways in slot.values.items() for each in (v, *ways)
        )
        return Reply(
            action=node.name,
            function=self._function(node),
            asks=tuple(slot.name for slot in slots),
            asked_kind=asked_kind(slots[0], language) if slots else "",
            named=bool(slots) and _names_something(slots[0], language),
            templates=tuple(map(self.wording, texts)),
            described=tuple(described(slot, language) for slot in slots),
            listed=merged(wording_of(v.lower(), language) for v in values).words,
            answered=merged(map(self.wording, answers)),
            stated=tuple(self._stated(name) for name in names),
            open=bool(node.reads) or any(self._kind(name) == TEXT for name in names),
        )

    def _slots(self, node: Node) -> tuple[str, ...]:
        """Return the slots that a node asks for, or that a user corrects or answers with."""
        if self._speaker == "system":
            return node.asks
        before = (self.task.flow.nodes[name] for name in self.task.flow.before[node.name])
        slots = tuple(slot for each in before for slot in each.asks)
        return node.corrects or (() if node.gives_none else slots)

    def _function(self, node: Node) -> SpokenFunction | None:
        cases: tuple[tuple[object, SpokenFunction], ...] = (
            (node.not_understood, "not_understood"),
            (node.hands_over, "hand_over"),
            (node.corrects, "correct"),
        )
        own = next((function for flag, function in cases if flag), None)
        function = own or next(iter(self._functions.get(node.name, ())), None)
        if function is None and self._speaker == "user":
            return "give" if self._slots(node) else "change" if node.forget else None
        return function

    def wording(self, text: str) -> SentenceWords:
        """Return the wording of a template, with tokens for its values."""
        marked = PLACEHOLDER.sub(lambda match: f" {self._kind(match[1])} ", text)
        return wording_of(marked, self.task.language)

    def _kind(self, name: str) -> str:
        column = self._columns.get(name)
        slot = self._slot(name, column)
        if slot is not None:
            return value_token(slot, self.task.language)
        return TEXT if column is None else _column_kind(column, self.task.language)

    def _slot(self, name: str, column: Column | None) -> Slot | None:
        owner = column.slot if column is not None else None
        return self.task.slots.get(owner or name)

    def _stated(self, name: str) -> SentenceWords:
        """Return the words for the values of a placeholder: of its column and its slot."""
        column = self._columns.get(name)
        slot = self._slot(name, column)
        own = "" if column is None else column.title or " ".join(split_name(column.name))
        text = " ".join(filter(None, (own, slot.description if slot is not None else "")))
        return wording_of(text.lower(), self.task.language)


def value_token(slot: Slot, language: str) -> str:
    """Return the token for the values of a slot in wordings ("<time>")."""
    return _KINDS[kind(slot, language)]


def described(slot: Slot, language: str) -> SentenceWords:
    """Return the words of a slot's description; where it has none, of its name."""
    text = slot.description or " ".join(split_name(slot.name))
    return wording_of(text.lower(), language)


def asked_kind(slot: Slot, language: str) -> str:
    """Return the kind (`dialoom.schema.values`, or "person") of value that a slot's question asks
    for.
    """
    value_kind = kind(slot, language)
    if _speaks_of_names(slot, language) and not _names_something(slot, language):
        return _PERSON
    return "amount" if slot.type == "amount" else "name" if value_kind == "choice" else value_kind


def _speaks_of_names(slot: Slot, language: str) -> bool:
    people, text = lexicon(language).people, slot.description or " ".join(split_name(slot.name))
    is_name = kind(slot, language) == "name" and slot.type in TEXTS
    return is_name and not set(people).isdisjoint(words(text))


def _names_something(slot: Slot, language: str) -> bool:
    """Return True if a slot's description names a thing, as "Name of the hotel" does."""
    spoken, pairs = lexicon(language), pairwise(words(slot.description))
    of = any(one in spoken.people and other in spoken.of for one, other in pairs)
    return of and _speaks_of_names(slot, language)


def merged(wordings: Iterable[SentenceWords]) -> SentenceWords:
    """Return one wording with the words and concepts of several, in no order."""
    parts = list(wordings)
    return SentenceWords(
        stems=(),
        words=frozenset().union(*(each.words for each in parts)),
        concepts=frozenset().union(*(each.concepts for each in parts)),
        values={},
        question=False,
    )


def _column_kind(column: Column, language: str) -> str:
    if column.type in ("texts", "steps", "text") or column.lists:
        return TEXT
    if column.type in ("integer", "serial", "amount"):
        return NUMBER
    if column.type in ("time", "date", "boolean"):
        return _KINDS[column.type]
    values = tuple(map(str, column.values))
    if any(len(value.split()) > 4 for value in values):
        return TEXT
    slot = Slot(name=column.name, type="category", values=dict.fromkeys(values, ()))
    return _KINDS[kind(slot, language)] if values else NAME


def _held(reply: Reply) -> tuple[SentenceWords, ...]:
    return (*reply.templates, *reply.described, *reply.stated)


def _words(reply: Reply) -> frozenset[str]:
    return frozenset().union(*(each.words for each in _held(reply)))


def _concepts(reply: Reply) -> frozenset[int]:
    return frozenset().union(*(each.concepts for each in _held(reply)))


def _bags(
    reply: Reply,
    whole: Iterable[T],
    weigh: Callable[[Iterable[T]], Bag[T]],
    of: Callable[[SentenceWords], Iterable[T]],
) -> Bags[T]:
    return Bags(
        weigh(whole),
        tuple(weigh(of(each)) for each in reply.templates),
        tuple(weigh(of(each)) for each in reply.described),
        tuple(weigh(of(each)) for each in reply.stated),
        weigh(of(reply.answered)),
    )


def _weight(sets: Collection[frozenset[T]]) -> Callable[[T], float]:
    """Return the weight of a word or concept: log((n + 1) / (replies that have it + 0.5))."""
    counts: Counter[T] = Counter(each for group in sets for each in group)
    whole = len(sets) + 1
    rare = math.log(whole / 0.5)
    weights = {each: math.log(whole / (count + 0.5)) for each, count in counts.items()}
    return lambda each: weights.get(each, rare)
