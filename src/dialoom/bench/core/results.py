"""Scores of a run: per hold-out, their mean, and per slice, with intervals and signatures.

Every score is in percent. The JSON file that `dialoom bench --json` writes is a `Result`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from dialoom.bench.core.protocol import HoldOut, Outcome, Plan, Target, questions
from dialoom.bench.core.published import Published
from dialoom.dialogue import Question
from dialoom.metrics import Counts, macro, resample
from dialoom.metrics.across import over_holdouts
from dialoom.metrics.bootstrap import SAMPLES, Bounds, total
from dialoom.models import Model, settings_of

DIGITS = 4


class Figure(msgspec.Struct, frozen=True):
    """One score.

    Attributes:
        value: In percent.
        interval: The 95 % interval, over dialogues; None of a metric that is not resampled.
        signature: What reproduces it.
    """

    value: float
    interval: Bounds | None
    signature: str


Figures = dict[str, Figure]
"""Name of a score to the score; the main one first."""


class HoldOutScores(msgspec.Struct, frozen=True):
    """The scores of one hold-out, or of one slice of all of them together.

    Attributes:
        name: What was held out.
        n: Questions asked.
        dialogues: Dialogues the questions come from.
        scores: The scores.
        train: Questions fitted on.
        leak: Those of them that are of a task also tested.
    """

    name: str
    n: int
    dialogues: int
    scores: Figures
    train: int = 0
    leak: int = 0


class MeansWithoutLeak(msgspec.Struct, frozen=True):
    """The means over the hold-outs none of whose tasks was trained on.

    Attributes:
        scores: The means.
        left_out: The names of the other hold-outs.
    """

    scores: Figures
    left_out: list[str]


class Comparison(msgspec.Struct, frozen=True):
    """Ours against another system, as means of the main score over the hold-outs both answered.

    Attributes:
        system: The other system.
        rows: Which of its rows were taken: "exact" or "all".
        n: Questions compared.
        holdouts: Hold-outs compared.
        ours: Our mean there.
        theirs: Theirs.
        difference: Ours less theirs.
        interval: The 95 % interval of the difference, over dialogues.
        p: Two-sided p value of there being no difference.
        samples: Resamples behind it; p is 1 / (samples + 1) at least.
        across: The 95 % interval of the difference over hold-outs, were they drawn from more such.
    """

    system: str
    rows: str
    n: int
    holdouts: int
    ours: float
    theirs: float
    difference: float
    interval: Bounds
    p: float
    samples: int = SAMPLES
    across: Bounds | None = None

    @property
    def spelt_p(self) -> str:
        """The p value as text: at the least that the resamples can tell, as a bound."""
        least = 1 / (self.samples + 1)
        return f"<= {least:.4f}" if self.p <= round(least, 5) else f"{self.p:.4f}"


class PublishedPredictions(msgspec.Struct, frozen=True):
    """Another system's main score by hold-out, from its own predictions on the same questions."""

    system: str
    source: str
    scores: dict[str, float]


class Result(msgspec.Struct, frozen=True):
    """What a run comes to: the JSON file.

    Attributes:
        protocol: The protocol's name.
        title: The protocol and what tells its questions from others'.
        corpus: The corpus as it was named.
        model: The model's name.
        scores: Means over hold-outs; the main score first.
        holdouts: In the protocol's order.
        missing: Hold-outs the protocol names and the corpus does not hold.
        options: What the questions depend on besides the corpus.
        settings: The model's settings; defaults left out.
        slices: Parts of the questions, over all hold-outs together.
        without_leak: The means over the hold-outs none of whose tasks was trained on, where there
            are others.
        train_corpus: Where the training questions came from, if elsewhere.
        digests: Of the corpora and of the schemas.
        seconds: Wall-clock time per hold-out.
        published: Published figures, with their source.
        beside: Another system's main score per hold-out, on the same questions.
        against: Paired tests with other predictions.
        notices: What the user was told before the run.
        notes: What a reader must know to judge the scores.
        record: What the protocol records of its split.
        nested: How settings were chosen, where they were.
        across: The 95 % interval of each mean over hold-outs, where these are a sample of more such
            domains or tasks.
    """

    protocol: str
    title: str
    corpus: str
    model: str
    scores: Figures
    holdouts: list[HoldOutScores]
    missing: list[str]
    options: dict[str, str]
    settings: dict[str, Any]
    slices: list[HoldOutScores]
    without_leak: MeansWithoutLeak | None
    train_corpus: str | None
    digests: dict[str, str]
    seconds: dict[str, float]
    published: list[Published] = []
    beside: PublishedPredictions | None = None
    against: list[Comparison] = []
    notices: list[str] = []
    notes: list[str] = []
    record: dict[str, Any] = {}
    nested: dict[str, Any] | None = None
    across: dict[str, Bounds] = {}

    @property
    def main(self) -> str:
        """The name of the main score."""
        return next(iter(self.scores))


