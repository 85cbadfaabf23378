"""Runs experiments one after the other; results that are up to date are not computed again.

Each writes `NAME.json` (the result), `NAME.jsonl` (the predictions) and `NAME.html` (its page) into
the folder. `keys.json` has a digest for each of what the result depends on: the experiment, the
data and the code. The answers of finished hold-outs are kept in `cache/`, so that an interrupted
run can be continued, and the fitted models in `cache/fits/` (`dialoom.learn.kept`), so that
experiments that fit the same model on the same questions fit it once. Several runs at a time may
use one folder, each for experiments of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import check_taught, open_data
from dialoom.bench.core.engines import DEFAULT
from dialoom.bench.core.making import Build, choose
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Data, Outcome, Protocol
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import run
from dialoom.bench.core.significance import with_comparisons
from dialoom.bench.evaluation import pairs_of, settings_for
from dialoom.bench.report import page, read_run
from dialoom.bench.report.reading import read_result
from dialoom.bench.suite.experiments import Experiment, Simulated, suite
from dialoom.corpus.files import exists, read_json, staged_folder, write_atomic, writing
from dialoom.corpus.shards import Shard
from dialoom.dialogue import digest
from dialoom.errors import FormatError, MissingDataError, MissingExtraError
from dialoom.learn.code_digest import code_digest
from dialoom.learn.text import encoder_modules
from dialoom.render.tables import counted
from dialoom.sim import PRESETS, Request, WorkerPool
from dialoom.sim.core.run import write_contents

KEYS = "keys.json"

SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Done:
    """A finished experiment: run `again` now, or `checked` to be up to date."""

    experiment: Experiment
    result: Result
    again: bool
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Missing:
    """An experiment that the data or the libraries at hand do not allow."""

    experiment: Experiment
    why: str


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders of results and corpora (None for the quick form), and open corpora."""

    root: Path | None
    folder: Path
    opened: dict[tuple[str | None, ...], Data] = field(default_factory=dict)

    def data(self, experiment: Experiment, protocol: Protocol) -> Data:
        """Open an experiment's data, simulating corpora if needed; or `MissingDataError`."""
        corpus, train = self._paths(experiment, protocol)
        split = experiment.split if self.root else None
        key = protocol.corpus, str(protocol.parts), str(corpus), str(train), split
        if key not in self.opened:
            self.opened.clear()  # one at a time: corpora are large
            self.opened[key] = open_data(protocol, corpus, train, split)
        return self.opened[key]

    def _paths(self, experiment: Experiment, protocol: Protocol) -> tuple[Path, tuple[Path, ...]]:
        if self.root is None:
            return self._simulated(suite().samples[protocol.corpus]), ()
        own = self.root / protocol.corpus
        if experiment.corpus is not None:
            own = self._simulated(experiment.corpus)
        elif not exists(own):
            raise MissingDataError(f"{own}: not there")
        if experiment.train is not None:
            simulated = tuple(map(self._simulated, experiment.simulated))
            return own, (own, *simulated) if experiment.mixed else simulated
        if experiment.train_from is not None:
            return own, (self.root / experiment.train_from,)
        return own, (own / experiment.train_split,) if experiment.train_split else ()

    def _simulated(self, recipe: Simulated) -> Path:
        name = digest(
            (recipe, code_digest(PRESETS.module(recipe.preset), write_contents.__module__))
        )
        folder = self.folder / SIMULATED / name
        if not folder.is_dir():
            simulate(recipe, folder)
        return folder / (recipe.part or "")


def simulate(recipe: Simulated, folder: Path) -> None:
    """Simulate a corpus into a new folder: natively, or one part of it in its own format.

    Written in its own format, it has the lists of facts for models in its folder.
    """
    fields = structs.asdict(recipe).items()
    preset = PRESETS.get(recipe.preset)
    plan = preset.plan(Request(**{k: v for k, v in fields if k not in ("preset", "part")}))
    with staged_folder(folder) as staged:
        if recipe.part is not None:
            stream = map(plan.source(), range(plan.dialogues))
            folder_name = f"{recipe.part}/"
            own = (
                each for each in stream if each.origin and each.origin.file.startswith(folder_name)
            )
            formats.get(preset.format).write(own, plan.schemas, staged)
            return
        with WorkerPool(plan, staged, 1) as pool:
            write_contents(plan, [done for done in pool if isinstance(done, Shard)], staged)


def check_sources(sources: Sources) -> None:
    """Check the corpora and make the results' folder; `MissingDataError` or `OutputError`."""
    if sources.root is not None and not exists(sources.root):
        raise MissingDataError(f"{sources.root}: no such folder; --corpora names a corpus root")
    with writing(sources.folder):
        sources.folder.mkdir(parents=True, exist_ok=True)


