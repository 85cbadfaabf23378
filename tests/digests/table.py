"""The table of digests: `digests.json`, one line for each entry, sorted by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("digests.json")

LIBRARIES = ("numpy", "python-crfsuite", "scikit-learn", "scipy", "tokenizers", "wordllama")
NEURAL = ("torch", "transformers")
"""The libraries that decide what models learn; the table names the versions it was written with."""

WRITE = "python -m tests.digests --write"

ADVICE = (
    "An unintended change is a fault. An intended one needs a line in CHANGELOG.md, the figures of "
    f"README and docs made again (make figures), and a new table ({WRITE})."
)


class Entry(msgspec.Struct, frozen=True):
    """The digest of one small run.

    Attributes:
        digest: The hash of the output.
        inputs: The hash of the inputs: questions, schemas, settings. A change of inputs alone is no
            fault; it explains a change of output.
        score: The scores of the run, for people.
    """

    digest: str
    inputs: str
    score: str

    def gives(self, other: Entry | None) -> bool:
        """Return True if another entry has the same output and score."""
        return other is not None and (self.digest, self.score) == (other.digest, other.score)


class Table(msgspec.Struct, frozen=True):
    """The entries by name.

    Attributes:
        libraries: Library to its version where the entries were made.
        entries: Name to entry.
    """

    libraries: dict[str, str]
    entries: dict[str, Entry]


@dataclass(frozen=True)
class Change:
    """An entry that is not as the table has it.

    Attributes:
        name: The entry's name.
        old: The entry of the table; None where it has none.
        new: The entry as it is made now.
        libraries: Each library whose version is not that of the table, with both versions.
    """

    name: str
    old: Entry | None
    new: Entry
    libraries: tuple[str, ...] = ()

    def __str__(self) -> str:
        old = self.old
        if old is None:
            return f"{self.name}: not in {FILE.name}; {self.new.score}"
        what = (
            "output changed" if old.digest != self.new.digest else "same output, scored otherwise"
        )
        lines = [
            f"{self.name}: {what}",
            f"  was {old.score}  (digest {old.digest})",
            f"  is  {self.new.score}  (digest {self.new.digest})",
        ]
        if old.inputs != self.new.inputs:
            lines.append(
                "  its inputs changed too: corpora, tasks or questions are not those of the table"
            )
        if self.libraries:
            lines.append(
                f"  the table was written with other libraries: {'; '.join(self.libraries)}"
            )
        return "\n".join(lines)


def read() -> Table:
    return msgspec.json.decode(FILE.read_bytes(), type=Table)


def write(table: Table) -> None:
    FILE.write_text(rendered(table), encoding="utf-8")


def rendered(table: Table) -> str:
    """Return the table as JSON with one line for each entry, so that a diff names what changed."""
    entries = ",\n".join(_line(name, entry) for name, entry in sorted(table.entries.items()))
    versions = ", ".join(_line(*each).strip() for each in sorted(table.libraries.items()))
    return f'{{"libraries": {{{versions}}},\n "entries": {{\n{entries}\n }}}}\n'


def _line(name: str, value: Entry | str) -> str:
    encoded = msgspec.json.format(msgspec.json.encode(value), indent=-1).decode()
    return f'  "{name}": {encoded}'


def installed() -> dict[str, str]:
    """Return library to its version, for the libraries that are installed, and the kernels."""
    versions = {"OpenBLAS kernels": kernels()}
    for name in (*LIBRARIES, *NEURAL):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def kernels() -> str:
    """Return the processors that OpenBLAS has kernels for here; `tests` sets one for x86-64."""
    import numpy  # noqa: F401 - loads OpenBLAS
    from threadpoolctl import threadpool_info

    return ", ".join(
        sorted({each["architecture"] for each in threadpool_info() if "architecture" in each})
    )


def other_libraries(table: Table, *, neural: bool) -> tuple[str, ...]:
    """Return the libraries whose version is not that of the table, with both versions.

    Args:
        table: The table.
        neural: Whether those of neural models count too.
    """
    return tuple(
        f"{name} {table.libraries[name]}, here {version}"
        for name, version in installed().items()
        if neural or name not in NEURAL
        if table.libraries.get(name, version) != version
    )


def merged(old: Table, new: Mapping[str, Entry], names: frozenset[str]) -> Table:
    """Return the table with new entries, without those that no case makes.

    Entries that could not be made here keep their place, and so do the versions of libraries that
    are not installed here.
    """
    entries = {name: entry for name, entry in old.entries.items() if name in names}
    return Table({**old.libraries, **installed()}, {**entries, **new})
