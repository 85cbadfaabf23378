"""Signals about the work in a study, read from its log: hints where to look, not verdicts.

A line is a text that a worker typed: an utterance without a suggestion, or the part of a document.
Each worker has counts of lines that were typed faster than hands type, that repeat a line of an
earlier unit, that leave a line to reword as it was, and that have marks of machine-written text;
characters pasted and times away, if the study records them (`attention`); and the median time of a
decision. `signals` names the counts that are above their bounds.

Wizards' consistency is the share of actions that are the most frequent one of the other dialogues
after the same action of the same tasks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from dialoom.collect.export import Collected
from dialoom.collect.kinds.paraphrase import ParaphraseKind
from dialoom.collect.kinds.room.sounds import of_utterance
from dialoom.collect.log.record import (
    WIZARD_ROLE,
    Attention,
    Closed,
    Entered,
    Record,
    Saved,
    is_erased,
)
from dialoom.collect.log.store import Store
from dialoom.collect.study.state import StudyState
from dialoom.collect.unit import WorkUnit
from dialoom.dialogue import Utterance
from dialoom.dialogue.views import label, utterances
from dialoom.metrics.bootstrap import mean_bounds, wilson
from dialoom.quality.agreement import Ratings, compare
from dialoom.render.tables import ResultTable, interval_cell

FASTEST = 15.0
"""Characters a second that are more than typing: in 136 million keystrokes of 168,000 people
(Dhakal et al. 2018) the fastest type some 10."""

LONG = 20
"""The fewest characters of a line whose speed is measured."""

WORDS = 4
"""The fewest words of a line that counts as a copy: shorter ones are often said alike."""

HASTY = 1.0
"""Seconds; a median below it is too short to read anything."""

LEAST = 5
"""The fewest lines or decisions of a worker before anything is a signal."""

SHARE = 0.2
"""The share of a worker's lines from which on a count of lines is a signal."""

AWAY = 5
"""The times of leaving the page, in an assignment, from which on it is a signal."""

