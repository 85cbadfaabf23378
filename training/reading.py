"""Learn the weights by which replies are understood, from sentences of our own alone.

    python training/reading.py                       # writes lang/en-reading.json
    python training/reading.py --check CORPORA/star  # accuracy on real wizards' replies,
                                                     # each task read by what the others teach

Sentences come from the bundled task files (each template is read by the others of its node),
`functions-en.json` (what sentences do, in any task), `replies-en.json` (replies of the bundled
tasks in other words), and questions made of the slots' descriptions. No corpus is read but by
`--check`, which learns nothing from it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from scipy.optimize import minimize
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from dialoom.flow.program import program_of
from dialoom.reading.function_scorer import (
    NAMES,
    SHARED,
    FunctionScorer,
    ReadingWeights,
    evidence,
    features_of,
    shared,
)
from dialoom.reading.profile import Profiles, Speaker
from dialoom.reading.purpose import PURPOSES, purposes
from dialoom.reading.turn import TurnReader
from dialoom.reading.wording import NAME, NUMBER, SentenceWords, word_reader, wording_of
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.task_speech import task_speech
from dialoom.sim.policies.flow.voice import Voice

HERE = Path(__file__).parent
LANG = HERE.parent / "src/dialoom/lang"

FOLDS = 4
"""Parts of the tasks: functions of a part's sentences are scored by what the other parts teach."""

STRENGTH = 3.0
"""Inverse strength of the penalty on the weights of functions (scikit-learn's C)."""

PENALTY = 4.0
"""Strength of the penalty on the squared weights of the evidence."""

EITHER = ("open text", "unexplained words, open", "concepts explained")
"""Evidence whose weight may be negative; all other kinds only speak for a reply."""

SMALLEST = 10
"""Weights of functions below so many hundredths are dropped."""

SMALLEST_SHARED = 12
"""The same for the weights of any language, which have no words and are larger."""

SWAPPED = 0.35
"""Share of the words of a description that are replaced by others of their concept."""

ASKED = 6
"""Questions made for each slot, and for each noun of `shapes-en.json`."""

STATEMENTS = ("{what} is {value}.", "The {bare} of it is {value}.")
ARTICLES = ("the", "a", "an")

COMPOSED = 90
"""Sentences put together of parts, for each function that has some."""

DRAWS, FEW, WEIGHT = 40, 10, 3
"""Turns drawn for each node and for each symbol of small talk, and how often sentences of our own
count."""

SMALLEST_PURPOSE = 15
"""Weights of purposes below so many hundredths are dropped."""

ASIDE, ASIDES = (
    "zzz",
    (
        *("reason", "fact", "story", "remark", "feeling", "hope", "but", "also", "so", "want-also"),
        *("small-question", "machine", "after"),
    ),
)
"""A word that stands for small talk within a turn, and the grammar's symbols for small talk."""

SYMBOLS = {"chat": "chat", "vague": "vague", "bare-open": "open", "forgotten": "none"}
"""Further symbols to the purposes of what they say."""

PURPOSE_OF = {
    "intent": "open",
    "greeting": "open",
    "affirm": "yes",
    "negate": "no",
    "indifferent": "none",
    "goodbye": "leave",
    "small_talk": "chat",
    "not_understood": "detail",
}
"""Function of `functions-en.json` to the purpose; others are called alike."""

Line = tuple[str, SentenceWords]
"""The action of a reply, and a wording of it."""


class Choice(NamedTuple):
    """The evidence for each reply of a task, a row each, and the number of the right one."""

    rows: np.ndarray
    right: int


def tasks() -> list[TaskSchema]:
    """Return the bundled tasks in English."""
    held = [pack.resolve(name) for name in pack.expand(["all"])]
    return [task for task in held if task.language == "en"]


def exemplars(speaker: Speaker) -> list[Line]:
    """Return label and wording of the sentences that hold for any task."""
    held: dict[str, dict[str, list[str]]] = json.loads((HERE / "functions-en.json").read_text())
    own = held[speaker].items()
    return [(label, wording_of(text)) for label, texts in own for text in texts]


def shapes() -> dict[str, Any]:
    """Return the shapes of sentences, and what questions ask for, by its kind."""
    held: dict[str, Any] = json.loads((HERE / "shapes-en.json").read_text())
    return held


