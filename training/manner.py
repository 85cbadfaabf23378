"""Fit how people word things: the weights by which simulated drafts are chosen.

    python training/manner.py REAL star user en-speech --scenario mixed
    python training/manner.py REAL sgd user en-automaton-user --rounds 8

REAL is a corpus in any format. Half of its dialogues, by the digest of
their ids, are counted; the other half is left for measuring. Each round simulates as many
dialogues, fits a logistic regression that tells real turns from simulated ones by words and word
pairs, and moves the weights by its coefficients: the maximum-likelihood ascent of an exponential
tilt (Della Pietra et al. 1997). No text of the corpus is written, only weights of features that
the grammar itself can make. `training/manners.py report` shows what it lacks.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from dialoom import load
from dialoom.dialogue import Utterance, digest
from dialoom.sim.core.manner import features, masked

LANG = Path(__file__).parent.parent / "src/dialoom/lang"

STEP = 0.7
"""Share of the coefficients that a round adds."""

STRENGTH = 0.3
"""Inverse strength of the regression's penalty (scikit-learn's C)."""

RAREST = 8
"""Least turns with a feature that gets a weight."""

SMALLEST = 0.05
"""Weights that are nearer to zero are not written."""

Turns = list[str]


def turns(corpus: Path, agent: str, *, counted: bool = False) -> Turns:
    """Return the masked turns of one side; of the counted half of the dialogues only, if wished."""
    return [
        masked(event.text)
        for dialogue in load(corpus).dialogues()
        if not counted or int(digest(dialogue.id), 16) % 2 == 0
        for event in dialogue.events
        if isinstance(event, Utterance) and event.agent == agent and event.text.strip()
    ]


def simulated(preset: str, agent: str, number: int, seed: int, options: Sequence[str]) -> Turns:
    """Simulate dialogues with the weights as they are written, and return the turns of one side."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "simulated"
        command = [sys.executable, "-m", "dialoom", "simulate", "--preset", preset, *options]
        command += ["-n", str(number), "--seed", str(seed), "--to", "native", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return turns(out, agent)


def moved(weights: dict[str, float], real: Turns, made: Turns) -> tuple[dict[str, float], float]:
    """Return the weights after a round, and the AUROC of its regression on its own turns."""
    counter = CountVectorizer(
        analyzer=lambda text: list(features(text)), binary=True, min_df=RAREST
    )
    rows = counter.fit_transform([*real, *made])
    labels = np.array([True] * len(real) + [False] * len(made))
    judge = LogisticRegression(C=STRENGTH, max_iter=300, class_weight="balanced").fit(rows, labels)
    seen = np.asarray(rows[len(real) :].sum(axis=0)).ravel()
    found = dict(weights)
    for name, change, times in zip(
        counter.get_feature_names_out(), judge.coef_[0], seen, strict=True
    ):
        if times:
            found[name] = found.get(name, 0.0) + STEP * float(change)
    return found, float(roc_auc_score(labels, judge.decision_function(rows)))


def main() -> None:
    """Fit the weights, a round after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("real", type=Path)
    parser.add_argument("preset")
    parser.add_argument("agent", choices=("user", "system"))
    parser.add_argument("part", help="the manner's file is lang/PART-manner.json")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--number", type=int, default=800)
    chosen = parser.parse_args()
    options = ["--scenario", chosen.scenario] if chosen.scenario else []
    real = turns(chosen.real, chosen.agent, counted=True)
    file = LANG / f"{chosen.part}-manner.json"
    weights: dict[str, float] = json.loads(file.read_text()) if file.exists() else {}
    for seed in range(100, 100 + chosen.rounds):
        made = simulated(chosen.preset, chosen.agent, chosen.number, seed, options)
        weights, score = moved(weights, real[: 2 * len(made)], made)
        kept = {name: round(w, 2) for name, w in sorted(weights.items()) if abs(w) >= SMALLEST}
        file.write_text(json.dumps(kept, ensure_ascii=False, indent=0) + "\n")
        print(f"seed {seed}: AUROC on its own turns {score:.3f}, {len(kept)} weights", flush=True)


if __name__ == "__main__":
    main()