MACHINE = re.compile(
    r"\bas an ai\b|\blanguage model\b|\bi(?:'|’)?m sorry, but i can(?:'|’|no)?t\b"
    r"|\bcertainly! |\bhere(?:'|’)s an? (?:revised|possible|rewritten|natural)\b"
    r"|\bi hope this message finds you\b|\*\*\S|^\s*[-*•] |^#+ |—",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks of text that was not typed: phrases of assistants, Markdown, em dashes. Typographic quotes
are no mark, since phones write them."""

COUNTS = ("fast", "copied", "unchanged", "machine")


class TypedLine(NamedTuple):
    """A line that a worker typed; `seconds` is the time since the unit's record before it."""

    unit: str
    text: str
    seconds: float | None
    original: str


@dataclass
class WorkerTrace:
    """The traces of a worker's work in the log."""

    lines: dict[tuple[str, str], TypedLine] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    pasted: int = 0
    left: int = 0
    away: float = 0.0
    assignments: int = 0


def signals(store: Store) -> dict[str, Any]:
    """Return the signals by worker, wizards' consistency and agreement so far, as JSON values."""
    study = Collected(store)
    log = _Log(study.state)
    for record in store.records():
        log.add(record)
    origins: dict[str, str] = {}
    ratings = Ratings().add_all(study.dialogues())
    agreement = {
        kind: {name: each for name, each in figures["all"].items() if each is not None}
        for kind, figures in compare(ratings, samples=200, parts=False)["kinds"].items()
    }
    rows = [_row(worker, log.traces[worker], origins) for worker in sorted(log.traces)]
    return {
        "workers": sorted(rows, key=lambda row: -len(row["signals"])),
        "consistency": consistency(log.actions),
        "agreement": agreement,
    }


class _Log:
    def __init__(self, state: StudyState) -> None:
        self._state = state
        self._last: dict[str, int] = {}
        self.traces: defaultdict[str, WorkerTrace] = defaultdict(WorkerTrace)
        self.actions: list[tuple[str, str, tuple[str, ...]]] = []

    def add(self, record: Record) -> None:
        body, kind, number = record.body, *record.stream.partition("/")[::2]
        if kind == "unit" and int(number) in self._state.units:  # or it was opened meanwhile
            self._in_unit(record, self._state.units[int(number)])
        elif isinstance(body, Entered) and not is_erased(body.worker):
            self.traces[body.worker].assignments += 1
        elif isinstance(body, Attention) and int(number) in self._state.assignments:
            trace = self.traces[self._state.assignments[int(number)].worker]
            trace.pasted += body.pasted
            trace.left += body.away is not None
            trace.away += body.away or 0.0

    def _in_unit(self, record: Record, unit: WorkUnit) -> None:
        body, before = record.body, self._last.get(unit.stream)
        self._last[unit.stream] = record.time
        seated = {role: self._state.assignments[n].worker for role, n in unit.seats.items()}
        if isinstance(body, Closed) and body.tally is not None and WIZARD_ROLE in seated:
            tasks = ",".join(unit.item.content.get("tasks", ()))
            self.actions.append((seated[WIZARD_ROLE], tasks, body.tally.actions))
        worker = seated.get(record.author)
        if worker is None or is_erased(worker) or not isinstance(body, Saved | Utterance):
            return
        seconds = None if before is None else (record.time - before) / 1000
        trace = self.traces[worker]
        trace.seconds += [] if seconds is None else [seconds]
        place, text = _typed(record)
        if text is not None:
            original = _original(unit, place)
            trace.lines[unit.stream, place] = TypedLine(unit.stream, text, seconds, original)


def _original(unit: WorkUnit, part: str) -> str:
    if not isinstance(unit.kind, ParaphraseKind) or not part.isdigit():
        return ""
    texts = [utterance.text for _, utterance in utterances(unit.kind.given(unit.item))]
    return texts[int(part)] if int(part) < len(texts) else ""


def _typed(record: Record) -> tuple[str, str | None]:
    """Return the place of a typed line in its unit, and its text; None for other records."""
    body = record.body
    if isinstance(body, Saved):
        text = body.value.get("text") if isinstance(body.value, dict) else None
        return body.part, text if isinstance(text, str) else None
    typed = isinstance(body, Utterance) and label(body) is None and of_utterance(body) is None
    return str(record.seq), body.text if typed and isinstance(body, Utterance) else None


def _row(worker: str, trace: WorkerTrace, origins: dict[str, str]) -> dict[str, Any]:
    """Return the signals of a worker; `origins` has the plain lines so far with their units."""
    lines = list(trace.lines.values())
    counts = Counter(code for line in lines for code in _codes(line, origins))
    spent = round(median(trace.seconds), 1) if trace.seconds else None
    flags = [code for code in COUNTS if len(lines) >= LEAST and counts[code] >= SHARE * len(lines)]
    if spent is not None and len(trace.seconds) >= LEAST and spent < HASTY:
        flags.append("hasty")
    if trace.pasted and trace.pasted >= SHARE * sum(len(line.text) for line in lines):
        flags.append("pasted")
    if trace.left > AWAY * trace.assignments:
        flags.append("away")
    return {
        "worker": worker,
        "lines": len(lines),
        **{code: counts[code] for code in COUNTS},
        "median_seconds": spent,
        "pasted": trace.pasted,
        "left": trace.left,
        "away_seconds": round(trace.away, 1),
        "signals": flags,
    }


def _codes(line: TypedLine, origins: dict[str, str]) -> Iterator[str]:
    plain = _plain(line.text)
    if line.seconds and len(line.text) >= LONG and len(line.text) / line.seconds > FASTEST:
        yield "fast"
    if len(plain.split()) >= WORDS and origins.setdefault(plain, line.unit) != line.unit:
        yield "copied"
    if line.original and plain == _plain(line.original):
        yield "unchanged"
    if MACHINE.search(line.text):
        yield "machine"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def consistency(actions: Sequence[tuple[str, str, tuple[str, ...]]]) -> dict[str, Any]:
    """Return how often wizards act as others do in the same state, with a 95 % interval.

    Args:
        actions: The wizard, the tasks and the actions of each dialogue. A state is the tasks and
            the action before; it counts if another dialogue has it. Intervals are over dialogues.
    """
    steps = [
        list(zip([(tasks, before) for before in ("", *acts)], acts, strict=False))
        for _, tasks, acts in actions
    ]
    after: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for each in steps:
        for state, act in each:
            after[state][act] += 1
    shares: list[tuple[str, float]] = []
    decisions = 0
    for (worker, *_), each in zip(actions, steps, strict=True):
        own = Counter(each)
        alike = [
            act in _most_frequent(after[state], own, state)
            for state, act in each
            if after[state].total() > sum(n for (s, _), n in own.items() if s == state)
        ]
        decisions += len(alike)
        shares += [(worker, 100 * sum(alike) / len(alike))] if alike else []
    wizards = sorted({worker for worker, _ in shares})
    return {
        "decisions": decisions,
        **_mean([share for _, share in shares]),
        "wizards": {
            wizard: _mean([share for worker, share in shares if worker == wizard])
            for wizard in wizards
        },
    }


def _most_frequent(acts: Counter[str], own: Counter[Any], state: Any) -> set[str]:
    others = {act: n - own[state, act] for act, n in acts.items()}
    most = max(others.values())
    return {act for act, n in others.items() if n == most}


def _mean(shares: Sequence[float]) -> dict[str, Any]:
    many = len(shares)
    mean = sum(shares) / many if many else None
    bounds = None
    if mean is not None and many > 1:
        bounds = mean_bounds(shares) if len(set(shares)) > 1 else wilson(mean, many)
    return {"share": mean, "interval": bounds, "dialogues": many}


def tables(report: Mapping[str, Any]) -> list[ResultTable]:
    """Return the tables of `signals`."""
    head = ("worker", "lines", *COUNTS, "median_seconds", "pasted", "left")
    workers = [
        [*(row[name] for name in head), ", ".join(row["signals"])] for row in report["workers"]
    ]
    names = tuple(name.replace("_", " ") for name in head)
    consistent = [
        [wizard, row["share"], interval_cell(row["interval"]), row["dialogues"]]
        for wizard, row in (
            ("all", report["consistency"]),
            *report["consistency"]["wizards"].items(),
        )
        if row["dialogues"]
    ]
    agreed = [
        [kind, name, each["value"], interval_cell((each["low"], each["high"]))]
        for kind, figures in report["agreement"].items()
        for name, each in figures.items()
    ]
    all_tables = [
        ResultTable("Signals, not verdicts", (*names, "signals"), workers),
        ResultTable("Consistency", ("wizard", "%", "95 % interval", "dialogues"), consistent),
        ResultTable("Agreement", ("kind", "coefficient", "value", "95 % interval"), agreed),
    ]
    return [table for table in all_tables if table.rows]
