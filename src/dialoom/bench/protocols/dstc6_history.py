"""DSTC6 and DSTC6-history: the bot's next turn is selected among candidates.

`dstc6` asks the challenge's questions in files that have answers. `dstc6-history` asks about the
bot's turns within the histories, because the published test files have no answers; candidates are
drawn as in the published files (`dialoom.bench.dstc6.histories`). Tasks are the hold-outs; a model
learns from the turns of another corpus. Scores of `dstc6-history` are not the challenge's.

Questions with distractors count in a slice of their own: users mention values that they do not
want. If the user's turn right before a question mentions one value, the turn is replaced by a line
of `lang/en-distractors.json` that mentions other values of the slot first, then this one. The right
answer stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby, islice
from operator import itemgetter
from random import Random

import msgspec
from msgspec.structs import replace as replace_fields

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.dstc6.histories import Histories
from dialoom.bench.dstc6.knowledge import found_near, schemas_of
from dialoom.bench.visibility import visible, words_and_calls
from dialoom.corpus import Corpus
from dialoom.corpus.mixed import MARK, MixedCorpus
from dialoom.dialogue import USER, Candidate, Choice, Dialogue, Event, Options, Query, Utterance
from dialoom.formats.dstc6.dialogues import about, text
from dialoom.metrics.ranking import PrecisionAtK
from dialoom.schema.lexicon import texts_of
from dialoom.schema.task import TaskSchema


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """Settings of the two protocols.

    Attributes:
        seed: The seed that candidates are drawn with.
        last: Ask about the last bot turn of each history only: the history of a later turn contains
            the answers to the questions about earlier ones.
        kb: Let models read the knowledge-base files.
    """

    seed: int = 0
    last: bool = True
    kb: bool = True


def within(data: Data, settings: HistorySettings) -> Plan:
    """Ask about bot turns within histories; `MissingDataError` without any."""
    tasks = by_task(data.corpus, settings, within_histories)
    check_found(tasks, data.corpus, "no bot says anything there")
    values = called_values(chain.from_iterable(tasks.values()))
    tasks = {task: with_distracted(targets, values) for task, targets in tasks.items()}
    turns = "last" if settings.last else "all"
    options = {"candidates": f"seed-{settings.seed}", "turns": turns}
    notes = [*NOTES, *([] if settings.last else [TRANSDUCTIVE])]
    return _plan("dstc6-history", data, settings, tasks, options, notes)


def after(data: Data, settings: HistorySettings) -> Plan:
    """Ask the challenge's questions; `MissingDataError` without an answer."""
    tasks = by_task(data.corpus, settings, after_histories)
    check_found(tasks, data.corpus, "there are no answers")
    return _plan("dstc6", data, settings, tasks, {}, [])


def _plan(
    name: str,
    data: Data,
    settings: HistorySettings,
    tasks: Mapping[str, list[Target]],
    options: dict[str, str],
    notes: list[str],
) -> Plan:
    learnt = [] if data.train_corpus is None else training(data.train_corpus, settings)
    return Plan(
        protocol=name,
        title=name,
        data=with_facts(data, read=settings.kb),
        metrics=(PrecisionAtK(),),
        holdouts=[HoldOut(task, learnt, tasks[task]) for task in sorted(tasks)],
        options=options | ({} if settings.kb else {"kb": "no"}),
        notes=notes,
    )


def with_facts(data: Data, *, read: bool) -> Data:
    """Return data with the knowledge-base files as schemas if models may `read` them."""

    def facts(corpus: Corpus) -> dict[str, TaskSchema]:
        parts = corpus.parts if isinstance(corpus, MixedCorpus) else (corpus,)
        bases = (base for part in parts for base in found_near(part.path).values())
        return schemas_of(bases) if read else {}

    tested = facts(data.corpus)
    learnt = tested if data.train_corpus is None else facts(data.train_corpus)
    return replace(data, tested=tested, learnt=learnt)


DISTRACTORS = "two values of a slot"

Finder = Callable[[list[Dialogue], HistorySettings], Iterator[Target]]


def by_task(corpus: Corpus, settings: HistorySettings, find: Finder) -> dict[str, list[Target]]:
    """Return the questions of each task; candidates are drawn file by file of each corpus."""
    files: dict[tuple[str, str], list[Dialogue]] = {}
    for dialogue in corpus.dialogues():
        part = dialogue.id.partition(MARK)[2]
        name = dialogue.origin.file if dialogue.origin else ""
        files.setdefault((part, name), []).append(dialogue)
    tasks: dict[str, list[Target]] = {}
    for (_, name), dialogues in files.items():
        facts = about(name)
        task = facts.task if facts else "all"
        tasks.setdefault(task, []).extend(find(dialogues, settings))
    return {task: targets for task, targets in tasks.items() if targets}


def training(corpus: Corpus, settings: HistorySettings) -> list[Target]:
    """Return the training questions: all turns within histories, and those after them."""
    settings = replace(settings, last=False)
    return [
        target
        for find in (within_histories, after_histories)
        for targets in by_task(corpus, settings, find).values()
        for target in targets
    ]


