"""Frames and their changes, over dialogues with frames, as the page of Frames reports them.

A frame change is an utterance whose active frame is another than that of the annotated utterance
before it in the same dialogue. The rating is the mean of the users' answers that are numbers.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from dialoom.corpus.traits import PublishedFrames
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import Result, histogram, number, ratio


class Frames:
    """Counts frames; only a corpus that annotates them has a result."""

    def __init__(self, published: PublishedFrames | None = None) -> None:
        self._published = published
        self.frames: Counter[int] = Counter()
        self.changes: Counter[int] = Counter()
        self.utterances = self.acts = self.referring = 0
        self.rated, self.ratings = 0, 0.0
        self.participants: set[str] = set()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue if it has frames."""
        ids: set[int] = set()
        active: list[int] = []
        utterances = acts = referring = 0
        for event in dialogue.events:
            if not isinstance(event, Utterance):
                continue
            utterances += 1
            for part in parts(event):
                ids.update(frame.id for frame in part.frames or ())
                if part.active_frame is not None:
                    active.append(part.active_frame)
                for act in part.acts or ():
                    acts += 1
                    referring += any(argument.references for argument in act.arguments)
        if not ids and not active:
            return
        self.frames[len(ids | set(active))] += 1
        self.changes[sum(one != other for one, other in pairwise(active))] += 1
        self.utterances += utterances
        self.acts += acts
        self.referring += referring
        self.participants.update(dialogue.workers.values())
        for answer in dialogue.answers:
            if answer.agent == USER and (rating := number(answer.answer)) is not None:
                self.rated += 1
                self.ratings += rating

    def result(self) -> Result | None:
        """Return frames and changes of the dialogues that have them, with published ones."""
        dialogues = self.frames.total()
        if not dialogues:
            return None
        figures: Result = {
            "dialogues": dialogues,
            "turns": self.utterances,
            "turns_per_dialogue": ratio(self.utterances, dialogues),
            "frames": histogram(self.frames),
            "frame_changes": histogram(self.changes),
            "rating": ratio(self.ratings, self.rated),
            "participants": len(self.participants),
            "acts": self.acts,
            "acts_with_a_reference": self.referring,
        }
        if (published := self._published) is not None:
            figures["published"] = {
                **published._asdict(),
                "frame_changes": published.frame_changes._asdict(),
                "frames": published.frames._asdict(),
                "comparable": dialogues == published.dialogues,
            }
        return figures
