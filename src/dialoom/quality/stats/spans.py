"""Annotated spans, and the arguments of an API that a dialogue leaves open (Taskmaster-1).

An utterance is annotated where its source gives a list of spans, empty or not. Missing required
arguments are counted over the dialogues that have a label of the vertical (`schema/labels.py`);
labels without the vertical belong to that of the dialogue's other labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dialoom.dialogue import Dialogue, Span, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import Result, ordered, ratio
from dialoom.schema.labels import ACCEPT, REJECT, read
from dialoom.schema.task import TaskSchema


class SpanCounts:
    """Counts spans and their labels, and required arguments that no span names."""

    def __init__(self, schemas: Mapping[str, TaskSchema], *, published: bool = False) -> None:
        self._published = published
        self._required = {
            name: dict.fromkeys(slot for call in task.calls.values() for slot in call.required)
            for name, task in schemas.items()
            if task.is_service
        }
        self.counts: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.dialogues: Counter[str] = Counter()
        self.missing: dict[str, Counter[str]] = {}
        self.without_any: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        counts = self.counts
        labels: list[str] = []
        annotated = False
        for event in dialogue.events:
            if not isinstance(event, Utterance):
                continue
            counts["utterances"] += 1
            groups = [part.spans for part in parts(event) if part.spans is not None]
            counts["annotated"] += bool(groups)
            for spans in groups:
                annotated = True
                self._add_spans(spans)
                labels += (label for span in spans for label in span.labels)
        counts["dialogues"] += 1
        counts["annotated dialogues"] += annotated
        counts["with spans"] += bool(labels)
        self.labels.update(labels)
        self._add_arguments(labels)

    def _add_spans(self, spans: Sequence[Span]) -> None:
        counts = self.counts
        counts["spans"] += len(spans)
        counts["several labels"] += sum(len(span.labels) > 1 for span in spans)
        counts["overlapping"] += _overlapping(spans)
        for span in spans:
            counts["labels"] += len(span.labels)
            for label in span.labels:
                last = label.rpartition(".")[2]
                if last in (ACCEPT, REJECT):
                    counts[last] += 1

    def _add_arguments(self, labels: Iterable[str]) -> None:
        readings = [read(label, self._required) for label in dict.fromkeys(labels)]
        arguments = {label.argument for label in readings}
        for vertical in {label.service for label in readings if label.service is not None}:
            required = self._required[vertical]
            if not required:
                continue
            self.dialogues[vertical] += 1
            missing = [argument for argument in required if argument not in arguments]
            self.missing.setdefault(vertical, Counter()).update(missing)
            self.without_any[vertical] += len(missing) == len(required)

    def result(self) -> Result | None:
        """Return span and label counts, and what is missing of each vertical."""
        counts = self.counts
        if not counts["annotated"]:
            return None
        return {
            "dialogues": counts["dialogues"],
            "annotated_dialogues": counts["annotated dialogues"],
            "dialogues_with_spans": counts["with spans"],
            "published": self._published,
            "utterances": counts["utterances"],
            "annotated_utterances": counts["annotated"],
            "annotated_share": ratio(counts["annotated"], counts["utterances"]),
            "spans": counts["spans"],
            "spans_with_several_labels": counts["several labels"],
            "spans_that_overlap_another": counts["overlapping"],
            "labels": counts["labels"],
            "distinct_labels": len(self.labels),
            "accepted": counts[ACCEPT],
            "rejected": counts[REJECT],
            "by_label": ordered(self.labels),
            "required_arguments": {
                vertical: {
                    "dialogues": n,
                    "without_any": self.without_any[vertical],
                    "missing": {
                        argument: self.missing[vertical][argument]
                        for argument in self._required[vertical]
                    },
                }
                for vertical, n in sorted(self.dialogues.items())
            },
        }


def _overlapping(spans: Sequence[Span]) -> int:
    ranked = sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end))
    overlaps: set[int] = set()
    reached, holder = -1, -1
    for i in ranked:
        if spans[i].start < reached:
            overlaps |= {i, holder}
        if spans[i].end > reached:
            reached, holder = spans[i].end, i
    return len(overlaps)
