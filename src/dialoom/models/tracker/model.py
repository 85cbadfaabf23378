"""The learnt state tracker: selects among candidate values, also for services new to it.

At each turn of the user every slot of a service has candidates: values that the user or the system
mentioned, listed values, and "dontcare". Boosted trees give the probability that a candidate is the
slot's new value; the state is updated by these (`frame_rows.update_state`). Further trees choose
the intent and the requested slots.

Most features of a candidate are log odds by scorers that compare descriptions with what is said, by
words and by the vectors of texts (scorers.py). Scorers and trees are fitted several times, with
other services left out and other examples drawn (member.py); the mean of their probabilities
decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.corpus.processes import shared
from dialoom.dialogue import Dialogue, Prediction, Question, State, StateOf
from dialoom.dialogue.annotation import Value
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.trees import one_thread
from dialoom.learn.words import stem_idf
from dialoom.models.history import acts_are_shown, longest
from dialoom.models.tracker.activity import ActiveServices, keep_idle
from dialoom.models.tracker.cross_fitting import CrossFitPart, annotated_texts, locate, locate_parts
from dialoom.models.tracker.features import FeatureSources
from dialoom.models.tracker.frame_rows import NO_INTENT
from dialoom.models.tracker.history import DialogueHistory
from dialoom.models.tracker.known_values import SlotTypes, known_values
from dialoom.models.tracker.matching import KnownServices, span_contexts
from dialoom.models.tracker.member import (
    CHUNK,
    Member,
    Training,
    Views,
    fit_member,
    judge,
    lockstep,
    mean,
    settle,
)
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import SpanTagger
from dialoom.models.tracker.turns import TrackedTurn, turns
from dialoom.schema.task import TaskSchema

Chunk = tuple[list[str], list[list[TrackedTurn]], Views]
"""Ids of dialogues, their turns, and the views of the services of these and of chunks before."""
_APART = 100
"""Difference between the seeds of two members."""


@dataclass
class Tracker:
    """Tracks dialogue states by selection among candidate values.

    If training's dialogues show the system's acts, their features are used, and questions should
    show them too.

    Attributes:
        dialogues: Most training dialogues; more are sampled. A member has up to 6,000 of them.
        threshold: The least sum of probabilities for a slot to change: that of all its candidates,
            or that of a value in the user's utterance over all slots.
        simulated: Weight of the rows of simulated dialogues, where real ones are learned from too.
        members: Number of fits of scorers and trees whose probabilities are averaged.
    """

    name: ClassVar[str] = "tracker"
    kinds: ClassVar[Kinds] = (StateOf,)
    dialogues: Annotated[int, Meta(ge=1)] = 12_000
    threshold: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    simulated: Annotated[float, Meta(gt=0, le=1)] = 0.3
    members: Annotated[int, Meta(ge=1)] = 3
    seed: Seed = 0

    @one_thread()
    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the span tagger, the scorers and the trees."""
        need(examples)
        draw = Random(self.seed)
        sample = self._drawn(examples, draw)
        read = [list(turns(each.events, weight)) for each, weight in self._weighed(sample)]
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
        self._types = SlotTypes(slot for view in views.values() for slot in view.typed_slots)
        self._stems = {name: [slot.stems for slot in view.slots] for name, view in views.items()}
        self._tagger = SpanTagger()
        self._tagger.fit(annotated_texts(read, views, draw), self.seed, names)
        locate_parts(read, views, draw, self.seed, names, acts=self._acts)
        training = Training(
            read,
            views,
            partial(self._worded, schemas, views, draw),
            self._sources,
            self._canonical,
            self.threshold,
        )
        self._members: list[Member] = []
        for n in range(self.members):
            member, parts, cases = fit_member(training, draw, self.seed + n * _APART)
            if not self._members:
                contexts = span_contexts(cases, draw)
                self._services = KnownServices(of_training(), member.scorers, contexts)
                self._active = self._fit_active(training, parts)
            self._members.append(member)

    def _worded(
        self, schemas: Schemas, views: Views, draw: Random, hidden: frozenset[str]
    ) -> Views:
        """Return views of all services of training, of hidden ones unnamed and partly reworded."""
        others = (view for name, view in views.items() if name not in hidden)
        types = SlotTypes(slot for view in others for slot in view.typed_slots)
        return {**views} | {
            name: ServiceView(
                schemas[name],
                name,
                _variants(name, schemas),
                draw,
                has_names=False,
                types=types,
                values=self._values.get(name),
            )
            for name in sorted(hidden)
        }

    def _fit_active(self, training: Training, parts: Sequence[CrossFitPart]) -> ActiveServices:
        active, draw = ActiveServices(training.dialogues), Random(self.seed)
        for part, scorers, hidden in parts:
            opened = partial(DialogueHistory, scorers, training.worded(hidden))
            active.add(part, self._known, draw, opened)
        active.fit(self.seed)
        return active

    def learnt_from(self, examples: Examples) -> frozenset[str]:
        """Return the ids of the dialogues that `fit` learns from."""
        return frozenset(each.id for each in self._drawn(examples, Random(self.seed)))

    def _drawn(self, examples: Examples, draw: Random) -> list[Dialogue]:
        by_id = {each.question.dialogue.id: each.question.dialogue for each in examples}
        names = draw.sample(sorted(by_id), min(self.dialogues, len(by_id)))
        return [by_id[name] for name in names]

    def _weighed(self, dialogues: Sequence[Dialogue]) -> Iterator[tuple[Dialogue, float]]:
        simulated = [each.provenance == "simulated" for each in dialogues]
        weight = 1.0 if all(simulated) else self.simulated
        return zip(dialogues, (weight if each else 1.0 for each in simulated), strict=True)

    def _sources(
        self, scorers: Scorers, views: Views, hidden: frozenset[str] = frozenset()
    ) -> FeatureSources:
        services = {*self._known, *(name for name, view in views.items() if view.words_of)} - hidden
        learnt = [each for n, slots in self._stems.items() if n not in hidden for each in slots]
        return FeatureSources(
            scorers, stem_idf(learnt), frozenset(services), self._acts, self._canonical
        )

    @one_thread()
    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[dict[str, State]]]:
        """Return the state of each service that a question asks about.

        A dialogue is tracked once, up to its last question. A service without a schema, or without
        a frame at the question's turn, has a state without values and intent.
        """
        known(getattr(self, "_members", None))
        by_key: dict[tuple[str, int, str], State] = {}
        read = self._read(list(longest(questions).values()), schemas)
        for states in shared(self._track, read):
            by_key |= states
        return [
            Prediction(
                {
                    name: by_key.get((q.dialogue.id, q.event, name), State(intent=NO_INTENT))
                    for name in q.asked.services
                }
            )
            for q in questions
        ]

    def _view(self, name: str, task: TaskSchema) -> ServiceView:
        """Return the view of a service, in the words of training if that has its contract."""
        if name in self._known:
            return ServiceView(task, name, values=self._values.get(name))
        view = ServiceView(task, name, has_names=False, types=self._types)
        words = self._services.match(view)
        if words is None:
            return view
        return ServiceView(task, name, has_names=False, types=self._types, words_of=words)

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
        originals = [[turn.services for turn in dialogue] for dialogue in read]
        for dialogue in read:
            locate(dialogue, views if self._acts else {}, self._tagger)
            self._active.select(dialogue, DialogueHistory(self._members[0].scorers, views))
        states: dict[tuple[str, int, str], State] = {}
        names = {
            id(turn): name for name, dialogue in zip(ids, read, strict=True) for turn in dialogue
        }
        runs = [
            lockstep(read, views, self._sources(member.scorers, views)) for member in self._members
        ]
        for steps in zip(*runs, strict=True):
            flats = [[(turn, frame) for turn, frames in step for frame in frames] for step in steps]
            judged = [
                judge([frame for _, frame in flat], member.trees)
                for flat, member in zip(flats, self._members, strict=True)
            ]
            for each, mine in zip(zip(*flats, strict=True), zip(*judged, strict=True), strict=True):
                turn, frames = each[0][0], [frame for _, frame in each]
                requests = settle(turn.number, frames[0], mean(frames, mine), self.threshold)
                record = frames[0].held
                for frame in frames[1:]:
                    frame.held.set_state(record)
                values: dict[str, tuple[Value, ...]] = {s: (v,) for s, v in record.values.items()}
                key = (names[id(turn)], turn.position, record.view.name)
                states[key] = State(record.intent, requests, values)
        for id_, dialogue, services in zip(ids, read, originals, strict=True):
            keep_idle(states, id_, dialogue, services)
        return states


def _variants(name: str, schemas: Schemas) -> list[TaskSchema]:
    return [schemas[other] for n in range(10) if (other := f"{name}{n}") in schemas]
