"""Words and clauses that our English avoids become fewer: lines of source, docs and pages.

Variables are nouns: participles as their names become fewer, too.

python -m tests.test_style       prints the files with most of them
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PLACES = ("src/**/*.py", "docs/**/*.md", "web/src/**/*.ts*", "README.md", "CONTRIBUTING.md")
"""The files that are counted: what a task's people say (YAML, `lang`) is not."""

MOST = {
    "tell": (r"(?i)\b(?:tells?|told|telling)\b", 24),
    "beside": (r"(?i)\bbeside\b", 19),
    "stand": (r"(?i)\b(?:stands?|stood)\b", 6),
    "go by": (r"(?i)\bgo(?:es)? by\b", 5),
    "headless clause": (
        r"(?:^\W*|[.!?:] )(?:What|Who|Whoever|Whatever|Whichever|Where|Of) (?!.*\?)",
        17,
    ),
}
"""Name of a fault to its pattern and the most lines with it; lower it with each clean-up."""


PARTICIPLES = re.compile(
    "asked|begun|called|chosen|counted|drawn|found|given|gone|got|heard|held|kept|known|"
    "listed|made|meant|named|said|seen|shown|spelled|taken|told|wanted"
)
"""Participles that are no names of variables."""

MOST_PARTICIPLES = 102


def lines() -> Iterator[tuple[str, str]]:
    """Yield each line with the name of its file."""
    for place in PLACES:
        for file in sorted(ROOT.glob(place)):
            for line in file.read_text(encoding="utf-8").splitlines():
                yield file.relative_to(ROOT).as_posix(), line


@cache
def found() -> dict[str, Counter[str]]:
    """Return word to the number of lines with it by file."""
    patterns = {word: re.compile(pattern) for word, (pattern, _) in MOST.items()}
    counts: dict[str, Counter[str]] = {word: Counter() for word in MOST}
    for file, line in lines():
        for word, pattern in patterns.items():
            counts[word][file] += bool(pattern.search(line))
    return counts


@pytest.mark.parametrize("word", MOST)
def test_avoided_words_become_fewer(word: str) -> None:
    assert found()[word].total() <= MOST[word][1]


@cache
def participles() -> Counter[str]:
    """Return file to the number of local variables in it that are named by a participle."""
    counts: Counter[str] = Counter()
    for file in sorted(ROOT.glob("src/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts[file.relative_to(ROOT).as_posix()] += bool(PARTICIPLES.fullmatch(node.id))
    return counts


def test_variables_are_nouns() -> None:
    assert participles().total() <= MOST_PARTICIPLES


def main() -> None:
    """Print the words with their files."""
    for word, files in {**found(), "participle": participles()}.items():
        print(word, files.total())
        for file, count in files.most_common(20):
            print(f"  {count:>5} {file}")


if __name__ == "__main__":
    main()
