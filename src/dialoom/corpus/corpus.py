"""A corpus: its path, its format, its schemas, and its dialogues as a stream."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Self

from dialoom.arguments import Positive, Share, checked
from dialoom.corpus.files import read_bytes, staged_folder, write_synced
from dialoom.corpus.filters import (
    STAGES,
    DialogueFilter,
    Keeps,
    Place,
    Selection,
    condition,
    divided,
    drawn,
    in_part,
    kept,
    key,
    shuffled,
    split_of,
)
from dialoom.corpus.format import ExportOnly, Format
from dialoom.dialogue import USER, Constraint, Dialogue
from dialoom.dialogue.views import noted_texts
from dialoom.errors import UnknownNameError, UsageError, check_name
from dialoom.render.progress import track
from dialoom.schema.task import TaskSchema

SOUNDS = "sounds"
"""The folder next to dialogues with their recordings, which strings in their `extra` name."""

_RECORDING = re.compile(rf"{SOUNDS}/(?!\.)[\w.-]+")
"""Pattern of the path of a recording; paths that lead to another folder are ignored."""


class Corpus:
    """A folder or file of dialogues in one format."""

    def __init__(self, path: Path, format: Format, keeps: tuple[Selection, ...] = ()) -> None:
        self.path = path
        self._format = format
        self._keeps = keeps

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r}, format={self.format!r})"

    @property
    def format(self) -> str:
        """The format's name."""
        return self._format.name

    @property
    def as_stored(self) -> bool:
        """True if it has all dialogues of its files, as these hold them."""
        return not self._keeps

    @cached_property
    def files(self) -> list[Path]:
        """The dialogue files, in the format's order."""
        return self._format.files(self.path)

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas by id."""
        return self._format.schemas(self.path)

    @property
    def splits(self) -> Mapping[str, Sequence[str]]:
        """The ids of each split list next to the dialogues, by its name."""
        return self._format.traits.companions(self.path).splits

    @property
    def root(self) -> Path:
        """The folder that origins are relative to."""
        return self.path if self.path.is_dir() else self.path.parent

    def read_file(self, file: Path) -> Iterator[Dialogue]:
        """Yield the dialogues of one of its files."""
        dialogues = self._read(file)
        for keep in self._keeps:
            dialogues = keep(file, dialogues)
        yield from dialogues

    def _read(self, file: Path) -> Iterator[Dialogue]:
        return self._format.read_file(file, self.root)

    def dialogues(self) -> Iterator[Dialogue]:
        """Yield every dialogue, file by file; each call begins anew."""
        for file in self.files:
            yield from self.read_file(file)

    __iter__ = dialogues

    def tracked(self, what: str = "dialogues") -> Iterator[Dialogue]:
        """Yield every dialogue while a bar shows how many of the files are read.

        Args:
            what: The work, as the bar shows it.
        """
        for file in track(self.files, what, len(self.files)):
            yield from self.read_file(file)

    def __bool__(self) -> bool:
        return True

    @cached_property
    def _number(self) -> int:
        return sum(1 for _ in self.dialogues())

    def __len__(self) -> int:
        return self._number

    def __contains__(self, which: object) -> bool:
        """True for a dialogue of the corpus, or its id."""
        return any(which in (dialogue, dialogue.id) for dialogue in self.dialogues())

    @checked
    def __getitem__(self, which: int | str) -> Dialogue:
        """Return a dialogue by its place or id; `UsageError` if several parts have the id."""
        if isinstance(which, str):
            return self._called(which)
        place = which + len(self) if which < 0 else which
        for dialogue in islice(self.dialogues(), place, None) if place >= 0 else ():
            return dialogue
        raise IndexError(f"{self!r} has no dialogue {which}")

    def _called(self, id: str) -> Dialogue:
        matches: list[Dialogue] = []
        others: list[str] = []
        for dialogue in self.dialogues():
            if dialogue.id == id:
                matches.append(dialogue)
            else:
                others.append(dialogue.id)
        if not matches:
            raise UnknownNameError("dialogue", id, others)
        if len(matches) > 1:
            parts = sorted({split_of(dialogue) for dialogue in matches})
            files = sorted({key(dialogue)[0] or self.path.name for dialogue in matches})
            separate = all(parts) and len(parts) == len(matches)
            split = f"name the split of one, such as --split {parts[0]}"
            raise UsageError(
                f"{self.path}: {len(matches)} dialogues are called {id}, in "
                f"{', '.join(parts if separate else files)}; "
                f"{split if separate else 'give each an id of its own'}",
                code="twice",
            )
        return matches[0]

    @checked
    def filter(
        self,
        keep: Keeps | None = None,
        /,
        *,
        ids: Sequence[str] = (),
        users: Sequence[str] = (),
        split: str | None = None,
        task: str | None = None,
        stage: str | None = None,
        outcome: str | None = None,
        text: str | None = None,
        where: str | Constraint | Sequence[str | Constraint] = (),
    ) -> Self:
        """Return the same corpus with fewer dialogues: those that meet all conditions.

        Args:
            keep: A function of a dialogue; True if it stays.
            ids: Dialogues with one of these ids.
            users: Dialogues of one of these users, by worker id.
            split: Dialogues of this part: a folder of the corpus, or the name of a file.
            task: Dialogues about this task or service.
            stage: Dialogues of this stage: happy, unhappy or multi.
            outcome: Dialogues with this outcome, such as Complete.
            text: Dialogues with this text in an utterance.
            where: Conditions on facts, such as "turns >= 10" (`filters.Facts`).

        Raises:
            UnknownNameError: There is no such stage, task, part, fact, dialogue or user.
            UsageError: A condition cannot be read.
        """
        for kind, name, names in ("stage", stage, STAGES), ("task", task, self.schemas):
            if name is not None and names:
                check_name(kind, name, names)
        if split is not None:
            self.check_part(split)
        self._check_named("dialogue", ids, lambda dialogue: dialogue.id)
        self._check_named("user", users, lambda dialogue: dialogue.workers.get(USER))
        clauses = (where,) if isinstance(where, str | Constraint) else where
        conditions = tuple(condition(c) if isinstance(c, str) else c for c in clauses)
        facts = DialogueFilter(
            ids=tuple(ids),
            users=tuple(users),
            split=split,
            task=task,
            stage=stage,
            outcome=outcome,
            text=text,
            where=conditions,
        )
        keeps = (
            *(() if keep is None else (keep,)),
            *(() if facts == DialogueFilter() else (facts,)),
        )
        return self._chosen(*(partial(kept, each) for each in keeps))

    def _chosen(self, *keeps: Selection) -> Self:
        clone = copy(self)
        clone._keeps = self._keeps + keeps
        for cached in "_number", "digest":
            vars(clone).pop(cached, None)
        return clone

    def _check_named(
        self, kind: str, names: Sequence[str], name: Callable[[Dialogue], str | None]
    ) -> None:
        """Raise `UnknownNameError` for a name that no dialogue has; read no further than needed."""
        missing, choices = set(names), set[str]()
        for dialogue in self.dialogues() if missing else ():
            choices.add(name(dialogue) or "")
            if not (missing := missing - choices):
                return
        if missing:
            raise UnknownNameError(kind, min(missing), choices - {""})

    def check_part(self, part: str) -> None:
        """Raise `UnknownNameError` if no file, and no origin of a dialogue, is in a part."""
        if any(in_part(file.relative_to(self.root).as_posix(), part) for file in self.files):
            return
        parts: set[str] = set()
        for dialogue in self.dialogues():
            if dialogue.origin is not None and in_part(dialogue.origin.file, part):
                return
            parts.add(split_of(dialogue))
        raise UnknownNameError("part", part, parts - {""})

    @checked
    def split(self, shares: Mapping[str, Share], seed: int = 0) -> dict[str, Self]:
        """Return parts of the corpus by name, drawn with `seed`, of sizes in proportion to shares.

        corpus.split({"train": 0.8, "dev": 0.1, "test": 0.1})

        Raises:
            UsageError: A share is below 0, or all are 0.
        """
        parts = divided(shuffled(self._places(), seed), shares)
        return {name: self._chosen(part) for name, part in parts.items()}

    @checked
    def sample(self, number: Positive, seed: int = 0) -> Self:
        """Return the same corpus with `number` dialogues, drawn with `seed`.

        Raises:
            UsageError: The number is below 1.
        """
        places = frozenset(shuffled(self._places(), seed)[:number])
        return self._chosen(partial(drawn, places))

    def _places(self) -> Iterator[tuple[Place, Dialogue]]:
        for file in self.files:
            for index, dialogue in enumerate(self.read_file(file)):
                yield (file, index), dialogue

    def save(self, target: Path | str, format: Format | None = None) -> None:
        """Write the corpus into a new folder, whole or not at all, by default in its own format.

        Raises:
            UsageError: The format is a name; `convert` takes one.
        """
        if isinstance(format, str):
            raise UsageError(
                f"save(format={format!r}): expected a format itself; "
                f"convert({format!r}, {str(target)!r}) takes its name",
                code="wrong-type",
            )
        with staged_folder(Path(target)) as stage:
            layout = format or self._format
            layout.write(self.dialogues(), self.schemas, stage)
            Corpus(stage, layout).copy_sounds([self])

    def copy_sounds(self, sources: Collection[Corpus]) -> int:
        """Copy the recordings that the dialogues name from other corpora; return their number."""
        folders = {file.parent for each in sources for file in (each.root / SOUNDS, *each.files)}
        folders = {folder for folder in folders if (folder / SOUNDS).is_dir()}
        if not folders or isinstance(self._format, ExportOnly):
            return 0
        texts = {text for each in self.dialogues() for _, text in noted_texts(each)}
        names = sorted(filter(_RECORDING.fullmatch, texts))
        files = [(folder / name, name) for name in names for folder in folders]
        copies = {name: file for file, name in files if file.is_file()}
        for name, file in copies.items():
            write_synced(self.root / name, read_bytes(file))
        return len(copies)

    @cached_property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the dialogue files' names and contents.

        Of a part of a corpus, the files and ids of its dialogues count as well.
        """
        total = hashlib.sha256()
        for name, file in self._sources():
            total.update(name.encode() + b"\0")
            total.update(hashlib.sha256(read_bytes(file)).digest())
        for dialogue in self.dialogues() if self._keeps else ():
            total.update("\0".join(key(dialogue)).encode() + b"\0")
        return total.hexdigest()[:16]

    def _sources(self) -> Iterator[tuple[str, Path]]:
        for file in self.files:
            yield file.relative_to(self.root).as_posix(), file
