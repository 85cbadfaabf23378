"""What the schema follower loses without each of its rules, word lists and constants.

python benchmarks/ablations.py [--quick] [--json FILE] [--corpus DIR] [NAME ...]

Domains are drawn in two parts: dialogues of the one are learnt from, of the other asked about, a
sample of each. Rules and word lists are left out one at a time (`-M without=NAME`), constants are
halved and doubled. A difference has the standard error of a mean over dialogues: what is within two
of these, or within that of another seed, is nothing. Without a corpus dialogues are simulated.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from unittest.mock import patch

from _measure import options_parser

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.protocol import Plan, Target, examples, questions
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.flow import action_view as links
from dialoom.models.follower import Follower, similarity, slots
from dialoom.models.follower.rules import RULES
from dialoom.schema.lexicon import word_lists

CONSTANTS = {
    "links.LEAST": (links, "LEAST"),
    "slots.LEAST": (slots, "LEAST"),
    "similarity.MATCHED": (similarity, "MATCHED"),
    "slots.MANY": (slots, "MANY"),
}
"""What was set by hand: the least overlap of a link, the least confidence of a mention, the least
likeness of a typed reply, and how many replies a common word is in."""

LEARNT, ASKED = 200, 150
QUICK_LEARNT, QUICK_ASKED = 20, 10
DRAWN = 3
"""The seed that domains are drawn with."""


@dataclass(frozen=True)
class Sample:
    """Questions of two parts of the domains."""

    data: Plan
    learnt: Sequence[Target]
    asked: Sequence[Target]

    def answers(self, without: Sequence[str] = (), seed: int = 0) -> list[str]:
        """Return what a follower answers."""
        model = Follower(members=1, without=tuple(without), seed=seed)
        model.fit(examples(self.learnt), self.data.schemas)
        return [each.answer for each in model.predict(questions(self.asked), self.data.schemas)]

    def right(self, answers: Iterable[str]) -> list[bool]:
        """Tell which answers are right."""
        return [one == target.gold for one, target in zip(answers, self.asked, strict=True)]


def main() -> None:
    parser = options_parser(__doc__, quick="smaller samples")
    parser.add_argument("names", nargs="*", metavar="NAME", help="leave out these only")
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", default=os.environ.get("DIALOOM_CORPORA") or None
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = options.corpus
        if corpus is None:
            corpus = Path(folder) / "simulated"
            simulate(Simulated("star", 60, tasks="hotel_book,weather,trivia"), corpus)
        taken = sample(corpus, quick=options.quick)
    found = dict(differences(taken, options.names))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2))


def sample(corpus: Path, *, quick: bool) -> Sample:
    """Draw domains to learn from and to ask about, and dialogues of each."""
    protocol = PROTOCOLS.get("star-zero-shot-domain")
    data = protocol.plan(open_data(protocol, corpus), protocol.settings(form="published"))
    parts = {holdout.name: holdout.test for holdout in data.holdouts}
    names = random.Random(DRAWN).sample(sorted(parts), len(parts))
    half = max(1, 2 * len(names) // 5)
    sizes = (QUICK_LEARNT, QUICK_ASKED) if quick else (LEARNT, ASKED)
    learnt = drawn([t for name in names[half:] for t in parts[name]], sizes[0])
    asked = drawn([t for name in names[:half] for t in parts[name]], sizes[1])
    print(f"learnt from {', '.join(names[half:])}: {len(learnt)} questions")
    print(f"asked about {', '.join(names[:half])}: {len(asked)} questions")
    return Sample(data, learnt, asked)


def drawn(targets: Sequence[Target], number: int) -> list[Target]:
    """Return the questions of some dialogues, drawn with a seed."""
    ids = sorted({target.source for target in targets})
    kept = set(random.Random(DRAWN).sample(ids, min(number, len(ids))))
    return [target for target in targets if target.source in kept]


def differences(taken: Sample, names: Sequence[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """Print and yield what the accuracy loses without each, in points."""
    base = taken.right(taken.answers())
    print(f"{'all':28}{100 * fmean(base):6.2f}", flush=True)
    for name, answers in variants(taken, names):
        right = taken.right(answers)
        by_dialogue: dict[str, int] = {}
        for target, one, other in zip(taken.asked, right, base, strict=True):
            by_dialogue[target.source] = by_dialogue.get(target.source, 0) + one - other
        change = 100 * (fmean(right) - fmean(base))
        error = 100 * pstdev(by_dialogue.values()) * len(by_dialogue) ** 0.5 / len(base)
        print(f"{name:28}{change:+6.2f}  (s.e. {error:.2f})", flush=True)
        yield name, {"change": change, "error": error}


def variants(taken: Sample, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the answers with another seed, and without each rule, list and constant."""
    yield "another seed", taken.answers(seed=1)
    for name in (*RULES, *word_lists()):
        if not names or name in names:
            yield name, taken.answers([name])
    for name, (module, constant) in CONSTANTS.items():
        for factor in (0.5, 2.0) if not names or name in names else ():
            with patch.object(module, constant, factor * getattr(module, constant)):
                yield f"{name} x {factor:g}", taken.answers()


if __name__ == "__main__":
    main()
