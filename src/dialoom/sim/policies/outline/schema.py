"""A vertical of Taskmaster-1's ontology as a task: required and optional arguments, one intent."""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import Origin
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.task import TaskSchema

ONTOLOGY = "ontology.json"
"""The file, as the published one is called."""


def vertical_task(
    name: str, vertical: str, required: Sequence[str], optional: Sequence[str], index: int
) -> TaskSchema:
    """Return a vertical as the format reads it from an ontology.

    Args:
        name: Its id, which labels begin with.
        vertical: What the transaction is called.
        required: Its required arguments.
        optional: Its optional arguments.
        index: Its place in the file.
    """
    intent = ServiceIntent(
        name=vertical,
        transactional=True,
        required=tuple(required),
        optional=dict.fromkeys(optional),
    )
    slots = tuple(ServiceSlot(name=each) for each in (*required, *optional))
    service = Service(slots=slots, intents=(intent,))
    return TaskSchema(id=name, service=service, origins=(Origin(ONTOLOGY, index),))
