"""Statistics of a corpus in one pass and bounded memory: counts, and the results of the analyses.

`turns` counts what the STAR paper counts (its table 1): utterances of both sides and queries, over
complete dialogues. Its tokeniser is not named, so tokens are given twice: parted at white space,
and with punctuation split off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dialoom import formats
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    Event,
    Options,
    Query,
    Result,
    Selected,
    Utterance,
)
from dialoom.dialogue.views import action, label, selected_items
from dialoom.quality.stats.actions import Actions, Replies
from dialoom.quality.stats.analysis import Analysis, complete, difficulty, ordered, ratio
from dialoom.quality.stats.annotation import Frames, Slices, SpanCounts
from dialoom.quality.stats.distributions import Distributions
from dialoom.quality.stats.order import Orders
from dialoom.quality.stats.overview import TOKEN, Overview, UserVocabulary
from dialoom.quality.stats.people import People
from dialoom.schema.flow import CUSTOM
from dialoom.schema.task import TaskSchema

ANALYSES = ("table_1", "distributions", "question_order", "actions", "generation_items", "frames",
            "people", "replies", "spans", "vocabulary")  # fmt: skip
"""Key of a result to the analysis in this package that fills it."""

TALLIES = (
    "difficulty_of_complete",
    "outcomes",
    "events_by_kind",
    "with_primary_item",
    "with_secondary_item",
    "tasks",
    "domains",
    "action_labels",
    "constraint_operators",
    "flags",
)
"""Counts of names in a result, the frequent ones first."""


class Statistics:
    """Adds up dialogues into JSON values, with the published figures of `format`, if any."""

    def __init__(
        self,
        event_name: Callable[[Event], str],
        schemas: Mapping[str, TaskSchema] | None = None,
        format: str = "",
    ) -> None:
        self._event_name = event_name
        schemas = schemas or {}
        traits = formats.traits(format)
        row = traits.published
        analyses: tuple[Analysis, ...] = (
            Overview(schemas, format),
            Distributions(schemas),
            Orders(schemas, traits.orders),
            Actions(),
            Slices(card=row is not None),
            Frames(traits.frames),
            People(),
            Replies(),
            SpanCounts(schemas, published=row is not None),
            UserVocabulary(row.user_words if row else None),
        )
        self.analyses = dict(zip(ANALYSES, analyses, strict=True))
        self.counts: Counter[str] = Counter()
        self.tallies: dict[str, Counter[str]] = {name: Counter() for name in TALLIES}
        self.batches: set[str] = set()
        self.longest_query = 0

    def add_all(self, dialogues: Iterable[Dialogue]) -> Statistics:
        """Count every dialogue; returns itself."""
        for dialogue in dialogues:
            self.add(dialogue)
        return self

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        self.counts["dialogues"] += 1
        self.counts["events"] += len(dialogue.events)
        self.tallies["outcomes"][dialogue.outcome or "unknown"] += 1
        if dialogue.batch is not None:
            self.batches.add(dialogue.batch)
        ended = complete(dialogue)
        self.counts["complete"] += ended
        self._add_scenario(dialogue, ended)
        for field, value in dialogue.extra.items():
            if value is True:
                self.tallies["flags"][field] += 1
        for event, selected in zip(dialogue.events, selected_items(dialogue.events), strict=True):
            self._add_event(event, selected, ended)
        for analysis in self.analyses.values():
            analysis.add(dialogue)

    def _add_scenario(self, dialogue: Dialogue, ended: bool) -> None:
        scenario = dialogue.scenario
        if scenario is None:
            return
        for capability in scenario.capabilities:
            self.tallies["tasks"][capability.task] += 1
        for domain in scenario.domains:
            self.tallies["domains"]["(none)" if domain is None else domain] += 1
        if ended:
            self.tallies["difficulty_of_complete"][difficulty(scenario)] += 1

    def _add_event(self, event: Event, selected: Selected, ended: bool) -> None:
        name = self._event_name(event)
        self.tallies["events_by_kind"][name] += 1
        if event.agent == SYSTEM:
            self.tallies["with_primary_item"][name] += selected.primary is not None
            self.tallies["with_secondary_item"][name] += selected.secondary is not None
        if ended and (
            isinstance(event, Query)
            or (isinstance(event, Utterance) and event.agent in (USER, SYSTEM))
        ):
            self.counts["turns"] += 1
        match event:
            case Utterance():
                self._add_utterance(event)
            case Query():
                self._add_query(event)
            case Options():
                ids = [candidate.id for candidate in event.candidates]
                self.counts["options lists that offer only custom"] += ids == [CUSTOM]
            case Result():
                self.counts["results with an item"] += bool(event.items)
                self.counts["results with a total above 0"] += (event.total or 0) > 0
            case _:
                pass
        if (target := action(event)) is not None:
            self.tallies["action_labels"][target] += 1

    def _add_utterance(self, event: Utterance) -> None:
        counts = self.counts
        counts["utterances"] += 1
        counts["tokens_white_space"] += len(event.text.split())
        counts["tokens_punctuation_split"] += len(TOKEN.findall(event.text))
        if event.agent != USER and label(event) is None:
            counts["custom system utterances"] += 1

    def _add_query(self, event: Query) -> None:
        slots = [constraint.slot for constraint in event.constraints]
        self.longest_query = max(self.longest_query, len(slots))
        self.counts["queries without a constraint"] += not slots
        self.counts["queries that repeat a parameter"] += len(set(slots)) < len(slots)
        for constraint in event.constraints:
            self.tallies["constraint_operators"][constraint.operator or "unread"] += 1

    def result(self) -> dict[str, Any]:
        """Return all counts as JSON values, the frequent ones first; then each analysis's own."""
        added = {name: analysis.result() for name, analysis in self.analyses.items()}
        counts = self.counts
        ended = counts["complete"]
        totals = ("dialogues", "events", "turns", "utterances")
        tokens = ("tokens_white_space", "tokens_punctuation_split")
        return {
            **{name: counts[name] for name in totals},
            "complete": ended,
            "turns_per_complete_dialogue": ratio(counts["turns"], ended),
            **{f"{name}_per_utterance": ratio(counts[name], counts["utterances"])
               for name in tokens},
            "user_vocabulary": added["vocabulary"]["words"] if added["vocabulary"] else 0,
            **{name: ordered(tally) for name, tally in self.tallies.items()},
            "batches": len(self.batches),
            "distinct_action_labels": len(self.tallies["action_labels"]),
            "longest_query": self.longest_query,
            **{name.replace(" ", "_"): counts[name] for name in sorted(counts)
               if name not in (*totals, *tokens)},
            **{name: result for name, result in added.items() if result is not None},
        }  # fmt: skip
