"""A task that checks and draws itself."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from dialoom.arguments import checked
from dialoom.errors import UsageError
from dialoom.schema import pack
from dialoom.schema.findings import Finding
from dialoom.schema.flowchart import draw
from dialoom.schema.outline import outline
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import review


class Chart(str):
    """A flow graph as SVG; a notebook shows the picture."""

    def _repr_html_(self) -> str:
        return str(self)


class OpenTask(TaskSchema, frozen=True, kw_only=True, dict=True):
    """A task of a file, or a bundled one, with the workbench's methods."""

    def check(self) -> list[Finding]:
        """Return what is wrong or doubtful in the task's file (docs/reference/codes.md).

        Raises:
            UsageError: This is a copy, which has no file.
        """
        place: str | Path | None = vars(self).get("place")
        if place is None:
            raise UsageError(f"{self.id}: a copy of a task has no file to check; load it again")
        return list(review(pack.document(place)))

    def chart(self) -> Chart:
        """Return the flow graph as a picture."""
        return Chart(draw(self))

    def outline(self) -> str:
        """Return slots, tables, calls and flow as text."""
        return outline(self)

    def _repr_html_(self) -> str:
        return self.chart()._repr_html_()


@checked
def load_task(file_or_task: str | Path) -> OpenTask:
    """Return a task by its file, or a bundled one by its id or an alias.

    Raises:
        MissingDataError: There is no such file.
        SchemaError: The file has errors.
        UnknownNameError: There is no bundled task of this name.
    """
    schema = pack.resolve(file_or_task)
    task = OpenTask(**structs.asdict(schema))
    vars(task)["place"] = file_or_task
    return task
