"""Compare two corpora: the figures of both, their distances, and those of two halves of one.

If one of the two does not annotate an agent's acts, that agent's steps are compared as steps
without acts; otherwise the distance would be that of two ways to annotate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.errors import MissingExtraError
from dialoom.quality.distance.counting import AGENTS, CALL, CorpusProfile, Counts, Step
from dialoom.quality.distance.judge import SETTINGS as JUDGE
from dialoom.quality.distance.judge import judge
from dialoom.quality.distance.measures import (
    FEWEST,
    covered,
    disagreement,
    divergence,
    orders,
    shares,
    transport,
)
from dialoom.quality.distance.sample import Read, draw
from dialoom.quality.distance.wording import wording
from dialoom.quality.stats.analysis import Result, by_value, ratio, spread

SHOWN = 20
"""Most bigrams, and most pairs of names, that are listed as differing most."""

BITS, TOKENS, UTTERANCES, SHARE = "bits", "tokens", "utterances", "share"
"""Units of distances: Jensen-Shannon divergence, earth mover's distances, mean difference."""

SETTINGS = {
    "divergence": "jensen-shannon",
    "tokens": "punctuation-split",
    "pairs": f">={FEWEST}",
    **JUDGE,
}
"""The settings of the figures besides the corpora, for their signature."""


class Sides(NamedTuple):
    """The counts that are compared: of the simulated corpus, the real one, and its two halves."""

    one: Counts
    other: Counts
    halves: tuple[Counts, Counts]


def compare(simulated: CorpusProfile, real: CorpusProfile) -> Result:
    """Return figures, distances and the largest differences, as JSON values.

    `distances` has a row for each thing that is compared: what, its unit, the figure of either
    side, the distance, and the distance of two halves of the real corpus (`within`).
    """
    one, other = simulated.whole, real.whole
    sides = Sides(one, other, real.halves)
    return {
        "dialogues": {"simulated": one.dialogues, "real": other.dialogues},
        "tasks": list(real.only),
        "left_out": {"simulated": simulated.left_out, "real": real.left_out},
        "without_acts": _without_acts(one, other),
        "distances": list(_distances(sides)),
        "bigrams": _bigrams(one, other),
        "lengths": {
            agent: {"simulated": by_value(one.lengths[agent]),
                    "real": by_value(other.lengths[agent])}
            for agent in _shared(one.lengths, other.lengths)
        },
        "turns": {"simulated": by_value(one.turns), "real": by_value(other.turns)},
        "words": {
            agent: _vocabulary(one.words[agent], other.words[agent])
            for agent in _shared(one.words, other.words)
        },
        "orders": {what: _ordered(one.orders[what], other.orders[what])
                   for what in sorted({*one.orders} & {*other.orders})},
        "schema": {"simulated": simulated.used.result(), "real": real.used.result()},
    }  # fmt: skip


def compare_wording(simulated: Read, real: Read, language: str | None) -> Result:
    """Return `judge` and `wording` by agent; `judge_needs` says what to install for the judge."""
    judged: dict[str, Result | None] = {}
    worded: dict[str, list[Result]] = {}
    needs = None
    for agent, (one, other) in draw((real, simulated)).items():
        if not one or not other:
            continue
        worded[agent] = list(wording(other, one, language))
        try:
            judged[agent] = judge(one, other)
        except MissingExtraError as error:
            needs = str(error)
    return {"judge": judged, "judge_needs": needs, "wording": worded}


