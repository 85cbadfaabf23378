"""A corpus that lints, counts, compares, converts and publishes itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

from dialoom import formats
from dialoom.arguments import Positive, checked
from dialoom.corpus import Corpus
from dialoom.corpus.patches import patched
from dialoom.dialogue import Dialogue
from dialoom.formats.base.conversion import Conversion, in_passes, staged_corpus
from dialoom.formats.base.tolerant import Rejects
from dialoom.render.progress import shown
from dialoom.schema.task import TaskSchema

if TYPE_CHECKING:
    from dialoom.quality.distance.measuring import DistanceReport
    from dialoom.quality.lint.linter import LintReport
    from dialoom.quality.publishing import PublishReport
    from dialoom.workbench.statistics import CorpusStatistics


class ConvertedCorpus(NamedTuple):
    """A corpus written in another format.

    Attributes:
        source: The format that was read.
        target: The format that was written.
        path: The new folder.
        dialogues: The number of dialogues.
        schemas: The number of task schemas.
        loss: Field that the format cannot hold to how often it was lost.
    """

    source: str
    target: str
    path: Path
    dialogues: int
    schemas: int
    loss: Mapping[str, int]

    @property
    def record(self) -> dict[str, Any]:
        """The counts as JSON values."""
        return {name: value for name, value in self._asdict().items() if name != "path"}


class OpenCorpus(Corpus):
    """A corpus with the workbench's methods.

    Each shows its progress on standard error, unless it is asked not to (`progress=False`).

    Args:
        corpus: The corpus as its format reads it.
    """

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus.path, corpus._format, corpus._keeps)
        self._found = corpus

    @cached_property
    def files(self) -> list[Path]:
        """The dialogue files, in the format's order."""
        return self._found.files

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas by id."""
        return self._found.schemas

    @property
    def as_stored(self) -> bool:
        """True if it has all dialogues of its files, as these hold them."""
        return super().as_stored and self._found.as_stored

    def _sources(self) -> Iterator[tuple[str, Path]]:
        return self._found._sources()

    def _read(self, file: Path) -> Iterator[Dialogue]:
        return self._found._read(file)

    def remove_with(self, folder: Path) -> None:
        """Remove a folder once neither this corpus nor a part of it is used."""
        finalize(self._found, shutil.rmtree, folder, ignore_errors=True)

    def lint(self, *, progress: bool = True) -> LintReport:
        """Return what is wrong in the dialogues, in codes (docs/reference/codes.md).

        Raises:
            FormatError: A file cannot be read.
        """
        from dialoom.quality.lint.linter import LintReport

        with shown(progress):
            return LintReport.of(self)

    def stats(self, *, progress: bool = True) -> CorpusStatistics:
        """Return the corpus's counts, and what was published of it.

        Raises:
            FormatError: A file cannot be read.
        """
        from dialoom.workbench.statistics import CorpusStatistics

        with shown(progress):
            return CorpusStatistics.of(self)

    @checked
    def distance(
        self, real: Corpus, *, all_tasks: bool = False, progress: bool = True
    ) -> DistanceReport:
        """Return how far this corpus is from another one, of real dialogues.

        Args:
            real: The other corpus.
            all_tasks: Whether dialogues about tasks that only one of them has are compared, too.
            progress: Whether progress is shown.
        """
        from dialoom.quality.distance.measuring import measure

        with shown(progress):
            return measure(self, real, all_tasks=all_tasks)

    @checked
    def convert(
        self, to: str, target: Path | str, *, workers: Positive = 1, progress: bool = True
    ) -> ConvertedCorpus:
        """Write the corpus in another format, and count what that format cannot hold.

        Args:
            to: The name of the format.
            target: A new folder.
            workers: How many processes; more than one help formats with several files.
            progress: Whether progress is shown.

        Raises:
            UnknownNameError: There is no such format.
            OutputError: The folder holds something already, or cannot be written.
        """
        with shown(progress), self.converting(to, Path(target), workers) as summary:
            return summary

    @contextmanager
    def converting(self, to: str, target: Path, workers: int = 1) -> Iterator[ConvertedCorpus]:
        """Write the corpus in another format; the folder appears when the block ends.

        Yields what was written; an error in the block leaves nothing behind.
        """
        how, read = Conversion(workers=workers), in_passes(self, f"{self.format} to {to}")
        layout = formats.get(to)
        with staged_corpus(read, self.schemas, layout, target, how, sources=[self]) as loss:
            count = how.counts["dialogues"]
            yield ConvertedCorpus(self.format, to, target, count, len(self.schemas), loss)

    @checked
    def patched(self, file: Path | str | None = None) -> OpenCorpus:
        """Return the corpus with the patches of its annotations, which `dialoom studio` writes.

        Args:
            file: The file of patches; by default `NAME.patches.jsonl` next to the corpus NAME, if
                there is one.

        Raises:
            MissingDataError: There is no such file.
            FormatError: A line is no patch; when dialogues are read: a patch no longer fits.
        """
        return OpenCorpus(patched(self, None if file is None else Path(file)))

    def publish(self, out: Path | str, **settings: Any) -> PublishReport:
        """Write a folder that can be uploaded as it is; settings are those of `dialoom.publish`."""
        from dialoom.quality.publishing import publish

        return publish(self, out, **settings)


@checked
def load(path: Path | str, format: str | None = None, rejects: Rejects | None = None) -> OpenCorpus:
    """Open a corpus in a named format, or in the detected one.

    Warns of data files within it that are not read (`LeftOutWarning`).

    Args:
        path: A folder, file or archive.
        format: The name of the format; detected where None.
        rejects: Collects dialogues that cannot be read; None raises an error.

    Raises:
        MissingDataError: There is no such file, or it has no dialogues of the format.
        FormatError: The format cannot be detected, or the files only begin like the named one.
    """
    return OpenCorpus(formats.load(path, format, rejects))
