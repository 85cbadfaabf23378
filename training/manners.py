"""Compare how people and simulated speakers put things, so that a grammar can be mended.

    python training/manners.py report REAL SIMULATED --side user --words   # n-grams by function
    python training/manners.py report CORPORA/sgd/train out --by acts      # n-grams by gold acts
    python training/manners.py rates REAL --side user                      # marks, case, slips
    python training/manners.py fit REAL lang/en-speech.json --number 600 -- --preset star

REAL and SIMULATED are corpora in any format. Only one half of the real dialogues is read, by a hash
of their ids (`--half`), so that the other half can judge; `--without-tasks a,b` leaves tasks out.
An n-gram is listed if it occurs in several dialogues, with names and numbers masked. The reports
are for a writer's eyes: no sentence of a corpus goes into the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import fitting
from dyed import GrammarFile
from typing_rates import rates as rates_of

from dialoom import formats
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.views import parts, tasks
from dialoom.quality.distance.sample import masked

FEWEST = 5
"""Dialogues of one corpus that an n-gram must occur in: rarer ones are one person's words."""

LONGEST = 4
"""Most tokens of an n-gram."""

SAME = 0.8
"""An n-gram is not listed beside another that it contains in this share of its turns."""

RARE = 50
"""Turns of a function in both corpora, below which it is not reported."""

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")

_YES = re.compile(r"(?i)^\W*(?:yes|yeah|yep|yup|sure|ok|okay|correct|right|exactly|perfect|ja)\b")
_NO = re.compile(r"(?i)^\W*(?:no|nope|nah|nein|not really|don['’]?t)\b")
_THANKS = re.compile(r"(?i)\b(?:thanks?|thx|thank you|danke|appreciate)\b")
_CLOSING = re.compile(
    r"(?i)\b(?:good ?bye|bye|see you|take care|tschüss|that(?:['’]?s| is|['’]?ll be| will be) all"
    r"|have an? \w+ (?:day|one|night|evening|weekend|time|trip|stay))\b"
)


class SpokenTurn(NamedTuple):
    """A turn of one side: its dialogue, what it does there, and its text."""

    dialogue: str
    function: str
    text: str


def half_of(dialogue: Dialogue) -> int:
    """Return 0 or 1 by a hash of a dialogue's id."""
    return int(hashlib.md5(str(dialogue.id).encode()).hexdigest(), 16) % 2


def read(path: Path, options: argparse.Namespace, *, half: int | None = None) -> list[Dialogue]:
    """Return the dialogues of a corpus that are neither in the other half nor about other tasks."""
    without = {name for name in options.without_tasks.split(",") if name}
    found: list[Dialogue] = []
    for dialogue in formats.load(path, None).dialogues():
        if half is not None and half_of(dialogue) != half:
            continue
        if without.isdisjoint(tasks(dialogue)):
            found.append(dialogue)
    found.sort(key=lambda each: hashlib.md5(f"order {each.id}".encode()).digest())
    return found[: options.most]


def turns(
    dialogues: Iterable[Dialogue], side: str, *, by_acts: bool = False
) -> Iterator[SpokenTurn]:
    """Yield the turns of one side, each with its function or the names of its acts."""
    for dialogue in dialogues:
        spoken = [each for each in dialogue.events if isinstance(each, Utterance)]
        own = [each for each in spoken if each.agent == side and each.text.strip()]
        ends = {id(own[0]): "opening", id(own[-1]): "closing"} if own else {}
        asked = {
            id(after): before.text.rstrip().endswith("?") for before, after in pairwise(spoken)
        }
        for each in own:
            function = _acts(each) if by_acts else ends.get(id(each), "")
            yield SpokenTurn(
                str(dialogue.id),
                function or function_of(each.text, after_question=asked.get(id(each), False)),
                each.text.strip(),
            )


def function_of(text: str, *, after_question: bool) -> str:
    """Return what a turn does, by its words and by whether it follows a question."""
    for function, pattern in (("yes", _YES), ("no", _NO)):
        if pattern.search(text):
            return function
    if _CLOSING.search(text):
        return "closing"
    if "?" in text:
        return "request"
    if _THANKS.search(text):
        return "thanks"
    return "answer" if after_question else "statement"


def _acts(event: Utterance) -> str:
    return " + ".join(sorted({act.name for part in parts(event) for act in part.acts or ()}))


def tokens_of(text: str, *, marks: bool = True) -> list[str]:
    """Return the words of a masked text, and its marks, between `^` and `$`."""
    return ["^", *(_TOKEN if marks else _WORD).findall(text), "$"]


def grams(tokens: Sequence[str]) -> set[str]:
    """Return the n-grams of a turn's tokens."""
    return {
        " ".join(tokens[at : at + n])
        for n in range(1, LONGEST + 1)
        for at in range(len(tokens) - n + 1)
        if n > 1 or tokens[at] not in "^$"
    }


class Side:
    """The n-grams and whole turns of one corpus in one function."""

    def __init__(self, spoken: Sequence[SpokenTurn], *, marks: bool = True) -> None:
        self.turns = len(spoken)
        self.grams: Counter[str] = Counter()
        self.shapes: Counter[str] = Counter()
        dialogues: dict[str, set[str]] = defaultdict(set)
        for each in spoken:
            tokens = tokens_of(masked(each.text), marks=marks)
            shape = " ".join(tokens)
            self.shapes[shape] += 1
            dialogues[shape].add(each.dialogue)
            for gram in grams(tokens):
                self.grams[gram] += 1
                dialogues[gram].add(each.dialogue)
        self.common = {gram for gram, where in dialogues.items() if len(where) >= FEWEST}

    def rate(self, counted: Counter[str], gram: str) -> float:
        """Return how many of a thousand turns have an n-gram."""
        return 1000 * counted[gram] / self.turns


