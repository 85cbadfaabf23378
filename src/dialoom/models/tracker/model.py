"""The learnt state tracker: selects values that came up, for services seen and unseen.

At each user turn every slot of a service has candidates: values that the user or the system said,
values that other services' slots have, listed values, and "any will do". Trees say how likely each
is to be the slot's new value. A slot whose candidates are likely enough together takes the
likeliest; so does one for which the user says a value that is likely enough to fill some slot.

What the trees see of a candidate are scores learnt over pairs of words (scorers.py). So that they
learn what the scores of a service that was never seen look like, the scores they are fitted on
come from scorers that learnt from other dialogues, without some of the services. In a second
round they see states of their own making before each turn in place of the right ones.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, zip_longest
from random import Random
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta

from dialoom.corpus.processes import shared
from dialoom.dialogue import USER, Event, Prediction, Question, State, StateOf, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import parts
from dialoom.models.base import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.encoder import encoders
from dialoom.models.tracker.cross_fitting import (
    CrossFitPart,
    annotated_texts,
    cross_fitted,
    locate,
)
from dialoom.models.tracker.features import FeatureSources, stem_idf
from dialoom.models.tracker.frame_rows import (
    NO_INTENT,
    Classifier,
    FrameRows,
    LabelledFrame,
    LabelledRows,
    Table,
    TrainingRows,
    frame_rows,
    labelled,
    set_reference,
    update_state,
)
from dialoom.models.tracker.history import DialogueHistory
from dialoom.models.tracker.pairs import Floats
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import SpanTagger
from dialoom.models.tracker.turns import TrackedTurn, turns
from dialoom.schema.task import TaskSchema

TREES: dict[str, Any] = {
    "max_iter": 250,
    "learning_rate": 0.1,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 60,
    "l2_regularization": 1.0,
    "early_stopping": False,
}
FIRST = 100
"""Trees of the first round, which only make states to learn from in the second."""
CHUNK = 200
"""Dialogues that are tracked at a time."""

Views = Mapping[str, ServiceView]
Step = list[tuple[TrackedTurn, list[FrameRows]]]
"""What may happen at a turn of each of some dialogues."""


class Trees:
    """Boosted trees that tell how likely a row is.

    Args:
        rows: What they are fitted on.
        seed: What their randomness comes from.
        changed: Parameters that differ from the usual ones.
    """

    def __init__(self, rows: LabelledRows, seed: int, **changed: Any) -> None:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        self._always = float(any(rows.labels))
        self._trees: Any = None
        if len(set(rows.labels)) > 1:
            self._trees = HistGradientBoostingClassifier(**(TREES | changed), random_state=seed)
            # as the trees take it, so that they make no copy
            table = np.concatenate(rows.tables, dtype=np.float64)
            weights = np.array(rows.weights)
            with threadpool_limits(limits=1):
                self._trees.fit(table, np.array(rows.labels), sample_weight=weights)

    def __call__(self, table: Table) -> Floats:
        """Return the probability of each row."""
        from threadpoolctl import threadpool_limits

        if self._trees is None:
            return np.full(len(table), self._always, np.float32)
        with threadpool_limits(limits=1):
            found: Floats = self._trees.predict_proba(table)[:, 1].astype(np.float32)
        return found


@dataclass
class TreeModels:
    """The trees of one input mode."""

    values: Trees
    intents: Trees
    requests: Trees


@dataclass
class Tracker:
    """Tracks states by selection.

    Where the system's acts are shown in training, it reads them when it is asked as well.

    Attributes:
        dialogues: Dialogues that it learns from at most.
        threshold: The least probability that a slot changes: that of all its candidates together,
            or that of a value said now to fill some slot.
        encoder: The text encoder, by name, that compares descriptions with what is said; by
            default there is none.
        seed: Where its randomness comes from.
    """

    name: ClassVar[str] = "tracker"
    kinds: ClassVar[Kinds] = (StateOf,)
    dialogues: Annotated[int, Meta(ge=1)] = 6000
    threshold: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    encoder: str = ""
    seed: Seed = 0

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn where values stand, what is said of slots, and what becomes of that."""
        need(examples)
        draw = Random(self.seed)
        read = list(_dialogue_turns(examples, self.dialogues, draw))
        self._acts = _acts_are_shown(each.question.dialogue.events for each in examples)
        named = (name for turns_ in read for turn in turns_ for name in turn.services)
        self._known = sorted({name for name in named if name in schemas})
        views = {
            name: ServiceView(schemas[name], name, _variants(name, schemas)) for name in self._known
        }
        self._stems = {name: [slot.stems for slot in view.slots] for name, view in views.items()}
        self._tagger = SpanTagger()
        self._tagger.fit(annotated_texts(read, views, draw), self.seed)
        folds, found = cross_fitted(read, views, draw, self.seed, acts=self._acts)
        self._scorers = Scorers()
        self._scorers.fit(found, self.seed)
        del found
        rows = TrainingRows(Random(self.seed))

        def worded(hidden: Collection[str]) -> Views:
            return views | {
                name: ServiceView(schemas[name], name, _variants(name, schemas), draw, named=False)
                for name in sorted(hidden)
            }

        first = self._learn(folds, worded, 0, rows, None)
        self._models = self._learn(folds, worded, 1, rows, first)

    def _learn(
        self,
        folds: Sequence[CrossFitPart],
        worded: Callable[[Collection[str]], Views],
        half: int,
        rows: TrainingRows,
        own: TreeModels | None,
    ) -> TreeModels:
        """Add half of the dialogues to the rows, with right or own states before each turn.

        What is new to the scorers is described in other words now and then: `worded` returns the
        services in such words.
        """

        def parts() -> Iterator[tuple[Sequence[list[TrackedTurn]], Views, FeatureSources]]:
            for part, scorers, hidden in folds:
                dialogues, views = part[half::2], worded(hidden)
                _word_intents(dialogues, views)
                yield dialogues, views, self._sources(scorers, views, hidden)

        def taught(
            part: tuple[Sequence[list[TrackedTurn]], Views, FeatureSources],
        ) -> list[LabelledFrame]:
            return list(_taught(_lockstep(*part), own, self.threshold))

        def fitted(task: str) -> bytes:  # for files of the same bytes from any processes
            usual = TREES["max_iter"] if own else FIRST
            most = {"max_iter": usual if task == "values" else 80}
            return pickle.dumps(Trees(getattr(rows, task), self.seed, **most))

        import_module("sklearn.ensemble")  # here, so that not each process loads it
        # an encoder may have threads, which a forked process has not
        for frames in shared(taught, parts(), 1 if self.encoder else None):
            for frame in frames:
                rows.add(frame)
        tasks = ("values", "requests", "intents")
        return TreeModels(**dict(zip(tasks, map(pickle.loads, shared(fitted, tasks)), strict=True)))

    def _sources(
        self, scorers: Scorers, views: Views, hidden: frozenset[str] = frozenset()
    ) -> FeatureSources:
        """Return what features of services are made with; hidden ones were not learnt from."""
        encoder = encoders.get(self.encoder)() if self.encoder else None
        if encoder is not None:
            encoder.fit(text for view in views.values() for text in view.texts)
        known_ = frozenset(self._known) - hidden
        return FeatureSources(scorers, self._idf(views), known_, self._acts, encoder)

    def _idf(self, views: Mapping[str, ServiceView]) -> dict[str, float]:
        """Return how telling the stems of the descriptions of all services at hand are."""
        stems = {name: [slot.stems for slot in view.slots] for name, view in views.items()}
        return stem_idf([each for slots in (self._stems | stems).values() for each in slots])

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[dict[str, State]]]:
        """Track each dialogue once, many dialogues turn by turn together."""
        known(getattr(self, "_models", None))
        longest: dict[str, Question[Any]] = {}
        for question in questions:
            held = longest.setdefault(question.dialogue.id, question)
            if question.event > held.event:
                longest[question.dialogue.id] = question
        found: dict[tuple[str, int, str], State] = {}
        order = list(longest.values())
        views: dict[str, ServiceView] = {}
        for start in range(0, len(order), CHUNK):
            part = order[start : start + CHUNK]
            found |= self._track(part, schemas, views)
        return [
            Prediction(
                {
                    name: found.get((q.dialogue.id, q.event, name), State(intent=NO_INTENT))
                    for name in q.asked.services
                }
            )
            for q in questions
        ]

    def _track(
        self, part: Sequence[Question[Any]], schemas: Schemas, views: dict[str, ServiceView]
    ) -> dict[tuple[str, int, str], State]:
        """Return the states of some dialogues: by dialogue, turn and service."""
        read = [list(turns(question.history)) for question in part]
        for dialogue in read:
            for name in sorted({name for turn in dialogue for name in turn.services}):
                if name in schemas and name not in views:
                    learnt = name in self._known
                    views[name] = ServiceView(schemas[name], name, named=learnt)
            locate(dialogue, views if self._acts else {}, self._tagger)
        found: dict[tuple[str, int, str], State] = {}
        sources = self._sources(self._scorers, views)
        names = {
            id(turn): question.dialogue.id
            for question, dialogue in zip(part, read, strict=True)
            for turn in dialogue
        }
        for steps in _lockstep(read, views, sources):
            flat = [(turn, frame) for turn, frames in steps for frame in frames]
            requested = _apply(
                [(turn.number, frame) for turn, frame in flat], self._models, self.threshold
            )
            for (turn, frame), asked in zip(flat, requested, strict=True):
                held = frame.held
                values: dict[str, tuple[Value, ...]] = {s: (v,) for s, v in held.values.items()}
                key = (names[id(turn)], turn.position, held.view.name)
                found[key] = State(held.intent, asked, values)
        return found


