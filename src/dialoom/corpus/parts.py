"""Parts of a corpus whose files lie in one folder, told by the files' names."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from dialoom.corpus.corpus import Corpus


class FilePart(Corpus):
    """The files of one part of a corpus, as the format tells by their names.

    Args:
        whole: The corpus.
        part: The name of the part.
    """

    def __init__(self, whole: Corpus, part: str) -> None:
        super().__init__(whole.path, whole._format, whole._keeps)
        self.whole, self.part = whole, part

    @cached_property
    def files(self) -> list[Path]:
        """The files of the part, in the format's order."""
        return [
            file for file in self.whole.files if self._format.traits.part(file.name) == self.part
        ]


def file_parts(corpus: Corpus) -> list[str]:
    """Return the parts that the names of a corpus's files tell, in alphabetical order."""
    parts = {corpus._format.traits.part(file.name) for file in corpus.files}
    return sorted(parts - {""})
