"""The parts of a report that need the corpus: its statistics, and each error with its context.

The context does not depend on the model: the events before the error, the actions done so far, and
the origin of the value of each input of the task's APIs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dialoom import formats
from dialoom.bench.core.predictions import PredictionLine
from dialoom.bench.visibility import system_log
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Event
from dialoom.dialogue.transcript import lines
from dialoom.dialogue.views import action
from dialoom.errors import UsageError
from dialoom.quality.catalogue import published_format
from dialoom.quality.stats import Statistics
from dialoom.quality.stats.report import pieces
from dialoom.reading.tracker import SlotTracker
from dialoom.render.transcript import Mark, to_html
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain

SHOWN = 8
"""Number of events of the dialogue that the report shows before a wrong prediction."""

Track = Callable[[Iterable[Dialogue], str, int], Iterable[Dialogue]]


@dataclass(frozen=True, slots=True)
class Error:
    """A wrong answer with its context as HTML: known inputs with origins, and open ones."""

    line: PredictionLine
    earlier: int
    transcript: str
    done: tuple[str, ...]
    known: dict[str, tuple[str, str]]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """A corpus in a report: statistics as HTML, and the dialogues of shown errors."""

    corpus: Corpus
    html: str
    dialogues: dict[str, Dialogue]

    def errors(self, wrong: Sequence[PredictionLine]) -> dict[str, list[Error]]:
        """Return wrong answers in context by hold-out; `UsageError` if the corpus lacks one."""
        by_holdout: dict[str, list[Error]] = {}
        for line in wrong:
            dialogue = self.dialogues.get(str(line.dialogue))
            if dialogue is None or not 0 <= line.event < len(dialogue.events):
                lacks = f"{self.corpus.path} has no dialogue {line.dialogue}"
                if dialogue is not None:
                    lacks = f"dialogue {dialogue.id} has no event {line.event}"
                raise UsageError(f"{lacks}; are the predictions of this corpus?", code="mismatch")
            task = self.corpus.schemas.get(line.task)
            by_holdout.setdefault(line.holdout, []).append(_error(line, dialogue, task))
        return by_holdout


def survey(corpus: Corpus, ids: set[str], track: Track | None = None) -> Survey:
    """Count a corpus in one pass, and keep the dialogues with a wanted id."""
    samples: dict[str, Dialogue] = {}
    event_name = formats.get(corpus.format).event_name
    statistics = Statistics(event_name, corpus.schemas, published_format(corpus))

    def passing() -> Iterator[Dialogue]:
        for dialogue in corpus.dialogues():
            if dialogue.id in ids:
                samples[dialogue.id] = dialogue
            yield dialogue

    stream: Iterable[Dialogue] = passing()
    if track is not None:
        stream = track(stream, "corpus", len(corpus.files))
    return Survey(corpus, pieces(statistics.add_all(stream).result()), samples)


def _error(line: PredictionLine, dialogue: Dialogue, task: TaskSchema | None) -> Error:
    turns = [number for number in range(line.event) if system_log(dialogue.events[number])]
    window = {*turns[-SHOWN:], line.event}
    history = dialogue.events[: line.event]
    values = {} if task is None else _known(history, task)
    return Error(
        line=line,
        earlier=len(turns) - len(turns[-SHOWN:]),
        transcript=to_html(
            (one for one in lines(dialogue) if one.index in window),
            marks={line.event: (Mark(f"predicted: {line.predicted}", right=False),)},
        ),
        done=tuple(label for event in history if (label := action(event)) is not None),
        known=values,
        open=tuple(slot.name for slot in (task.inputs if task else ()) if slot.name not in values),
    )


def _known(history: Sequence[Event], task: TaskSchema) -> dict[str, tuple[str, str]]:
    tracker = SlotTracker(task)
    for event in history:
        tracker.observe(event)
    return {
        column.name: (plain(entry.value, task.language, task.slots.get(slot)), entry.origin)
        for column in task.call_inputs
        if (entry := tracker.values.get(slot := column.slot or column.name)) is not None
    }
