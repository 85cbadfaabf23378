"""The learnt state tracker: selects values that came up, for services seen and unseen.

At each user turn every slot of a service has candidates: values that the user or the system said,
values that other services' slots have, listed values, and "any will do". Trees say how likely each
is to be the slot's new value; what is likely enough updates the state of the turn before.

What the trees see of a candidate are scores learnt over pairs of words (listening.py). So that they
learn what the scores of a service that was never seen look like, the scores they are fitted on
come from listeners that learnt from other dialogues, without some of the services. In a second
round they see states of their own making before each turn in place of the right ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np

from dialoom.dialogue import Prediction, State, StateOf
from dialoom.models.base import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.tracker.decisions import (
    NO_INTENT,
    Choice,
    Judge,
    Lessons,
    Rows,
    choices,
    decide,
    set_gold,
)
from dialoom.models.tracker.features import telling
from dialoom.models.tracker.listening import Listener
from dialoom.models.tracker.memory import Memory
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import SpanTagger
from dialoom.models.tracker.turns import Turn, turns

TREES: dict[str, Any] = {
    "max_iter": 250,
    "learning_rate": 0.1,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 60,
    "l2_regularization": 1.0,
    "early_stopping": False,
}
FOLDS = 4
SPANS = 40_000
"""Utterances that spans are learnt from at most."""
SYSTEM_SIDE, USER_SIDE = "S", "U"
CHUNK = 200
"""Dialogues that are tracked at a time."""


def judge(rows: Rows, seed: int, **changed: Any) -> Judge:
    """Fit trees on rows."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    if len(set(rows.labels)) < 2:
        always = float(any(rows.labels))
        return lambda asked: np.full(len(asked), always, np.float32)
    table = np.concatenate(rows.tables)
    trees = HistGradientBoostingClassifier(**(TREES | changed), random_state=seed)
    trees.fit(table, np.array(rows.labels))
    return lambda asked: trees.predict_proba(asked)[:, 1].astype(np.float32)


@dataclass
class Judges:
    """The trees of one input mode."""

    values: Judge
    intents: Judge
    requests: Judge


