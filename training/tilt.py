"""Fit how simulated speakers choose among drafts, and how often a grammar's ways are drafted.

    python training/tilt.py corpora/sgd/train sgd user en-acts-user --ways 2

Half of the corpus, by the digest of its dialogues' ids, is read. A run of the preset gives the
drafts of each turn; the weights of words and word pairs are those of the exponential tilt under
which the drafts have these features as often as real turns with the same acts (the maximum of a
concave likelihood; Berger et al. 1996). A feature has a weight for all turns, and one more for
turns of some acts where these differ. `--ways` moves the weights of the grammar's ways first, by
how much more often a way is in drafts under the tilt than in drafts as they come. No text of the
corpus is written.
"""

from __future__ import annotations

import argparse
import json
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import fitting
import numpy as np
from dyed import GrammarFile, dye
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from dialoom import load
from dialoom.dialogue import Utterance, digest
from dialoom.dialogue.views import parts
from dialoom.sim.core import grammar as grammars
from dialoom.sim.core.manner import VALUE, Manner, features, masked
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.policies.agenda import phrases

LANG = Path(__file__).parent.parent / "src/dialoom/lang"

DRAFTS = 20
"""Drafts of a turn."""

RAREST = 12
"""Least real turns with a feature that gets a weight; for the turns of some acts as well."""

PRIOR = 0.002
"""Precision of the weights' Gaussian prior, for each pool; weights for some acts have twice it."""

LARGEST = 3.0
"""Bound of a weight: what the grammar cannot say often enough would have an endless one."""

SMALLEST = 0.12
"""Weights that are nearer to zero are not written."""

Turn = tuple[str, frozenset[str]]
"""The acts of a turn, and its features."""

Pool = tuple[str, list[str]]
"""The acts of a turn, and its drafts."""


def real_turns(corpus: Path, agent: str, most: int) -> list[Turn]:
    """Return the turns of one side in the counted half of a corpus."""
    found: list[Turn] = []
    for dialogue in load(corpus).dialogues():
        if int(digest(dialogue.id), 16) % 2 or len(found) >= most:
            continue
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == agent and event.text.strip():
                names = sorted({act.name for part in parts(event) for act in part.acts or ()})
                found.append(("+".join(names), frozenset(features(_without_values(event)))))
    return found


def _without_values(event: Utterance) -> str:
    """Return the text of a turn with `#` for its values, names and numbers."""
    text = event.text
    spans = sorted({(s.start, s.end) for part in parts(event) for s in part.spans or ()})
    for start, end in reversed(spans):
        text = f"{text[:start]}{VALUE}{text[end:]}"
    for part in parts(event):
        for act in part.acts or ():
            for value in [str(v) for each in act.arguments for v in each.values]:
                text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", VALUE, text, flags=re.IGNORECASE)
    return masked(text)


def pools(preset: str, agent: str, part: str, number: int, seed: int) -> list[Pool]:
    """Return the drafts of each turn of a run, dyed with their ways."""
    found: list[Pool] = []
    plain = Manner.sums

    def sums(
        self: Manner, drafts: Sequence[str], acts: str = "", *, whole: bool = True
    ) -> array[int]:
        if self is wanted and whole:
            found.append((acts, list(drafts)))
        return plain(self, drafts[:1], acts, whole=whole)

    file = GrammarFile(LANG / f"{part}.json")
    dye(file)
    phrases.POOLS = grammars.POOLS = 1 << 40
    phrases.POOL = grammars.DRAFTS = DRAFTS
    grammars.speech.cache_clear()
    wanted = grammars.speech("en", part.removeprefix("en-")).manner
    setattr(Manner, "sums", sums)  # noqa: B010 (mypy: methods are not assigned to)
    make = PRESETS.get(preset).plan(Request(number=number, seed=seed)).source()
    for index in range(number):
        make(index)
    setattr(Manner, "sums", plain)  # noqa: B010
    return found


