"""DSTC6-history: which candidate does the bot say next, asked within the histories of DSTC6 files.

The published test files tell nobody their answers, but what the bot said earlier in each history is
known. Each such turn is a question with candidates drawn as the files draw theirs (see
`dialoom.bench.dstc6.histories`). Tasks are the hold-outs; a model learns from the turns of another
corpus: simulated files, or another published set. It may read the lists of facts beside the
dialogues. Never the challenge's official score.

    dialoom bench dstc6-history --corpus corpora --split tst3 --train-corpus bookings
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.bench.dstc6.histories import Histories
from dialoom.bench.dstc6.knowledge import found_near, schemas_of
from dialoom.bench.visibility import visible, words_and_calls
from dialoom.corpus import Corpus
from dialoom.dialogue import Candidate, Choice, Dialogue
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.formats.dstc6.names import about
from dialoom.metrics.ranking import PrecisionAtK
from dialoom.schema.task import TaskSchema


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """What can be chosen about turns within histories.

    Attributes:
        seed: What candidates are drawn with.
        last: Ask only about the last bot turn of each history.
        kb: Whether the lists of facts may be read.
    """

    seed: int = 0
    last: bool = False
    kb: bool = True


@dataclass(frozen=True, slots=True)
class History:
    """The protocol."""

    name: str = "dstc6-history"
    corpus: str = "dstc6"
    kind: type[Struct] = Choice
    model: str = "ranker"
    settings: type[HistorySettings] = HistorySettings
    parts: tuple[str, str] | None = None

    def plan(self, data: Data, settings: HistorySettings) -> Plan:
        """Find the bot's turns of each task.

        Raises:
            MissingDataError: The data holds no turn of a bot.
        """
        learnt = []
        if data.train_corpus is not None:
            learnt = [
                t for targets in by_task(data.train_corpus, settings).values() for t in targets
            ]
        tasks = by_task(data.corpus, settings)
        if not tasks:
            raise MissingDataError(f"{data.corpus.path}: no bot says anything there")
        return Plan(
            protocol=self.name,
            title=self.name,
            data=with_facts(data, read=settings.kb),
            metrics=(PrecisionAtK(),),
            holdouts=[HoldOut(task, learnt, tasks[task]) for task in sorted(tasks)],
            options={
                "candidates": f"seed-{settings.seed}",
                "turns": "last" if settings.last else "all",
                **({} if settings.kb else {"kb": "no"}),
            },
            notes=["turns within histories: not the challenge's official score"],
        )


def with_facts(data: Data, *, read: bool) -> Data:
    """Return data whose schemas are the lists of facts beside the dialogues, if those are read."""

    def facts(corpus: Corpus) -> dict[str, TaskSchema]:
        return schemas_of(found_near(corpus.path).values()) if read else {}

    learnt = None if data.train_corpus is None else facts(data.train_corpus)
    return replace(data, tested=facts(data.corpus), learnt=learnt)


def by_task(corpus: Corpus, settings: HistorySettings) -> dict[str, list[Target]]:
    """Return the bot's turns of each task; candidates are drawn file by file."""
    files: dict[str, list[Dialogue]] = {}
    for dialogue in corpus.dialogues():
        files.setdefault(dialogue.origin.file if dialogue.origin else "", []).append(dialogue)
    tasks: dict[str, list[Target]] = {}
    for name, dialogues in files.items():
        known = about(name)
        task = known.task if known else "all"
        tasks.setdefault(task, []).extend(targets(dialogues, settings))
    return {task: found for task, found in tasks.items() if found}


def targets(dialogues: list[Dialogue], settings: HistorySettings) -> Iterator[Target]:
    """Yield the bot's turns of one file; candidates are numbered, so that ids tell nothing."""
    shown: Dialogue | None = None
    for dialogue, place, options in Histories(dialogues, settings.seed).turns(last=settings.last):
        if dialogue is not shown:
            shown = dialogue
            seen, positions = visible(dialogue, words_and_calls)
        texts = tuple(Candidate(str(n), c.text) for n, c in enumerate(options.candidates))
        (right,) = (str(n) for n, c in enumerate(options.candidates) if c.id == options.choice)
        yield Target(dialogue.id, place, Choice(texts), right, seen, positions[place])


HISTORY = History()
