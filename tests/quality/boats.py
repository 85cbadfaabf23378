"""Dialogues about boats for tests of statistics."""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import (
    Dialogue,
)
from dialoom.quality.stats import Statistics
from dialoom.schema.service import Service, ServiceIntent
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema


def count(
    *found: Dialogue, schemas: dict[str, TaskSchema] | None = None, format: str = ""
) -> dict[str, Any]:
    return Statistics(lambda event: event.agent, schemas, format).add_all(found).result()


def boat_hire() -> dict[str, TaskSchema]:
    intent = ServiceIntent(name="hire", required=("num.people", "name.boat", "colour.sail"))
    return {"boat_hire": from_service("boat_hire", Service(intents=(intent,)))}
