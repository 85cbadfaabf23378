"""The study of docs/how-to/quiz.md."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.collect.settings import Settings
from dialoom.schema.places import parse
from tests.pages import BLOCK, ROOT

GUIDE = (ROOT / "docs" / "how-to" / "quiz.md").read_text()

[EXAMPLE] = [
    block[2] for block in BLOCK.finditer(GUIDE) if block[1] == "yaml" and "questions:" in block[2]
]
"""The settings of docs/how-to/quiz.md with a quiz of the study's own."""


def example(**changes: Any) -> Settings:
    return msgspec.convert(
        {**parse(EXAMPLE, "study.yaml").value, "scenarios": 4, **changes}, Settings
    )
