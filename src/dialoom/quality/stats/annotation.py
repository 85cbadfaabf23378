"""Analyses of annotation: spans (Taskmaster-1), frames (Frames), and generation items (GEM)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from dialoom.corpus.traits import PublishedFrames
from dialoom.dialogue import SYSTEM, USER, Dialogue, Span, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import Result, histogram, number, ordered, ratio
from dialoom.schema.labels import ACCEPT, REJECT, read
from dialoom.schema.service import ACTS
from dialoom.schema.task import TaskSchema


class SpanCounts:
    """Counts spans and their labels, and required arguments that no span names (Taskmaster-1).

    An utterance is annotated where its source gives a list of spans, empty or not. Missing required
    arguments are counted over the dialogues that have a label of the vertical (`schema/labels.py`);
    labels without the vertical belong to that of the dialogue's other labels.
    """

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


class Frames:
    """Counts frames and their changes, over dialogues with frames, as the page of Frames does.

    A frame change is an utterance whose active frame is another than that of the annotated
    utterance before it in the same dialogue. The rating is the mean of the users' answers that are
    numbers.
    """

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


GEM_NUMBERS = {1: 5049, 2: 2517, 3: 1328, 4: 469, 5: 335, 6: 256, 7: 46}
"""The card's subpopulations of the test split by number of acts; they add up to 10,000."""

GEM_TYPES = {
    "CONFIRM": 1397,
    "GOODBYE": 983,
    "INFORM": 1027,
    "INFORM_COUNT": 958,
    "NOTIFY_FAILURE": 72,
    "NOTIFY_SUCCESS": 1024,
    "OFFER": 1246,
    "OFFER_INTENT": 500,
    "REQUEST": 2078,
    "REQ_MORE": 715,
}
"""The card's subpopulations by type of act, which it prints as integers; they add up to 10,000."""

CARD = sum(GEM_NUMBERS.values())
"""The items that the card counts."""


class Slices:
    """Counts generation items, if all acts are SGD's; `card` adds the two tables of SGD's GEM card.

    An item is one system utterance with its acts, of all services in the order of the file. In the
    card it has one type, although items have several acts; it does not say which. Types are given
    by the first act and by the last one. `distance` is half the sum of the absolute differences
    between our shares and the card's, which are of a sample of the test split.
    """

    def __init__(self, *, card: bool = False) -> None:
        self.card = card
        self.numbers: Counter[int] = Counter()
        self.firsts: Counter[str] = Counter()
        self.lasts: Counter[str] = Counter()
        self.anywhere: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count the items of one dialogue."""
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == SYSTEM:
                acts = [act.name for act in chain.from_iterable(p.acts or () for p in parts(event))]
                if acts:
                    self.numbers[len(acts)] += 1
                    self.firsts[acts[0]] += 1
                    self.lasts[acts[-1]] += 1
                    self.anywhere.update(set(acts))

    def result(self) -> Result | None:
        """Return both tables with the card's, counts and shares."""
        if not self.numbers or not self.anywhere.keys() <= set(ACTS):
            return None
        items = self.numbers.total()
        card = GEM_NUMBERS if self.card else {}
        numbers = sorted({*self.numbers, *card})
        tables = {
            "by_number_of_acts": {str(n): _cell(self.numbers[n], items, card, n) for n in numbers},
            "by_type_of_first_act": self._types(self.firsts),
            "by_type_of_last_act": self._types(self.lasts),
        }
        figures: Result = {
            "items": items,
            **({"card_items": CARD} if self.card else {}),
            "acts_per_item": ratio(sum(n * times for n, times in self.numbers.items()), items),
            **tables,
        }
        if self.card:
            figures["distance"] = {name: _distance(rows) for name, rows in tables.items()}
        return figures

    def _types(self, counts: Counter[str]) -> dict[str, Result]:
        items, card = self.numbers.total(), GEM_TYPES if self.card else {}
        return {
            name: {
                "number": number,
                **_cell(counts[name], items, card, name),
                "items_with_it_anywhere": self.anywhere[name],
            }
            for number, name in enumerate(ACTS)
            if name in counts or name in card
        }


def _cell(ours: int, items: int, card: Mapping[Any, int], key: object) -> Result:
    figures = {"items": ours, "share": ratio(ours, items)}
    published = {"card": card.get(key, 0), "card_share": ratio(card.get(key, 0), CARD)}
    return figures | (published if card else {})


def _distance(rows: Mapping[str, Result]) -> float:
    differences = [abs(float(row["share"]) - float(row["card_share"])) for row in rows.values()]
    return round(sum(differences) / 2, 4)
