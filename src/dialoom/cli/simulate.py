"""`dialoom simulate`: simulate dialogues from task files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.options import JsonFile, Number, Seed, Workers, number

if TYPE_CHECKING:
    from dialoom.corpus.shards import Shard
    from dialoom.sim.core.plan import Plan


def simulate(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")],
    number: Number = 1000,
    preset: Annotated[
        str, typer.Option("--preset", help="star, sgd, dstc6, babi, frames or taskmaster.")
    ] = "star",
    tasks: Annotated[
        str | None,
        typer.Option(
            "--tasks", help="Names of tasks or task files, separated by commas; default: all."
        ),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(
            "--scenario", help="Users: happy, unhappy, multi or mixed; default: the preset's."
        ),
    ] = None,
    story: Annotated[
        str | None,
        typer.Option("--story", help="A story file or bundled story: tasks that belong together."),
    ] = None,
    seed: Seed = 0,
    workers: Workers = 1,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", help="Run workers as processes of this machine, or on a ray cluster."
        ),
    ] = "processes",
    to: Annotated[
        str | None, typer.Option("--to", help="Format of DIR; default: the preset's.")
    ] = None,
    wording: Annotated[
        str | None,
        typer.Option(
            "--wording",
            metavar="FILE_OR_NUMBER",
            help="A JSON file with other texts, or the number of a bundled wording of the bot "
            "(presets dstc6, babi).",
        ),
    ] = None,
    wizard_noise: Annotated[
        float,
        number(
            "--wizard-noise",
            least=0,
            most=1,
            help="Probability that a wizard skips, repeats or types freely, 0 to 1.",
        ),
    ] = 0.0,
    brief: Annotated[
        float | None,
        number(
            "--brief",
            least=0,
            most=1,
            help="Probability that the system omits an optional question or courtesy.",
        ),
    ] = None,
    digress: Annotated[
        float | None,
        number(
            "--digress",
            least=0,
            most=100,
            help="Rate of corrections, interruptions and misheard turns; 1 is STAR's.",
        ),
    ] = None,
    persons: Annotated[
        str | None,
        typer.Option(
            "--persons",
            help="Who the users are: traits (impatient, terse+confused, plain) or JSON files, "
            "separated by commas.",
        ),
    ] = None,
    json: JsonFile = None,
) -> None:
    """Simulate dialogues from schemas; the same options give the same bytes with any workers.

    The engine does not change them either: ray uses the cluster that RAY_ADDRESS names, or starts
    one on this machine. To continue an interrupted run, start it again with the same options.

    Example: dialoom simulate --tasks hotel_book,weather -n 1000 --seed 7 --out dialogues

    Example: dialoom simulate --scenario mixed -n 20000 --workers 2 --out mixed
    """
    from dialoom import formats
    from dialoom.cli.output import not_held, print_lines, write_json
    from dialoom.corpus import unfinished
    from dialoom.sim.core.engines import ENGINES
    from dialoom.sim.core.plan import PRESETS, Request
    from dialoom.sim.core.run import record

    family = PRESETS.get(preset)
    writer = formats.get(to or family.format)
    asked = Request(
        number=number,
        seed=seed,
        tasks=tasks,
        scenario=scenario,
        wording=wording,
        wizard_noise=wizard_noise,
        brief=brief,
        digress=digress,
        persons=persons,
        story=story,
    )
    plan = family.plan(asked)
    settings = record(plan)
    pool = ENGINES.get(engine)(plan, unfinished.work_folder(out), workers)
    with begun(out, settings) as work:
        shards = made(pool, plan)
        with staged(work, shards, plan, out, writer.name) as loss:
            summary = {"dialogues": plan.dialogues, "target": writer.name, **settings}
            write_json({**summary, "loss": loss}, json)
    many = len(plan.schemas)
    of = "" if not many else " of 1 task" if many == 1 else f" of {many} tasks"
    written = f"{plan.dialogues} dialogues{of} written to {out}"
    print_lines((written, *not_held(loss, writer.name)), json)


@contextmanager
def begun(out: Path, settings: dict[str, Any], *, keep: bool = False) -> Iterator[Path]:
    """Give the folder in which a run is made, or goes on; remove it where the run fails.

    Args:
        out: Where the corpus is to be.
        settings: The record of the run: one with others does not go on.
        keep: Whether what was made stays where the run fails.
    """
    import msgspec

    from dialoom.corpus import unfinished
    from dialoom.errors import DialoomError
    from dialoom.sim.core.run import WorkerLostError

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
    from dialoom.render.progress import progress_bar

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
    work: Path, shards: Iterable[Shard], plan: Plan, out: Path, to: str
) -> Iterator[dict[str, int]]:
    """Put the corpus in its place when the block ends; yield what the format cannot hold."""
    from dialoom import formats
    from dialoom.cli.output import staged_corpus
    from dialoom.corpus import unfinished
    from dialoom.corpus.files import writing
    from dialoom.dialogue import Dialogue
    from dialoom.sim.core.run import write_contents

    native = formats.get("native")
    if to == native.name:
        with writing(work):
            write_contents(plan, shards, work)
        yield {}
        unfinished.publish(work, out)
        return

    def dialogues() -> Iterator[Dialogue]:
        for shard in shards:
            yield from native.read_file(work / shard.name, work)

    with staged_corpus(dialogues, plan.schemas, to, out) as loss:
        yield loss
    unfinished.discard(work)
