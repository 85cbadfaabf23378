"""GEM's generation task on schema-guided dialogues (Gehrmann et al. 2021): from acts to text.

A question is an utterance of the system that has acts. The model sees these acts, each with its
service, and the turns before with the system's acts. Slices are the data card's two families of
subpopulations: by number of acts (`acts-2`) and by type of the last one (`type-OFFER`). Challenge
sets have two slices each: the changed inputs, and those they were made from (`…_parent`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.visibility import VIEWS, visible
from dialoom.corpus import Corpus
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import USER, Dialogue, Realise, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.framing import values
from dialoom.metrics.realisation import CorpusBleu, SlotErrors, TextOverlap, TextVariety
from dialoom.quality.challenge.sets import SETS, ChallengeSettings, GenerationItem, items
from dialoom.quality.challenge.writing import Drawing


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """Settings of generation.

    Attributes:
        context: Show models the turns before.
        challenge: Ask the challenge sets as well.
        size: How many questions each of them has; GEM's have 500.
        seed: The seed that they are drawn and changed with.
        back_translator: The translator of the previous turn to another language and back.
        items: GEM's file of items (`gem_id`, `dialog_id`, `turn_id`): they alone are asked, in its
            order, and answers may name them by `gem_id`. Empty for all of the part.
    """

    context: bool = True
    challenge: bool = False
    size: Annotated[int, Meta(ge=1)] = 500
    seed: int = 0
    back_translator: str = "scripted"
    items: str = ""


NAME = "gem-generation"


def plan(data: Data, settings: GenerationSettings) -> Plan:
    """Find the system's utterances with acts; `MissingDataError` without any."""
    test = targets(data.corpus, context=settings.context)
    check_found(test, data.corpus, "no utterance of the system has acts")
    names = published(Path(settings.items), test) if settings.items else {}
    test = {each: test[each] for each in names.values()} or test
    learnt = data.train_corpus
    train = targets(learnt, context=settings.context) if learnt else {}
    questions = [*test.values(), *(_challenges(data, test, train, settings))]
    return Plan(
        protocol=NAME,
        title=NAME,
        data=data,
        metrics=(CorpusBleu(), SlotErrors(data.corpus.schemas), TextOverlap(), TextVariety()),
        holdouts=[HoldOut(data.corpus.path.name, list(train.values()), questions)],
        options=_options(settings, len(test)),
        ids={name: (test[item].source, test[item].event) for name, item in names.items()},
        notes=[
            f"{len(test)} utterances were asked for; published figures are of 10,000 of "
            "a whole part, their BLEU is uncased",
            *([TRAINED] if settings.challenge and train else []),
        ],
    )


TRAINED = "the questions of challenge_train_sample are among those learnt from, as in GEM"


def _options(settings: GenerationSettings, items: int) -> dict[str, str]:
    options = {"items": str(items)} if settings.items else {}
    options |= {} if settings.context else {"context": "no"}
    if not settings.challenge:
        return options
    sample = f"{settings.size}/seed-{settings.seed}/{settings.back_translator}"
    return {"challenge": sample, **options}


def published(file: Path, targets: Mapping[str, Target]) -> dict[str, str]:
    """Return the published ids of a file's items, and ours; `FormatError` for missing ones."""
    ids: dict[str, str] = {}
    places: dict[tuple[str, Any], str] = {(t.source, t.event): name for name, t in targets.items()}
    for number, item in enumerate(values(read_bytes(file), file), 1):
        place = Path(f"{file}, item {number}")
        fields = item if isinstance(item, dict) else {}
        name, dialogue, turn = fields.get("gem_id"), fields.get("dialog_id"), fields.get("turn_id")
        if not isinstance(name, str) or name in ids or dialogue is None:
            raise FormatError(place, "expected gem_id, dialog_id and turn_id, each gem_id once")
        here = places.get((str(dialogue), turn))
        if here is None or fields.get("target", targets[here].gold) != targets[here].gold:
            what = f"turn {turn} is no utterance of the system with acts and the item's target"
            raise FormatError(place, what, dialogue=str(dialogue))
        ids[name] = here
    return ids


def targets(corpus: Corpus, *, context: bool = True) -> dict[str, Target]:
    """Return the questions of a corpus by the ids of their items."""
    pairs = (each for dialogue in corpus.dialogues() for each in of_dialogue(dialogue))
    if context:
        return dict(pairs)
    return {name: replace(target, seen=(), position=0) for name, target in pairs}


def of_dialogue(dialogue: Dialogue) -> Iterator[tuple[str, Target]]:
    """Yield the questions of one dialogue, each after the id of its item."""
    history, positions = visible(dialogue, VIEWS[Realise])
    for item in items(dialogue):
        turn = sum(isinstance(event, Utterance) for event in dialogue.events[: item.event])
        question, families = Realise(item.acts), subpopulations(item)
        position = positions[item.event]
        yield (
            item.id,
            Target(dialogue.id, turn, question, item.target, history, position, families),
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
    if not settings.challenge:
        return
    setup = ChallengeSettings(
        seed=settings.seed, size=settings.size, back_translator=settings.back_translator
    )
    if data.train_corpus is not None:
        yield from _challenges_of("train", data.train_corpus, train, setup)
    yield from _challenges_of(data.corpus.path.name, data.corpus, test, setup)


def _challenges_of(
    part: str, corpus: Corpus, questions: Mapping[str, Target], setup: ChallengeSettings
) -> Iterator[Target]:
    drawing = Drawing(setup, corpus.path)
    drawing.add_all(corpus.dialogues())
    for each in SETS:
        if SAMPLED.get(each.name, part) != part or (part == "train" and each.name not in SAMPLED):
            continue
        _, originals = drawing.drawn(each.name)
        for item, changed in zip(originals, each.change(originals, setup), strict=True):
            yield from _asked_again(questions[item.id], changed, each.name)


SAMPLED = {"challenge_train_sample": "train", "challenge_validation_sample": "dev"}
"""The challenge sets that are plain samples, to the part they are drawn from; all others are made
of the part that is asked about."""


def _asked_again(target: Target, item: GenerationItem, name: str) -> Iterator[Target]:
    """Yield a challenge item's question, a changed one after its `…_parent`."""
    if name in SAMPLED:
        yield replace(target, slices=(name,), aside=True)
        return
    yield replace(target, slices=(f"{name}_parent",), aside=True)
    before = target.seen[: target.position]
    users = [isinstance(event, Utterance) and event.agent == USER for event in before]
    end = len(users) - users[::-1].index(True) if True in users else 0
    start = end - users[:end][::-1].index(False) if False in users[:end] else 0
    turn = (Utterance(agent=USER, text=item.prompt),) if end else ()
    past = (*before[:start], *turn, *before[end:])
    question = Realise(item.acts)
    yield replace(target, asked=question, seen=past, position=len(past), slices=(name,), aside=True)


GENERATION = Protocol(NAME, "sgd", Realise, "retrieve", GenerationSettings, plan, ("dev", "train"))