def summarise(
    plan: Plan, outcomes: Iterable[Outcome], model: Model, *, samples: int = SAMPLES
) -> Result:
    """Score a run.

    Args:
        plan: What was asked.
        outcomes: One for each of the plan's hold-outs, in any order.
        model: The model, fitted or not: its name and its settings are kept.
        samples: Resamples behind the intervals.
    """
    held = {outcome.holdout: outcome for outcome in outcomes}
    scorer = Scorer(plan, held.values(), model, samples)
    corpus, train = plan.data.corpus, plan.data.train_corpus
    means = scorer.means([holdout.name for holdout in plan.holdouts])
    across = scorer.across() if plan.population else {}
    clean = [holdout.name for holdout in plan.holdouts if not holdout.leak]
    leaking = [holdout.name for holdout in plan.holdouts if holdout.leak]
    return Result(
        protocol=plan.protocol,
        title=plan.title,
        corpus=str(corpus.path),
        model=model.name,
        scores=means,
        holdouts=[scorer.holdout(holdout) for holdout in plan.holdouts],
        missing=plan.missing,
        options=plan.options,
        settings=settings_of(model),
        slices=scorer.slices(),
        without_leak=MeansWithoutLeak(scorer.means(clean), leaking) if clean and leaking else None,
        train_corpus=str(train.path) if train else None,
        digests=scorer.digests,
        seconds={h.name: round(held[h.name].seconds, 2) for h in plan.holdouts},
        notices=plan.notices,
        notes=[*plan.notes, *(_covered(plan, means, across) if across else ())],
        record=plan.record,
        across=across,
    )


class Scored(NamedTuple):
    """The answer to one question: its hold-out, and what each metric counts of it."""

    holdout: str
    target: Target
    question: Question[Any]
    counts: list[Counts]


