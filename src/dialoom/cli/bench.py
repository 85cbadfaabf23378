"""`dialoom bench`: run a named experiment, score it, and set it beside published figures."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.errors import MissingDataError, OutputError, UsageError

if TYPE_CHECKING:
    from dialoom.bench.against import Rival
    from dialoom.bench.protocol import Plan
    from dialoom.bench.results import Result
    from dialoom.bench.run import Outcome
    from dialoom.corpus import Corpus

STDOUT = Path("-")


def bench(
    protocol: Annotated[
        str,
        typer.Argument(
            help="star-zero-shot-domain, star-zero-shot-task, star-next-action, sim-zero-shot or "
            "sim-zero-shot-domain."
        ),
    ],
    corpus: Annotated[
        Path, typer.Option("--corpus", help="Corpus root, STAR folder or native corpus.")
    ],
    train_corpus: Annotated[
        Path | None,
        typer.Option(
            "--train-corpus", help="Learn from this corpus; what is held out stays out of it too."
        ),
    ] = None,
    model: Annotated[str, typer.Option("--model", help="The model's name.")] = "follower",
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            help="coded, noleak, mask or published; coded where its list of dialogues is there.",
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="STAGES",
            help="star-zero-shot-*: ask about happy, unhappy or multi dialogues, several with "
            "commas between, or all; happy when absent.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            "--train",
            metavar="STAGES",
            help="star-zero-shot-*: learn from these stages; when absent, from those asked about "
            "and the earlier ones, or from all of a simulated or collected --train-corpus.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Run this hold-out only; may be repeated.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="Leave out this group of features; may be repeated."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the model; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The model's seed.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Processes; the result is the same.")
    ] = 1,
    split_by_id: Annotated[
        bool, typer.Option("--split-by-id", help="star-next-action: split without shuffling.")
    ] = False,
    nested: Annotated[
        bool,
        typer.Option(
            "--nested", help="Choose settings by leaving out one training hold-out at a time."
        ),
    ] = False,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Keep the fits of --nested in this folder.")
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", help="Paired test with these predictions; may be repeated."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the result there; - is stdout.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", help="Write one line per question there; - is stdout."),
    ] = None,
) -> None:
    """Run an experiment: learn from the training part, ask every question of each hold-out.

    F1 (weighted, then averaged over hold-outs) and accuracy are in percent.

    Example: dialoom bench star-zero-shot-domain --corpus corpora --model follower --json run.json

    Example: dialoom bench star-zero-shot-domain --corpus corpora --test unhappy

    Example: dialoom bench star-next-action --corpus corpora --model majority --only happy

    Example: dialoom bench sim-zero-shot --corpus dialogues --only hotel_book
    """
    from dialoom.bench import PROTOCOLS
    from dialoom.bench.against import read_rivals
    from dialoom.bench.protocol import Sources
    from dialoom.bench.results import lines
    from dialoom.bench.run import select
    from dialoom.cli.output import write_json, write_out
    from dialoom.models import MODELS

    experiment = PROTOCOLS.get(protocol)
    for file in (json, predictions):
        _check_writable(file)
    if json == predictions == STDOUT:
        raise UsageError("--json and --predictions cannot both be standard output")
    rivals = [rival for file in against or () for rival in read_rivals(file, protocol)]
    own, elsewhere = _corpora(experiment.corpus, corpus, train_corpus)
    sources = Sources(own, elsewhere, form, split_by_id, test, train)
    MODELS.module(model)  # a wrong name is told before dialogues are read
    plan = select(experiment.plan(sources), only or [])
    for notice in plan.notices:
        typer.echo(f"dialoom: {notice}", err=True)
    settings = _settings(setting or [], without or [])
    execute = partial(_nested, cache=cache) if nested else _execute
    outcomes, result = execute(plan, model, settings, seed, workers)
    result = _beside(plan, outcomes, result, rivals)
    if json is not None:
        write_json(result, json)
    if predictions is not None:
        write_out(lines(plan, outcomes), predictions)
    _print(result, err=STDOUT in (json, predictions))


def _corpora(name: str, corpus: Path, train_corpus: Path | None) -> tuple[Corpus, Corpus | None]:
    from dialoom import formats

    loaded = formats.load(formats.locate(corpus, name))
    if train_corpus is None:
        return loaded, None
    if not train_corpus.exists():
        raise MissingDataError(f"{train_corpus}: no such folder; --train-corpus names one")
    return loaded, formats.load(formats.locate(train_corpus, name))


def _settings(pairs: Sequence[str], without: Sequence[str]) -> dict[str, Any]:
    """Read NAME=VALUE settings; a value is JSON where it reads as JSON, else text."""
    import msgspec

    settings: dict[str, Any] = {"without": tuple(without)} if without else {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not (name and sign):
            raise UsageError(f"--set {pair}: expected NAME=VALUE")
        try:
            settings[name] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            settings[name] = text
    return settings


def _execute(
    plan: Plan, model: str, settings: dict[str, Any], seed: int, workers: int
) -> tuple[list[Outcome], Result]:
    """Run the plan with a bar, and score it."""
    from dialoom.bench.results import summarise
    from dialoom.bench.run import build, run, seeded
    from dialoom.render.progress import track

    settings = seeded(model, settings, seed)
    make = partial(build, model, settings)
    built = make()  # before any process starts, so that a wrong setting is one line
    outcomes = list(track(run(plan, make, workers=workers), "hold-outs", len(plan.holdouts)))
    given = settings.get("seed")
    return outcomes, summarise(plan, outcomes, model=model, settings=built.settings, seed=given)


def _nested(
    plan: Plan,
    model: str,
    settings: dict[str, Any],
    seed: int,
    workers: int,
    *,
    cache: Path | None,
) -> tuple[list[Outcome], Result]:
    """Choose settings for each hold-out on its training part, then run and score the plan."""
    import msgspec

    from dialoom.bench import nested
    from dialoom.bench.results import summarise
    from dialoom.bench.run import build, seeded, variants
    from dialoom.render.progress import track

    settings = seeded(model, settings, seed)
    offered = variants(model)
    makes = [partial(build, model, {**settings, **variant}) for variant in offered]
    names = [make().settings for make in makes]
    plan = nested.with_variants(plan, len(makes))
    choices = nested.choose(
        plan, makes, workers=workers, cache=cache, track=lambda steps, n: track(steps, "fits", n)
    )
    chosen = nested.run_chosen(plan, makes, choices, workers=workers)
    outcomes = list(track(chosen, "hold-outs", len(plan.holdouts)))
    given = settings.get("seed")
    result = summarise(plan, outcomes, model=model, settings=settings, seed=given)
    return outcomes, msgspec.structs.replace(result, nested=nested.describe(choices, names))


def _beside(plan: Plan, outcomes: list[Outcome], result: Result, rivals: list[Rival]) -> Result:
    """Set published figures, SAM's predictions and paired tests beside a result."""
    import msgspec

    from dialoom.bench import published
    from dialoom.bench.against import beside, contest
    from dialoom.render.progress import track

    tests = [contest(plan, outcomes, rival) for rival in track(rivals, "paired tests")]
    return msgspec.structs.replace(
        result,
        published=list(published.of(plan.protocol, plan.options.get("test", "happy"))),
        beside=beside(plan),
        against=tests,
    )


def _check_writable(file: Path | None) -> None:
    """Say before a long run, not after it, that a file cannot be written."""
    if file is None or file == STDOUT:
        return
    if file.is_dir():
        raise OutputError(f"{file}: is a folder; name a file")
    folder = next(parent for parent in file.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{file}: cannot be written: {error.strerror or error}") from error


def _print(result: Result, *, err: bool) -> None:
    from rich.console import Console

    from dialoom.bench.table import comparisons, figures, notes, overview

    console = Console(stderr=err, highlight=False)
    console.print(overview(result))
    for table in (comparisons(result), figures(result)):
        if table is not None:
            console.print(table)
    for note in notes(result):
        console.print(note, markup=False, soft_wrap=True)
    console.print(result.signature, markup=False, soft_wrap=True)