def _apply(
    flat: Sequence[tuple[int, FrameRows]], models: TreeModels, threshold: float
) -> list[tuple[str, ...]]:
    """Update the states by the trees' judgement; return the slots that the user asks for."""
    chances = _judged([frame.values for _, frame in flat], models.values)
    wanted = _judged([frame.intents for _, frame in flat], models.intents)
    asked = _judged([frame.requests for _, frame in flat], models.requests)
    requested = []
    for (now, frame), values, intents, requests in zip(flat, chances, wanted, asked, strict=True):
        update_state(frame, values, now, threshold)
        view = frame.held.view
        frame.held.intent = (*view.intents, NO_INTENT)[int(np.argmax(intents))]
        requested.append(
            tuple(s.name for s, p in zip(view.slots, requests, strict=True) if p > 0.5)
        )
    return requested


def _judged(groups: Sequence[Table], classifier: Classifier) -> list[Any]:
    """Return the probabilities of groups of rows, judged together."""
    rows = [group for group in groups if len(group)]
    chances = classifier(np.concatenate(rows)) if rows else np.zeros(0, np.float32)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return list(np.split(chances, ends))


def _taught(
    steps: Iterable[Step], own: TreeModels | None, threshold: float
) -> Iterator[LabelledFrame]:
    """Yield what frames teach, with right states before each turn, or those that own trees make."""
    for step in steps:
        known_ = [
            (turn.number, frame, state)
            for turn, frames in step
            for frame in frames
            if (state := turn.states.get(frame.held.view.name)) is not None
        ]
        for now, frame, state in known_:
            yield labelled(frame, state)
            if own is None:
                set_reference(frame.held, state, now)
        if own is not None:
            _apply([(now, frame) for now, frame, _ in known_], own, threshold)


