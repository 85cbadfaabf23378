"""Make the figures of README and docs again by the commands that made them, and compare.

python docs/figures.py CORPORA OUT           compare all; exit 1 if a page says something else
python docs/figures.py CORPORA OUT NAME…     those made by these experiments or commands

figures.json lists them: the page, the text with places for figures, and what makes them: an
experiment of `dialoom bench --all`, one that is repeated with other seeds (`over_seeds`), or
commands of dialoom of which the last writes JSON. What is in OUT from an earlier run is taken where
nothing changed for it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PLACE = re.compile(r"\{([^{}]+):([^{}]*)\}")
"""A figure in a text: where it stands in the JSON, and how it is spelled."""


class Figures(NamedTuple):
    """A text of a page and what makes its figures.

    Attributes:
        name: The experiment, the common name of its repetitions, or what the commands are called.
        page: The page, below the repository's root.
        text: The text, with places for figures.
        commands: Arguments of dialoom, for what is no experiment; `{corpora}` and `{out}` stand for
            folders, and the last command prints JSON.
    """

    name: str
    page: str
    text: str
    commands: tuple[tuple[str, ...], ...] = ()


def listed() -> list[Figures]:
    """Return all figures of the pages."""
    rows = json.loads((HERE / "figures.json").read_bytes())
    return [
        Figures(row["name"], row["page"], row["text"], tuple(map(tuple, row.get("commands", ()))))
        for row in rows
    ]


def pattern(text: str) -> re.Pattern[str]:
    """Return what finds a text on its page, whatever its figures are and wherever lines end."""
    pieces = PLACE.split(text)[::3]
    spelled = (r"\s+".join(map(re.escape, re.split(r"\s+", piece))) for piece in pieces)
    return re.compile(r"([\d,.]*\d)".join(spelled))


def spelled(text: str, found: Any) -> str:
    """Return a text with the figures of a JSON document.

    Raises:
        KeyError: The document lacks one.
    """

    def figure(place: re.Match[str]) -> str:
        value = found
        for key in place[1].split("/"):
            value = value[int(key)] if isinstance(value, list) else value[key]
        return format(value, place[2])

    return PLACE.sub(figure, text)


def differences(figures: Figures, found: Any) -> Iterator[str]:
    """Yield a line for a text that does not stand on its page with the figures of a document."""
    page = (HERE.parent / figures.page).read_text(encoding="utf-8")
    wanted = spelled(figures.text, found)
    said = pattern(figures.text).search(page)
    if said is None or " ".join(said[0].split()) != " ".join(wanted.split()):
        now = "nothing like it" if said is None else repr(" ".join(said[0].split()))
        yield f"{figures.page}: {figures.name} makes {wanted!r}; the page has {now}"


@cache
def made(name: str, commands: tuple[tuple[str, ...], ...], corpora: Path, out: Path) -> Any:
    """Return the document that holds figures: several texts' where the same makes them."""
    if not commands:
        file = out / f"{name}.json"
        return json.loads(file.read_bytes()) if file.exists() else over_seeds(name, out)
    places = {"corpora": corpora, "out": out}
    *before, last = ([word.format(**places) for word in words] for words in commands)
    for words in before:
        if not Path(words[-1]).exists():  # each writes the folder it names last
            dialoom(*words)
    return json.loads(dialoom(*last))


def over_seeds(name: str, out: Path) -> dict[str, float]:
    """Return mean, standard deviation and range of the main score of an experiment's repetitions.

    Raises:
        FileNotFoundError: There are fewer than two results.
    """
    files = sorted(out.glob(f"{name}-[0-9]*.json"))
    if len(files) < 2:
        raise FileNotFoundError(f"{out / name}.json, or repetitions {name}-0.json and so on")
    scores = [next(iter(json.loads(file.read_bytes())["scores"].values())) for file in files]
    values = [score["value"] for score in scores]
    return {
        "mean": mean(values),
        "deviation": stdev(values),
        "least": min(values),
        "greatest": max(values),
    }


def dialoom(*words: str) -> bytes:
    """Run dialoom and return what it prints."""
    command = [sys.executable, "-m", "dialoom", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def main(corpora: Path, out: Path, names: Sequence[str]) -> int:
    """Compare the figures of all pages, or those of some names."""
    chosen = [each for each in listed() if not names or each.name in names]
    experiments = dict.fromkeys(each.name for each in chosen if not each.commands)
    if experiments:
        only = (word for name in experiments for word in ("--only", name))
        dialoom("bench", "--all", "--corpora", str(corpora), "--out", str(out), *only)
    found: list[str] = []
    for each in chosen:
        found += differences(each, made(each.name, each.commands, corpora, out))
    print("\n".join(found) or f"{len(chosen)} texts with figures are as they were made")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("python docs/figures.py CORPORA OUT [NAME…]")
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
