"""A model that predicts acts from text, with the frames that they refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Act, Acts, Argument, Example, FrameOf, Prediction, Question, Reference
from dialoom.dialogue.references import ActFrames, best, dereferenced, frames_of
from dialoom.learn.heard import heard
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.frames.nlu import ActReader
from dialoom.models.frames.trees import FrameTrees
from dialoom.models.frames.turn import UserTurn

REF = "ref"
"""The slot of an argument that is a reference to a frame."""

LIKELY = 0.5
"""The probability above which an act as a whole refers to a frame."""


@dataclass
class FrameReader:
    """Predicts acts, slots and values, and their frames if the acts of training refer to any."""

    name: ClassVar[str] = "frame-reader"
    kinds: ClassVar[Kinds] = (Acts,)
    seed: Seed = 0
    _reader: ActReader | None = field(default=None, init=False, repr=False)
    _tracker: FrameTrees | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit a reader of acts, and a tracker of frames on annotated acts."""
        need(examples)
        answers = [dereferenced(example.answer) for example in examples]
        self._reader = ActReader()
        self._reader.fit([heard(example.question) for example in examples], answers, self.seed)
        self._tracker = None
        framed = [example for example in examples if refers(example.answer)]
        if framed:
            self._tracker = FrameTrees(seed=self.seed)
            self._tracker.fit([_tracked(example) for example in framed], schemas)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Act, ...]]]:
        """Return the acts of each question, with references if frames are tracked."""
        acts = known(self._reader).read([heard(question) for question in questions])
        if self._tracker is None:
            return [Prediction(each) for each in acts]
        asked = [
            replace(question, asked=FrameOf(each))
            for question, each in zip(questions, acts, strict=True)
        ]
        tracked = self._tracker.predict(asked, schemas)
        return [
            Prediction(referring(each, frames.answer))
            for each, frames in zip(acts, tracked, strict=True)
        ]


def refers(acts: Sequence[Act]) -> bool:
    """True if any argument refers to a frame."""
    return any(argument.references for act in acts for argument in act.arguments)


def _tracked(example: Example[Acts, tuple[Act, ...]]) -> Example[Any, Any]:
    question: Question[Any] = example.question
    acts = dereferenced(example.answer)
    frames = frames_of(
        example.answer, None, UserTurn(replace(question, asked=FrameOf(acts))).frames
    )
    return Example(replace(question, asked=FrameOf(acts)), frames)


def referring(acts: Sequence[Act], frames: Sequence[ActFrames]) -> tuple[Act, ...]:
    """Return acts with references as arguments: one for each argument, and those of whole acts.

    `frames` are the frames of each act, as probabilities.
    """
    return tuple(
        Act(act.name, tuple(Argument(REF, references=(each,)) for each in _references(act, found)))
        for act, found in zip(acts, frames, strict=True)
    )


def _references(act: Act, frames: ActFrames) -> list[Reference]:
    """Return the likeliest frame of each argument, then the likely frames of the act."""
    said_of = [
        Reference(best(shares), (argument,))
        for argument, shares in zip(act.arguments, frames.arguments, strict=True)
    ]
    return said_of + [Reference(frame) for frame, chance in frames.act.items() if chance > LIKELY]