def made_sentences(rng: random.Random) -> Iterator[Line]:
    """Yield label and wording of questions of every kind and of sentences put together."""
    held = shapes()
    for kind, nouns in held["kinds"].items():
        for noun in nouns:
            for shape in rng.sample(held["shapes"], ASKED):
                yield f"request:{kind}", wording_of(shape.format(n=noun))
    for noun in held["yes_no"]:
        for shape in rng.sample(held["yes_no_shapes"], ASKED):
            yield "request:boolean", wording_of(shape.format(n=noun))
    for label, parts in held["composed"].items():
        for _ in range(COMPOSED):
            yield label, wording_of("".join(map(rng.choice, parts)))


def replies() -> dict[str, dict[str, list[str]]]:
    """Return task to node to further wordings of it."""
    file = HERE / "replies-en.json"
    held: dict[str, dict[str, list[str]]] = json.loads(file.read_text()) if file.exists() else {}
    return held


def own_lines(task: TaskSchema) -> list[Line]:
    """Return further wordings of a task's replies, values as they would be said."""
    return [
        (action, wording_of(text))
        for action, texts in replies().get(task.id, {}).items()
        for text in texts
    ]


def learn_functions(
    taught: Sequence[TaskSchema], speaker: Speaker, *, any_language: bool = False
) -> ReadingWeights:
    """Learn what sentences do from the replies of some tasks and from those of any task.

    Small talk is known by its words alone, so it is no function in weights for any language.
    """
    lines = exemplars(speaker)
    lines += made_sentences(random.Random(1)) if speaker == "system" else ()
    for task in taught:
        profiles = Profiles(task, speaker).replies
        for reply in profiles.values():
            lines += [(reply.label, wording) for wording in reply.templates if reply.label]
        lines += [
            (profiles[action].label, wording)
            for action, wording in own_lines(task)
            if action in profiles and profiles[action].label
        ]
    if any_language:
        lines = [line for line in lines if line[0] != "small_talk"]
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform(
        {n: v for n, v in features_of(wording) if not any_language or shared(n)}
        for _, wording in lines
    )
    model = LogisticRegression(C=STRENGTH, max_iter=500, tol=1e-3, class_weight="balanced")
    model.fit(rows, [label for label, _ in lines])
    features: dict[str, dict[int, int]] = {}
    smallest = SMALLEST_SHARED if any_language else SMALLEST
    for place, name in enumerate(vectorizer.feature_names_):
        held = {n: round(100 * float(w)) for n, w in enumerate(model.coef_[:, place])}
        kept = {n: weight for n, weight in held.items() if abs(weight) >= smallest}
        if kept:
            features[name] = kept
    return ReadingWeights(
        labels=tuple(map(str, model.classes_)),
        bias=tuple(round(float(bias), 2) for bias in model.intercept_),
        features=features,
    )


def made_lines(task: TaskSchema, rng: random.Random) -> Iterator[Line]:
    """Yield questions for slots and statements of values, made of their descriptions."""
    for reply in Profiles(task, "system").replies.values():
        if reply.asks:
            what = _varied(task.slots[reply.asks[0]].description, rng)
            bare = " ".join(word for word in what.split() if word not in ARTICLES)
            kind = "yes_no_shapes" if reply.asked_kind == "boolean" else "shapes"
            for shape in rng.sample(shapes()[kind], ASKED):
                yield reply.action, wording_of(shape.format(n=bare))
        elif reply.function == "inform" and 0 < len(reply.stated) <= 2:
            bare = " ".join(reply.stated[0].stems[:2])
            value = NUMBER if any(t.values.get(NUMBER) for t in reply.templates) else NAME
            for shape in STATEMENTS:
                value = rng.choice(sorted(reply.listed) or [value])
                text = shape.format(what=f"the {bare}", bare=bare, value=value)
                yield reply.action, wording_of(text)


def _varied(text: str, rng: random.Random) -> str:
    vocabulary, groups = word_reader("en"), _groups()
    found = []
    for word in text.split():
        numbers = sorted(set(vocabulary.concepts((vocabulary.stem(word),))))
        if numbers and vocabulary.stem(word) not in vocabulary.stop and rng.random() < SWAPPED:
            single = [other for other in groups[rng.choice(numbers)] if " " not in other]
            word = rng.choice(single) if single else word
        found.append(word)
    return " ".join(found)


