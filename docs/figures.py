"""Render the results pages from measured figures; measure them again and compare.

python docs/figures.py                       render docs/results/*.md from figures.json
python docs/figures.py CORPORA OUT [NAME…]   run experiments and commands, print differences
python docs/figures.py --write CORPORA OUT [NAME…]   the same, and keep the new figures

figures.json has the `values` of each name: paths in the JSON document of an experiment of `dialoom
bench --all`, of one that is repeated with other seeds, or of `commands`, the last of which prints
it. A page `NAME.md` is rendered from `NAME.md.in`, which has no figure but in places:

    {{NAME|PATH|.1f}}     a value
    {{NAME|PATH|ci}}      a score with its 95 % interval
    {{NAME|PATH|mean}}    the mean of the values by hold-out
    {{NAME|seeds|spread}}    the main score over training seeds: mean, deviation and range
    {{published|PROTOCOL/SYSTEM/SCORE|.1f}}    a published figure of published.json

Paths that begin with `seeds/` are of the main score over SEEDS training seeds: `mean`, `deviation`,
`least`, `greatest`. `texts` are sentences with such places on pages that are written by hand, such
as README. What is in OUT from an earlier run is taken if nothing changed for it.
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

from dialoom.bench.core.published import rows

HERE = Path(__file__).parent
FILE = HERE / "figures.json"
PLACE = re.compile(r"\{\{([^{}|]+)\|([^{}|]*)\|([^{}|]*)\}\}")
PUBLISHED = "published"
SEEDS = 3
NOTE = "<!-- Written by docs/figures.py from figures.json and the template next to this page. -->\n"

ENDS = {
    "ci": ("value", "interval/0", "interval/1"),
    "spread": ("mean", "deviation", "least", "greatest"),
}
"""Format of several values to the ends of their paths."""
FORMS = {"ci": "{:.1f} ({:.1f} to {:.1f})", "spread": "{:.2f} ± {:.2f} ({:.2f} to {:.2f})"}
"""The same formats to the text of their values."""

Values = dict[str, dict[str, float]]


class Place(NamedTuple):
    """A place for a figure: the name of what makes it, the path in its JSON, and the format."""

    name: str
    path: str
    format: str

    def paths(self) -> tuple[str, ...]:
        """Return the paths of the single values: several for an interval and for a spread."""
        return tuple(f"{self.path}/{end}" for end in ENDS.get(self.format, ())) or (self.path,)

    def spelled(self, values: Values) -> str:
        """Return the figure as text; `KeyError` if there is none."""
        if self.name == PUBLISHED:
            return format(published()[self.path], self.format)
        known = [values[self.name][path] for path in self.paths()]
        if self.format in FORMS:
            return FORMS[self.format].format(*known)
        return format(known[0], ".1f" if self.format == "mean" else self.format)


def places(text: str) -> list[Place]:
    """Return the places of a text."""
    return [Place(*found.groups()) for found in PLACE.finditer(text)]


def spelled(text: str, values: Values) -> str:
    """Return a text with its figures."""
    return PLACE.sub(lambda found: Place(*found.groups()).spelled(values), text)


@cache
def published() -> dict[str, float]:
    """Return path to published figure: PROTOCOL/SYSTEM/SCORE, or .../HOLDOUT by hold-out."""
    found: dict[str, float] = {}
    for row in rows():
        above = f"{row.protocol}/{row.system}"
        found |= {f"{above}/{name}": value for name, value in (row.scores | row.holdouts).items()}
    return found


def listed() -> dict[str, Any]:
    """Return the content of figures.json."""
    content: dict[str, Any] = json.loads(FILE.read_bytes())
    return content


def templates() -> dict[Path, str]:
    """Return each results page with its template."""
    return {
        file.with_suffix(""): file.read_text(encoding="utf-8")
        for file in sorted((HERE / "results").glob("*.md.in"))
    }


def pages(values: Values) -> dict[Path, str]:
    """Return each results page with its text."""
    return {page: NOTE + spelled(text, values) for page, text in templates().items()}


def wanted() -> dict[str, set[Place]]:
    """Return name to the places that its figures are on, of all pages."""
    texts = [*templates().values(), *(row["text"] for row in listed()["texts"])]
    found: dict[str, set[Place]] = {}
    for place in (each for text in texts for each in places(text) if each.name != PUBLISHED):
        found.setdefault(place.name, set()).add(place)
    return found


def value_at(document: Any, path: str) -> Any:
    """Return the value at a path; a list is searched for the item with that `name`.

    Raises:
        KeyError: The document lacks it.
    """
    for key in path.split("/"):
        if isinstance(document, list) and not key.isdigit():
            document = {each["name"]: each for each in document}
        document = document[int(key) if isinstance(document, list) else key]
    return document


def measured(document: Any, found: set[Place]) -> dict[str, float]:
    """Return path to value of some places in a document."""
    values = {path: value_at(document, path) for place in found for path in place.paths()}
    return {
        path: round(mean(value.values()) if isinstance(value, dict) else value, 4)
        for path, value in sorted(values.items())
    }


def differences(found: set[Place], before: Values, now: Values) -> Iterator[str]:
    """Yield a line for each figure that reads otherwise than before."""
    for place in sorted(found):
        try:
            old = place.spelled(before)
        except KeyError:
            old = "nothing"
        new = place.spelled(now)
        if old != new:
            yield f"{place.name} {place.path}: {new}, the pages have {old}"


@cache
def made(name: str, corpora: Path, out: Path) -> Any:
    """Return the document that has the figures of a name."""
    commands = listed()["commands"].get(name)
    if commands is None:
        file = out / f"{name}.json"
        if not file.exists():
            return over_seeds(sorted(out.glob(f"{name}-[0-9]*.json")))
        again = sorted(out.glob(f"{name}-seed[0-9]*.json"))
        found = json.loads(file.read_bytes())
        return found | ({"seeds": over_seeds([file, *again])} if again else {})
    ways = {"corpora": corpora, "out": out}
    *before, last = ([word.format(**ways) for word in words] for words in commands)
    for words in before:
        if not Path(words[-1]).exists():  # each writes the folder it names last
            dialoom(*words)
    return json.loads(dialoom(*last))


def over_seeds(files: Sequence[Path]) -> dict[str, float]:
    """Return mean, standard deviation and range of the main score of an experiment's repetitions.

    Raises:
        FileNotFoundError: There are fewer than two results.
    """
    if len(files) < 2:
        raise FileNotFoundError("a result NAME.json, or repetitions NAME-0.json and so on")
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


def dumped(content: dict[str, Any]) -> str:
    """Return the content of figures.json as text, a line for each text or name."""
    parts = []
    for key, held in content.items():
        named = held.items() if isinstance(held, dict) else ((None, each) for each in held)
        lines = (
            ("" if name is None else f"{json.dumps(name)}: ") + json.dumps(each, ensure_ascii=False)
            for name, each in named
        )
        opened, closed = "{}" if isinstance(held, dict) else "[]"
        parts.append(f'  "{key}": {opened}\n    ' + ",\n    ".join(lines) + f"\n  {closed}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def unmeasured(values: Values) -> Iterator[str]:
    """Yield the names of which a page has a figure that is not measured."""
    for name, found in wanted().items():
        if not {path for place in found for path in place.paths()} <= values.get(name, {}).keys():
            yield name


def render() -> None:
    """Write the results pages; `KeyError` if a figure is not measured."""
    for page, text in pages(listed()["values"]).items():
        page.write_text(text, encoding="utf-8")


def main(corpora: Path, out: Path, names: Sequence[str], *, write: bool) -> int:
    """Compare the figures of all pages, or those of some names."""
    chosen = {name: found for name, found in wanted().items() if not names or name in names}
    content = listed()
    experiments = [name for name in chosen if name not in content["commands"]]
    spread = {name for name in experiments if any(p.path[:6] == "seeds/" for p in chosen[name])}
    for seeds, group in ((1, {*experiments} - spread), (SEEDS, spread)):
        only = [word for name in sorted(group) for word in ("--only", name)]
        if only:
            run = ["bench", "--all", "--corpora", str(corpora), "--out", str(out)]
            dialoom(*run, "--seeds", str(seeds), *only)
    lines: list[str] = []
    for name, found in chosen.items():
        now = {name: measured(made(name, corpora, out), found)}
        lines += differences(found, content["values"], now)
        content["values"].setdefault(name, {}).update(now[name])
    print("\n".join(lines) or f"the figures of {len(chosen)} names are as they were made")
    if write:
        FILE.write_text(dumped(content), encoding="utf-8")
        if waiting := sorted(unmeasured(content["values"])):
            print(f"pages are rendered once these are measured: {', '.join(waiting)}")
        else:
            render()
    return 1 if lines and not write else 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    if not words:
        render()
    elif len(words) == 1:
        sys.exit("python docs/figures.py [--write] CORPORA OUT [NAME…]")
    else:
        write = "--write" in sys.argv
        sys.exit(main(Path(words[0]), Path(words[1]), words[2:], write=write))
