"""Traits of a format: properties beyond its layout that checks, statistics and cards read.

    FORMAT = FileFormat(name="sgd", …, traits=Traits(pair=True, alternates=True, acts=ACTS))

A format that says nothing promises nothing: rules about what only some formats promise pass over
it, and no published figures are shown with ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Companions(NamedTuple):
    """The content of the files next to the dialogues of a corpus.

    Attributes:
        instructions: The ids of the instructions; None where there are no files of them.
        same_id: Spells an id of instructions as `instructions` has them.
        entities: The names of the knowledge base's items; None where there is no file of them.
        splits: The ids of each split list, by its name.
    """

    instructions: frozenset[str] | None = None
    entities: frozenset[str] | None = None
    same_id: Callable[[str], str] = str
    splits: Mapping[str, Sequence[str]] = {}


NO_COMPANIONS = Companions()

WriteSplits = Callable[[Mapping[str, Sequence[str]], Path], None]
"""Writes split lists into the folder of a corpus."""


class PublishedRow(NamedTuple):
    """A corpus in table 1 of the STAR paper (Mosig et al. 2020).

    Attributes:
        turns_are: Which of our counts its turns are: utterances, speaker_turns or turns.
        user_words: The distinct dictionary words of its users, where section 4 has them.
    """

    dialogues: int
    domains: int
    tasks: int
    turns: int
    turns_per_dialogue: float
    tokens_per_turn: float
    consistent: bool
    real_time: bool
    difficulty_progression: bool
    explicit_queries: bool
    turns_are: str = "utterances"
    user_words: int | None = None


class PublishedOrder(NamedTuple):
    """The share of a task's dialogues that begin in order, in a published analysis (STAR, table 8).

    Attributes:
        happy: Share of the happy single-task dialogues that begin in order.
        all: The same of all single-task dialogues.
        checked: Number of the task's actions that were checked.
        another: An order other than the published schema's that gives these shares; empty where
            the schema's does.
    """

    happy: float
    all: float
    checked: int
    another: tuple[str, ...] = ()


class MeanAndMost(NamedTuple):
    """The mean of a count over dialogues, and its maximum."""

    mean: float
    max: int


class PublishedFrames(NamedTuple):
    """Published statistics of a corpus that annotates frames, as `stats` counts them."""

    source: str
    dialogues: int
    turns: int
    turns_per_dialogue: float
    rating: float
    participants: int
    frame_changes: MeanAndMost
    frames: MeanAndMost


class Traits(NamedTuple):
    """Properties of a format beyond its layout.

    Attributes:
        read_only: Whether it is never written.
        pair: Whether nobody but user and system speaks.
        alternates: Whether user and system speak in turn.
        calls_are_turns: Whether a query takes the place of an utterance of the system.
        calls_first: Whether a result is only ever the answer to a query.
        answers: Whether each query has a result; in the first tasks of bAbI and DSTC6 a call is the
            aim, without a result.
        call: The word that calls begin with where they are lines of text.
        alike: Whether all calls of a dialogue have the same slots.
        noted: Whether its readers note what is missing or of another kind in `extra`.
        acts: The names of its dialogue acts; empty where any will do.
        companions: Reads the files next to the dialogues of a corpus, which is a folder or file.
        write_splits: Writes split lists next to them; None where the format has no such lists.
        write_index: Writes the index that a folder of parts needs; None if it needs none.
        published: The published figures of the corpus that is known in this format.
        orders: Task to what is published of the order of its questions.
        frames: The published figures of its frames.
        part: Returns the part that the name of a file gives; empty where folders are the parts.
        annotators: Number of annotators whose labels a layer mixes.
        collected: Whether collected dialogues are offered in this format.
        schema_files: The files of task schemas that it reads, in words.
        derived: The sources of layers that were made from another layer, not by another annotator.
        inferred: Whether its task schemas are read off the states of its dialogues, so that a
            service or slot that they lack is no fault.
    """

    read_only: bool = False
    pair: bool = False
    alternates: bool = False
    calls_are_turns: bool = False
    calls_first: bool = False
    answers: bool = True
    call: str = ""
    alike: bool = False
    noted: bool = False
    acts: frozenset[str] = frozenset()
    companions: Callable[[Path], Companions] = lambda path: NO_COMPANIONS
    write_splits: WriteSplits | None = None
    write_index: Callable[[Path, Sequence[str]], None] | None = None
    published: PublishedRow | None = None
    orders: Mapping[str, PublishedOrder] = {}
    frames: PublishedFrames | None = None
    part: Callable[[str], str] = lambda name: ""
    annotators: int = 1
    collected: bool = False
    schema_files: tuple[str, ...] = ()
    derived: frozenset[str] = frozenset()
    inferred: bool = False


NO_TRAITS = Traits()