def excess(more: Side, less: Side) -> Iterator[tuple[float, str]]:
    """Yield the n-grams that one side uses more, with the z-score of their log odds."""
    for gram in more.common:
        if gram not in more.grams:
            continue
        a, b = more.grams[gram] + 0.5, less.grams[gram] + 0.5
        odds = math.log(a / (more.turns - a + 1)) - math.log(b / (less.turns - b + 1))
        yield odds / math.sqrt(1 / a + 1 / b), gram


def strongest(more: Side, less: Side, most: int) -> list[str]:
    """Return the n-grams that differ most, without those that only repeat part of another."""
    chosen: list[str] = []
    for score, gram in sorted(excess(more, less), reverse=True):
        if len(chosen) == most or score < 2:
            break
        if not any(_repeats(gram, other, more.grams) for other in chosen):
            chosen.append(gram)
    return chosen


def _repeats(gram: str, other: str, counted: Counter[str]) -> bool:
    inner, outer = sorted((f" {gram} ", f" {other} "), key=len)
    few, many = sorted((counted[gram], counted[other]))
    return inner in outer and few >= SAME * many


def report(options: argparse.Namespace) -> None:
    """Print, for each function, what the simulated side says too seldom and too often."""
    real, simulated = (
        _grouped(turns(dialogues, options.side, by_acts=options.by == "acts"))
        for dialogues in (
            read(options.real, options, half=options.half),
            read(options.simulated, options),
        )
    )
    totals = [sum(map(len, each.values())) for each in (real, simulated)]
    print(f"{options.side}: {totals[0]:,} real and {totals[1]:,} simulated turns")
    for function in sorted(real, key=lambda name: -len(real[name])):
        one, other = (
            Side(each.get(function, []), marks=not options.words) for each in (real, simulated)
        )
        if one.turns < RARE:
            continue
        shares = [
            100 * side.turns / total for side, total in zip((one, other), totals, strict=True)
        ]
        print(f"\n== {function}: {shares[0]:.1f} % of real turns, {shares[1]:.1f} % of simulated")
        if other.turns < RARE:
            print("   too few simulated turns to compare; what people say:")
        _list("too seldom", strongest(one, other, options.top), one, other, lambda s: s.grams)
        _list("too often", strongest(other, one, options.top), one, other, lambda s: s.grams)
        _list("whole turns of people", _usual(one, options.top), one, other, lambda s: s.shapes)
        _list("whole turns simulated", _usual(other, options.top), one, other, lambda s: s.shapes)


def _usual(side: Side, most: int) -> list[str]:
    return [shape for shape, _ in side.shapes.most_common() if shape in side.common][:most]


def _list(
    title: str,
    rows: Sequence[str],
    real: Side,
    simulated: Side,
    counted: Callable[[Side], Counter[str]],
) -> None:
    """Print n-grams with their rates in a thousand turns, of people and simulated."""
    cells = []
    for row in rows:
        sides = (f"{side.rate(counted(side), row):.0f}" if side.turns else "-"
                 for side in (real, simulated))  # fmt: skip
        cells.append(f"{row} {'/'.join(sides)}")
    if cells:
        print(f" {title} (of 1,000 turns, real/simulated):\n   " + "\n   ".join(cells))


def rates(options: argparse.Namespace) -> None:
    """Print the rates of typing of one side, by function, as JSON."""
    spoken = list(turns(read(options.real, options, half=options.half), options.side))
    found = {"all": rates_of([each.text for each in spoken])}
    for function, those in sorted(_grouped(spoken).items()):
        found[function] = rates_of([each.text for each in those])
    print(json.dumps({options.side: found}, indent=1))


def fit(options: argparse.Namespace) -> None:
    """Fit the weights of a grammar to the turns of one half of a corpus."""
    real = [
        each.text for each in turns(read(options.real, options, half=options.half), options.side)
    ]
    wanted = ["-n", str(options.number), *options.simulate]
    fitting.fit(GrammarFile(options.file), real, options.side, wanted, rounds=options.rounds)


def _grouped(spoken: Iterable[SpokenTurn]) -> dict[str, list[SpokenTurn]]:
    found: dict[str, list[SpokenTurn]] = defaultdict(list)
    for each in spoken:
        found[each.function].append(each)
    return found


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("real", type=Path)
    shared.add_argument("--side", choices=("user", "system"), default="user")
    shared.add_argument("--half", type=int, choices=(0, 1), default=0, help="half of REAL to read")
    shared.add_argument("--without-tasks", default="", help="tasks to leave out, with commas")
    shared.add_argument("--most", type=int, default=1000, help="dialogues of a corpus")
    reporting = commands.add_parser("report", parents=[shared])
    reporting.add_argument("simulated", type=Path)
    reporting.add_argument("--by", choices=("functions", "acts"), default="functions")
    reporting.add_argument("--words", action="store_true", help="leave marks out")
    reporting.add_argument("--top", type=int, default=25)
    reporting.set_defaults(run=report)
    rating = commands.add_parser("rates", parents=[shared])
    rating.set_defaults(run=rates)
    fitted = commands.add_parser("fit", parents=[shared])
    fitted.add_argument("file", type=Path, help="the grammar, whose weights are written anew")
    fitted.add_argument("--rounds", type=int, default=5)
    fitted.add_argument("--number", type=int, default=600, help="dialogues to simulate in a round")
    fitted.set_defaults(run=fit)
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:cut])
    options.simulate = sys.argv[cut + 1 :]  # the options of `dialoom simulate`
    return options


if __name__ == "__main__":
    options = arguments()
    options.run(options)
