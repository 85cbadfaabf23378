"""Converts a corpus: writes it, reads it back, and counts the values that are missing.

loss = convert(corpus.dialogues, corpus.schemas, formats.get("babi"), folder)
loss                # Counter({"utterance.layers.parts.acts.name": 812, "utterance.time": 431})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.files import staged_folder
from dialoom.corpus.format import ExportOnly, Format
from dialoom.corpus.processes import shared
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError, OutputError
from dialoom.formats.base.loss import Loss, lost, lost_schemas
from dialoom.formats.base.multi_file import FileFormat
from dialoom.schema.task import TaskSchema

Counts = Counter[str]
"""Counts made during a conversion: "dialogues", and those of a `Change`."""

Change = Callable[[Dialogue, Counts], Dialogue]
"""A function that changes a dialogue before it is written, but not its origin and id."""


@dataclass
class Conversion:
    """The settings of a conversion, and its counts.

    Attributes:
        change: The function that changes each dialogue.
        workers: Number of processes, used if the format is written file by file.
        counts: "dialogues", and what `change` counts; filled by `convert`.
    """

    change: Change = lambda dialogue, counts: dialogue
    workers: int = 1
    counts: Counts = field(default_factory=Counter)

    def changed(self, dialogues: Iterable[Dialogue], counts: Counts) -> Iterator[Dialogue]:
        """Yield the changed dialogues, and count them."""
        for dialogue in dialogues:
            counts["dialogues"] += 1
            yield self.change(dialogue, counts)


def convert(
    dialogues: Callable[[], Iterable[Dialogue]],
    schemas: Mapping[str, TaskSchema],
    format: Format,
    target: Path,
    how: Conversion | None = None,
) -> Loss:
    """Write a corpus into `target`, read it back, and return the fields that were lost.

    Args:
        dialogues: Returns the dialogues; called twice unless the format is written file by file.
        how: The settings; their counts are filled. Unchanged dialogues and one process by default.
    """
    how = how or Conversion()
    if isinstance(format, FileFormat):
        loss = _by_file(dialogues(), format.writer(schemas, target), format, target, how)
    else:
        loss = _whole(dialogues, schemas, format, target, how)
    return loss + lost_schemas(schemas, format.schemas(target))


@contextmanager
def staged_corpus(
    dialogues: Callable[[], Iterable[Dialogue]],
    schemas: Mapping[str, TaskSchema],
    format: Format,
    target: Path,
    how: Conversion | None = None,
    *,
    sources: Collection[Corpus] = (),
    write_more: Callable[[Path], None] | None = None,
) -> Iterator[dict[str, int]]:
    """Write a corpus to a new folder that appears when the block ends without an error.

    Yields how often each field is lost that the format cannot hold; a report of it is written in
    the block, for that may fail.

    Args:
        dialogues: Returns the dialogues; called twice unless the format is written file by file.
        sources: The corpora that they are from, whose recordings are copied.
        write_more: Writes further files into the folder, once the dialogues are there.

    Raises:
        OutputError: The folder would be inside a source, and its dialogues would join that corpus.
    """
    for folder in (each.path.resolve() for each in sources if each.path.is_dir()):
        if folder in target.resolve().parents:
            raise OutputError(
                f"{folder}: a folder in it would be part of this corpus; name a new folder outside"
            )
    with staged_folder(target) as stage:
        loss = convert(dialogues, schemas, format, stage, how)
        Corpus(stage, format).copy_sounds(sources)
        if write_more is not None:
            write_more(stage)
        yield dict(sorted(loss.items()))


def in_passes(corpus: Corpus, what: str) -> Callable[[], Iterator[Dialogue]]:
    """Return a function that reads a corpus behind a bar, titled `what` in the first pass."""
    passes = ["reading back what was written", what]
    return lambda: corpus.tracked(passes.pop())


def _by_file(
    dialogues: Iterable[Dialogue],
    write: Callable[[str, Sequence[Dialogue]], None],
    format: FileFormat,
    target: Path,
    how: Conversion,
) -> Loss:
    """Write, read back and compare file by file, several at a time with several processes."""

    def one(piece: tuple[str, list[Dialogue]]) -> tuple[Loss, Counts]:
        name, counts = piece[0], Counts()
        batch = list(how.changed(piece[1], counts))
        write(name, batch)
        back = _read_back(format.read_file(target / name, target), format)
        return _lost_of(batch, back, {each.id for each in batch}), counts

    total = Loss()
    for loss, counts in shared(one, format.batches(dialogues), how.workers):
        total.update(loss)
        how.counts.update(counts)
    return total


def _whole(
    dialogues: Callable[[], Iterable[Dialogue]],
    schemas: Mapping[str, TaskSchema],
    format: Format,
    target: Path,
    how: Conversion,
) -> Loss:
    ids: set[str] = set()
    format.write(_noted(how.changed(dialogues(), how.counts), ids), schemas, target)
    again = how.changed(dialogues(), Counts())
    if isinstance(format, ExportOnly):
        loss = Loss()
        for before in again:
            loss.update(lost(before, format.kept(before)))
        return loss
    back = Corpus(target, format).dialogues() if ids else ()
    return _lost_of(again, _read_back(back, format), ids)


def _read_back(dialogues: Iterable[Dialogue], format: Format) -> Iterator[Dialogue]:
    """Yield the written dialogues; `OutputError` for one that cannot be read."""
    try:
        yield from dialogues
    except FormatError as error:
        which = "a dialogue" if error.dialogue is None else f"dialogue {error.dialogue}"
        place = "" if error.event is None else f", event {error.event}"
        what = f"{which}{place}: cannot be written as {format.name}: {error.what}"
        raise OutputError(what) from error


def _lost_of(before: Iterable[Dialogue], after: Iterable[Dialogue], ids: set[str]) -> Loss:
    loss = Loss()
    for old, new in _paired(before, after, ids):
        loss.update(lost(old, new))
    return loss


def _noted(dialogues: Iterable[Dialogue], ids: set[str]) -> Iterator[Dialogue]:
    for dialogue in dialogues:
        ids.add(dialogue.id)
        yield dialogue


def _paired(
    before: Iterable[Dialogue], after: Iterable[Dialogue], ids: set[str]
) -> Iterator[tuple[Dialogue, Dialogue | None]]:
    """Pair dialogues by id, which is taken out of `ids`; by position if the id was not kept."""
    early: dict[str, Dialogue] = {}
    waiting: dict[str, Dialogue] = {}
    for old, new in zip_longest(before, after):
        if old is not None and new is not None and (old.id == new.id or new.id not in ids):
            ids.discard(old.id)  # a later dialogue may get this id, if ids are positions
            yield old, new
            continue
        if new is not None:
            early[new.id] = new
        if old is not None:
            waiting[old.id] = old
        for dialogue in [dialogue for dialogue in (old, new) if dialogue is not None]:
            if dialogue.id in early and dialogue.id in waiting:
                yield waiting.pop(dialogue.id), early.pop(dialogue.id)
    yield from ((old, None) for old in waiting.values())