def _groups() -> list[list[str]]:
    held: list[list[str]] = json.loads((LANG / "en-concepts.json").read_text())["groups"]
    return held


def choices(
    task: TaskSchema, speaker: Speaker, scorer: FunctionScorer, rng: random.Random
) -> Iterator[Choice]:
    """Yield what is to be decided for the sentences of a task."""
    whole = Profiles(task, speaker)
    made = (*made_lines(task, rng), *own_lines(task)) if speaker == "system" else ()
    for action, wording in made:
        if action in whole.replies:
            yield _choice(whole, action, wording, scorer)
    for action, reply in whole.replies.items():
        for number, wording in enumerate(reply.templates):
            yield _choice(Profiles(task, speaker, (action, number)), action, wording, scorer)


def _choice(
    profiles: Profiles, action: str, wording: SentenceWords, scorer: FunctionScorer
) -> Choice:
    rows = evidence(profiles, wording, scorer)
    return Choice(np.array(list(rows.values())), list(rows).index(action))


def learn_evidence(
    taught: Sequence[TaskSchema], speaker: Speaker, *, any_language: bool, seed: int = 1
) -> dict[str, float]:
    """Learn the weights of the evidence; functions of a task are scored by the other tasks."""
    rng, held = random.Random(seed), []
    for fold in range(FOLDS):
        apart = taught[fold::FOLDS]
        others = [task for task in taught if task not in apart]
        scorer = FunctionScorer(learn_functions(others, speaker, any_language=any_language))
        held += [choice for task in apart for choice in choices(task, speaker, scorer, rng)]
    return dict(zip(NAMES, map(float, _fit(held)), strict=True))


def _fit(held: Sequence[Choice]) -> np.ndarray:
    """Maximise the likelihood of the right replies, on evidence of unit variance."""
    spread = np.vstack([choice.rows for choice in held]).std(axis=0) + 1e-6
    scaled = [Choice(rows / spread, right) for rows, right in held]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = PENALTY * weights @ weights / 2, PENALTY * weights
        for rows, right in scaled:
            scores = rows @ weights
            scores -= scores.max()
            shares = np.exp(scores) / np.exp(scores).sum()
            total -= math.log(shares[right] + 1e-12)
            slope = slope + shares @ rows - rows[right]
        return float(total), slope

    start = np.zeros(len(NAMES))
    bounds = [(None if name in EITHER else 0.0, None) for name in NAMES]
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: np.ndarray = best.x / spread
    return weights.round(4)


def learn(
    taught: Sequence[TaskSchema], speaker: Speaker, *, any_language: bool = False
) -> ReadingWeights:
    """Learn the weights for a speaker from some tasks; for any language, without the words."""
    functions = learn_functions(taught, speaker, any_language=any_language)
    found = learn_evidence(taught, speaker, any_language=any_language)
    return msgspec.structs.replace(functions, evidence=found)


def purpose_lines(task: TaskSchema) -> Iterator[Line]:
    """Yield purpose and wording of users' turns: a task's own, and as the grammar says them."""
    program, profiles = program_of(task), Profiles(task, "user")
    rng, grammar = SeededRng(task.id.encode(), b"purposes"), speech("en")
    voice = Voice(task_speech(program), grammar.overlaid({k: [ASIDE] for k in ASIDES}), rng)
    for step in program.steps.values():
        purpose, plain = purposes(program)[step.name], [s for s in step.lines if not s.outputs]
        texts = list(step.node.texts) if purpose else []
        for number in range(DRAWS if purpose and plain else 0):
            line, fresh = plain[number % len(plain)], number % 2 == 0 and step is program.first
            texts.append(voice.general(step, line, fresh=fresh))
        yield from ((purpose, profiles.wording(text)) for text in texts if text)
    for symbol in (*ASIDES, *SYMBOLS):
        for text in (grammar.template(symbol, rng) for _ in range(FEW)):
            yield SYMBOLS.get(symbol, "chat"), wording_of(text)


