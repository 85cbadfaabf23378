"""Runs an experiment from its name: opens the data, fits and asks the model, scores the answers.

The suite (`bench.suite`) runs many experiments so, and the command line one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from msgspec import structs

from dialoom.arguments import Count, Positive, checked
from dialoom.bench import PROTOCOLS
from dialoom.bench.core import nested as choosing
from dialoom.bench.core.data import check_taught, open_data
from dialoom.bench.core.engines import DEFAULT
from dialoom.bench.core.making import ModelFile, NamedModel, choose, variants
from dialoom.bench.core.protocol import Outcome, Plan, Protocol
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import limited, run, select, with_metrics
from dialoom.bench.core.saved import asked_of, with_overlap
from dialoom.bench.core.settings import read as read_settings
from dialoom.bench.core.significance import check_questions, read_baselines, with_comparisons
from dialoom.bench.core.table import comparisons, figures, notes, overview, slices
from dialoom.corpus import Corpus
from dialoom.errors import UsageError
from dialoom.metrics.lists import Figures
from dialoom.models import load, settings_of
from dialoom.render.progress import progress_bar, shown, track
from dialoom.render.tables import ResultTable, distinct, to_html

Settings = Mapping[str, Any] | Sequence[str]
"""Settings by name, or as texts `NAME=VALUE`."""


@dataclass(frozen=True, repr=False)
class Evaluation:
    """A finished experiment.

    Attributes:
        plan: The questions that were asked.
        outcomes: The answers, by hold-out.
        result: The scores, with what reproduces them.
    """

    plan: Plan
    outcomes: list[Outcome]
    result: Result

    @property
    def scores(self) -> Figures:
        """The means over hold-outs: value, interval and signature of each score."""
        return self.result.scores

    @property
    def tables(self) -> tuple[ResultTable, ...]:
        """The tables: hold-outs, slices, paired tests, published figures."""
        candidates = (each(self.result) for each in (overview, slices, comparisons, figures))
        return tuple(table for table in candidates if table is not None)

    @property
    def table(self) -> ResultTable:
        """The table of hold-outs with their mean."""
        return overview(self.result)

    @property
    def plot(self) -> str:
        """The main score of each hold-out as HTML: a legend and an inline SVG."""
        from dialoom.bench.report.reading import Run
        from dialoom.bench.report.scores import side_by_side

        (section,) = side_by_side([Run(self.plan.protocol, self.result)])
        return section.chart

    @property
    def notes(self) -> list[str]:
        """Notices, conditions for readers of the figures, then the signature of each score."""
        signatures = (figure.signature for figure in self.scores.values())
        return [*self.result.notices, *notes(self.result), *signatures]

    def __repr__(self) -> str:
        name, figure = next(iter(self.scores.items()))
        return f"<{self.plan.protocol}, {self.result.model}: {name} {figure.value:.2f}>"

    def _repr_html_(self) -> str:
        markup = "".join(to_html(t.header, t.rows, title=t.title) for t in self.tables)
        remarks = "".join(f"<p>{escape(note)}</p>\n" for note in self.notes)
        return f"{self.plot}{markup}{remarks}"


@checked
def evaluate(
    protocol: str,
    corpus: Corpus | Path | str,
    *,
    train_corpus: Corpus | Path | str | Sequence[Path | str] = (),
    split: str | None = None,
    settings: Settings = (),
    model: str | Path | None = None,
    model_settings: Settings = (),
    metrics: Sequence[str] = (),
    only: str | Sequence[str] = (),
    limit: Positive | None = None,
    nested: bool = False,
    seed: Count = 0,
    workers: Positive = 1,
    engine: str = DEFAULT,
    cache: Path | str | None = None,
    against: Sequence[Path | str] = (),
    progress: bool = True,
    notify: Callable[[str], None] = lambda notice: None,
) -> Evaluation:
    """Fit a model on an experiment's training questions, and ask it those of each hold-out.

    Args:
        protocol: The name of the experiment (`dialoom protocols` lists them).
        corpus: A corpus, its path, or a folder that has the experiment's corpus.
        train_corpus: Corpora to train on instead; hold-outs are left out of them, too.
        split: The part of the corpus that is asked about.
        settings: Settings of the experiment.
        model: A model's name, or a file that `dialoom train` wrote; the experiment's where None.
        model_settings: Settings of the model.
        metrics: Names of further metrics.
        only: The hold-outs to run; all where there is none.
        limit: Number of questions, drawn evenly over hold-outs; all where None.
        nested: Whether settings are chosen by leaving out one training hold-out at a time.
        seed: The seed of the model and of that draw.
        workers: Number of hold-outs that are fitted at a time.
        engine: The place of the fits: processes of this machine, or a ray cluster.
        cache: A folder for answers, so that an interrupted run can be continued.
        against: Files of predictions, each compared with by a paired test.
        progress: Whether progress is shown.
        notify: Called with each notice about the data before the run.

    Raises:
        UnknownNameError: There is no such experiment, model, metric, setting or hold-out.
        UsageError: The model does not answer this experiment's questions, or a setting is wrong.
        MissingDataError: There is no such corpus, or it lacks the part.
        FormatError: A file cannot be read.
    """
    experiment = PROTOCOLS.get(protocol)
    setup = settings_for(experiment, settings)
    make = choose(None if model is None else str(model), experiment, pairs_of(model_settings), seed)
    files = [Path(file) for file in against]
    names = distinct([file.name for file in files], files)
    named = zip(files, names, strict=True)
    baselines = [rival for file, name in named for rival in read_baselines(file, protocol, name)]
    train = (train_corpus,) if isinstance(train_corpus, Corpus | Path | str) else train_corpus
    with shown(progress):
        data = open_data(experiment, _path(corpus), tuple(map(_path, train)), split)
        plan = check_taught(experiment.plan(data, setup))
    plan = select(with_metrics(plan, metrics), [only] if isinstance(only, str) else only)
    plan = plan if limit is None else limited(plan, limit, seed)
    for baseline in baselines:
        check_questions(plan, baseline)
    fitted = load(make.path) if isinstance(make, ModelFile) else None
    plan = asked_of(plan, fitted) if fitted else with_overlap(plan)
    for notice in plan.notices:
        notify(notice)
    execute = _nested if nested else _executed
    options = {
        "workers": workers,
        "engine": engine,
        "cache": None if cache is None else Path(cache),
    }
    with shown(progress):
        outcomes, result = execute(plan, make, options)
        result = with_comparisons(plan, outcomes, result, track(baselines, "paired tests"))
    return Evaluation(plan, outcomes, result)


def settings_for(protocol: Protocol, settings: Settings, what: str = "") -> Any:
    """Return an experiment's settings; `what` describes them in errors.

    Raises:
        UnknownNameError: There is no such setting.
        UsageError: A setting has a wrong value.
    """
    label = what or f"setting of {protocol.name}"
    return protocol.settings(**read_settings(protocol.settings, pairs_of(settings), label))


def pairs_of(settings: Settings) -> list[str]:
    """Return settings as texts `NAME=VALUE`; True and False are yes and no."""
    if not isinstance(settings, Mapping):
        return list(settings)
    words = {True: "yes", False: "no"}
    pairs = ((k, words[v] if isinstance(v, bool) else v) for k, v in settings.items())
    return [f"{name}={value}" for name, value in pairs]


def _path(corpus: Corpus | Path | str) -> Path:
    """Return a corpus's path; `UsageError` if its files hold something else."""
    if not isinstance(corpus, Corpus):
        return Path(corpus)
    if not corpus.as_stored:
        what = "a part or a patched copy of what is stored there: save it, and name the new folder"
        raise UsageError(f"{corpus.path}: the corpus is {what}")
    return corpus.path


