"""The learnt state tracker: selects among candidate values, also for services new to it.

At each turn of the user every slot of a service has candidates: values that the user or the system
mentioned, listed values, and "dontcare". Boosted trees give the probability that a candidate is the
slot's new value; the state is updated by these (`frame_rows.update_state`). Further trees choose
the intent and the requested slots.

Most features of a candidate are log odds by scorers over pairs of words (scorers.py). In training
they come from scorers that were fitted on other dialogues and without some of the services
(cross_fitting.py), so that the trees are fitted on features like those of services new to them.
Trees are fitted twice: the first ones on half of the dialogues, with the annotated state before
each turn; the final ones on all, in the other half with states that the first ones predict.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from itertools import chain, zip_longest
from random import Random
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta

from dialoom.corpus.processes import shared
from dialoom.dialogue import Dialogue, Prediction, Question, State, StateOf
from dialoom.dialogue.annotation import Value
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.trees import FittedTrees, Trees
from dialoom.learn.words import stem_idf
from dialoom.models.history import acts_are_shown, longest
from dialoom.models.tracker.activity import ActiveServices, keep_idle
from dialoom.models.tracker.cross_fitting import (
    CrossFitPart,
    annotated_texts,
    cross_fitted,
    locate,
)
from dialoom.models.tracker.features import FeatureSources
from dialoom.models.tracker.frame_rows import (
    NO_INTENT,
    TASKS,
    FrameRows,
    LabelledFrame,
    Table,
    TrainingRows,
    frame_rows,
    labelled,
    set_reference,
    update_state,
)
from dialoom.models.tracker.history import DialogueHistory
from dialoom.models.tracker.known_values import known_values
from dialoom.models.tracker.matching import KnownServices, span_contexts
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.slot_types import SlotTypes
from dialoom.models.tracker.spans import SpanTagger
from dialoom.models.tracker.turns import TrackedTurn, turns
from dialoom.schema.task import TaskSchema

TREES = Trees(rounds=250, rate=0.1, leaves=31, least=60, penalty=1.0)
"""Settings of the boosted trees."""
FEW, CAREFUL = 1_000_000, replace(TREES, rate=0.05, share=0.3)
"""Number of rows below which trees are fitted with these settings: on the 303,000 rows of 600
dialogues of MultiWOZ 2.1 they leave 501 errors in place of 556, of 1,650 changes of values."""
FIRST, OTHERS = 100, 80
"""Boosting rounds of the first trees, which only predict states for the final ones, and of the
trees of intents and requested slots."""

CHUNK = 200
"""Number of dialogues that are tracked together."""

Views = Mapping[str, ServiceView]
"""Service to its schema, for scorers."""
Chunk = tuple[list[str], list[list[TrackedTurn]], Views]
"""Ids of dialogues, their turns, and the views of the services of these and of chunks before."""
TreeModels = Mapping[str, FittedTrees]
"""The trees of each of `TASKS`."""
Step = list[tuple[TrackedTurn, list[FrameRows]]]
"""A turn and its frames, for each of several dialogues."""


@dataclass
class Tracker:
    """Tracks dialogue states by selection among candidate values.

    If training's dialogues show the system's acts, their features are used, and questions should
    show them too.

    Attributes:
        dialogues: Most training dialogues; more are sampled.
        threshold: The least sum of probabilities for a slot to change: that of all its candidates,
            or that of a value in the user's utterance over all slots.
        simulated: Weight of the rows of simulated dialogues, where real ones are learned from too.
    """

    name: ClassVar[str] = "tracker"
    kinds: ClassVar[Kinds] = (StateOf,)
    dialogues: Annotated[int, Meta(ge=1)] = 12_000
    threshold: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    simulated: Annotated[float, Meta(gt=0, le=1)] = 0.3
    seed: Seed = 0

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the span tagger, the scorers and the trees."""
        need(examples)
        draw = Random(self.seed)
        drawn = self._drawn(examples, draw)
        read = [list(turns(each.events, weight)) for each, weight in self._weighed(drawn)]
        self._acts = acts_are_shown(each.question.dialogue.events for each in examples)
        services = (name for turns_ in read for turn in turns_ for name in turn.services)
        self._known = sorted({name for name in services if name in schemas})

        self._values, names = known_values(read, {name: schemas[name] for name in self._known})
        self._canonical = bool(names)

        def of_training() -> dict[str, ServiceView]:
            return {
                name: ServiceView(
                    schemas[name], name, _variants(name, schemas), values=self._values.get(name)
                )
                for name in self._known
            }

        views = of_training()
        typed = [slot for view in views.values() for slot in view.typed_slots]
        self._types = SlotTypes(typed)
        self._stems = {name: [slot.stems for slot in view.slots] for name, view in views.items()}
        self._tagger = SpanTagger()
        self._tagger.fit(annotated_texts(read, views, draw), self.seed, names)
        folds, found = cross_fitted(read, views, draw, self.seed, names, acts=self._acts)
        self._scorers = Scorers()
        self._scorers.fit(found, self.seed)
        self._services = KnownServices(of_training(), self._scorers, span_contexts(found, draw))
        del found
        rows = TrainingRows(Random(self.seed))

        @cache
        def types(hidden: frozenset[str]) -> SlotTypes:
            return SlotTypes(slot for slot in typed if slot.service not in hidden)

        def worded(hidden: frozenset[str]) -> Views:
            """Return views of all services, of hidden ones without names and partly reworded."""
            return views | {
                name: ServiceView(
                    schemas[name],
                    name,
                    _variants(name, schemas),
                    draw,
                    named=False,
                    types=types(hidden),
                    values=self._values.get(name),
                )
                for name in sorted(hidden)
            }

        first = self._learn(folds, worded, 0, rows, None)
        self._models = self._learn(folds, worded, 1, rows, first)
        self._active = ActiveServices(read)
        draw_idle = Random(self.seed)
        for part, scorers, hidden in folds:
            opened = partial(DialogueHistory, scorers, worded(hidden))
            self._active.add(part, self._known, draw_idle, opened)
        self._active.fit(self.seed)

    def learnt_from(self, examples: Examples) -> frozenset[str]:
        """Return the ids of the dialogues that `fit` learns from."""
        return frozenset(each.id for each in self._drawn(examples, Random(self.seed)))

    def _drawn(self, examples: Examples, draw: Random) -> list[Dialogue]:
        known = {each.question.dialogue.id: each.question.dialogue for each in examples}
        names = draw.sample(sorted(known), min(self.dialogues, len(known)))
        return [known[name] for name in names]

    def _weighed(self, dialogues: Sequence[Dialogue]) -> Iterator[tuple[Dialogue, float]]:
        simulated = [each.provenance == "simulated" for each in dialogues]
        weight = 1.0 if all(simulated) else self.simulated
        return zip(dialogues, (weight if each else 1.0 for each in simulated), strict=True)

    def _learn(
        self,
        folds: Sequence[CrossFitPart],
        worded: Callable[[frozenset[str]], Views],
        half: int,
        rows: TrainingRows,
        own: TreeModels | None,
    ) -> TreeModels:
        """Add the rows of half of the dialogues to the training rows; return trees fitted on all.

        `worded` returns the views for a part, given the services hidden from its scorers. `half` 0
        takes dialogues with even indices, 1 the others. `own` predict the state before each turn
        for the final trees; None takes the annotated state, for the first ones.
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

        def fitted(task: str) -> bytes:
            rounds = OTHERS if task != "values" else TREES.rounds if own else FIRST
            few = self._canonical and rows.count(task) < FEW
            settings = replace(CAREFUL if few else TREES, rounds=rounds)
            return pickle.dumps(rows.fit(task, settings, self.seed))

        import_module("sklearn.ensemble")  # before processes are forked, which inherit it
        for frames in shared(taught, parts()):
            for frame in frames:
                rows.add(frame)
        return dict(zip(TASKS, map(pickle.loads, shared(fitted, TASKS)), strict=True))

    def _sources(
        self, scorers: Scorers, views: Views, hidden: frozenset[str] = frozenset()
    ) -> FeatureSources:
        known_ = {*self._known, *(name for name, view in views.items() if view.words_of)} - hidden
        learnt = [each for n, slots in self._stems.items() if n not in hidden for each in slots]
        return FeatureSources(
            scorers, stem_idf(learnt), frozenset(known_), self._acts, self._canonical
        )

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[dict[str, State]]]:
        """Return the state of each service that a question asks about.

        A dialogue is tracked once, up to its last question. A service without a schema, or without
        a frame at the question's turn, has a state without values and intent.
        """
        known(getattr(self, "_models", None))
        found: dict[tuple[str, int, str], State] = {}
        read = self._read(list(longest(questions).values()), schemas)
        for states in shared(self._track, read):
            found |= states
        return [
            Prediction(
                {
                    name: found.get((q.dialogue.id, q.event, name), State(intent=NO_INTENT))
                    for name in q.asked.services
                }
            )
            for q in questions
        ]

    def _view(self, name: str, task: TaskSchema) -> ServiceView:
        """Return the view of a service, in the words of training if that has its contract."""
        if name in self._known:
            return ServiceView(task, name, values=self._values.get(name))
        view = ServiceView(task, name, named=False, types=self._types)
        known_ = self._services.match(view)
        if known_ is None:
            return view
        return ServiceView(task, name, named=False, types=self._types, words_of=known_)

    def _read(self, questions: Sequence[Question[Any]], schemas: Schemas) -> Iterator[Chunk]:
        """Yield dialogues up to these questions, `CHUNK` at a time, with the services so far."""
        views: dict[str, ServiceView] = {}
        for start in range(0, len(questions), CHUNK):
            part = questions[start : start + CHUNK]
            read = [list(turns(question.history)) for question in part]
            for dialogue in read:
                for name in sorted({name for turn in dialogue for name in turn.services}):
                    if name in schemas and name not in views:
                        views[name] = self._view(name, schemas[name])
            yield [question.dialogue.id for question in part], read, dict(views)

    def _track(self, chunk: Chunk) -> dict[tuple[str, int, str], State]:
        ids, read, views = chunk
        listed = [[turn.services for turn in dialogue] for dialogue in read]
        for dialogue in read:
            locate(dialogue, views if self._acts else {}, self._tagger)
            self._active.select(dialogue, DialogueHistory(self._scorers, views))
        found: dict[tuple[str, int, str], State] = {}
        sources = self._sources(self._scorers, views)
        names = {
            id(turn): name for name, dialogue in zip(ids, read, strict=True) for turn in dialogue
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
        for id_, dialogue, services in zip(ids, read, listed, strict=True):
            keep_idle(found, id_, dialogue, services)
        return found


def _apply(
    flat: Sequence[tuple[int, FrameRows]], models: TreeModels, threshold: float
) -> list[tuple[str, ...]]:
    """Update states and intents of (turn, frame) by the trees; return each frame's requests."""
    chances = _judged([frame.values for _, frame in flat], models["values"])
    wanted = _judged([frame.intents for _, frame in flat], models["intents"])
    asked = _judged([frame.requests for _, frame in flat], models["requests"])
    requested = []
    for (now, frame), values, intents, requests in zip(flat, chances, wanted, asked, strict=True):
        update_state(frame, values, now, threshold)
        view = frame.held.view
        frame.held.intent = (*view.intents, NO_INTENT)[int(np.argmax(intents))]
        requested.append(
            tuple(s.name for s, p in zip(view.slots, requests, strict=True) if p > 0.5)
        )
    return requested


