"""The responder: replies with the next action's template, filled with values of the dialogue.

A schema follower ranks the actions of the task, the templates of the likeliest ones are filled, and
the one with the fewest unfilled placeholders is said, the likeliest of equals. For an action
without a template (a custom reply), it says the reply of the most similar history of training. So
every reply is a template of the task's schema or a sentence of training.

Replies of training by a template give the source of each placeholder's value and its spelling; for
a template without placeholders, they give the commonest text. A placeholder without training
replies is filled from the source with the most similar name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta

from dialoom.dialogue import (
    SYSTEM,
    Event,
    Example,
    NextAction,
    NextReply,
    Prediction,
    Query,
    Question,
    Result,
    Utterance,
    digest,
)
from dialoom.dialogue.views import label
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.learn.kept import fitted
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.baselines import Nearest
from dialoom.models.follower import Follower
from dialoom.models.follower.rules import find_loops, items_read, lists_of
from dialoom.reading.tracker import SlotTracker
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.lexicon import fields, split_name
from dialoom.schema.task import TaskSchema, resolve
from dialoom.schema.template import Slot, Template, parse
from dialoom.schema.values import plain, same

Origin = Literal["item", "query", "earlier", "state"]
"""Origin of a value: the last result, the calls, earlier results, or the slot tracker."""


class Source(NamedTuple):
    """The origin of a value, and its name there."""

    origin: Origin
    name: str


class KnownValues:
    """The values in a dialogue's history that can fill a reply, each part read on demand."""

    def __init__(self, events: tuple[Event, ...], task: TaskSchema) -> None:
        self._events, self._task = events, task

    @cached_property
    def _last(self) -> int:
        """The index of the last result of this task's calls, else of any call; -1 if none."""
        own, every, calls = -1, -1, self._task.calls
        is_own = False
        for number, event in enumerate(self._events):
            if isinstance(event, Query):
                is_own = event.api in calls
            elif isinstance(event, Result):
                own, every = number if is_own else own, number
        return every if own < 0 else own

    @cached_property
    def found(self) -> dict[Source, Any]:
        """The values of results and calls, those of the last result first."""
        values: dict[Source, Any] = {}
        for number, event in enumerate(self._events):
            if isinstance(event, Query):
                inputs = (each for each in event.constraints if each.operator == "equal")
                values |= {Source("query", each.slot): each.value for each in inputs}
            elif isinstance(event, Result) and number != self._last:
                values |= {Source("earlier", name): value for name, value in _item(event).items()}
        return {Source("item", name): value for name, value in self.item.items()} | values

    @property
    def item(self) -> dict[str, Any]:
        """The item of the last result of this task's calls, else of any call."""
        last = self._events[self._last] if self._last >= 0 else None
        return _item(last) if isinstance(last, Result) else {}

    @cached_property
    def state(self) -> dict[Source, Any]:
        """The values of the task's slots in the slot tracker, in the user's words."""
        tracker = SlotTracker(self._task)
        for event in self._events:
            tracker.observe(event)
        return {
            Source("state", name): tracked.words or tracked.value
            for name, tracked in tracker.values.items()
            if tracked.value is not None
        }

    @cached_property
    def said(self) -> list[str]:
        """The system's texts since the result of `item`."""
        return [
            event.text
            for event in self._events[self._last + 1 :]
            if isinstance(event, Utterance) and event.agent == SYSTEM
        ]


def _item(result: Result) -> dict[str, Any]:
    return result.items[0] if result.items else {}


_ENDED = re.compile(r"[.!?]\s*$")
_BEGINS = re.compile(r"\s+[A-Z]")


class Filled(NamedTuple):
    """A reply made of a template, and the number of its unfilled placeholders."""

    text: str
    missing: int


class _Uses:
    """Counts of one placeholder filled from one source in training.

    `plainly` counts replies with the value as `_spell` renders it; `spelt` maps digests of values
    to their texts in replies.
    """

    def __init__(self) -> None:
        self.plainly = 0
        self.spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)

    @property
    def learnt(self) -> int:
        """Number of replies that have their value's commonest text, without one for each value."""
        return sum(max(texts.values()) - 1 for texts in self.spelt.values())


