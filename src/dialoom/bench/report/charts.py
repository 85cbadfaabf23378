"""Flow charts of the tasks that a report's runs were asked about, where they were written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dialoom.bench.core.lines import Line
from dialoom.schema.flowchart import draw
from dialoom.schema.task import TaskSchema

TIP = "flow-tip"
"""The id of the arrow head in a chart: to be made different in each chart of one page."""


def charts(lines: Iterable[Line], schemas: Mapping[str, TaskSchema]) -> dict[str, str]:
    """Return task to chart (SVG) for each task asked about that has a flow of its own."""
    asked = dict.fromkeys(line.task for line in lines)
    drawn = [name for name in asked if name in schemas and _has_flow(schemas[name])]
    return {
        name: draw(schemas[name]).replace(TIP, f"{TIP}-{number}")
        for number, name in enumerate(drawn)
    }


def _has_flow(task: TaskSchema) -> bool:
    return task.flow.complete