def _judged(groups: Sequence[Table], trees: FittedTrees) -> list[Any]:
    """Return the probabilities of each group's rows: shape (rows,) each; classified together."""
    rows = [group for group in groups if len(group)]
    chances = trees.chance(True, np.concatenate(rows)) if rows else np.zeros(0)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return list(np.split(chances.astype(np.float32), ends)) if groups else []


def _taught(
    steps: Iterable[Step], own: TreeModels | None, threshold: float
) -> Iterator[LabelledFrame]:
    """Yield labelled frames; then set states to those that `own` predicts, else annotated ones."""
    for step in steps:
        known_ = [
            (turn, frame, state)
            for turn, frames in step
            for frame in frames
            if (state := turn.states.get(frame.held.view.name)) is not None
        ]
        for turn, frame, state in known_:
            yield labelled(frame, state, turn.weight)
            if own is None:
                set_reference(frame.held, state, turn.number)
        if own is not None:
            _apply([(turn.number, frame) for turn, frame, _ in known_], own, threshold)


def _word_intents(dialogues: Sequence[list[TrackedTurn]], views: Views) -> None:
    """Draw the wordings of intents, by services in order of first use, on which draws depend."""
    for start in range(0, len(dialogues), CHUNK):
        for turn in chain.from_iterable(zip_longest(*dialogues[start : start + CHUNK])):
            for name in turn.services if turn else ():
                if name in views:
                    _ = views[name].intent_targets


def _lockstep(
    dialogues: Sequence[list[TrackedTurn]], views: Views, sources: FeatureSources
) -> Iterator[Step]:
    """Yield the frames of the first turn of each dialogue, then of the second, and so on.

    Dialogues are tracked `CHUNK` at a time. The caller updates states before the next step.
    """
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


def _variants(name: str, schemas: Schemas) -> list[TaskSchema]:
    return [schemas[other] for n in range(10) if (other := f"{name}{n}") in schemas]
