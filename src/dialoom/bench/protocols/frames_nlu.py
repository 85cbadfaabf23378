"""Frames NLU (El Asri et al. 2017): the acts, slots and values of each utterance of a user.

A model sees the texts of the dialogue up to the utterance. Folds are by user, as in frame tracking;
corpora without frames (`frames-text`, `iob`) are divided into ten. With `-P frames=yes` the model
also predicts the frame of each argument, from the text and the acts and frames of the turns before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.core.settings import spelled
from dialoom.bench.protocols.frames_tracking import Users, asked_by_user, by_user, groups, holdouts
from dialoom.bench.visibility import bare, visible, words_and_calls
from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Acts, Dialogue, Part, Utterance
from dialoom.dialogue.views import parts, utterances
from dialoom.formats.iob import act_and_slot
from dialoom.metrics.overlap import ActMatch
from dialoom.models.frames.nlu import Item, joined, referring


@dataclass(frozen=True, slots=True)
class FrameReadingSettings:
    """Settings of Frames NLU.

    Attributes:
        frames: Ask for frames as well; show frames and acts of earlier turns.
    """

    frames: bool = False


NAME = "frames-nlu"


def plan(data: Data, settings: FrameReadingSettings) -> Plan:
    """Find the user turns with acts, by user; `MissingDataError` without any."""
    corpora = [_asked(corpus, settings) for corpus in data.corpora]
    framed = " and frames" if settings.frames else ""
    check_found(corpora[0], data.corpus, f"no user's turn has acts{framed}")
    form = "with frames" if settings.frames else "texts only"
    folds = list(holdouts(data, corpora[0], corpora[-1]))
    return Plan(
        protocol=NAME,
        title=f"{NAME}, {form}",
        data=data,
        metrics=(ActMatch(frames=settings.frames),),
        holdouts=folds,
        groups=groups(folds, corpora[-1]),
        options=spelled(settings),
    )


def _asked(corpus: Corpus, settings: FrameReadingSettings) -> Users:
    """Return user to the questions about their turns, with frames if the corpus has any."""
    users = {
        user: [reading(target, frames=settings.frames) for target in targets]
        for user, targets in by_user(corpus, "before").items()
    }
    return users if users or settings.frames else asked_by_user(corpus, _texts)


def _texts(dialogue: Dialogue) -> Iterator[Target]:
    history, positions = visible(dialogue, words_and_calls)
    for index, event in utterances(dialogue):
        if event.agent == USER:
            acts = joined(item for part in parts(event) for item in _items(event, part))
            if acts:
                place = positions[index] + 1
                yield Target(dialogue.id, index, Acts(), acts, history, place)


def _items(event: Utterance, part: Part) -> Iterator[Item]:
    yield from ((act.name, None, None) for act in part.acts or ())
    for act in part.acts or ():
        for argument in act.arguments:
            yield act.name, argument.slot, argument.values[0] if argument.values else None
    for span in part.spans or ():
        for label in span.labels:
            name, slot = act_and_slot(label)
            if name is not None:
                yield name, slot, event.text[span.start : span.end]


def reading(target: Target, *, frames: bool) -> Target:
    """Turn a question about frames of given acts into one about acts, with or without frames."""
    acts = target.asked.acts
    gold = referring(acts, target.gold) if frames else acts
    history = (
        target.seen if frames else tuple(bare(e) for e in target.seen if isinstance(e, Utterance))
    )
    return replace(target, asked=Acts(), gold=gold, seen=history)


READING = Protocol(NAME, "frames-json", Acts, "frame-reader", FrameReadingSettings, plan)
