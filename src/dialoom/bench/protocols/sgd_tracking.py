"""State tracking on schema-guided dialogues (SGD), scored as the official evaluation does.

A question is a frame: one service at one user turn. Two input modes: utterances only, or with the
system's annotated acts (`-P acts=yes`); which services a user turn has frames of is always given,
as in the official evaluation. A part of the corpus is asked about (`--split dev`); a model learns
from the part `train` of another corpus, annotation included. Services of the training schemas are
`seen`, all others `unseen`; services and domains are scored alone as well.

    dialoom bench sgd-tracking --corpus corpora --split dev --train-corpus corpora -P acts=yes
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dialoom import formats
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.bench.visibility import View, annotated, visible, words, words_and_acts
from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Dialogue, StateOf, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import parts
from dialoom.errors import MissingDataError
from dialoom.metrics.state import StateTracking

TRAIN = "train"
"""The part of the corpus that is learnt from, and whose schemas tell which services were seen."""


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """What can be chosen about state tracking.

    Attributes:
        acts: Show the annotated acts of the system's utterances.
        exact: Compare values by equality instead of likeness.
    """

    acts: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Tracking:
    """The protocol."""

    name: str = "sgd-tracking"
    corpus: str = "sgd"
    kind: type[Struct] = StateOf
    model: str = "tracker"
    settings: type[TrackingSettings] = TrackingSettings
    parts: tuple[str, str] | None = ("dev", TRAIN)

    def plan(self, data: Data, settings: TrackingSettings) -> Plan:
        """Find the frames of user turns.

        Raises:
            MissingDataError: The data holds no user turn with a state.
        """
        seen = seen_services(data)
        view = words_and_acts if settings.acts else words
        test = list(targets(data.corpus, view, seen))
        if not test:
            raise MissingDataError(f"{data.corpus.path}: no user turn has a state")
        train = list(targets(data.train_corpus, annotated, seen)) if data.train_corpus else []
        return Plan(
            protocol=self.name,
            title=f"{self.name}, {'with system acts' if settings.acts else 'utterances only'}",
            data=data,
            metrics=(StateTracking(data.corpus.schemas, exact=settings.exact),),
            holdouts=[HoldOut(data.corpus.path.name, train, test)],
            options={"acts": "yes" if settings.acts else "no"},
            notes=[
                f"{len(data.corpus.files)} dialogue files were at hand: published figures are of "
                "the whole test part"
            ],
        )


def seen_services(data: Data) -> Collection[str] | None:
    """Return the services of the training schemas; None where there are none at hand."""
    if data.train_corpus is not None:
        return data.train_corpus.schemas.keys()
    beside = data.corpus.root.parent / TRAIN
    return formats.load(beside, "sgd").schemas.keys() if beside.is_dir() else None


def targets(corpus: Corpus, view: View, seen: Collection[str] | None) -> Iterator[Target]:
    """Yield the frames of user turns that have a state."""
    for dialogue in corpus.dialogues():
        yield from frames(dialogue, view, seen)


def frames(dialogue: Dialogue, view: View, seen: Collection[str] | None) -> Iterator[Target]:
    """Yield the frames of one dialogue."""
    shown, positions = visible(dialogue, view)
    turn = -1
    for index, event in enumerate(dialogue.events):
        if not isinstance(event, Utterance):
            continue
        turn += 1
        for part in parts(event) if event.agent == USER else ():
            if part.service is not None and part.state is not None:
                service = part.service
                domain = service.rpartition("_")[0] or service
                groups = [f"service:{service}", f"domain:{domain}"]
                if seen is not None:
                    groups.append("seen" if service in seen else "unseen")
                yield Target(
                    dialogue.id,
                    turn,
                    StateOf((service,)),
                    {service: part.state},
                    shown,
                    positions[index] + 1,
                    tuple(groups),
                )


TRACKING = Tracking()