def _word_intents(dialogues: Sequence[list[TrackedTurn]], views: Views) -> None:
    """Choose the words of intents, which needs the services in the order of their first use."""
    for start in range(0, len(dialogues), CHUNK):
        for turn in chain.from_iterable(zip_longest(*dialogues[start : start + CHUNK])):
            for name in turn.services if turn else ():
                if name in views:
                    _ = views[name].intent_targets


def _lockstep(
    dialogues: Sequence[list[TrackedTurn]], views: Views, sources: FeatureSources
) -> Iterator[Step]:
    """Yield what may happen at the first turn of each dialogue, then at the second, and so on."""
    for start in range(0, len(dialogues), CHUNK):
        part = dialogues[start : start + CHUNK]
        histories = [DialogueHistory(sources.scorers, views) for _ in part]
        for turns_ in zip_longest(*part):
            step = []
            for turn, history in zip(turns_, histories, strict=True):
                if turn is not None:
                    history.read(turn)
                    step.append((turn, frame_rows(history, sources)))
            yield step


def _dialogue_turns(examples: Examples, most: int, draw: Random) -> Iterator[list[TrackedTurn]]:
    """Yield the turns of some of the dialogues of examples, with their states."""
    dialogues = {example.question.dialogue.id: example.question.dialogue for example in examples}
    for name in draw.sample(sorted(dialogues), min(most, len(dialogues))):
        yield list(turns(dialogues[name].events))


def _acts_are_shown(dialogues: Iterable[Sequence[Event]]) -> bool:
    """Return whether any utterance of the system shows its acts."""
    return any(
        part.acts is not None
        for events in dialogues
        for event in events
        if isinstance(event, Utterance) and event.agent != USER
        for part in parts(event)
    )


def _variants(name: str, schemas: Schemas) -> list[TaskSchema]:
    """Return variants of a service: of the same name with a digit behind it, as SGD-X has them."""
    return [schemas[other] for n in range(10) if (other := f"{name}{n}") in schemas]
