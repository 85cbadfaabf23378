"""The prompt of NextAction: the system's next action, of those of the task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dialoom.dialogue import NextAction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.options import OptionPrompt
from dialoom.schema.flow import label


class ActionPrompt(OptionPrompt):
    """Asks for the system's next action."""

    kind: ClassVar[type[Struct]] = NextAction
    instruction: ClassVar[str] = (
        "You are given a task, the dialogue so far with the system's actions in brackets, and the "
        "actions that the system can take. Choose the action that the system takes next."
    )
    flow: ClassVar[bool] = True

    def options(self, question: Question[Any]) -> Mapping[str, str]:
        """Return the actions of the task's flow with their texts, then those of training."""
        task = self.schemas.get(question.asked.task)
        nodes = task.flow.nodes.values() if task is not None else ()
        found: dict[str, str] = {}
        for node in nodes:
            if node.kind in ("system", "call"):
                text = " / ".join(node.texts[:1])
                found.setdefault(label(node), f"{label(node)} - {text}".rstrip(" -"))
        for name in self.inventory.labels.get(question.asked.task, ()):
            found.setdefault(name, name)
        return found
