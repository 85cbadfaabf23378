"""Frames from text (El Asri et al. 2017): acts, slots and values of each utterance of a user.

A model sees the texts of the dialogue up to the utterance. Folds are by user, as in frame tracking.
With `-P frames=yes` it also tells which frame each argument is about, from the text and what was
annotated of the turns before: frame tracking without anything of the turn given but its words.

    dialoom bench frames-nlu --corpus corpora -P frames=yes
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from dialoom.bench.core.protocol import Data, Plan, Target
from dialoom.bench.protocols.frames_tracking import by_user, holdouts
from dialoom.bench.visibility import bare
from dialoom.corpus import Corpus
from dialoom.dialogue import Acts, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.metrics.acts import ActMatch
from dialoom.models.frames.reader import referring


@dataclass(frozen=True, slots=True)
class FrameReadingSettings:
    """What can be chosen about reading acts.

    Attributes:
        frames: Ask for the frames as well, and show acts and frames of the turns before.
    """

    frames: bool = False


@dataclass(frozen=True, slots=True)
class FrameReadingProtocol:
    """The protocol."""

    name: str = "frames-nlu"
    corpus: str = "frames-json"
    kind: type[Struct] = Acts
    model: str = "frame-reader"
    settings: type[FrameReadingSettings] = FrameReadingSettings
    parts: tuple[str, str] | None = None

    def plan(self, data: Data, settings: FrameReadingSettings) -> Plan:
        """Find the user turns with acts, by user.

        Raises:
            MissingDataError: The data has no such turn, or too few users to learn from others.
        """
        corpora = [_asked(corpus, settings) for corpus in data.corpora]
        if not corpora[0]:
            raise MissingDataError(f"{data.corpus.path}: no user's turn has acts and frames")
        shown = "with frames" if settings.frames else "texts only"
        return Plan(
            protocol=self.name,
            title=f"{self.name}, {shown}",
            data=data,
            metrics=(ActMatch(frames=settings.frames),),
            holdouts=list(holdouts(data, corpora[0], corpora[-1])),
            options={"frames": "yes" if settings.frames else "no"},
        )


def _asked(corpus: Corpus, settings: FrameReadingSettings) -> dict[str, list[Target]]:
    return {
        user: [reading(target, frames=settings.frames) for target in found]
        for user, found in by_user(corpus, "before").items()
    }


def reading(target: Target, *, frames: bool) -> Target:
    """Make a question about the frames of given acts into one about the acts themselves."""
    acts = target.asked.acts
    gold = referring(acts, target.gold) if frames else acts
    seen = (
        target.seen if frames else tuple(bare(e) for e in target.seen if isinstance(e, Utterance))
    )
    return replace(target, asked=Acts(), gold=gold, seen=seen)


READING = FrameReadingProtocol()
