"""The picture at the top of README: from a schema to dialogues, a trained model and its score.

    overview.picture()      # docs/overview.svg, which docs/generate.py writes

Colours are those of dialoom's pages, light and dark. The scores are read from README's table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from dialoom.render.page import style
from dialoom.render.plots import element

README = Path(__file__).parents[1] / "README.md"

WIDTH, HEIGHT = 1000, 410

STEPS = {
    "schema": "one YAML file",
    "simulate": "or collect",
    "check": "findings, statistics",
    "convert": "STAR, SGD, bAbI, …",
    "train": "a CPU minute",
    "measure": "on unseen tasks",
    "run": "in a live study",
}
"""Step to what it is about."""

TASK = """\
task: weather
slots: {city: …, day: …}
tables: {forecasts: …}
apis: {weather: {effect: find}}
flow: {open: …, ask_city: …}""".splitlines()

DIALOGUE = (
    ("user", "A picnic next Monday: is it dry?", "open(day = Monday)"),
    ("system", "And where will you be?", "weather_ask_location"),
    ("user", "It would be for Ostrava Keep.", "give_city(city = Ostrava Keep)"),
    ("kb", "", "weather → rainy, 17 degrees"),
    ("system", "It will be rainy on Monday, near 17.", "weather_inform_forecast"),
)
"""Who says what, and its annotation."""

LOOK = """
text { fill: var(--ink); font: 15px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.page { fill: var(--page); }
.card { fill: var(--card); stroke: var(--line); }
.user { fill: var(--user); }
.system, .kb { fill: var(--code); }
.soft { fill: var(--soft); font-size: 13px; }
.head { font-weight: 600; }
.code { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.act { fill: var(--series-0); font: 12px ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
.ours { fill: var(--series-0); }
.theirs { fill: var(--series-1); }
.way { stroke: var(--soft); stroke-width: 1.5; fill: none; }
"""


def picture() -> str:
    """Return the picture as SVG.

    Raises:
        ValueError: README's table has no such scores.
    """
    colours = style().partition("\n* {")[0]
    told = "A task file becomes dialogues; a model trained on them is measured on unseen tasks."
    body = "".join((*_steps(), *_task(), *_dialogue(), *_score()))
    page = element("rect", style="page", width=WIDTH, height=HEIGHT, rx=12)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>{told}</title>\n<style>\n{colours}{LOOK}</style>\n{page}\n{body}</svg>\n"
    )


def _text(words: str, style: str, x: float, y: float, anchor: str = "start") -> str:
    return element("text", escape(words), style=style, x=x, y=y, text_anchor=anchor)


def _box(style: str, x: float, y: float, width: float, height: float, round_: int = 8) -> str:
    return element("rect", style=style, x=x, y=y, width=width, height=height, rx=round_) + "\n"


def _line(path: str) -> str:
    return element("path", style="way", d=path) + "\n"


def _steps() -> Iterator[str]:
    """Yield the steps from left to right, with an arrow between two, and what each is about."""
    step, width = 139, 112
    for number, (name, about) in enumerate(STEPS.items()):
        left, middle = 27 + step * number, 27 + step * number + width / 2
        yield _box("card", left, 22, width, 40, 20)
        yield _text(name, "head", middle, 47, "middle")
        yield _text(about, "soft", middle, 82, "middle")
        if number:
            yield _line(f"M{left - 23} 42h18m-6 -5l6 5l-6 5")


def _task() -> Iterator[str]:
    yield _box("card", 24, 108, 288, 278)
    yield _text("You write a task", "head", 42, 136)
    for number, line in enumerate(TASK):
        yield _text(line, "code", 42, 172 + 28 * number)
    for number, line in enumerate(
        ("slots, a knowledge base, calls,", "and a flow with its words:", "checked line by line")
    ):
        yield _text(line, "soft", 42, 330 + 19 * number)


def _dialogue() -> Iterator[str]:
    yield _box("card", 332, 108, 336, 278)
    yield _text("and get annotated dialogues", "head", 350, 136)
    top = 150
    for agent, words, acts in DIALOGUE:
        height = 44 if words else 26
        left = 366 if agent == "system" else 350
        yield _box(agent, left, top, 284, height)
        if words:
            yield _text(words, "", left + 10, top + 19)
        yield _text(acts, "act", left + 10, top + height - 9)
        top += height + 5


def _score() -> Iterator[str]:
    yield _box("card", 688, 108, 288, 278)
    yield _text("and a model that follows it", "head", 706, 136)
    bars = (
        ("theirs", "Schema Attention Model (BERT)", _scored("Schema Attention Model")),
        ("ours", "schema follower, similar inputs", _scored("schema follower .*same inputs")),
        ("ours", "schema follower, all inputs", _scored(r"\*\*schema follower\*\*")),
    )
    for number, (style_, name, score) in enumerate(bars):
        top = 162 + 54 * number
        yield _text(name, "", 706, top)
        yield _box(style_, 706, top + 9, 2.5 * score, 20, 3)
        yield _text(f"{score}", "head", 714 + 2.5 * score, top + 24)
    notes = ("next action, weighted F1 in percent, on", "real dialogues (STAR) of ten domains,")
    for number, line in enumerate((*notes, "each absent from training")):
        yield _text(line, "soft", 706, 330 + 19 * number)


def _scored(model: str) -> float:
    """Return a model's figure in README's table: that over ten domains."""
    found = re.search(rf"^\| {model}.*?\| \**([\d.]+)", README.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{README}: the table has no score of {model}")
    return float(found[1])