@dataclass
class Tracker:
    """Tracks states by selection; settings: how many dialogues it learns from, and the seed."""

    name: ClassVar[str] = "tracker"
    kinds: ClassVar[Kinds] = (StateOf,)
    dialogues: int = 3000
    seed: Seed = 0

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn where values stand and what is said of slots; trees are fitted when asked."""
        need(examples)
        draw = Random(self.seed)
        read = list(_talks(examples))
        draw.shuffle(read)
        self._read = read[: self.dialogues]
        self._schemas = schemas
        self._known = frozenset(name for talk in self._read for t in talk for name in t.services)
        views = {name: ServiceView(schemas[name], name) for name in sorted(self._known)}
        self._views = views
        self._idf = telling(list(views.values()))
        kinds = {
            (name, slot.name): slot.kind
            for name, view in views.items()
            for slot in view.slots
            if not slot.listed
        }
        self._tagger = SpanTagger()
        sides = [
            (side, agent, kinds)
            for talk in self._read
            for turn in talk
            for side, agent in ((turn.system, SYSTEM_SIDE), (turn.user, USER_SIDE))
            if side.spans is not None
        ]
        self._tagger.fit(draw.sample(sides, min(SPANS, len(sides))), self.seed)
        for talk in self._read:
            self._locate(talk)
        self._listener = Listener()
        self._listener.fit(self._read, views, self.seed)
        self._folds = list(self._listeners(draw))
        self._judges: dict[bool, Judges] = {}

    def _locate(self, talk: Sequence[Turn]) -> None:
        for turn in talk:
            turn.system.places = self._tagger.find(turn.system, SYSTEM_SIDE)
            turn.user.places = self._tagger.find(turn.user, USER_SIDE)

    def _listeners(
        self, draw: Random
    ) -> Iterator[tuple[list[list[Turn]], Listener, frozenset[str]]]:
        """Yield parts of the dialogues, each with what was learnt from the others."""
        names = sorted(self._known)
        draw.shuffle(names)
        for n in range(FOLDS):
            hidden = frozenset(
                name for m, name in enumerate(names) if m % FOLDS in (n, (n + 1) % FOLDS)
            )
            views = {name: view for name, view in self._views.items() if name not in hidden}
            others = [talk for m, talk in enumerate(self._read) if m % FOLDS != n]
            listener = Listener()
            listener.fit(others, views, self.seed + n + 1)
            yield self._read[n::FOLDS], listener, hidden

    def _fitted(self, acts: bool) -> Judges:
        found = self._judges.get(acts)
        if found is None:
            first = self._learn(acts, 0, None)
            found = self._judges[acts] = self._learn(acts, 1, first)
        return found

    def _learn(self, acts: bool, half: int, own: Judges | None) -> Judges:
        """Fit trees on half of the dialogues, before whose turns stand right or own states."""
        lessons = Lessons(Random(self.seed + half))
        for part, listener, hidden in self._folds:
            sides = listener, self._views, self._idf, self._known - hidden, acts
            for steps in _lockstep(part[half::2], *sides):
                labelled = [
                    (turn.number, choice, state)
                    for turn, found in steps
                    for choice in found
                    if (state := turn.states.get(choice.held.view.name)) is not None
                ]
                for now, choice, state in labelled:
                    lessons.add(choice, state)
                    if own is None:
                        set_gold(choice.held, state, now)
                if own is not None:
                    _apply([(now, choice) for now, choice, _ in labelled], own)
        return Judges(
            judge(lessons.values, self.seed),
            judge(lessons.intents, self.seed, max_iter=80),
            judge(lessons.requests, self.seed, max_iter=80),
        )

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[dict[str, State]]]:
        """Track each dialogue once, many dialogues turn by turn together."""
        known(getattr(self, "_read", None))
        asked: dict[str, int] = {}
        longest: dict[str, Any] = {}
        for question in questions:
            name = question.dialogue.id
            if question.event >= asked.get(name, 0):
                asked[name], longest[name] = question.event, question.history
        read = {name: list(turns(events)) for name, events in longest.items()}
        names = {name for question in questions for name in question.asked.services}
        views = {
            name: ServiceView(schemas[name], name)
            for name in sorted(
                names | {s for talk in read.values() for t in talk for s in t.services}
            )
            if name in schemas
        }
        acts = any(turn.system.acts is not None for talk in read.values() for turn in talk)
        judges = self._fitted(acts)
        idf = telling(
            [*self._views.values(), *(v for n, v in views.items() if n not in self._views)]
        )
        found: dict[tuple[str, int, str], State] = {}
        order = list(read)
        for start in range(0, len(order), CHUNK):
            part = order[start : start + CHUNK]
            talks = [read[name] for name in part]
            for talk in talks:
                self._locate(talk)
            where = {
                id(turn): name for name, talk in zip(part, talks, strict=True) for turn in talk
            }
            for steps in _lockstep(talks, self._listener, views, idf, self._known, acts):
                flat = [(turn.number, choice) for turn, mine in steps for choice in mine]
                requested = _apply(flat, judges)
                flat_turns = [turn for turn, mine in steps for _ in mine]
                for turn, (_, choice), wanted in zip(flat_turns, flat, requested, strict=True):
                    key = (where[id(turn)], turn.position, choice.held.view.name)
                    found[key] = State(
                        choice.held.intent, wanted, {s: (v,) for s, v in choice.held.values.items()}
                    )
        return [
            Prediction(
                {
                    name: found.get((q.dialogue.id, q.event, name), State(intent=NO_INTENT))
                    for name in q.asked.services
                }
            )
            for q in questions
        ]


def _apply(flat: Sequence[tuple[int, Choice]], judges: Judges) -> list[tuple[str, ...]]:
    """Update the states by the trees' judgement; return the slots that the user asks for."""
    chances = _judged([choice.values for _, choice in flat], judges.values)
    wanted = _judged([choice.intents for _, choice in flat], judges.intents)
    asked = _judged([choice.requests for _, choice in flat], judges.requests)
    requested = []
    for (now, choice), values, intents, requests in zip(flat, chances, wanted, asked, strict=True):
        decide(choice, values, now)
        view = choice.held.view
        choice.held.intent = (*view.intents, NO_INTENT)[int(np.argmax(intents))]
        requested.append(
            tuple(s.name for s, p in zip(view.slots, requests, strict=True) if p > 0.5)
        )
    return requested


def _judged(groups: Sequence[list[list[float]]], judge: Judge) -> list[Any]:
    """Return the probabilities of groups of rows, judged together."""
    rows = [row for group in groups for row in group]
    chances = judge(np.array(rows, np.float32)) if rows else np.zeros(0, np.float32)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return list(np.split(chances, ends))


def _lockstep(
    talks: Sequence[list[Turn]],
    listener: Listener,
    views: Mapping[str, ServiceView],
    idf: dict[str, float],
    known: frozenset[str],
    acts: bool,
) -> Iterator[list[tuple[Turn, list[Choice]]]]:
    """Yield what may happen at the first turn of each dialogue, then at the second, and so on."""
    for start in range(0, len(talks), CHUNK):
        part = talks[start : start + CHUNK]
        memories = [Memory(listener, views) for _ in part]
        for n in range(max(map(len, part), default=0)):
            steps = []
            for talk, memory in zip(part, memories, strict=True):
                if n < len(talk):
                    memory.read(talk[n])
                    steps.append((talk[n], choices(memory, idf, known, listener, acts)))
            yield steps


def _talks(examples: Examples) -> Iterator[list[Turn]]:
    """Yield the turns of each dialogue of some examples, with their states."""
    seen: set[str] = set()
    for example in examples:
        dialogue = example.question.dialogue
        if dialogue.id not in seen:
            seen.add(dialogue.id)
            yield list(turns(dialogue.events))
