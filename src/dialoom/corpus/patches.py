"""Patches of annotations: changes with their authors, in a file of their own next to a corpus.

    {"dialogue": "12", "file": "dialogues/12.json", "nth": 0,
     "pointer": "/events/3/layers/0/parts/0/acts/0",
     "before": {"name": "inform"}, "after": {"name": "request"},
     "who": "ada", "when": "2026-11-29T04:20:00Z"}

The file is `star.patches.jsonl` for the corpus `star`; the corpus itself is never changed. A
pointer is one into the dialogue in the native format (docs/reference/data-model.md), as lint has
it. Without `before`, the patch adds a value, in a list before the one at that place; without
`after`, it removes one.

    for dialogue in patched(corpus): ...            # or dialoom.load("star").patched()
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.files import NOT_JSON, locked, read_bytes, writing
from dialoom.corpus.filters import Key, key
from dialoom.dialogue import Dialogue, encode
from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError, MissingDataError, UsageError, clip
from dialoom.schema.task import TaskSchema

SUFFIX = ".patches.jsonl"


class Patch(Struct, frozen=True, kw_only=True):
    """A change of one value of a dialogue.

    Attributes:
        dialogue: The dialogue's id.
        file: The file of the dialogue's origin.
        nth: The number of earlier dialogues with its id in the file; without it, the patch is for
            each of them.
        pointer: The place of the value, as a JSON pointer.
        before: The value as the source has it, or as earlier patches made it.
        who: The author.
        when: Date and time (UTC, ISO 8601).
    """

    dialogue: str
    file: str = ""
    nth: int | UnsetType = UNSET
    pointer: str
    before: Any | UnsetType = UNSET
    after: Any | UnsetType = UNSET
    who: str
    when: str
    note: str = ""

    def undone(self, who: str, when: str) -> Patch:
        """Return the patch that takes this one back."""
        return replace(self, before=self.after, after=self.before, who=who, when=when, note="")


class Overlay:
    """The patches of a corpus, by dialogue.

    Args:
        file: The file of patches; there are none where it does not exist.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._read()

    def _read(self) -> None:
        self.patches: defaultdict[Key, list[Patch]] = defaultdict(list)
        lines = read_bytes(self.file).splitlines() if self.file.is_file() else []
        for number, line in enumerate(lines, start=1):
            if line.strip():
                self._add(_patch(line, f"{self.file}, line {number}"))

    def _add(self, patch: Patch) -> None:
        self.patches[patch.file, patch.dialogue].append(patch)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other threads and processes from adding patches, and read those they have added."""
        with locked(self.file.parent):
            self._read()
            yield

    def of(self, dialogue: Dialogue, nth: int = 0) -> list[Patch]:
        """Return the patches of a dialogue, in the order they were made."""
        return [each for each in self.patches.get(key(dialogue), ()) if each.nth in (UNSET, nth)]

    def applied(self, dialogue: Dialogue, nth: int = 0) -> Dialogue:
        """Return a dialogue with its patches; `FormatError` if one no longer fits the source.

        Args:
            nth: The number of earlier dialogues with its id in the file.
        """
        for patch in self.of(dialogue, nth):
            try:
                dialogue = apply(dialogue, patch)
            except UsageError as error:
                raise FormatError(
                    self.file, f"dialogue {dialogue.id}: {error}", code="mismatch"
                ) from error
        return dialogue

    def append(self, dialogue: Dialogue, patch: Patch) -> Dialogue:
        """Add a patch to the file, and return the patched dialogue; see `locked`.

        Args:
            dialogue: The dialogue with its earlier patches.

        Raises:
            UsageError: The patch does not fit the dialogue.
            OutputError: The file cannot be written.
        """
        after = apply(dialogue, patch)
        with writing(self.file), self.file.open("a+b") as file:
            file.seek(0)
            cut = b"" if file.read()[-1:] in (b"", b"\n") else b"\n"
            file.write(cut + msgspec.json.encode(patch) + b"\n")
        self._add(patch)
        return after


class PatchedCorpus(Corpus):
    """A corpus whose dialogues are read with their patches."""

    def __init__(self, whole: Corpus, overlay: Overlay) -> None:
        super().__init__(whole.path, whole._format, whole._keeps)
        self._whole, self.overlay = whole, overlay

    @cached_property
    def files(self) -> list[Path]:
        """The dialogue files, in the format's order."""
        return self._whole.files

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas by id."""
        return self._whole.schemas

    @property
    def as_stored(self) -> bool:
        """True without patches, if its source is so, too."""
        return super().as_stored and self._whole.as_stored and not self.overlay.patches

    def _sources(self) -> Iterator[tuple[str, Path]]:
        yield from self._whole._sources()
        if self.overlay.patches:
            yield SUFFIX, self.overlay.file

    def _read(self, file: Path) -> Iterator[Dialogue]:
        numbers, ids = Counter[str](), {id for _, id in self.overlay.patches}
        for dialogue in self._whole._read(file):
            yield self.overlay.applied(dialogue, numbers[dialogue.id])
            if dialogue.id in ids:
                numbers[dialogue.id] += 1


def overlay_of(path: Path) -> Path:
    """Return the file of patches of the corpus at a path."""
    whole = path.resolve()
    return whole.with_name(whole.name + SUFFIX)


def patched(corpus: Corpus, file: Path | None = None) -> PatchedCorpus:
    """Return a corpus with its patches.

    Args:
        file: The file of patches; by default the one next to the corpus, if there is one.

    Raises:
        MissingDataError: There is no such file.
        FormatError: A line is no patch; when dialogues are read: a patch does not fit its dialogue.
    """
    if file is not None and not file.is_file():
        raise MissingDataError(f"{file}: there is no such file of patches")
    return PatchedCorpus(corpus, Overlay(file or overlay_of(corpus.path)))


def apply(dialogue: Dialogue, patch: Patch) -> Dialogue:
    """Return a dialogue with a patch; `UsageError` if it does not fit."""
    value = msgspec.json.decode(encode(dialogue))
    path = [each.replace("~1", "/").replace("~0", "~") for each in patch.pointer.split("/")[1:]]
    if not path:
        raise UsageError(f"{clip(patch.pointer)!r} is no pointer such as /events/3/layers/0")
    inner = value
    for name in path[:-1]:
        inner = _at(inner, name, patch)
        if inner is UNSET:
            raise UsageError(f"{clip(patch.pointer)}: there is no such place in the dialogue")
    now = _at(inner, path[-1], patch)
    inserted = isinstance(inner, list) and patch.before is UNSET
    if now != patch.before and not inserted:
        have, want = (_spelled(each) for each in (now, patch.before))
        raise UsageError(
            f"{clip(patch.pointer)} is {have}, but the patch was made of {want}", code="mismatch"
        )
    if inserted:
        inner.insert(int(path[-1]), patch.after)
    else:
        _put(inner, path[-1], patch.after)
    try:
        return msgspec.convert(value, Dialogue)
    except msgspec.ValidationError as error:
        raise UsageError(f"{clip(patch.pointer)}: is no annotation: {error}") from error


def _at(inner: Any, name: str, patch: Patch) -> Any:
    if isinstance(inner, dict):
        return inner.get(name, UNSET)
    if isinstance(inner, list) and name.isdecimal():
        return inner[int(name)] if int(name) < len(inner) else UNSET
    raise UsageError(f"{clip(patch.pointer)}: there is no such place in the dialogue")


def _put(inner: Any, name: str, value: Any) -> None:
    place: Any = int(name) if isinstance(inner, list) else name
    if value is not UNSET:
        inner[place] = value
    elif isinstance(inner, list) or place in inner:
        del inner[place]


def _spelled(value: Any) -> str:
    return "absent" if value is UNSET else clip(msgspec.json.encode(value).decode())


def _patch(line: bytes, place: str) -> Patch:
    try:
        return msgspec.json.decode(line, type=Patch)
    except NOT_JSON as error:
        raise FormatError(place, f"not a patch: {error}") from error