class Tilt:
    """The likelihood of real turns under tilted drafts.

    Args:
        real: Real turns.
        drafts: The acts of each pool, and the features of its drafts.
    """

    def __init__(self, real: Iterable[Turn], drafts: Sequence[tuple[str, list[set[str]]]]) -> None:
        self.sizes = Counter(acts for acts, _ in drafts)
        turns: Counter[str] = Counter()
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for acts, held in real:
            if acts in self.sizes:
                turns[acts] += 1
                counts[acts].update(held)
        self.drafts = [(acts, held) for acts, held in drafts if turns[acts] >= RAREST]
        mentions = Counter(name for _, held in self.drafts for each in held for name in each)
        totals: Counter[str] = Counter()
        for own in counts.values():
            totals.update(own)
        self.names = [n for n, many in totals.items() if many >= RAREST and mentions[n]]
        known = set(self.names)
        self.names += [
            f"{acts}|{name}"
            for acts, own in counts.items()
            for name, many in own.items()
            if many >= RAREST and name in known
        ]
        self.places = {name: at for at, name in enumerate(self.names)}
        self.wanted = np.zeros(len(self.names))
        for acts, own in counts.items():
            for name, many in own.items():
                share = self.sizes[acts] * many / turns[acts]
                for full in (name, f"{acts}|{name}"):
                    if full in self.places:
                        self.wanted[self.places[full]] += share
        self.rows = self._rows()
        base = PRIOR * len(self.drafts)
        self.prior = np.array([base * (2 if "|" in name else 1) for name in self.names])

    def _rows(self) -> csr_matrix:
        columns: list[int] = []
        ends = [0]
        for acts, held in self.drafts:
            for each in held:
                names = (full for name in each for full in (name, f"{acts}|{name}"))
                columns += [self.places[name] for name in names if name in self.places]
                ends.append(len(columns))
        shape = (len(ends) - 1, len(self.names))
        return csr_matrix((np.ones(len(columns)), columns, ends), shape=shape)

    def chosen(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log sum over all pools, and how likely each draft is chosen in its pool."""
        scores = (self.rows @ weights).reshape(-1, DRAFTS)
        best = scores.max(axis=1, keepdims=True)
        shares = np.exp(scores - best)
        sums = shares.sum(axis=1, keepdims=True)
        return float((np.log(sums) + best).sum()), (shares / sums).ravel()

    def fit(self, start: dict[str, float]) -> np.ndarray:
        """Return the most likely weights."""

        def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
            total, shares = self.chosen(weights)
            value = total - weights @ self.wanted + weights @ (self.prior * weights) / 2
            return float(value), self.rows.T @ shares - self.wanted + self.prior * weights

        first = np.array([start.get(name, 0.0) for name in self.names])
        bounds = [(-LARGEST, LARGEST)] * len(first)
        found = minimize(
            loss, first, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 60}
        )
        print(f"{len(self.names)} features, {found.nit} steps", flush=True)
        return np.asarray(found.x)


def move_ways(file: GrammarFile, ways: Sequence[Sequence[int]], shares: np.ndarray) -> None:
    """Write the weights of ways, by how often they are used under the tilt and without it."""
    tilted, plain = np.full(len(file.ways), 2.0), np.full(len(file.ways), 2.0)
    for each, share in zip(ways, shares, strict=True):
        for way in each:
            tilted[way] += share * DRAFTS
            plain[way] += 1
    numbers = {way: at for at, way in enumerate(file.ways)}
    weights = {}
    for symbol, own in file.symbols.items():
        at = [numbers[symbol, way] for way in own]
        if len(at) > 1 and plain[at].max() > 2:
            ratio = tilted[at] / plain[at]
            weights[symbol] = fitting.whole(own, list(ratio**fitting.STEP))
    file.write(weights)


def main() -> None:
    """Fit weights of ways and of words, and write both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("real", type=Path)
    parser.add_argument("preset")
    parser.add_argument("agent", choices=("user", "system"))
    parser.add_argument("part", help="the grammar lang/PART.json; its manner is written as well")
    parser.add_argument("--ways", type=int, default=0, help="rounds that move the ways' weights")
    parser.add_argument("--number", type=int, default=600, help="dialogues of a run")
    parser.add_argument("--most", type=int, default=25_000, help="real turns to count")
    chosen = parser.parse_args()
    real = real_turns(chosen.real, chosen.agent, chosen.most)
    found: dict[str, float] = {}
    for number in range(chosen.ways + 1):
        made = pools(chosen.preset, chosen.agent, chosen.part, chosen.number, 300 + number)
        file = GrammarFile(LANG / f"{chosen.part}.json")
        read = [(acts, [file.read(draft) for draft in drafts]) for acts, drafts in made]
        tilt = Tilt(real, [(acts, [set(features(text)) for text, _ in own]) for acts, own in read])
        weights = tilt.fit(found)
        found = dict(zip(tilt.names, map(float, weights), strict=True))
        if number < chosen.ways:
            ways = [way for acts, own in read if acts in dict(tilt.drafts) for _, way in own]
            move_ways(file, ways, tilt.chosen(weights)[1])
    kept = {name: round(w, 2) for name, w in sorted(found.items()) if abs(w) >= SMALLEST}
    text = json.dumps(kept, ensure_ascii=False, indent=0)
    (LANG / f"{chosen.part}-manner.json").write_text(f"{text}\n")
    print(f"{len(kept)} weights, {len(text):,} bytes")


if __name__ == "__main__":
    main()
