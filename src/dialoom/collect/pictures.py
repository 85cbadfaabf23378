"""The pictures in a study's guidelines: a line `![words](https://…)` shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.collect.settings import Settings
from dialoom.schema.places import Pointer

_PICTURE = re.compile(r"^!\[[^\]\n]*\]\((\S+)\)[ \t]*$", re.MULTILINE)


def pictures(settings: Settings) -> Iterator[tuple[Pointer, str]]:
    """Yield the place of the guidelines and the address of each picture."""
    stages = () if isinstance(settings.stages, str) else settings.stages
    texts: list[tuple[Pointer, str]] = [
        (("stages", number, "guidelines"), stage.guidelines) for number, stage in enumerate(stages)
    ]
    for language, own in settings.translations.items():
        for name, quiz in own.quizzes.items():
            place = ("translations", language, "quizzes", name, "guidelines")
            texts.append((place, quiz.guidelines))
    for pointer, text in texts:
        for address in _PICTURE.findall(text):
            yield pointer, address
