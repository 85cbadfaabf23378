"""Simulated corpora for training and testing models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from dialoom import formats
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.dialogue import SYSTEM, Dialogue, Event, Options, Utterance, digest
from dialoom.dialogue.views import action
from tests.formats.star_json import DATA

STAR = "hotel_book,weather,trivia"

SHORT = "sgd-short"
SHORT_STAR = "star-short"
"""The corpora for models that take long."""

TYPED = "typed"
"""The corpora in which the wizard types some words of each reply before it is picked."""


class Corpora:
    """Simulated corpora in a folder, each made when it is first asked for; processes may share it.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def simulated(self, wanted: Simulated) -> Path:
        """Return the folder of a corpus, or of the part of it that is wanted."""
        folder = self.folder / digest(wanted)
        _complete(folder, lambda target: simulate(wanted, target))
        return folder / (wanted.part or "")

    def of(self, name: str) -> tuple[Path, tuple[Path, ...]]:
        """Return the test corpus and the training corpora of a pair."""
        if name == "bfcl":
            return DATA / name, ()
        paths = [self.simulated(each) for each in pairs()[name] if each is not None]
        if name == TYPED:
            paths = [self._typed(path) for path in paths]
        return paths[0], tuple(paths[1:])

    def _typed(self, source: Path) -> Path:
        folder = self.folder / f"{source.name}-{TYPED}"
        _complete(folder, lambda target: _write_typed(source, target))
        return folder


def _complete(folder: Path, make: Callable[[Path], object]) -> None:
    """Make a folder that is not there, at once: another process sees all of it or none."""
    if not folder.is_dir():
        with TemporaryDirectory(dir=folder.parent) as temporary:
            target = Path(temporary) / "made"
            make(target)
            with suppress(OSError):  # another process was faster
                target.rename(folder)


def _write_typed(source: Path, folder: Path) -> None:
    corpus = formats.load(source)
    folder.mkdir()
    formats.get("native").write(map(typed, corpus.dialogues()), corpus.schemas, folder)


@cache
def pairs() -> dict[str, tuple[Simulated, Simulated | None]]:
    """Return name to a test and a training corpus; None where the protocol splits the first."""
    star = (
        Simulated("star", 60, seed=4, tasks=STAR, scenario="mixed"),
        Simulated("star", 60, seed=5, tasks=STAR, scenario="mixed"),
    )
    return {
        "babi": (Simulated("babi", 3, seed=1), None),
        "dstc6": (
            Simulated("dstc6", 8, seed=2, part="tst1"),
            Simulated("dstc6", 8, seed=1, part="train"),
        ),
        "frames-json": (Simulated("frames", 16, seed=1), None),
        "sgd": (Simulated("sgd", 10, seed=2), Simulated("sgd", 30, seed=1)),
        SHORT: (Simulated("sgd", 6, seed=2), Simulated("sgd", 12, seed=1)),
        "star": star,
        SHORT_STAR: (
            Simulated("star", 30, seed=2, tasks=STAR),
            Simulated("star", 30, seed=1, tasks=STAR),
        ),
        "taskmaster1": (Simulated("taskmaster", 20, seed=2), Simulated("taskmaster", 40, seed=1)),
        TYPED: star,
    }


def typed(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue whose wizard types every second word of a reply to have it suggested."""
    return replace(dialogue, events=tuple(_with_typed(dialogue.events)))


def _with_typed(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Utterance) and event.agent == SYSTEM and action(event) is not None:
            yield Options(text=" ".join(event.text.split()[::2]))
        yield event
