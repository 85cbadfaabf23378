"""Generation of GEM (Gehrmann et al. 2021) on schema-guided dialogues: from acts to the words.

A question is an utterance of the system that has acts. The model sees the acts, each with its
service, and what was said before, with the system's own acts. Texts are also scored alone by how
many acts they say and by the type of the first; the data card's two families of subpopulations.

    dialoom bench gem-generation --corpus corpora --split dev --train-corpus corpora \\
        --model retrieve --predictions texts.jsonl
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.bench.visibility import VIEWS, visible
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Realise, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.metrics.realisation import CorpusBleu, SlotErrors, TextOverlap
from dialoom.quality.challenge.items import GenerationItem, items


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """What can be chosen about generation: nothing yet."""


@dataclass(frozen=True, slots=True)
class Generation:
    """The protocol."""

    name: str = "gem-generation"
    corpus: str = "sgd"
    kind: type[Struct] = Realise
    model: str = "retrieve"
    settings: type[GenerationSettings] = GenerationSettings
    parts: tuple[str, str] | None = ("dev", "train")

    def plan(self, data: Data, settings: GenerationSettings) -> Plan:
        """Find the utterances of the system that have acts.

        Raises:
            MissingDataError: The data holds none.
        """
        test = list(targets(data.corpus))
        if not test:
            raise MissingDataError(f"{data.corpus.path}: no utterance of the system has acts")
        train = list(targets(data.train_corpus)) if data.train_corpus else []
        return Plan(
            protocol=self.name,
            title=self.name,
            data=data,
            metrics=(CorpusBleu(), SlotErrors(data.corpus.schemas), TextOverlap()),
            holdouts=[HoldOut(data.corpus.path.name, train, test)],
            notes=[
                f"{len(test)} utterances were asked for; published figures are of 10,000 of "
                "a whole part"
            ],
        )


def targets(corpus: Corpus) -> Iterator[Target]:
    """Yield the questions of a corpus."""
    for dialogue in corpus.dialogues():
        yield from of_dialogue(dialogue)


def of_dialogue(dialogue: Dialogue) -> Iterator[Target]:
    """Yield the questions of one dialogue."""
    seen, positions = visible(dialogue, VIEWS[Realise])
    for item in items(dialogue):
        turn = sum(isinstance(event, Utterance) for event in dialogue.events[: item.event])
        asked = Realise(item.acts)
        yield Target(
            dialogue.id, turn, asked, item.target, seen, positions[item.event], slices(item)
        )


def slices(item: GenerationItem) -> tuple[str, ...]:
    """Return the subpopulations that an item is of."""
    return (f"acts:{len(item.acts)}", f"type:{item.acts[0].act.name}")


GENERATION = Generation()
