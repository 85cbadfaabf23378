"""An HTML page of lint findings: counts by code, and examples with their context."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dialoom.dialogue import Dialogue
from dialoom.dialogue.transcript import lines
from dialoom.quality.lint.linter import Linter, found_rules
from dialoom.quality.lint.rule import Finding
from dialoom.render import page as house
from dialoom.render.transcript import Line, Mark, to_html
from dialoom.schema.findings import Rule

AROUND = 2
"""Events shown before and after that of a finding."""

MOST = 5
"""Default of how many findings of a code are shown."""

HEADINGS = {"error": "Errors", "warning": "Warnings", "information": "Information"}

_EVENT = re.compile(r"/events/(\d+)")


@dataclass(frozen=True, slots=True)
class FindingExample:
    """A finding with the events around it, if it is about one; else `event` is -1."""

    finding: Finding
    lines: tuple[Line, ...]
    event: int = -1


class Examples:
    """The first findings of each code, and the number of dialogues that have it."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.found: dict[str, list[FindingExample]] = defaultdict(list)
        self.dialogues: dict[str, int] = defaultdict(int)
        self._last: dict[str, tuple[str, str]] = {}

    def add(self, finding: Finding, dialogue: Dialogue) -> None:
        """Count a finding; keep it with the events around it if it is one of its code's first."""
        place = (finding.file, finding.dialogue)
        if self._last.get(finding.code) != place:
            self._last[finding.code] = place
            self.dialogues[finding.code] += 1
        if len(self.found[finding.code]) < self.most:
            self.found[finding.code].append(_example(finding, dialogue))


def event_of(pointer: str) -> int:
    """Return the index of the event of a finding's pointer; -1 for the dialogue as a whole."""
    match = _EVENT.match(pointer)
    return int(match[1]) if match else -1


def _example(finding: Finding, dialogue: Dialogue) -> FindingExample:
    event = event_of(finding.pointer)
    if event < 0:
        return FindingExample(finding, ())
    near = range(event - AROUND, event + AROUND + 1)
    excerpt = tuple(line for line in lines(dialogue) if line.index in near)
    return FindingExample(finding, excerpt, event)


def page(name: str, linter: Linter, examples: Examples) -> str:
    """Return a page of HTML about the findings in a corpus, without scripts or external files."""
    rules = found_rules(linter)
    figures = [("dialogues", linter.dialogues), ("events", linter.events)]
    figures += [(title.lower(), linter.total(kind)) for kind, title in HEADINGS.items()]
    sections = [house.Section("Codes", _codes(rules, linter, examples))] if rules else []
    for kind, title in HEADINGS.items():
        body = "".join(_rule(rule, linter, examples) for rule in rules if rule.severity == kind)
        sections.append(house.Section(title, body))
    if not rules:
        sections.append(house.Section("Findings", house.paragraph("Nothing was found.")))
    return house.page(name, sections, kind="dialoom lint", lead=house.tiles(figures))


def _codes(rules: Sequence[Rule], linter: Linter, examples: Examples) -> str:
    rows = (
        [house.link(f"#{rule.code}", rule.code), rule.severity, linter.counts[rule.code],
         examples.dialogues[rule.code], rule.title]
        for rule in rules
    )  # fmt: skip
    header = ("code", "severity", "findings", "dialogues", "what")
    return house.table(header, rows, "Codes found")


def _rule(rule: Rule, linter: Linter, examples: Examples) -> str:
    count, cases = linter.counts[rule.code], examples.found[rule.code]
    remark = f"; the first {len(cases)} are shown" if len(cases) < count else ""
    body = house.paragraph(f"What would be right: {rule.right}{remark}.", "note")
    body += "".join(map(_article, cases))
    return house.folded(
        f"{rule.code}: {rule.title} ({count:,})",
        f'<div id="{rule.code}">{body}</div>',  # inside: a link to it opens what is folded
        is_open=rule.severity == "error",
    )


def _article(example: FindingExample) -> str:
    finding = example.finding
    place = f"{finding.file}, dialogue {finding.dialogue}"
    marks = {example.event: (Mark(finding.message),)}
    excerpt = to_html(example.lines, marks=marks) if example.lines else ""
    words = "" if example.event >= 0 else house.paragraph(finding.message)
    return (
        f"<article>\n<h4>{house.text(place)}</h4>\n"
        f"<p><code>{house.text(finding.pointer)}</code></p>\n{words}{excerpt}</article>\n"
    )
