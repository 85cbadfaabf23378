"""Fit how people word things: the weights by which simulated drafts are chosen.

    python training/manner.py REAL star user en-speech --scenario mixed --typed
    python training/manner.py REAL sgd user en-automaton-user --rounds 8

REAL is a corpus in any format. Half of its dialogues, by the digest of
their ids, are read; the other half is left for measuring. Each round simulates
dialogues, fits a logistic regression that tells real turns from simulated ones by words and word
pairs, and moves the weights by its coefficients: the maximum-likelihood ascent of an exponential
tilt (Della Pietra et al. 1997). A fifth of the half is kept for a judge of each round; the mean of
the later half of the rounds is written. No text of the corpus is written, only weights of features
that the grammar itself can make. `training/manners.py report` shows what it lacks.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from dialoom import load
from dialoom.dialogue import Utterance, digest
from dialoom.dialogue.views import parts as turn_parts
from dialoom.quality.distance.judge import judge
from dialoom.sim.core.manner import VALUE, features

LANG = Path(__file__).parent.parent / "src/dialoom/lang"

STEP = 0.4
"""Share of the coefficients that a round adds."""

STRENGTH = 0.3
"""Inverse strength of the regression's penalty (scikit-learn's C)."""

RAREST = 8
"""Least turns with a feature that gets a weight."""

SMALLEST = 0.05
"""Weights that are nearer to zero are not written."""

WIDEST = 98
"""Most characters of a line of the file."""

PARTS = 5
"""One in so many dialogues of the half that is read is kept for the judge."""

JUDGED = 300
"""Most dialogues of either side that a round's judge reads."""

PROPER = 0.8
"""Least share of a word's uses within sentences that have a capital, for a name."""

_INSIDE = re.compile(r"(?<=[a-z,] )[A-Za-z][\w'’]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Spoken = list[list[Utterance]]
"""The turns of one side in each dialogue."""


def spoken(corpus: Path, agent: str) -> dict[str, list[Utterance]]:
    """Return the turns of one side in each dialogue, by its id."""
    found: dict[str, list[Utterance]] = {}
    for dialogue in load(corpus).dialogues():
        said = [each for each in dialogue.events if isinstance(each, Utterance)]
        if own := [each for each in said if each.agent == agent and each.text.strip()]:
            found[str(dialogue.id)] = own
    return found


def divided(real: dict[str, list[Utterance]]) -> tuple[Spoken, Spoken]:
    """Return the dialogues that are learned from, and those for the judge of a round."""
    numbers = {name: int(digest(name), 16) for name in real}
    half = [name for name, number in numbers.items() if number % 2 == 0]
    kept = {name for name in half if numbers[name] // 2 % PARTS == 0}
    return [real[name] for name in half if name not in kept], [real[name] for name in sorted(kept)]


def names_of(texts: Iterable[str]) -> set[str]:
    """Return the words that have a capital within sentences, in small letters."""
    words = Counter(word for text in texts for word in _INSIDE.findall(text))
    small = Counter({word: many for word, many in words.items() if word[0].islower()})
    capital: Counter[str] = Counter()
    for word, many in words.items():
        if word[0].isupper() and not re.match(r"I\b", word):
            capital[word.lower()] += many
    return {word for word, many in capital.items() if many > PROPER * (many + small[word])}


def masked(text: str, names: set[str]) -> str:
    """Return a text with `#` for its numbers and for names, which may be of several words."""
    text = _WORD.sub(lambda each: VALUE if each[0].lower() in names else each[0], text)
    return re.sub(rf"(?:{VALUE}[ -]?)+(?<! )", VALUE, re.sub(r"\d+", VALUE, text))


def simulated(preset: str, agent: str, number: int, seed: int, options: Sequence[str]) -> Spoken:
    """Simulate dialogues with the weights as they are written, and return the turns of one side."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "simulated"
        command = [sys.executable, "-m", "dialoom", "simulate", "--preset", preset, *options]
        command += ["-n", str(number), "--seed", str(seed), "--to", "native", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return list(spoken(out, agent).values())


def drafts_of(dialogues: Spoken, names: set[str], *, typed: bool) -> list[str]:
    """Return the texts of turns as drafts are: with `#` for values, and without what typing adds.

    Args:
        dialogues: The turns.
        names: The words that are names.
        typed: Whether final full stops come of how people type, and not of the grammar.
    """
    found = []
    for turn in (turn for turns in dialogues for turn in turns):
        text = turn.text
        places = {(s.start, s.end) for part in turn_parts(turn) for s in part.spans or ()}
        for start, end in sorted(places, reverse=True):
            text = f"{text[:start]}{VALUE}{text[end:]}"
        text = masked(text, names).strip()
        found.append(text.removesuffix(".") if typed else text)
    return found


def moved(
    weights: dict[str, float], real: Sequence[str], made: Sequence[str]
) -> tuple[dict[str, float], float]:
    """Return the weights after a round, and the AUROC of its regression on its own turns."""
    counter = CountVectorizer(
        analyzer=lambda text: list(features(text)), binary=True, min_df=RAREST
    )
    rows = counter.fit_transform([*real, *made])
    labels = np.array([True] * len(real) + [False] * len(made))
    tells = LogisticRegression(C=STRENGTH, max_iter=100, class_weight="balanced").fit(rows, labels)
    seen = np.asarray(rows[len(real) :].sum(axis=0)).ravel()
    found = dict(weights)
    for name, change, times in zip(
        counter.get_feature_names_out(), tells.coef_[0], seen, strict=True
    ):
        if times:
            found[name] = found.get(name, 0.0) + STEP * float(change)
    return found, float(roc_auc_score(labels, tells.decision_function(rows)))


def written(file: Path, weights: dict[str, float]) -> None:
    """Write weights to a file."""
    kept = {name: round(w, 2) for name, w in sorted(weights.items()) if abs(w) >= SMALLEST}
    lines, line = [], ""
    for name, weight in kept.items():
        each = f"{json.dumps(name, ensure_ascii=False)}: {weight}"
        if line and len(line) + len(each) > WIDEST:
            lines.append(line)
            line = ""
        line = f"{line}, {each}" if line else each
    text = ",\n".join([*lines, line])
    file.write_text(f"{{\n{text}\n}}\n")


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
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--typed", action="store_true", help="the typist adds final full stops")
    parser.add_argument("--number", type=int, default=2400, help="dialogues to simulate in a round")
    chosen = parser.parse_args()
    options = ["--scenario", chosen.scenario] if chosen.scenario else []
    real, kept = divided(spoken(chosen.real, chosen.agent))
    file = LANG / f"{chosen.part}-manner.json"
    weights: dict[str, float] = json.loads(file.read_text()) if file.exists() else {}
    rounds: list[dict[str, float]] = []
    for seed in range(100, 100 + chosen.rounds):
        made = simulated(chosen.preset, chosen.agent, chosen.number, seed, options)
        found = judge(kept[:JUDGED], made[:JUDGED])
        area = found["turn"]["auroc"] if found else 1.0
        names = names_of(turn.text for turns in (*real, *made) for turn in turns)
        both = (drafts_of(turns, names, typed=chosen.typed) for turns in (real, made))
        weights, score = moved(weights, *both)
        rounds.append(weights)
        written(file, weights)
        print(f"seed {seed}: AUROC {area:.3f} of kept ones, {score:.3f} of its own", flush=True)
    later = rounds[-(len(rounds) + 1) // 2 :]  # the mean varies less than each of them
    names = {name for each in later for name in each}
    written(file, {n: sum(each.get(n, 0.0) for each in later) / len(later) for n in names})


if __name__ == "__main__":
    main()
