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
from dialoom.http.metering import cost_of, read_prices
from dialoom.learn.code_digest import environment
from dialoom.learn.model import signed_settings
from dialoom.learn.text import encoder_modules
from dialoom.metrics import Counts, macro, resample
from dialoom.metrics.bootstrap import SAMPLES, Bounds, over_holdouts, total
from dialoom.metrics.lists import DIGITS, Figure, Figures
from dialoom.models import Model, settings_of


class HoldOutScores(msgspec.Struct, frozen=True):
    """The scores of one hold-out, or of one slice over all; `leak` as in `HoldOut`."""

    name: str
    n: int
    dialogues: int
    scores: Figures
    train: int = 0
    leak: int = 0


class MeansWithoutLeak(msgspec.Struct, frozen=True):
    """The means over the hold-outs none of whose tasks was trained on, and the other ones."""

    scores: Figures
    left_out: list[str]


class Comparison(msgspec.Struct, frozen=True):
    """A paired test of a run against another system, on the questions that both answered.

    `rows` are "exact" or "all" (see `significance`). Scores are means over these hold-outs (%);
    `difference` is `ours` - `theirs`, in percentage points, with its 95 % interval over dialogues.
    `p` is two-sided, 1 / (samples + 1) or more. `across` is the interval over hold-outs, as a
    sample of more such domains or tasks; None if they are not one.
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
        """The p value as text; the least that so many resamples can give is spelt as a bound."""
        least = 1 / (self.samples + 1)
        return f"<= {least:.4f}" if self.p <= round(least, 5) else f"{self.p:.4f}"


class PublishedPredictions(msgspec.Struct, frozen=True):
    """Another system's main score by hold-out, from its own predictions on the same questions."""

    system: str
    source: str
    scores: dict[str, float]


