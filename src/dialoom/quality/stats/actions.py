"""Actions a dialogue, tasks that share one (figures 6 and 7 of the STAR paper), and custom replies.

Counted in dialogues that came to their end: utterances of either side and queries; the pairs of
tasks that a scenario offers, and how often the system turned from one to the other. In a corpus
without scenarios, a dialogue with more than one service is multi-task.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Selection, Utterance
from dialoom.dialogue.views import label, tasks
from dialoom.quality.stats.analysis import UNKNOWN, Result, complete, difficulty, histogram, ratio

SINGLE, MULTI = "single-task", "multi-task"
KINDS = ("user", "system", "queries")
"""The actions counted in a dialogue: utterances of either side, and queries."""

MOST = 50
"""Most tasks of one dialogue whose pairs are counted; STAR's have five at most."""


class Actions:
    """Figures 6 and 7 as counts."""

    def __init__(self) -> None:
        self.histograms: dict[tuple[str, str], Counter[int]] = {
            (group, kind): Counter() for group in (SINGLE, MULTI) for kind in KINDS
        }
        self.dialogues: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.turns: Counter[tuple[str, str]] = Counter()
        self.connected: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue if it came to its end."""
        if not complete(dialogue):
            return
        topics = dict.fromkeys(tasks(dialogue))
        group = MULTI if multi_task(dialogue) else SINGLE
        self.dialogues[group] += 1
        done: Counter[str] = Counter()
        at: str | None = None
        for event in dialogue.events:
            if isinstance(event, Utterance):
                done[event.agent] += 1
            elif isinstance(event, Query):
                done["queries"] += 1
            elif isinstance(event, Selection) and event.task is not None:
                if at is not None and at != event.task:
                    self.turns[at, event.task] += 1
                at = event.task
        for kind, name in zip(KINDS, (USER, SYSTEM, "queries"), strict=True):
            self.histograms[group, kind][done[name]] += 1
        if group == MULTI:
            self.connected.update(topics.keys())
            self.pairs.update(combinations(sorted(topics)[:MOST], 2))

    def result(self) -> Result | None:
        """Return both figures' data."""
        if not self.dialogues:
            return None
        return {
            "dialogues": dict(self.dialogues),
            "per_dialogue": {
                group: {kind: histogram(self.histograms[group, kind]) for kind in KINDS}
                for group in (SINGLE, MULTI)
                if self.dialogues[group]
            },
            "connections": {
                "tasks": dict(sorted(self.connected.items())),
                "pairs": _listed(self.pairs),
                "turns_from_one_to_another": _listed(self.turns),
            },
        }


def multi_task(dialogue: Dialogue) -> bool:
    """True if a dialogue is about several tasks: by its scenario, else by its services."""
    scenario = dialogue.scenario
    if scenario is not None and scenario.multi_task is not None:
        return scenario.multi_task
    return len(set(tasks(dialogue))) > 1


def _listed(pairs: Counter[tuple[str, str]]) -> list[list[str | int]]:
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return [[one, other, n] for (one, other), n in ranked]


STAGES = ("happy", "unhappy", "multi-task", UNKNOWN)


class Replies:
    """Counts the system's replies by stage: picked among a task's own, and custom ones (no label).

    Dialogues are those that came to their end.
    """

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