class TemplateFiller:
    """Fills the placeholders of templates, as learnt from replies."""

    def __init__(self) -> None:
        self._said: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._uses: dict[tuple[str, str], dict[Source, _Uses]] = {}
        self._ways: dict[tuple[str, str], list[tuple[Source, bool]]] = {}

    def learn(self, program: ActionView, action: str, facts: KnownValues, text: str) -> None:
        """Learn from the reply of an action; `facts` are the values before it."""
        pattern = program.texts[action]
        template = parse(pattern)
        if not template.slots:
            self._said[pattern][text] += 1
            return
        match = template.match(text)
        if match is None:
            return
        for slot in template.slots:
            uses = self._uses.setdefault((pattern, slot.name), {})
            target, ends = match.values[slot.name], _is_sentence(template, slot)
            for source, value in facts.found.items():
                use = uses.setdefault(source, _Uses())
                use.plainly += _spell(program, action, facts, value, ends) == target
                use.spelt[digest(value)][target] += 1
        self._ways.clear()

    def fill(self, program: ActionView, action: str, facts: KnownValues) -> Filled:
        """Return the reply of an action's template at a point of a dialogue."""
        pattern = program.texts[action]
        template = parse(pattern)
        if not template.slots:
            counts = self._said.get(pattern)
            return Filled(counts.most_common(1)[0][0] if counts else pattern, 0)
        values = {slot.name: self._value(program, action, slot, facts) for slot in template.slots}
        present = {name: value for name, value in values.items() if value is not None}
        text = template.render({**dict.fromkeys(values, ""), **present}, program.task.language).text
        return Filled(text, len(values) - len(present))

    def _value(
        self, program: ActionView, action: str, slot: Slot, facts: KnownValues
    ) -> str | None:
        pattern = program.texts[action]
        ends = _is_sentence(parse(pattern), slot)
        key = pattern, slot.name
        for source, plainly in self._learnt_ways(key):
            value = facts.found.get(source)
            if value is None:
                continue
            texts = self._uses[key][source].spelt.get(digest(value))
            if texts and not plainly:
                return texts.most_common(1)[0][0]
            return _spell(program, action, facts, value, ends)
        for values in (facts.found, facts.state):
            best = _named(slot, values) or _left(program, parse(pattern), slot, values)
            if best is not None:
                return _spell(program, action, facts, values[best], ends)
        return None

    def _learnt_ways(self, key: tuple[str, str]) -> list[tuple[Source, bool]]:
        """Return the sources of a placeholder in training, the best first.

        Each comes with whether its values are rendered plainly, or in the texts of training.
        """
        if key not in self._ways:
            ways = []
            for source, use in self._uses.get(key, {}).items():
                learnt = use.learnt
                if use.plainly or learnt:
                    ways.append((-max(use.plainly, learnt), source, use.plainly >= learnt))
            ways.sort(key=lambda way: way[0])
            self._ways[key] = [(source, plainly) for _, source, plainly in ways]
        return self._ways[key]


def _named(slot: Slot, values: Mapping[Source, Any]) -> Source | None:
    fits = [
        (similarity, -place, source)
        for place, (source, value) in enumerate(values.items())
        if _fits(slot, value) and (similarity := _similarity(slot.name, source.name))
    ]
    return max(fits)[2] if fits else None


def _fits(slot: Slot, value: Any) -> bool:
    """True if a value may fill a placeholder; one with a form "d" takes whole numbers only."""
    whole = (slot.form or "").startswith("d")
    is_whole = isinstance(value, int) or str(value).strip().isdigit()
    return value not in (None, "", []) and not isinstance(value, bool) and (is_whole or not whole)


def _left(
    program: ActionView, template: Template, slot: Slot, values: Mapping[Source, Any]
) -> Source | None:
    """Return the source in the last result for a placeholder without a similar source name.

    It is the first column, in the schema's order, that no other placeholder is named after: schemas
    list the most informative columns first. None without such a column.
    """
    sources = {_named(other, values) for other in template.slots}
    whole = (slot.form or "").startswith("d")
    for call in program.task.calls.values():
        for column in (*call.outputs, *program.task.columns(call)):
            source = Source("item", column.name)
            value = values.get(source)
            if source not in sources and _fits(slot, value) and isinstance(value, int) == whole:
                return source
    return None


def _similarity(one: str, other: str) -> float:
    left, right = split_name(one), split_name(other)
    shared = sum(any(same(word, each) for each in right) for word in left)
    return shared / (len(left) + len(right) - shared) if shared else 0.0


def _spell(program: ActionView, action: str, facts: KnownValues, value: Any, ends: bool) -> str:
    """Return the text of a value; of a list that the flow reads out, the next element.

    With `ends`, a full stop closes the text.
    """
    if isinstance(value, list | tuple) and value:
        value = _element(program, action, facts, [fields(each) for each in value]) or value
    text = plain(value, program.task.language)
    return f"{text}." if ends and not _ENDED.search(text) else text


