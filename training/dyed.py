"""Run dialoom so that simulated texts show by which ways of a grammar they were made.

    python training/dyed.py lang/en-speech.json simulate --preset star -n 100 --out dyed

Each way of the file's symbols has a character of its own (`dye`), which no text and no word has. It
stands before the phrase that the way is part of; `GrammarFile.read` takes the characters out again.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dialoom.sim.core import grammar as speech
from dialoom.sim.core import manner
from dialoom.sim.core.grammar import Grammar, SpeechPart, SpeechWays, tidy
from dialoom.sim.core.manner import Manner
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames import recorder

FIRST = 0xF0000
"""The first character of a plane for private use, which no font and no text has."""

Way = tuple[str, str]
"""A symbol, and one way to say it."""


class GrammarFile:
    """The symbols of a file of `lang/`, and how they are written.

    Args:
        path: The file: symbols to their ways, or a file whose `lines` are such symbols.

    Attributes:
        symbols: Symbol to way to weight.
        ways: All ways; the place of one is its number.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        held: dict[str, Any] = json.loads(path.read_text())
        held = held.get("lines", held)
        self.symbols: dict[str, dict[str, int]] = {
            name: ways if isinstance(ways, dict) else dict.fromkeys(ways, 1)
            for name, ways in held.items()
        }
        self.ways: list[Way] = [(name, way) for name, ways in self.symbols.items() for way in ways]

    def write(self, weights: dict[str, dict[str, int]]) -> None:
        """Write other weights of some symbols; all else stays as it is written, line by line."""
        lines = []
        for line in self.path.read_text().splitlines(keepends=True):
            name, separator, rest = line.strip().partition('": ')
            symbol = name.lstrip('"')
            if separator and symbol in weights and rest[:1] in "[{":
                start = line[: len(line) - len(line.lstrip())]
                end = ",\n" if rest.endswith(",") else "\n"
                ways = json.dumps(weights[symbol], ensure_ascii=False)
                line = f'{start}"{symbol}": {ways}{end}'
            lines.append(line)
        self.path.write_text("".join(lines))

    def read(self, text: str) -> tuple[str, list[int]]:
        """Return a dyed text as it would be without the dye, and the numbers of its ways."""
        marks = [ord(letter) - FIRST for letter in text if ord(letter) >= FIRST]
        plain = "".join(letter for letter in text if ord(letter) < FIRST)
        return (tidy(plain) if marks else plain), [n for n in marks if n < len(self.ways)]


def dye(file: GrammarFile) -> None:
    """Make each grammar of this process mark the ways of a file that it draws."""
    marks: dict[tuple[str, tuple[SpeechPart, ...]], str] = {
        (symbol, tuple(parts)): chr(FIRST + number)
        for number, (symbol, parts) in enumerate(_parsed(file))
    }

    def expand(self: Grammar, ways: SpeechWays, rng: SeededRng, found: list[str]) -> None:
        drawn = bisect_right(ways.sums, rng.below(ways.sums[-1])) if len(ways.ways) > 1 else 0
        found.append(marks.get((ways.symbol, ways.ways[drawn]), ""))
        for text, inner in ways.steps[drawn]:
            found.append(text)
            if inner is not None:
                expand(self, inner, rng, found)

    def phrase(self: Grammar, symbol: str, rng: SeededRng, given: Iterable[str] = ()) -> str:
        text = plain_phrase(self, symbol, rng, given)
        return "".join(sorted(text, key=lambda letter: ord(letter) < FIRST))

    def score(self: Manner, text: str, *, whole: bool) -> float:
        return plain_score(self, file.read(text)[0], whole=whole)

    def start(text: str) -> str:
        return plain_start(file.read(text)[0])

    def is_long(text: str) -> bool:
        return plain_long(file.read(text)[0])

    plain_long = manner.is_long
    plain_score, plain_phrase, plain_start = Manner._sum, Grammar.phrase, recorder._start
    setattr(Grammar, "_expand", expand)  # noqa: B010 (mypy: methods are not assigned to)
    setattr(Grammar, "phrase", phrase)  # noqa: B010
    setattr(manner, "is_long", is_long)  # noqa: B010
    setattr(Manner, "_sum", score)  # noqa: B010
    setattr(recorder, "_start", start)  # noqa: B010


def _parsed(file: GrammarFile) -> Iterator[tuple[str, tuple[SpeechPart, ...]]]:
    for symbol, way in file.ways:
        ((parts, _),) = speech._parsed([way])
        yield symbol, parts


if __name__ == "__main__":
    from dialoom.cli import main

    dye(GrammarFile(Path(sys.argv[1])))
    sys.argv[1:2] = []
    main()
