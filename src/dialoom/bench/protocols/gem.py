"""Generation of GEM (Gehrmann et al. 2021) on schema-guided dialogues: from acts to the words.

A question is an utterance of the system that has acts. The model sees the acts, each with its
service, and what was said before, with the system's own acts. Texts are also scored alone by how
many acts they say (`acts-2`) and by the type of the last one (`type-OFFER`), the data card's two
families of subpopulations. `-P challenge=yes` asks the card's other challenge sets as well, each
scored in slices of its own: the changed inputs, and the same ones as they were (`…_parent`).

    dialoom bench gem-generation --corpus corpora --split dev --train-corpus corpora \\
        --predictions texts.jsonl
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.bench.visibility import VIEWS, visible
from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Dialogue, Realise, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.metrics.realisation import CorpusBleu, SlotErrors, TextOverlap, TextVariety
from dialoom.quality.challenge import ChallengeSettings, Drawing
from dialoom.quality.challenge.items import GenerationItem, items
from dialoom.quality.challenge.sets import SETS


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """What can be chosen about generation.

    Attributes:
        challenge: Ask the challenge sets as well.
        size: Questions of each of them.
        seed: What they are drawn and changed with.
        back_translator: Who translates the previous turn into another language and back.
    """

    challenge: bool = False
    size: Annotated[int, Meta(ge=1)] = 500
    seed: int = 0
    back_translator: str = "scripted"


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
        test = targets(data.corpus)
        if not test:
            raise MissingDataError(f"{data.corpus.path}: no utterance of the system has acts")
        train = targets(data.train_corpus) if data.train_corpus else {}
        asked = [*test.values(), *(_challenges(data, test, train, settings))]
        return Plan(
            protocol=self.name,
            title=self.name,
            data=data,
            metrics=(
                CorpusBleu(),
                SlotErrors(data.corpus.schemas),
                TextOverlap(),
                TextVariety(),
            ),
            holdouts=[HoldOut(data.corpus.path.name, list(train.values()), asked)],
            options=_options(settings),
            notes=[
                f"{len(test)} utterances were asked for; published figures are of 10,000 of "
                "a whole part",
                *([TRAINED] if settings.challenge and train else []),
            ],
        )


TRAINED = "the questions of challenge_train_sample are among those learnt from, as in GEM"


def _options(settings: GenerationSettings) -> dict[str, str]:
    if not settings.challenge:
        return {}
    drawn = f"{settings.size}/seed-{settings.seed}/{settings.back_translator}"
    return {"challenge": drawn}


def targets(corpus: Corpus) -> dict[str, Target]:
    """Return the questions of a corpus by the ids of their items."""
    return {name: target for each in corpus.dialogues() for name, target in of_dialogue(each)}


def of_dialogue(dialogue: Dialogue) -> Iterator[tuple[str, Target]]:
    """Yield the questions of one dialogue, each after the id of its item."""
    seen, positions = visible(dialogue, VIEWS[Realise])
    for item in items(dialogue):
        turn = sum(isinstance(event, Utterance) for event in dialogue.events[: item.event])
        asked, families = Realise(item.acts), subpopulations(item)
        position = positions[item.event]
        yield (
            item.id,
            Target(dialogue.id, turn, asked, item.target, seen, position, families),
        )


def subpopulations(item: GenerationItem) -> tuple[str, ...]:
    """Return the subpopulations that an item is of; its type is that of its last act."""
    return (f"acts-{len(item.acts)}", f"type-{item.acts[-1].act.name}")


def _challenges(
    data: Data,
    test: Mapping[str, Target],
    train: Mapping[str, Target],
    settings: GenerationSettings,
) -> Iterator[Target]:
    """Yield the questions of the challenge sets, and those they were made from."""
    if not settings.challenge:
        return
    drawn = ChallengeSettings(
        seed=settings.seed, size=settings.size, back_translator=settings.back_translator
    )
    for part, corpus, known in (
        ("train", data.train_corpus, train),
        (data.corpus.path.name, data.corpus, test),
    ):
        if corpus is not None:
            drawing = Drawing(drawn, corpus.path)
            drawing.add_all(corpus.dialogues())
            for each in SETS:
                if (SAMPLED.get(each.name) or _other(part)) == part:
                    _, held = drawing.drawn(each.name)
                    for item, changed in zip(held, each.change(held, drawn), strict=True):
                        yield from _asked_again(known[item.id], changed, each.name)


SAMPLED = {"challenge_train_sample": "train", "challenge_validation_sample": "dev"}
"""The plain samples of a part; all other sets are made of the part that is asked about."""


def _other(part: str) -> str:
    """Return the part that the changed sets are made of: any but the one learnt from."""
    return "" if part == "train" else part


def _asked_again(target: Target, item: GenerationItem, name: str) -> Iterator[Target]:
    """Yield a question with an item's acts and previous turn, after itself if it is changed."""
    if name in SAMPLED:
        yield replace(target, slices=(name,), aside=True)
        return
    yield replace(target, slices=(f"{name}_parent",), aside=True)
    before = target.seen[: target.position]
    users = [isinstance(event, Utterance) and event.agent == USER for event in before]
    end = len(users) - users[::-1].index(True) if True in users else 0
    start = end - users[:end][::-1].index(False) if False in users[:end] else 0
    turn = (Utterance(agent=USER, text=item.prompt),) if end else ()
    seen = (*before[:start], *turn, *before[end:])
    asked = Realise(item.acts)
    yield replace(target, asked=asked, seen=seen, position=len(seen), slices=(name,), aside=True)


GENERATION = Generation()
