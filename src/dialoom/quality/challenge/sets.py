"""GEM's seven challenge sets: the part each is drawn from and how its inputs are changed.

Two are plain samples of the training and the development part. Five are samples of the test part
whose inputs were changed: the previous user turn by back-translation, by typos at 0.02 and at 0.05
and by leaving out its final punctuation; the acts by scrambling their order. Targets stay. The
names are those under which GEM published its sets of SGD.

Every system utterance with acts is an item: a user turn and acts in, words out. Acts of several
services are in one list, each with its service.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, ServiceAct, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import annotated_parts, service_acts, utterances
from dialoom.quality.challenge.backtranslation import BACK_TRANSLATORS
from dialoom.sim.core.rng import SeededRng, event_rng
from dialoom.sim.noise.noise import Noise
from dialoom.sim.noise.order import scrambled


class GenerationItem(Struct, frozen=True, kw_only=True):
    """One input and its target.

    Attributes:
        id: File, dialogue and event: unique in its corpus.
        event: The index of the system's utterance among the events.
        prompt: The texts of the last user turn, with blanks between; empty where there was none.
        acts: The acts that the system has to express.
    """

    id: str
    dialogue: str
    event: int
    prompt: str
    acts: tuple[ServiceAct, ...]
    target: str


def items(dialogue: Dialogue) -> Iterator[GenerationItem]:
    """Yield an item for each system utterance with acts."""
    place = f"{dialogue.origin.file}/{dialogue.id}" if dialogue.origin else dialogue.id
    turn: list[str] = []
    speaks = SYSTEM
    for index, event in utterances(dialogue):
        if event.agent == USER:
            turn = [*turn, event.text] if speaks == USER else [event.text]
        speaks = event.agent
        if event.agent != SYSTEM or not event.text:
            continue
        if acts := service_acts(annotated_parts(event)):
            yield GenerationItem(
                id=f"{place}/{index}",
                dialogue=dialogue.id,
                event=index,
                prompt=" ".join(turn),
                acts=acts,
                target=event.text,
            )


PartName = Literal["train", "dev", "test"]

_NAMES: dict[str, PartName] = {
    "train": "train",
    "training": "train",
    "trn": "train",
    "dev": "dev",
    "val": "dev",
    "valid": "dev",
    "validation": "dev",
    "test": "test",
    "tst": "test",
}
_NAME = re.compile(rf"(?<![a-z])({'|'.join(sorted(_NAMES, key=len, reverse=True))})(?![a-z])")


def part_of(dialogue: Dialogue) -> PartName | None:
    """Return the part that the file of a dialogue names, its folder before its name.

    `train/dialogues_001.json`, `dialog-babi-task1trn.txt` and `tst1/dialog-….json` say so; None
    where nothing does.
    """
    if dialogue.origin is None:
        return None
    for name in dialogue.origin.file.lower().split("/"):
        if match := _NAME.search(name):
            return _NAMES[match[1]]
    return None


TEST: tuple[PartName, ...] = ("test", "dev")
"""A corpus without a test part uses its development part."""

FIRST, LAST = "first", "last"
"""The card gives an item one type and does not say which. In SGD a system's utterance never begins
with INFORM_COUNT, which has 958 of the card's 10,000 items, while the last act has it at the card's
share: the card's slices are those of the last act."""


@dataclass(frozen=True)
class ChallengeSettings:
    """The settings of the sets.

    Attributes:
        size: Items of each of the seven sets.
        pool: Items of the test part that the subpopulations are made of; GEM's has 10,000.
        language: The language of keyboard and rewordings.
        act_type: Which act of an item gives its type: its first or its last.
    """

    seed: int = 0
    size: int = 500
    pool: int = 10_000
    language: str = "en"
    back_translator: str = "scripted"
    act_type: str = LAST


Change = Callable[[Sequence[GenerationItem], ChallengeSettings], list[GenerationItem]]


@dataclass(frozen=True)
class ChallengeSet:
    """One of the seven.

    Attributes:
        parts: The parts of a corpus it is drawn from: the first that is there.
        made: Says what is done to the inputs; nothing of a plain sample.
    """

    name: str
    parts: tuple[PartName, ...]
    made: Callable[[ChallengeSettings], dict[str, Any]]
    change: Change


def _sample(name: str, part: PartName) -> ChallengeSet:
    return ChallengeSet(name, (part,), lambda settings: {}, lambda items, settings: list(items))


def _noise(name: str, kind: str, rate: float) -> ChallengeSet:
    def change(
        items: Sequence[GenerationItem], settings: ChallengeSettings
    ) -> list[GenerationItem]:
        noise = Noise(kind, rate, settings.seed, language=settings.language)
        return [replace(item, prompt=_noisy(noise, item)) for item in items]

    return ChallengeSet(name, TEST, lambda settings: {"kind": kind, "rate": rate}, change)


def _noisy(noise: Noise, item: GenerationItem) -> str:
    turn = Utterance(agent=USER, text=item.prompt)
    return noise.kind.utterance(turn, noise.draw(item.id, item.event)).text


def _scrambled(
    items: Sequence[GenerationItem], settings: ChallengeSettings
) -> list[GenerationItem]:
    def order(item: GenerationItem) -> SeededRng:
        return event_rng(settings.seed, item.id, item.event, "order")

    return [replace(item, acts=scrambled(item.acts, order(item))) for item in items]


def _back_translated(
    items: Sequence[GenerationItem], settings: ChallengeSettings
) -> list[GenerationItem]:
    translator = BACK_TRANSLATORS.get(settings.back_translator)
    texts = translator.texts([item.prompt for item in items], settings.language)
    return [replace(item, prompt=text) for item, text in zip(items, texts, strict=True)]


def _back_translator(settings: ChallengeSettings) -> dict[str, Any]:
    name = settings.back_translator
    record = {"kind": "back-translation", "back_translator": name}
    if BACK_TRANSLATORS.get(name).substitute:
        record["stand_in"] = "no model translated: phrases were reworded by a fixed list"
    return record


SETS = (
    _sample("challenge_train_sample", "train"),
    _sample("challenge_validation_sample", "dev"),
    ChallengeSet("challenge_test_backtranslation", TEST, _back_translator, _back_translated),
    _noise("challenge_test_bfp02", "typos", 0.02),
    _noise("challenge_test_bfp05", "typos", 0.05),
    _noise("challenge_test_nopunc", "punctuation", 1.0),
    ChallengeSet("challenge_test_scramble", TEST, lambda settings: {"kind": "order"}, _scrambled),
)


def number_of_acts(item: GenerationItem, settings: ChallengeSettings) -> str:
    """Return how many acts the input has."""
    return str(len(item.acts))


def act_type(item: GenerationItem, settings: ChallengeSettings) -> str:
    """Return the name of its first act, or of its last one."""
    return item.acts[0 if settings.act_type == FIRST else -1].act.name


SUBPOPULATIONS = {"number_of_acts": number_of_acts, "act_type": act_type}
"""The two families of subpopulations."""