def within_histories(dialogues: list[Dialogue], settings: HistorySettings) -> Iterator[Target]:
    """Yield a question for each bot turn within the histories of one file."""
    histories = Histories(dialogues, settings.seed)
    for dialogue, group in groupby(histories.turns(last=settings.last), key=itemgetter(0)):
        history, positions = visible(dialogue, words_and_calls)
        for _, place, options in group:
            target = _target(dialogue, place, options, history, positions[place])
            two = _mentions_two(dialogue.events[:place], histories.kinds)
            yield replace_fields(target, slices=(DISTRACTORS,)) if two else target


def _mentions_two(before: Sequence[Event], kinds: Mapping[str, str]) -> bool:
    """True if the user's last turn has two values of one slot, of which one is wanted."""
    last = before[-1] if before else None
    if not isinstance(last, Utterance) or last.agent != USER:
        return False
    values = {bare for word in last.text.split(" ") if (bare := word.rstrip(_MARKS)) in kinds}
    return len({kinds[value] for value in values}) < len(values)


def after_histories(dialogues: list[Dialogue], settings: HistorySettings) -> Iterator[Target]:
    """Yield the questions of a file's items that have answers."""
    for dialogue in dialogues:
        options = dialogue.events[-1] if dialogue.events else None
        if isinstance(options, Options) and options.choice is not None:
            history, positions = visible(dialogue, words_and_calls)
            target = _target(dialogue, len(dialogue.events) - 1, options, history, positions[-1])
            yield replace_fields(target, slices=_set(dialogue))


def _set(dialogue: Dialogue) -> tuple[str, ...]:
    facts = about(dialogue.origin.file) if dialogue.origin else None
    return (" ".join((facts.task, facts.kb, *facts.slots)),) if facts else ()


def _target(
    dialogue: Dialogue, place: int, options: Options, history: tuple[Event, ...], position: int
) -> Target:
    """Return a question with numbered candidates, so that their ids reveal nothing."""
    texts = tuple(Candidate(str(n), text(c)) for n, c in enumerate(options.candidates))
    right = next(str(n) for n, c in enumerate(options.candidates) if c.id == options.choice)
    return Target(dialogue.id, place, Choice(texts), right, history, position)


DISTRACTED = "made distractors"

EVERY = 10
"""One in so many of the questions that can be changed is: enough to score, cheap to ask."""

_MARKS = ".,?!"


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    lines: tuple[str, ...]


@cache
def lines() -> tuple[str, ...]:
    """Return the lines that a user's turn is put into."""
    return texts_of("en", "distractors", "distractors", _Texts).lines


def called_values(targets: Iterable[Target]) -> dict[str, tuple[str, ...]]:
    """Return the values that each slot has in calls, in alphabetical order."""
    by_slot: dict[str, set[str]] = {}
    for events in {id(target.seen): target.seen for target in targets}.values():
        for event in events:
            for constraint in event.constraints if isinstance(event, Query) else ():
                by_slot.setdefault(constraint.slot, set()).add(str(constraint.value))
    return {slot: tuple(sorted(values)) for slot, values in by_slot.items()}


def with_distracted(targets: Sequence[Target], values: Mapping[str, Sequence[str]]) -> list[Target]:
    """Return the questions, then the changed form of one in `EVERY` of those that have one."""
    variants = filter(None, (distracted(target, values) for target in targets))
    return [*targets, *islice(variants, None, None, EVERY)]


def distracted(target: Target, values: Mapping[str, Sequence[str]]) -> Target | None:
    """Return a question whose last user turn also mentions other values of its slot.

    None where that turn mentions not exactly one value, or the slot has fewer than three.
    """
    place = target.position - 1
    last = target.seen[place] if place >= 0 else None
    if not isinstance(last, Utterance) or last.agent != USER:
        return None
    slots = {value: slot for slot, choices in values.items() for value in choices}
    words = [word.rstrip(_MARKS) for word in last.text.split(" ")]
    hits = [word for word in words if word in slots]
    others = [v for v in values[slots[hits[0]]] if v != hits[0]] if len(hits) == 1 else []
    if len(others) < 2:
        return None
    random = Random(f"{target.source}/{target.event}")
    other, more = random.sample(others, 2)
    text = random.choice(lines()).format(other=other, more=more, said=last.text)
    events = (*target.seen[:place], replace_fields(last, text=text), *target.seen[place + 1 :])
    return replace_fields(target, seen=events, slices=(DISTRACTED,), aside=True)


NOTES = (
    "turns within histories: not the challenge's official score",
    "with -M adapt=yes, ranker also reads the histories of the other questions: transductive",
)
TRANSDUCTIVE = (
    "the history of a later turn contains the answers to the questions about earlier ones; "
    "-P last=yes, the default, asks about one turn of each history"
)

HISTORY = Protocol("dstc6-history", "dstc6", Choice, "ranker", HistorySettings, within)
ITEMS = Protocol("dstc6", "dstc6", Choice, "ranker", HistorySettings, after)
