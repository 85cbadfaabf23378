"""The bAbI dialog tasks: the bot's next turn is selected among all candidates.

Tasks 1 to 6 are the hold-outs. A model for a task is fitted on the task's training file, or on all
of `--train-corpus`. Every turn of the bot is a question, and the lines of the folder's list of
candidates are its candidates: one list for tasks 1 to 5, one for task 6 (Bordes et al. 2017).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dialoom import formats
from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.core.settings import spelled
from dialoom.bench.protocols.dstc6_history import (
    HistorySettings,
    called_values,
    training,
    with_distracted,
    with_facts,
)
from dialoom.bench.visibility import visible, words_and_calls
from dialoom.corpus import Corpus
from dialoom.corpus.mixed import MixedCorpus
from dialoom.corpus.parts import FilePart, file_parts
from dialoom.dialogue import SYSTEM, Candidate, Choice, Dialogue, Query, Utterance
from dialoom.errors import MissingDataError
from dialoom.formats.babi import task_and_part
from dialoom.formats.babi.calls import call_text
from dialoom.formats.babi.dialect import BABI as DIALECT
from dialoom.formats.babi.lists import read_candidates
from dialoom.metrics.ranking import ResponseAccuracy
from dialoom.schema.source import ListsSource

Lists = Mapping[bool, Choice]


@dataclass(frozen=True, slots=True)
class BabiSettings:
    """Settings of the bAbI dialog tasks.

    Attributes:
        kb: Let models read the knowledge-base files, which give entities' types.
    """

    kb: bool = True


NAME = "babi"


def plan(data: Data, settings: BabiSettings) -> Plan:
    """Find the bot's turns of each task; `MissingDataError` without turns or candidates."""
    lists = _lists(data.corpus)
    if not lists:
        raise MissingDataError(
            f"{data.corpus.path}: no list of candidates in the folder of the dialogues"
        )
    tasks = _by_task(data.corpus, lists)
    check_found(tasks, data.corpus, "no bot says anything there")
    learnt = _learnt(data, lists)
    every = [target for targets in learnt.values() for target in targets]
    return Plan(
        protocol=NAME,
        title=NAME,
        data=with_facts(data, read=settings.kb),
        metrics=(ResponseAccuracy(),),
        holdouts=[
            HoldOut(task, learnt.get(task, every), with_distracted(tests, called_values(tests)))
            for task, tests in sorted(tasks.items())
        ],
        options={
            "part": data.corpus.part if isinstance(data.corpus, FilePart) else "all",
            **spelled(settings),
        },
    )


def _learnt(data: Data, lists: Lists) -> dict[str, list[Target]]:
    """Return task to training questions; DSTC6 files, which have no list, give all turns."""
    if data.train_corpus is None:
        return _by_task(_training(data.corpus), lists)
    own = _lists(data.train_corpus)
    if own:
        return _by_task(_training(data.train_corpus), own)
    return {"dstc6": training(data.train_corpus, HistorySettings())}


def _training(corpus: Corpus) -> Corpus:
    """Return the training files in a corpus's folder; the corpus itself if there are none."""
    if isinstance(corpus, MixedCorpus):
        return corpus
    whole = formats.load(corpus.path)
    return FilePart(whole, "train") if "train" in file_parts(whole) else corpus


def _lists(corpus: Corpus) -> Lists:
    choices: dict[bool, Choice] = {}
    for schema in corpus.schemas.values():
        files = schema.source.files if isinstance(schema.source, ListsSource) else {}
        for name, text in files.items():
            if "candidates" in name:
                lines = dict.fromkeys(read_candidates(text.encode(), Path(name)))
                candidates = (Candidate(str(n), line) for n, line in enumerate(lines))
                choices["task6" in name] = Choice(tuple(candidates))
    return choices


def _by_task(corpus: Corpus, lists: Lists) -> dict[str, list[Target]]:
    tasks: dict[str, list[Target]] = {}
    answers = {
        kind: {c.text or "": c.id for c in choice.candidates} for kind, choice in lists.items()
    }
    for dialogue in corpus.dialogues():
        file = Path(dialogue.origin.file).name if dialogue.origin else ""
        task, _ = task_and_part(file) or ("all", "")
        kind = task == "task6" if len(lists) > 1 else next(iter(lists))
        targets = _targets(dialogue, lists[kind], answers[kind])
        tasks.setdefault(task, []).extend(targets)
    return {task: targets for task, targets in tasks.items() if targets}


def _targets(dialogue: Dialogue, choice: Choice, answers: Mapping[str, str]) -> Iterator[Target]:
    """Yield a question for each turn of the bot; a turn outside the list has no right answer."""
    history, positions = visible(dialogue, words_and_calls)
    for place, event in enumerate(dialogue.events):
        if isinstance(event, Query | Utterance) and event.agent == SYSTEM:
            text = call_text(event, DIALECT) if isinstance(event, Query) else event.text
            right = answers.get(text) or answers.get(text.strip(), "")
            yield Target(dialogue.id, place, choice, right, history, positions[place])


BABI = Protocol(NAME, "babi", Choice, "ranker", BabiSettings, plan, ("dev", "train"))