class Scorer:
    """Counts the answers of a run, and scores hold-outs, slices and means.

    Args:
        plan: What was asked.
        outcomes: What was answered.
        model: The model that answered.
        samples: Resamples behind the intervals.
    """

    def __init__(self, plan: Plan, outcomes: Iterable[Outcome], model: Model, samples: int) -> None:
        self._metrics, self._samples = plan.metrics, samples
        self._all = list(answers(plan, outcomes))
        self._answers = [answer for answer in self._all if not answer.target.aside]
        self.digests = plan.digests
        self._context = {
            "protocol": plan.protocol,
            **plan.options,
            "model": model.name,
            "settings": _spell(settings_of(model)),
            "seed": getattr(model, "seed", None),
            **self.digests,
            "interval": f"dialogues/{samples}/seed-0",
        }

    def means(self, names: Collection[str]) -> Figures:
        """Return the means over some hold-outs."""
        about = {"mean": "holdouts", "holdouts": len(names)}
        return self._figures([a for a in self._answers if a.holdout in names], about)

    def across(self) -> dict[str, Bounds]:
        """Return the interval over hold-outs of the mean of each score."""
        found: dict[str, Bounds] = {}
        for place, metric in enumerate(self._metrics):
            alone = [metric.scores(total(c)) for c in by_dialogue(self._answers, place).values()]
            for name in alone[0] if alone else ():
                interval = over_holdouts([scores[name].value for scores in alone])
                if interval is not None:
                    found[name] = interval.bounds
        return found

    def holdout(self, holdout: HoldOut) -> HoldOutScores:
        """Return the scores of one hold-out."""
        about = {"holdout": holdout.name}
        kept = [answer for answer in self._answers if answer.holdout == holdout.name]
        return self._scores(kept, about, train=len(holdout.train), leak=holdout.leak)

    def slices(self) -> list[HoldOutScores]:
        """Return the scores of each slice of the questions, over all hold-outs together."""
        by_name: dict[str, list[Scored]] = {}
        for answer in self._all:
            for name in answer.target.slices:
                by_name.setdefault(name, []).append(answer._replace(holdout=name))
        names = sorted(by_name, key=lambda name: (":" in name, name))
        return [self._scores(by_name[name], {"slice": name}) for name in names]

    def _scores(
        self,
        kept: Sequence[Scored],
        about: Mapping[str, Any],
        *,
        train: int = 0,
        leak: int = 0,
    ) -> HoldOutScores:
        (name,) = about.values()
        dialogues = len({answer.target.source for answer in kept})
        return HoldOutScores(name, len(kept), dialogues, self._figures(kept, about), train, leak)

    def _figures(self, kept: Sequence[Scored], about: Mapping[str, Any]) -> Figures:
        found: Figures = {}
        for place, metric in enumerate(self._metrics):
            groups = by_dialogue(kept, place)
            samples = self._samples if getattr(metric, "resampled", True) else 0
            drawn = resample(metric, groups, samples=samples)
            scores = metric.scores(total([one for counts in groups.values() for one in counts]))
            for name, value in macro(metric, groups).items():
                signature = scores[name].signature.extended({**about, **self._context})
                interval = drawn.interval(name).bounds if samples else None
                found[name] = Figure(round(value, DIGITS), interval, str(signature))
        return found


def _covered(plan: Plan, means: Figures, across: Mapping[str, Bounds]) -> Iterator[str]:
    """Yield what the intervals of the mean of the main score cover, in words."""
    name, figure = next(iter(means.items()))
    if figure.interval is None:
        return
    (low, high), (least, most) = figure.interval, across[name]
    n, kind = len(plan.holdouts), plan.population
    yield (
        f"{name}, mean: {low:.1f} to {high:.1f} over dialogues of these {n} {kind}; {least:.1f} to "
        f"{most:.1f} over {kind}, were these {n} drawn from more such (Student's t)"
    )


def answers(plan: Plan, outcomes: Iterable[Outcome]) -> Iterator[Scored]:
    """Yield the answers of a run, with what the plan's metrics count of each."""
    by_name = {outcome.holdout: outcome.predictions for outcome in outcomes}
    for holdout in plan.holdouts:
        asked = zip(holdout.test, questions(holdout.test), by_name[holdout.name], strict=True)
        for target, question, prediction in asked:
            counts = [m.statistics(question, target.gold, prediction) for m in plan.metrics]
            yield Scored(holdout.name, target, question, counts)


def by_dialogue(kept: Iterable[Scored], place: int = 0) -> dict[str, list[Counts]]:
    """Return hold-out to what the metric at `place` counts of each dialogue."""
    groups: dict[str, dict[str, Counts]] = {}
    for answer in kept:
        dialogues = groups.setdefault(answer.holdout, {})
        dialogues.setdefault(answer.target.source, Counter()).update(answer.counts[place])
    return {holdout: list(dialogues.values()) for holdout, dialogues in groups.items()}


def main_score(plan: Plan, kept: Iterable[Scored]) -> float:
    """Return the mean of the plan's main score over the hold-outs of some answers."""
    counted = (answer for answer in kept if not answer.target.aside)
    return next(iter(macro(plan.metrics[0], by_dialogue(counted)).values()))


def _spell(settings: Mapping[str, Any]) -> str | None:
    """Spell settings for the signature; None, which drops out, where all are defaults."""
    if not settings:
        return None
    return msgspec.json.encode(settings, order="sorted").decode().replace("|", "/")