def _element(
    program: ActionView, action: str, facts: KnownValues, elements: list[str]
) -> str | None:
    """Return the element of a list that an action reads out, or None.

    An element that was said already is replaced by that of another list of the item, which has it
    in other words.
    """
    for loop in find_loops(program):
        if action not in (loop.body, loop.last, *loop.branches):
            continue
        lists = [elements, *lists_of(program, action, facts.item)]
        done = items_read(lists, facts.said)
        place = len(elements) - 1
        if action != loop.last:
            place = min(place, done if action == loop.body else max(done - 1, 0))
        there = [each[place] for each in lists if place < len(each)]
        return next((each for each in there if not items_read([[each]], facts.said)), there[0])
    return None


def _is_sentence(template: Template, slot: Slot) -> bool:
    """True if a placeholder represents a whole sentence: others begin right after it."""
    place = template.parts.index(slot)
    before, after = template.parts[:place][-1:], template.parts[place + 1 :][:1]
    starts = not before or (isinstance(before[0], str) and bool(_ENDED.search(before[0])))
    return starts and bool(after) and isinstance(after[0], str) and bool(_BEGINS.match(after[0]))


@dataclass
class Responder:
    """Replies with the next action's template, filled with values of the dialogue.

    Attributes:
        templates: Number of likeliest actions whose templates are filled.
        members: Number of models that the follower averages.
    """

    name: ClassVar[str] = "responder"
    kinds: ClassVar[Kinds] = (NextReply,)
    templates: Annotated[int, Meta(ge=1, le=100)] = 3
    members: Annotated[int, Meta(ge=1, le=1000)] = 3
    seed: Seed = 0
    _follower: Follower | None = field(default=None, init=False, repr=False)
    _filler: TemplateFiller = field(default_factory=TemplateFiller, init=False, repr=False)
    _own_words: Nearest | None = field(default=None, init=False, repr=False)

    def settle(self) -> None:
        """Settle the follower, before it is saved."""
        known(self._follower).settle()

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the follower on the actions of the replies, and learn how templates are filled."""
        need(examples)
        self._filler = TemplateFiller()
        actions, own = [], []
        programs = _programs([example.question for example in examples], schemas)
        for example, program in zip(examples, programs, strict=True):
            question = example.question
            action = picked(example, program)
            if action is None or action == CUSTOM:
                own.append(example)
            else:
                at_hand = KnownValues(question.history, program.task)
                self._filler.learn(program, action, at_hand, example.answer)
            if action is not None:
                actions.append(Example(as_action(question), action))
        follower = Follower(members=self.members, seed=self.seed)
        self._follower = fitted(follower, actions, schemas)
        self._own_words = Nearest()
        self._own_words.fit(own or examples, schemas)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with a text; the ranking has the texts of all filled templates."""
        ranked = known(self._follower).predict([as_action(q) for q in questions], schemas)
        programs = _programs(questions, schemas)
        return [self._answer(*each) for each in zip(questions, ranked, programs, strict=True)]

    def _answer(
        self, question: Question[NextReply], prediction: Prediction[str], program: ActionView
    ) -> Prediction[str]:
        at_hand = KnownValues(question.history, program.task)
        replies = [(a, p) for a, p in prediction.ranking if a not in QUERIES][: self.templates]
        answers = []
        for place, (action, share) in enumerate(replies):
            if action == CUSTOM:
                (own,) = known(self._own_words).predict([question], {})
                answers.append((0, place, own.answer, share))
            else:
                text, missing = self._filler.fill(program, action, at_hand)
                answers.append((missing, place, text, share))
        answers.sort(key=lambda each: each[:2])
        return Prediction(answers[0][2], tuple((text, share) for _, _, text, share in answers))


def _programs(questions: Questions, schemas: Schemas) -> list[ActionView]:
    tasks = [resolve(question.asked.task, schemas) for question in questions]
    compiled = {name: view_actions(schemas[name]) for name in dict.fromkeys(tasks)}
    return [compiled[name] for name in tasks]


def as_action(question: Question[NextReply]) -> Question[NextAction]:
    """Return the question of the next action at the same place."""
    return Question(question.dialogue, question.event, NextAction(question.asked.task))


def picked(example: Example[NextReply, str], program: ActionView) -> str | None:
    """Return the action of a reply of training.

    It is that of the annotated label; if the schema lacks it, the action whose template matches the
    text, else `CUSTOM`. None if the reply has no label and no template matches.
    """
    question = example.question
    reply = question.dialogue.events[question.event : question.event + 1]
    name = next((label(event) for event in reply if isinstance(event, Utterance)), None)
    if name in program.texts:
        return name
    matches = (a for a, text in program.texts.items() if text and parse(text).match(example.answer))
    return next(matches, None if name is None else CUSTOM)
