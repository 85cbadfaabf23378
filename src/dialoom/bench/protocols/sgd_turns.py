"""What protocols on turns of schema-guided dialogues share: sampling, services left out, slices.

A part is asked about (`--split dev`), and a model learns from the part `train` of another corpus.
With `-P leave=4` and `--split train`, services are put into four groups, each of which is asked
about by a model that learnt from dialogues with none of them: all choices are made by this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Annotated

from msgspec import Meta

from dialoom import formats
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.dialogue import Dialogue, NextActs
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.metrics import Metric

TRAIN = "train"
"""The part of the corpus that is learnt from, and whose schemas tell which services were seen."""

PARTS = ("dev", TRAIN)
"""The parts that are asked about and learnt from unless others are named."""

SEED = 0
"""What the order comes from in which dialogues are taken."""

Some = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """What can be chosen about what is asked and learnt from.

    Attributes:
        learn: Dialogues that are learnt from at most, before each group; 0 for all.
        sample: Dialogues that are asked about at most, in each group; 0 for all.
        leave: Into how many groups services are put that are left out of training in turn; 0 to
            learn from the other corpus, whatever its services.
    """

    learn: Some = 0
    sample: Some = 0
    leave: Some = 0


@dataclass(frozen=True, slots=True)
class TurnProtocol:
    """What protocols on turns share: that of the next acts, unless one says otherwise."""

    name: str
    corpus: str = "sgd"
    kind: type[Struct] = NextActs
    model: str = "act-policy"
    settings: type[TurnSettings] = TurnSettings
    parts: tuple[str, str] | None = PARTS


Asking = Callable[[Dialogue, Collection[str] | None], Iterator[Target]]
"""Yields the questions about a dialogue; takes it, and the services that were seen in training."""


def plan(
    name: str,
    data: Data,
    settings: TurnSettings,
    metrics: tuple[Metric, ...],
    asking: Asking,
    what: str,
    teaching: Asking | None = None,
) -> Plan:
    """Return the plan of hold-outs of turns.

    Args:
        name: The protocol's name.
        data: The corpora.
        settings: What was chosen.
        metrics: What answers are scored by.
        asking: Yields the questions about a dialogue.
        what: What a corpus without questions lacks, for the message.
        teaching: Yields the questions about a dialogue that is learnt from, where these show more.

    Raises:
        MissingDataError: There is nothing to ask.
    """
    teaching = teaching or asking
    holdouts = list(_groups(data, settings, asking, teaching) if settings.leave else [])
    if not settings.leave:
        seen = seen_services(data)
        taught = data.train_corpus.dialogues() if data.train_corpus else ()
        asked, learnt = data.corpus.dialogues(), _some(taught, settings.learn)
        test = _targets(_some(asked, settings.sample), asking, seen)
        train = _targets(learnt, teaching, seen)
        holdouts = [HoldOut(data.corpus.path.name, train, test)]
    holdouts = [holdout for holdout in holdouts if holdout.test]
    if not holdouts:
        raise MissingDataError(f"{data.corpus.path}: {what}")
    options = {
        key: ("no", "yes")[value] if isinstance(value, bool) else str(value)
        for key, value in asdict(settings).items()
    }
    return Plan(
        protocol=name,
        title=", ".join([name, *_chosen(options)]),
        data=data,
        metrics=metrics,
        holdouts=holdouts,
        options=options,
        notes=[f"{len(data.corpus.files)} dialogue files were at hand, not the whole part"],
    )


def _chosen(options: dict[str, str]) -> Iterator[str]:
    """Yield the settings that make other questions, those of sampling left out."""
    for key, value in options.items():
        if key not in ("learn", "sample") and value not in ("0", "acts"):
            yield f"{key} {value}"


def _groups(
    data: Data, settings: TurnSettings, asking: Asking, teaching: Asking
) -> Iterator[HoldOut]:
    names = sorted(data.corpus.schemas)
    dialogues = list(data.corpus.dialogues())
    Random(SEED).shuffle(dialogues)
    for n in range(min(settings.leave, len(names))):
        held = set(names[n :: settings.leave])
        seen = set(names) - held
        asked = [each for each in dialogues if not held.isdisjoint(each.services)]
        taught = [each for each in dialogues if held.isdisjoint(each.services)]
        test = _targets(asked[: settings.sample or None], asking, seen)
        train = _targets(taught[: settings.learn or None], teaching, seen)
        yield HoldOut(f"group{n + 1}", train, test)


def _some(dialogues: Iterable[Dialogue], most: int) -> list[Dialogue]:
    """Return so many of some dialogues, or all of them, in the order of the corpus."""
    found = list(dialogues)
    if not 0 < most < len(found):
        return found
    return [found[n] for n in sorted(Random(SEED).sample(range(len(found)), most))]


def _targets(
    dialogues: Iterable[Dialogue], asking: Asking, seen: Collection[str] | None
) -> list[Target]:
    return [target for dialogue in dialogues for target in asking(dialogue, seen)]


def seen_services(data: Data) -> Collection[str] | None:
    """Return the services of the training schemas; None where there are none at hand."""
    if data.train_corpus is not None:
        return data.train_corpus.schemas.keys()
    beside = data.corpus.root.parent / TRAIN
    return formats.load(beside, "sgd").schemas.keys() if beside.is_dir() else None


def slices(service: str, seen: Collection[str] | None) -> tuple[str, ...]:
    """Return the slices of a question about a service."""
    domain = service.rpartition("_")[0] or service
    known = () if seen is None else ("seen" if service in seen else "unseen",)
    return (f"service:{service}", f"domain:{domain}", *known)
