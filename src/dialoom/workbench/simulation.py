"""Simulates a corpus: makes the shards of a plan, then writes them in a format."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec

from dialoom import formats
from dialoom.arguments import checked
from dialoom.corpus import Format, unfinished
from dialoom.corpus.files import writing
from dialoom.corpus.format import ExportOnly
from dialoom.corpus.shards import Shard
from dialoom.dialogue import Dialogue
from dialoom.errors import DialoomError, UsageError
from dialoom.formats.base.conversion import staged_corpus
from dialoom.render.progress import progress_bar, shown
from dialoom.sim.core.plan import DEFAULT, ENGINES, PRESETS, Plan, Request, Tasks
from dialoom.sim.core.run import WorkerLostError, record, write_contents
from dialoom.sim.presets.star import names_or_tasks
from dialoom.workbench.corpus import OpenCorpus, load

NATIVE = "native"


@checked
def simulate(
    tasks: Tasks | None = None,
    *,
    n: int = 100,
    preset: str = "star",
    scenario: str | None = None,
    story: str | None = None,
    persons: str | None = None,
    wording: str | None = None,
    wizard_noise: float = 0.0,
    brief: float | None = None,
    digress: float | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    to: str | None = None,
    workers: int = 1,
    engine: str = DEFAULT,
    progress: bool = True,
) -> OpenCorpus:
    """Simulate dialogues from schemas; the same options give the same bytes with any workers.

    Args:
        tasks: Tasks, or names of tasks or task files, as a list or with commas between; all where
            None.
        n: How many dialogues; for the presets dstc6 and babi, items of each file.
        preset: The name of a family of dialogues: star, sgd, dstc6, babi, frames or taskmaster.
        scenario: The users: happy, unhappy, multi or mixed; the preset's own where None.
        story: A story file or bundled story, whose tasks belong together.
        persons: The users: traits or JSON files, with commas between persons.
        wording: A JSON file with other texts, or the number of a bundled wording (dstc6, babi).
        wizard_noise: The probability that a wizard skips, repeats or types freely.
        brief: The probability that the system omits an optional question or courtesy.
        digress: The rate of corrections, interruptions and misheard turns; 1 is STAR's.
        seed: The seed of all random choices.
        out: A new folder; without one the dialogues go when the corpus is no longer used.
        to: The format of the folder; the preset's where None.
        workers: How many processes share the work.
        engine: Processes of this machine, or a ray cluster.
        progress: Whether progress is shown.

    Raises:
        UnknownNameError: There is no such task, preset, scenario or format.
        UsageError: The preset does not take an option, or a value is out of range.
        OutputError: The folder holds something already, or cannot be written.
    """
    family = PRESETS.get(preset)
    request = Request(
        number=n,
        seed=seed,
        tasks=None if tasks is None else names_or_tasks(tasks),
        scenario=scenario,
        wording=wording,
        wizard_noise=wizard_noise,
        brief=brief,
        digress=digress,
        persons=persons,
        story=story,
    )
    plan, format = family.plan(request), formats.get(to or family.format)
    _check_readable(format)
    write = partial(_written, plan, format, workers, engine, progress=progress)
    if out is not None:
        return write(Path(out))
    folder = Path(mkdtemp(prefix="dialoom-"))
    try:
        corpus = write(folder / "corpus")
    except BaseException:  # an interruption as well leaves no folder behind
        shutil.rmtree(folder, ignore_errors=True)
        raise
    corpus.remove_with(folder)
    return corpus


def _check_readable(format: Format) -> None:
    if isinstance(format, ExportOnly):
        what = f"cannot be read back: {format.why}; name another format, and convert the corpus"
        raise UsageError(f"to={format.name}: {what}", code="one-way")


def _written(
    plan: Plan, format: Format, workers: int, engine: str, out: Path, *, progress: bool
) -> OpenCorpus:
    with shown(progress), simulating(plan, out, format, workers, engine):
        pass
    return load(out, format.name)


@contextmanager
def simulating(
    plan: Plan, out: Path, format: Format, workers: int = 1, engine: str = DEFAULT
) -> Iterator[dict[str, Any]]:
    """Make the dialogues of a plan; the folder appears when the block ends without an error.

    An interrupted run goes on where it was. Yields the record of the run with what the format
    cannot hold (`loss`).
    """
    settings = record(plan)
    pool = ENGINES.get(engine)(plan, unfinished.work_folder(out), workers)
    with begun(out, settings) as work:
        shards = made(pool, plan)
        with staged(work, shards, plan, out, format) as loss:
            head = {"dialogues": plan.dialogues, "target": format.name}
            yield {**head, **settings, "loss": loss}


@contextmanager
def begun(out: Path, settings: dict[str, Any], *, keep: bool = False) -> Iterator[Path]:
    """Give the folder in which a run is made, or goes on; remove it where the run fails.

    Args:
        out: The folder of the corpus.
        settings: The record of the run: one with others does not go on.
        keep: Whether what was made stays where the run fails.
    """
    work = unfinished.begin(out, msgspec.json.encode(settings))
    try:
        yield work
    except WorkerLostError:  # the others' shards are worth keeping
        raise
    except DialoomError:
        if not keep:
            unfinished.discard(work)
        raise


def made(pool: Any, plan: Plan) -> list[Shard]:
    """Make every shard behind a progress bar."""
    shards = []
    with pool as doing, progress_bar("dialogues", plan.dialogues) as bar:
        for done in doing:
            if isinstance(done, int):
                bar.advance(done)
            else:
                shards.append(done)
    return sorted(shards, key=lambda shard: str(shard.name))


@contextmanager
def staged(
    work: Path, shards: Iterable[Shard], plan: Plan, out: Path, format: Format
) -> Iterator[dict[str, int]]:
    """Put the corpus in its place when the block ends; yield what the format cannot hold."""
    native = formats.get(NATIVE)
    if format.name == NATIVE:
        with writing(work):
            write_contents(plan, shards, work)
        yield {}
        unfinished.publish(work, out)
        return

    def dialogues() -> Iterator[Dialogue]:
        for shard in shards:
            yield from native.read_file(work / shard.name, work)

    with staged_corpus(dialogues, plan.schemas, format, out) as loss:
        yield loss
    unfinished.discard(work)