def _executed(
    plan: Plan, make: NamedModel | ModelFile, options: Mapping[str, Any]
) -> tuple[list[Outcome], Result]:
    built = make()  # before any process starts, so that a wrong setting is one line
    outcomes = _tracked(plan, partial(run, plan, make, **options))
    return outcomes, summarise(plan, outcomes, built)


def _nested(
    plan: Plan, make: NamedModel | ModelFile, options: Mapping[str, Any]
) -> tuple[list[Outcome], Result]:
    if not isinstance(make, NamedModel):
        raise UsageError(
            "--nested chooses settings to fit with; a model file is fitted already",
            code="not-taken",
        )
    makes = variants(make)
    names = [settings_of(make()) for make in makes]
    plan = choosing.with_variants(plan, len(makes))
    with progress_bar("fits to choose by", len(choosing.folds(plan)) * len(makes)) as bar:
        choices = choosing.choose(plan, makes, done=bar.advance, notify=bar.now, **options)
    runner = partial(choosing.run_chosen, plan, makes, choices, **options)
    outcomes = _tracked(plan, runner)
    result = summarise(plan, outcomes, make())
    return outcomes, structs.replace(result, nested=choosing.describe(choices, names))


def _tracked(plan: Plan, running: Callable[..., Iterable[Outcome]]) -> list[Outcome]:
    outcomes = []
    with progress_bar("hold-outs", len(plan.holdouts)) as bar:
        for outcome in running(notify=bar.now):
            outcomes.append(outcome)
            bar.advance()
    return outcomes
