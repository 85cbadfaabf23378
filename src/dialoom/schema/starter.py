"""A commented task file to start from: `starter.yaml` beside this file, under a name of one's own.

Path("pizza_order.yaml").write_text(starter("pizza_order"))
"""

from __future__ import annotations

import re
from importlib import resources

from dialoom.errors import UsageError, clip
from dialoom.schema.yaml.scalars import NAME

PLACEHOLDER = "my_task"
"""The name that the file carries where its own belongs."""

LONGEST = 60


def starter(name: str) -> str:
    """Return a task file that passes every check, for a task called `name`.

    Raises:
        UsageError: The name is not spelled as a task's id is.
    """
    if not re.fullmatch(NAME, name) or len(name) > LONGEST:
        right = f"use lower_snake_case and at most {LONGEST} characters, such as pizza_order"
        raise UsageError(f"a task cannot be called {clip(name, 80)!r}; {right}")
    text = resources.files("dialoom.schema").joinpath("starter.yaml").read_text(encoding="utf-8")
    return text.replace(PLACEHOLDER, name)