def learn_purposes(taught: Sequence[TaskSchema]) -> ReadingWeights:
    """Learn what users' turns are for, from some tasks and from sentences of our own."""
    lines = [line for task in taught for line in purpose_lines(task)]
    for label, wording in exemplars("user"):
        function = label.partition(":")[0]
        lines += [(PURPOSE_OF.get(function, function), wording)] * WEIGHT
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform(dict(features_of(wording)) for _, wording in lines)
    model = LogisticRegression(max_iter=200, tol=1e-3, class_weight="balanced")
    model.fit(rows, [purpose for purpose, _ in lines])
    features: dict[str, dict[int, int]] = {}
    for place, name in enumerate(vectorizer.feature_names_):
        held = {n: round(100 * float(w)) for n, w in enumerate(model.coef_[:, place])}
        kept = {n: weight for n, weight in held.items() if abs(weight) >= SMALLEST_PURPOSE}
        if kept and ASIDE not in name:
            features[name] = kept
    return ReadingWeights(
        labels=tuple(map(str, model.classes_)),
        bias=tuple(round(float(bias), 2) for bias in model.intercept_),
        features=features,
    )


def lines_of(star: Path) -> dict[str, dict[str, list[str]]]:
    """Return task to action to at most 20 different replies that real wizards picked."""
    rng = random.Random(3)
    found: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for file in sorted((star / "dialogues").glob("*.json")):
        dialogue = json.loads(file.read_text())
        able = dialogue["Scenario"]["WizardCapabilities"]
        if len(able) != 1:
            continue
        for event in dialogue["Events"]:
            if event["Agent"] == "Wizard" and event["Action"] == "pick_suggestion":
                text = " ".join(event["Text"].split())
                found[able[0]["Task"]][event["ActionLabel"]].add(text)
    return {
        task: {a: rng.sample(sorted(t), min(20, len(t))) for a, t in sorted(labels.items())}
        for task, labels in found.items()
    }


def check(lines: Path, *, show: bool) -> float:
    """Print the accuracy on replies, over actions and then tasks; return the mean.

    Args:
        lines: A folder of STAR's dialogues, or a JSON file with task to action to replies.
        show: Whether what was misread is printed.
    """
    known = {task.id: task for task in tasks()}
    found = lines_of(lines) if lines.is_dir() else json.loads(lines.read_text())
    scores: dict[str, float] = {}
    for fold in range(FOLDS):
        apart = sorted(known)[fold::FOLDS]
        asked = [name for name in apart if name in found]
        if not asked:
            continue
        learned = learn([task for name, task in known.items() if name not in apart], "system")
        for name in asked:
            reader = TurnReader(known[name], "system", learned)
            scores[name] = _accuracy(reader, found[name], show=show)
    for name, score in sorted(scores.items()):
        print(f"  {name:24} {score:5.1f}")
    mean = sum(scores.values()) / len(scores)
    print(f"{mean:.1f} % over {len(scores)} tasks")
    return mean


def _accuracy(reader: TurnReader, labels: dict[str, list[str]], *, show: bool) -> float:
    right: list[float] = []
    for action, texts in labels.items():
        if action not in reader.profiles.replies:
            continue
        read = [reader.read(text).action for text in texts]
        right.append(100 * sum(each == action for each in read) / len(read))
        wrong = [(r, t) for r, t in zip(read, texts, strict=True) if show and r != action]
        for other, text in wrong:
            print(f"    {reader.task.id} {action} -> {other} | {text[:100]}")
    return sum(right) / len(right)


def main(arguments: Iterable[str] | None = None) -> None:
    """Learn from all tasks and write the weights, or check on real replies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=Path, metavar="LINES", help="STAR, or a JSON file")
    parser.add_argument("--show", action="store_true", help="print what was misread")
    parser.add_argument("--out", type=Path, default=LANG / "en-reading.json")
    given = parser.parse_args(None if arguments is None else list(arguments))
    if given.check is not None:
        check(given.check, show=given.show)
        return
    speakers: tuple[Speaker, ...] = ("system", "user")
    learned: dict[str, ReadingWeights] = {speaker: learn(tasks(), speaker) for speaker in speakers}
    for each in speakers:
        learned[SHARED.format(speaker=each)] = learn(tasks(), each, any_language=True)
    learned[PURPOSES] = learn_purposes(tasks())
    given.out.write_bytes(msgspec.json.encode(learned) + b"\n")
    print(f"{given.out}: {given.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
