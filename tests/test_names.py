"""One name, one thing: no two modules define a public class of the same name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import dialoom

SOURCE = Path(dialoom.__file__).parent

LAYOUTS = "formats/*/raw.py"
"""Modules that spell out a format's own layout: their classes have the names of that layout."""

SHARED: dict[str, str] = {
    "Finding": "lint's is a subclass of the one of task files",
}
"""Names that stand for one thing in two modules, and why it is the same thing."""

AMBIGUOUS = frozenset(
    {
        "Answer",
        "Change",
        "Choice",
        "Difference",
        "Field",
        "Knowledge",
        "KnowledgeBase",
        "Line",
        "Move",
        "Outcome",
        "Place",
        "Placed",
        "Plan",
        "Record",
        "Result",
        "Scenario",
        "Slot",
        "Source",
        "Tally",
        "Text",
    }
)
"""Names that still stand for two things. It may only get shorter: rename one, and take it out."""


MARKS = re.compile(r"\bseeds? 0\d\d\b|\.\./shared\b")
"""How papers were called while dialoom was built; their readers know them by their names."""


@cache
def public_classes() -> dict[str, list[str]]:
    """Return each public class name with the modules that define it, layouts of formats aside."""
    classes: dict[str, list[str]] = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        module = file.relative_to(SOURCE)
        if not module.match(LAYOUTS):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    classes[node.name].append(module.as_posix())
    return classes


def test_a_class_name_is_defined_once() -> None:
    classes = public_classes()
    assert len(classes) > 300
    twice = {name: modules for name, modules in classes.items() if len(modules) > 1}
    new = {n: modules for n, modules in twice.items() if n not in SHARED and n not in AMBIGUOUS}
    assert new == {}, "one name for two things: rename one of them"


def test_the_exceptions_are_needed() -> None:
    classes = public_classes()
    assert sorted(n for n in {*SHARED, *AMBIGUOUS} if len(classes.get(n, ())) < 2) == []


def test_papers_are_called_by_their_names() -> None:
    files = sorted(file for suffix in ("py", "yaml", "md") for file in SOURCE.rglob(f"*.{suffix}"))
    assert len(files) > 300
    marked = [str(file) for file in files if MARKS.search(file.read_text(encoding="utf-8"))]
    assert marked == []