class Result(msgspec.Struct, frozen=True):
    """The result of a run, as the JSON file holds it.

    Attributes:
        title: The plan's title: only results with the same title can be compared.
        options: Settings that the questions depend on.
        without_leak: The means over the hold-outs none of whose tasks was trained on; None where
            that is all or none of them.
        seconds: Hold-out to the wall-clock time of fitting and asking, in seconds.
        shared: The hold-outs whose time is without a fit, since it was shared with an earlier run.
        beside: Another system's main score by hold-out, on the same questions.
        nested: The choice of settings (`nested.describe`); None if they were given.
        across: Score to the 95 % interval of its mean over hold-outs, where these are a sample of
            more such domains or tasks.
        answers: The cost of a language model's answers: questions, requests, tokens read and
            written, their cost by the model's prices, and unreadable answers, which are scored as
            wrong; also the number of answers for which the server reported no tokens, if any.
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
    shared: list[str] = []
    published: list[Published] = []
    beside: PublishedPredictions | None = None
    against: list[Comparison] = []
    notices: list[str] = []
    notes: list[str] = []
    record: dict[str, Any] = {}
    nested: dict[str, Any] | None = None
    across: dict[str, Bounds] = {}
    answers: dict[str, float] = {}

    @property
    def main(self) -> str:
        """The name of the main score."""
        return next(iter(self.scores))

    @property
    def time(self) -> str:
        """The seconds of fitting and asking as text, and how many fits these are without."""
        seconds = f"{sum(self.seconds.values()):,.1f} s"
        if not self.shared:
            return seconds
        return (
            f"{seconds}, {len(self.shared)} of {len(self.holdouts)} fits shared with earlier runs"
        )


def summarise(
    plan: Plan, outcomes: Iterable[Outcome], model: Model, *, samples: int = SAMPLES
) -> Result:
    """Score a run; the model may be unfitted: only its name and settings are used."""
    runs = {outcome.holdout: outcome for outcome in outcomes}
    scorer = Scorer(plan, runs.values(), model, samples)
    corpus, train = plan.data.corpus, plan.data.train_corpus
    means = scorer.means([holdout.name for holdout in plan.holdouts])
    across = scorer.across() if plan.population else {}
    clean = [holdout.name for holdout in plan.holdouts if not holdout.leak]
    leaking = [holdout.name for holdout in plan.holdouts if holdout.leak]
    totals = _totals(runs.values(), model)
    counts = {name: n for name, n in totals.items() if n or name == "unreadable"}
    text = ", ".join(f"{n:,.6g} {name.replace('_', ' ')}" for name, n in counts.items())
    spent = [f"{model.name}: {text} (unreadable answers are wrong)"] if totals else []
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
        seconds={h.name: round(runs[h.name].seconds, 2) for h in plan.holdouts},
        shared=[h.name for h in plan.holdouts if runs[h.name].shared],
        notices=plan.notices,
        notes=[*plan.notes, *(_covered(plan, means, across) if across else ()), *spent],
        record=plan.record,
        across=across,
        answers=totals,
    )


def _totals(outcomes: Iterable[Outcome], model: Model) -> dict[str, float]:
    records = [each.record for outcome in outcomes for each in outcome.predictions if each.record]
    if not records:
        return {}
    read, written = sum(each.read for each in records), sum(each.written for each in records)
    prices = read_prices(getattr(model, "prices", "") or None, "-M prices") or (0.0, 0.0)
    unmetered = sum(not (each.read or each.written) for each in records)
    return {
        "questions": len(records),
        "requests": sum(each.requests for each in records),
        "tokens_read": read,
        "tokens_written": written,
        "cost": round(cost_of(read, written, prices), 9),
        "unreadable": sum(bool(each.unreadable) for each in records),
        **({"without_reported_tokens": unmetered} if unmetered else {}),
    }


SAMPLED = ("limit", "answered")
"""The options of plans that do not ask all questions about a dialogue."""


class Scored(NamedTuple):
    """A question with its hold-out and the counts that each metric takes of the answer."""

    holdout: str
    target: Target
    question: Question[Any]
    counts: list[Counts]


class Scorer:
    """Scores the hold-outs, slices and means of a run."""

    def __init__(self, plan: Plan, outcomes: Iterable[Outcome], model: Model, samples: int) -> None:
        self._metrics, self._samples = plan.metrics, samples
        self._sampled = not plan.options.keys().isdisjoint(SAMPLED)
        self._all = list(answers(plan, outcomes))
        self._answers = [answer for answer in self._all if not answer.target.aside]
        self.digests, settings = plan.digests, signed_settings(model)
        self._context = {
            "protocol": plan.protocol,
            **plan.options,
            "model": model.name,
            "settings": _spell(settings),
            **getattr(model, "signature", {}),
            "seed": getattr(model, "seed", None),
            **self.digests,
            "interval": f"dialogues/{samples}/seed-0",
            **environment(type(model).__module__, *encoder_modules(plan.options, settings)),
        }

    def means(self, names: Collection[str]) -> Figures:
        """Return the means over some hold-outs."""
        about = {"mean": "holdouts", "holdouts": len(names)}
        return self._figures([a for a in self._answers if a.holdout in names], about)

    def across(self) -> dict[str, Bounds]:
        """Return score to the 95 % interval of its mean, with hold-outs as the sample."""
        intervals: dict[str, Bounds] = {}
        for place, metric in enumerate(self._metrics):
            alone = [metric.scores(total(c)) for c in by_dialogue(self._answers, place).values()]
            for name in alone[0] if alone else ():
                values = [scores[name].value for scores in alone]
                interval = over_holdouts(values)
                if interval is not None:  # no share is below 0 or above 100 %
                    low, high = interval.bounds
                    intervals[name] = max(low, min(0, *values)), min(high, max(100, *values))
        return intervals

    def holdout(self, holdout: HoldOut) -> HoldOutScores:
        """Return the scores of one hold-out."""
        about = {"holdout": holdout.name}
        batch = [answer for answer in self._answers if answer.holdout == holdout.name]
        return self._scores(batch, about, train=len(holdout.train), leak=holdout.leak)

    def slices(self) -> list[HoldOutScores]:
        """Return the scores of each slice of the questions, over all hold-outs together."""
        by_name: dict[str, list[Scored]] = {}
        for answer in self._all:
            for name in answer.target.slices:
                by_name.setdefault(name, []).append(answer._replace(holdout=name))
        names = sorted(by_name, key=lambda name: (":" in name, name))
        return [self._scores(by_name[name], {"slice": name}) for name in names]

    def _scores(
        self, batch: Sequence[Scored], about: Mapping[str, Any], *, train: int = 0, leak: int = 0
    ) -> HoldOutScores:
        (name,) = about.values()
        dialogues = len({answer.target.source for answer in batch})
        return HoldOutScores(name, len(batch), dialogues, self._figures(batch, about), train, leak)

    def _figures(self, batch: Sequence[Scored], about: Mapping[str, Any]) -> Figures:
        figures: Figures = {}
        for place, metric in enumerate(self._metrics):
            groups = by_dialogue(batch, place)
            drawable = any(len(counts) > 1 for counts in groups.values())
            samples = self._samples if drawable and getattr(metric, "resampled", True) else 0
            draws = resample(metric, groups, samples=samples)
            scores = metric.scores(total([one for counts in groups.values() for one in counts]))
            whole = not self._sampled and "slice" not in about
            left_out = () if whole else getattr(metric, "of_dialogues", ())
            for name, value in macro(metric, groups).items():
                if name in left_out:
                    continue
                signature = scores[name].signature.extended({**about, **self._context})
                interval = draws.interval(name).bounds if samples else None
                figures[name] = Figure(round(value, DIGITS), interval, str(signature))
        return figures


def _covered(plan: Plan, means: Figures, across: Mapping[str, Bounds]) -> Iterator[str]:
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
    """Yield the questions of a run with the counts of their answers."""
    by_name = {outcome.holdout: outcome.predictions for outcome in outcomes}
    first = 0
    for holdout in plan.holdouts:
        asked = questions(holdout.test, first)
        first += len(asked)  # so that no two hold-outs share a dialogue's number
        triples = zip(holdout.test, asked, by_name[holdout.name], strict=True)
        for target, question, prediction in triples:
            counts = [m.statistics(question, target.gold, prediction) for m in plan.metrics]
            yield Scored(holdout.name, target, question, counts)


def by_dialogue(answers: Iterable[Scored], place: int = 0) -> dict[str, list[Counts]]:
    """Return hold-out to the counts of each dialogue by the metric at index `place`."""
    groups: dict[str, dict[str, Counts]] = {}
    for answer in answers:
        dialogues = groups.setdefault(answer.holdout, {})
        dialogues.setdefault(answer.target.source, Counter()).update(answer.counts[place])
    return {holdout: list(dialogues.values()) for holdout, dialogues in groups.items()}


def main_score(plan: Plan, answers: Iterable[Scored]) -> float:
    """Return the mean of the plan's main score over the hold-outs of some answers."""
    core = (answer for answer in answers if not answer.target.aside)
    return next(iter(macro(plan.metrics[0], by_dialogue(core)).values()))


def _spell(settings: Mapping[str, Any]) -> str | None:
    """Spell settings for the signature; None, which drops out, if all are defaults."""
    if not settings:
        return None
    return msgspec.json.encode(settings, order="sorted").decode().replace("|", "/")
