"""The share of a task file that a corpus uses: nodes, edges, templates, slots and values.

Everything in the task file is counted, be it zero times. Which template an utterance was made with
is read off its spans; without them off its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from dialoom.dialogue import Dialogue, Event, Span, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import parts
from dialoom.errors import SchemaError
from dialoom.flow.alignment import Visit, follow
from dialoom.flow.program import program_of
from dialoom.render.tables import ResultTable, Row, percent
from dialoom.schema.flow import Node
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER, match_best, parse
from dialoom.schema.values import samples

LISTED = 100
"""A slot with more values than these counts as one of a range: its values are not listed."""

KINDS = ("nodes", "edges", "slots", "values", "templates")
"""The kinds of counted elements."""

ARROW = " -> "
"""Between the two nodes of an edge."""


class Coverage(Struct, frozen=True, kw_only=True):
    """Counts of what a corpus uses of a task file, in the file's order.

    Attributes:
        nodes: Node to the events that were at it.
        edges: "node -> node" to how often it was taken, be it past a question not asked.
        slots: Slot to how often it was given.
        values: "slot = value" to how often it was given; ranges of many values are not listed.
        templates: "node: template" to how often it was said.
        off: Number of events that no way of the flow led to.
    """

    task: str
    dialogues: int
    nodes: dict[str, int]
    edges: dict[str, int]
    slots: dict[str, int]
    values: dict[str, int]
    templates: dict[str, int]
    off: int = 0

    def counts(self, kind: str) -> dict[str, int]:
        """Return the counts of one of KINDS."""
        tally: dict[str, int] = getattr(self, kind)
        return tally

    def missing(self, kind: str) -> list[str]:
        """Return what of one of KINDS was never used."""
        return [name for name, count in self.counts(kind).items() if not count]

    def share(self, kind: str) -> float | None:
        """Return the share of one of KINDS that was used; None where there is none."""
        counts = self.counts(kind)
        return 1 - len(self.missing(kind)) / len(counts) if counts else None


class CoverageCounter:
    """Counts dialogues of a task one by one; `SchemaError` for a task without a file."""

    def __init__(self, task: TaskSchema) -> None:
        if not task.flow.complete:
            raise SchemaError(
                f"task {task.id}", "has no flow with words of its own to count", code="no-flow"
            )
        self.task = task
        self._dialogues = self._off = 0
        lists: tuple[Iterable[str], ...] = (
            task.flow.nodes, _edges(task), task.slots, _values(task), _templates(task)
        )  # fmt: skip
        self._counts = {
            kind: Counter(dict.fromkeys(names, 0)) for kind, names in zip(KINDS, lists, strict=True)
        }

    @property
    def names(self) -> frozenset[str]:
        """The names that dialogues may know the task by."""
        return frozenset((self.task.id, *self.task.aliases))

    def add(self, dialogue: Dialogue) -> list[Visit]:
        """Count a dialogue; return its way through the flow."""
        visits = list(follow(program_of(self.task), dialogue.events))
        self._dialogues += 1
        for visit in visits:
            self._add(visit, dialogue.events[visit.event])
        return visits

    def _add(self, visit: Visit, event: Event) -> None:
        if visit.node is None:
            return
        self._counts["nodes"][visit.node] += 1
        self._off += not visit.permitted
        ways = (*filter(None, (visit.before,)), *visit.way)
        for before, after in pairwise(ways):
            if after in self.task.flow.after[before]:
                self._counts["edges"][f"{before}{ARROW}{after}"] += 1
        if isinstance(event, Utterance):
            node = self.task.flow.nodes[visit.node]
            text = template_of(node, event)
            if text is not None:
                self._counts["templates"][f"{node.name}: {text}"] += 1
            if node.kind == "user":
                self._add_values(event)

    def _add_values(self, event: Utterance) -> None:
        slots, counts = self._counts["slots"], self._counts["values"]
        for part in parts(event):
            for act in part.acts or ():
                for argument in act.arguments:
                    values = argument.canonical or argument.values
                    if argument.slot in slots and values:
                        slots[argument.slot] += 1
                        for value in values:
                            name = f"{argument.slot} = {value}"
                            if name in counts:
                                counts[name] += 1

    def result(self) -> Coverage:
        """Return the counts so far."""
        return Coverage(
            task=self.task.id,
            dialogues=self._dialogues,
            off=self._off,
            **{kind: dict(counts) for kind, counts in self._counts.items()},
        )


def coverage(task: TaskSchema, dialogues: Iterable[Dialogue]) -> Coverage:
    """Return how much of a task file dialogues use; `SchemaError` for a task without a file."""
    counting = CoverageCounter(task)
    for dialogue in dialogues:
        counting.add(dialogue)
    return counting.result()


def template_of(node: Node, utterance: Utterance) -> str | None:
    """Return the template of a node that an utterance was made with, or None."""
    spans = [span for part in parts(utterance) for span in part.spans or ()]
    template = _shapes(node.texts).get(_shape(utterance.text, spans))
    if template is not None:
        return template
    best = match_best(utterance.text, {text: parse(text) for text in node.texts}, least=1.0)
    return best[0] if best else None


@lru_cache(maxsize=4096)
def _shapes(texts: tuple[str, ...]) -> Mapping[str, str]:
    """Map each template, its placeholders written as {name}, to the template."""
    return {PLACEHOLDER.sub(lambda match: f"{{{match[1]}}}", text): text for text in texts}


def _shape(text: str, spans: list[Span]) -> str:
    """Return a text with its annotated values as placeholders; those of a list become one."""
    pieces: list[str] = []
    at, last = 0, ""
    for span in sorted(spans, key=lambda span: span.start):
        name = span.labels[0] if span.labels else ""
        between = text[at : span.start]
        if not (pieces and name == last and between == ", "):
            pieces += (between, f"{{{name}}}")
        at, last = span.end, name
    return "".join((*pieces, text[at:]))


def _edges(task: TaskSchema) -> Iterator[str]:
    for before, following in task.flow.after.items():
        yield from (f"{before}{ARROW}{after}" for after in following)


def _templates(task: TaskSchema) -> Iterator[str]:
    for node in task.flow.nodes.values():
        yield from (f"{node.name}: {text}" for text in node.texts)


def _values(task: TaskSchema) -> Iterator[str]:
    for slot in task.slots.values():
        values = list(samples(slot, LISTED + 1))
        if len(values) <= LISTED:
            yield from (f"{slot.name} = {value}" for value in values)


def coverage_table(usage: Coverage) -> ResultTable:
    """Return a coverage as a table: each kind, used, of how many, share, the first ones missing."""
    rows: list[Row] = []
    for kind in KINDS:
        missing, share = usage.missing(kind), usage.share(kind)
        total = len(usage.counts(kind))
        rows.append([kind, total - len(missing), total, percent(share), _some(missing)])
    return ResultTable(usage.task, ("what", "used", "of", "%", "never used"), rows)


def _some(names: list[str], most: int = 3) -> str:
    rest = f" … and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + rest