def run_all(
    experiments: Iterable[Experiment],
    sources: Sources,
    *,
    workers: int = 1,
    engine: str = DEFAULT,
    notify: Callable[[str], None] = lambda what: None,
) -> Iterator[Done | Missing]:
    """Yield each experiment as it is done, or what it lacks.

    `notify` gets the names in progress. `MissingDataError` without a corpus root, `FormatError` or
    `OutputError` for files of results.
    """
    check_sources(sources)
    file = sources.folder / KEYS
    fit = partial(run, workers=workers, engine=engine, cache=sources.folder / "cache")
    runner = _Runner(sources, fit, notify)
    for experiment in experiments:
        notify(experiment.name)
        try:
            outcome, key = runner.done(experiment, _read_keys(file).get(experiment.name))
        except (MissingDataError, MissingExtraError) as missing:
            yield Missing(experiment, str(missing))
            continue
        if outcome.again:  # another run in this folder may have written other keys meanwhile
            keys = {**_read_keys(file), experiment.name: key}
            write_atomic(file, msgspec.json.encode(keys))
        yield outcome


def earlier(experiments: Iterable[Experiment], folder: Path) -> Iterator[Done]:
    """Yield the experiments with results in a folder, unchecked; or `FormatError`."""
    for experiment in experiments:
        file = folder / f"{experiment.name}.json"
        if exists(file):
            yield Done(experiment, read_result(file), again=False, checked=False)


@dataclass(frozen=True, slots=True)
class _Runner:
    """Runs experiments and writes their files; `notify` gets the names in progress."""

    sources: Sources
    fit: Callable[..., Iterable[Outcome]]
    notify: Callable[[str], None]

    def done(self, experiment: Experiment, key: str | None) -> tuple[Done, str]:
        """Return an experiment's result and the digest of its inputs; `key` is the earlier one."""
        protocol = PROTOCOLS.get(experiment.protocol)
        make = choose(experiment.model, protocol, pairs_of(experiment.model_settings))
        data = self.sources.data(experiment, protocol)
        file = self.sources.folder / f"{experiment.name}.json"
        corpora = [corpus.digest for corpus in data.corpora]
        home = PROTOCOLS.module(experiment.protocol)
        modules = encoder_modules(experiment.settings, experiment.model_settings)
        parts = home, *modules, run.__module__, summarise.__module__
        code = code_digest(type(make()).__module__, *parts)
        now = digest((structs.replace(experiment, seconds=None), corpora, code))
        if now == key and file.is_file():
            return Done(experiment, read_result(file), again=False), now
        return Done(experiment, self.run(experiment, make, data, file), again=True), now

    def run(self, experiment: Experiment, make: Build, data: Data, file: Path) -> Result:
        """Run an experiment; write `file`, and those of its name in the same folder."""
        name, protocol = experiment.name, PROTOCOLS.get(experiment.protocol)
        what = f"setting of experiment {name}"
        setup = settings_for(protocol, experiment.settings, what)
        plan = check_taught(protocol.plan(data, setup))
        outcomes = list(self.fit(plan, make, notify=lambda one: self.notify(f"{name}, {one}")))
        result = summarise(plan, outcomes, make())
        if self.sources.root is not None:  # published figures are of other data
            result = with_comparisons(plan, outcomes, result)
        write_atomic(file, msgspec.json.format(msgspec.json.encode(result), indent=2))
        write_atomic(file.with_suffix(".jsonl"), write_predictions(plan, outcomes))
        write_atomic(file.with_suffix(".html"), page([read_run(file)]).encode())
        return result


def _read_keys(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    try:
        return msgspec.convert(read_json(file), dict[str, str])
    except msgspec.ValidationError as error:
        raise FormatError(file, "not the keys of runs; remove it to run everything") from error


MINUTE, HOUR = 60, 3600


def cheapest_first(experiments: Iterable[Experiment]) -> list[Experiment]:
    """Return experiments by their measured CPU time; those that were not measured come last."""
    return sorted(experiments, key=lambda one: (one.seconds is None, one.seconds or 0))


def estimate(experiments: Sequence[Experiment], folder: Path) -> str:
    """Return text on the time of earlier runs, in the folder and elsewhere; or `FormatError`."""
    runs = {each.experiment.name: each.result for each in earlier(experiments, folder)}
    lines = [f"{counted(len(experiments), 'experiment')}, the cheapest first"]
    if runs:
        spent = sum(sum(result.seconds.values()) for result in runs.values())
        lines.append(
            f"with a result in {folder}: {len(runs):,}, {spell(spent)} of fitting and asking, run "
            "again only where data, settings or code changed"
        )
    left = [one for one in experiments if one.name not in runs]
    measured = [one.seconds for one in left if one.seconds is not None]
    if measured:
        lines.append(
            f"others that were measured: {len(measured):,}, {spell(sum(measured))} of CPU time if "
            "each is run alone, less with the fits that they share"
        )
    if len(left) > len(measured):
        lines.append(f"never measured: {len(left) - len(measured):,}")
    return "; ".join(lines)


def spell(seconds: float) -> str:
    """Return a length of time as text, in the largest unit of which there are two."""
    for unit, name in ((HOUR, "hours"), (MINUTE, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:,.0f} seconds"