def _distances(sides: Sides) -> Iterator[Result]:
    one, other, (first, second) = sides

    def row(
        what: str,
        unit: str,
        of: Callable[[Counts], Any],
        measure: Callable[[Any, Any], float | None],
        figure: Callable[[Any], Any],
    ) -> Result:
        return {
            "what": what,
            "unit": unit,
            "simulated": figure(of(one)),
            "real": figure(of(other)),
            "distance": _rounded(measure(of(one), of(other))),
            "within": _rounded(measure(of(first), of(second))),
        }

    bare = frozenset(_without_acts(one, other))

    def bigrams(counts: Counts) -> Counter[tuple[Step, Step]]:
        return _coarse(counts.bigrams, bare)

    def steps(counts: Counts) -> Counter[Step]:
        figures: Counter[Step] = Counter()
        for (step, _), n in bigrams(counts).items():
            figures[step] += n
        return figures

    yield row("acts", BITS, steps, divergence, len)
    yield row("acts, two in a row", BITS, bigrams, divergence, len)
    for agent in _shared(one.lengths, other.lengths):
        of = _counter("lengths", agent)
        yield row(f"length of utterances, {agent}", TOKENS, of, transport, _mean)
    yield row("utterances a dialogue", UTTERANCES, lambda counts: counts.turns, transport, _mean)
    for agent in _shared(one.words, other.words):
        yield row(f"words, {agent}", BITS, _counter("words", agent), divergence, len)
    for what in sorted({*one.orders} & {*other.orders}):
        if one.orders[what] and other.orders[what]:
            pairs = len(list(orders(one.orders[what], other.orders[what])))
            of = _counter("orders", what)
            figures = row(f"order of {what}", SHARE, of, disagreement, len)
            yield figures | {"simulated": pairs, "real": pairs}


def _shared(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    return [agent for agent in AGENTS if agent in one and agent in other]


def _counter(field: str, name: str) -> Callable[[Counts], Counter[Any]]:
    return lambda counts: getattr(counts, field).get(name, Counter())


def _without_acts(one: Counts, other: Counts) -> list[str]:
    return [agent for agent in AGENTS if agent not in one.annotated & other.annotated]


def _coarse(
    bigrams: Mapping[tuple[Step, Step], int], bare: frozenset[str]
) -> Counter[tuple[Step, Step]]:
    counts: Counter[tuple[Step, Step]] = Counter()
    for (before, after), n in bigrams.items():
        counts[_bare(before, bare), _bare(after, bare)] += n
    return counts


def _bare(step: Step, agents: frozenset[str]) -> Step:
    agent, acts = step
    return (agent, "") if agent in agents and acts != CALL else step


def _bigrams(one: Counts, other: Counts) -> list[Result]:
    bare = frozenset(_without_acts(one, other))
    here, there = _coarse(one.bigrams, bare), _coarse(other.bigrams, bare)
    first, second = here.total(), there.total()
    if not first or not second:
        return []
    added = shares(here, there)
    ranked = sorted(added, key=lambda pair: (-added[pair], pair))[:SHOWN]
    return [
        {
            "first": _spelled(pair[0]),
            "then": _spelled(pair[1]),
            "simulated": round(here[pair] / first, 6),
            "real": round(there[pair] / second, 6),
            "adds": round(added[pair], 6),
        }
        for pair in ranked
    ]


def _vocabulary(one: Counter[str], other: Counter[str]) -> Result:
    return {
        "simulated": len(one),
        "real": len(other),
        "both": len(one.keys() & other.keys()),
        "real_covered": _rounded(covered(other, one)),
        "simulated_covered": _rounded(covered(one, other)),
        "only_real": _most(other, one),
        "only_simulated": _most(one, other),
    }


def _most(words: Counter[str], without: Mapping[str, int]) -> dict[str, int]:
    alone = ((word, n) for word, n in words.items() if word not in without)
    return dict(sorted(alone, key=lambda item: (-item[1], item[0]))[:SHOWN])


def _ordered(one: Counter[Any], other: Counter[Any]) -> list[Result]:
    ranked = sorted(orders(one, other), key=lambda row: (-abs(row[1] - row[2]), row[0]))
    return [
        {"of": owner, "first": a, "then": b, "simulated": round(p, 4), "real": round(q, 4), "n": n}
        for (owner, a, b), p, q, n in ranked[:SHOWN]
    ]


def _mean(histogram: Counter[int]) -> Any:
    return spread(histogram).get("mean")


def _spelled(step: Step) -> str:
    agent, acts = step
    return f"{agent}: {acts}" if acts else agent


def _rounded(value: float | None) -> float | None:
    return ratio(value, 1) if value is not None else None
