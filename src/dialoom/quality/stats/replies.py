"""System replies by stage: picked among a task's own, and custom ones (without a label).

Dialogues are those that came to their end.
"""

from __future__ import annotations

from collections import Counter

from dialoom.dialogue import SYSTEM, Dialogue, Utterance
from dialoom.dialogue.views import label
from dialoom.quality.stats.analysis import UNKNOWN, Result, complete, difficulty, ratio

STAGES = ("happy", "unhappy", "multi-task", UNKNOWN)


class Replies:
    """Counts replies by stage, picked and custom."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, bool]] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue's replies."""
        scenario = dialogue.scenario
        if scenario is None or not complete(dialogue):
            return
        stage = difficulty(scenario)
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == SYSTEM:
                self.counts[stage, label(event) is None] += 1

    def result(self) -> Result | None:
        """Return replies by stage; None where every reply, or none, is custom."""
        if len({custom for _, custom in self.counts}) < 2:
            return None
        rows = {stage: self._row(stage) for stage in STAGES}
        rows["all"] = self._row(*STAGES)
        return {"stages": {stage: row for stage, row in rows.items() if row["replies"]}}

    def _row(self, *stages: str) -> Result:
        custom = sum(self.counts[stage, True] for stage in stages)
        replies = custom + sum(self.counts[stage, False] for stage in stages)
        return {"replies": replies, "custom": custom, "custom_share": ratio(custom, replies)}
