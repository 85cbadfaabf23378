"""Parts of a corpus: files of one folder with the part in their names, or folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.dialogue import Dialogue, Origin
from dialoom.schema.task import TaskSchema


class FilePart(Corpus):
    """The files of one part of a corpus, which the format finds by their names."""

    def __init__(self, whole: Corpus, part: str) -> None:
        super().__init__(whole.path, whole._format, whole._keeps)
        self.whole, self.part = whole, part

    @cached_property
    def files(self) -> list[Path]:
        """The files of the part, in the format's order."""
        return [
            file for file in self.whole.files if self._format.traits.part(file.name) == self.part
        ]


class FolderParts(Corpus):
    """A folder of parts, each of which is a corpus of one format, as written by `dialoom split`."""

    def __init__(self, path: Path, format: Format, parts: Sequence[Path]) -> None:
        super().__init__(path, format)
        self.parts = tuple(parts)

    @cached_property
    def files(self) -> list[Path]:
        """The dialogue files of all parts."""
        return [file for part in self.parts for file in self._format.files(part)]

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas of all parts by id."""
        read = (self._format.schemas(part) for part in self.parts)
        return {name: task for each in read for name, task in each.items()}

    def _read(self, file: Path) -> Iterator[Dialogue]:
        name = Path(file.relative_to(self.root).parts[0], file.name)  # not STAR's own folder
        for index, dialogue in enumerate(super()._read(file)):
            yield in_folder(dialogue, name, index)


def file_parts(corpus: Corpus) -> list[str]:
    """Return the parts in the names of a corpus's files, in alphabetical order."""
    parts = {corpus._format.traits.part(file.name) for file in corpus.files}
    return sorted(parts - {""})


def in_folder(dialogue: Dialogue, file: Path, index: int) -> Dialogue:
    """Return a dialogue with an origin in the folder of its file, which is a part of the corpus."""
    origin = dialogue.origin or Origin(file.as_posix(), index)
    folder, _, name = origin.file.rpartition("/")
    part = file.parent.as_posix()
    if dialogue.origin is not None and folder == part:
        return dialogue
    return replace(dialogue, origin=replace(origin, file=f"{part}/{name}"))
