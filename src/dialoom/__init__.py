"""dialoom weaves task-oriented dialogues out of task schemas, and measures what models learn.

    import dialoom
    for dialogue in dialoom.load("corpora/star").dialogues():
        print(dialogue.id, len(dialogue.events))

The names below are loaded when they are first used: `import dialoom` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue, Query, Result, Utterance
    from dialoom.errors import DialoomError
    from dialoom.formats import load
    from dialoom.metrics.lists import score
    from dialoom.play.functions import play
    from dialoom.quality.publishing import publish
    from dialoom.schema.pack import resolve as load_task
    from dialoom.schema.task import TaskSchema

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "Dialogue",
    "DialoomError",
    "Query",
    "Result",
    "TaskSchema",
    "Utterance",
    "__version__",
    "load",
    "load_task",
    "play",
    "publish",
    "score",
]

_HOMES = {
    "Corpus": "dialoom.corpus",
    "Dialogue": "dialoom.dialogue",
    "DialoomError": "dialoom.errors",
    "Query": "dialoom.dialogue",
    "Result": "dialoom.dialogue",
    "TaskSchema": "dialoom.schema.task",
    "Utterance": "dialoom.dialogue",
    "load": "dialoom.formats",
    "load_task": "dialoom.schema.pack:resolve",
    "play": "dialoom.play",
    "publish": "dialoom.quality.publishing",
    "score": "dialoom.metrics.lists",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    found = import_module(module)
    return found if name == "play" else getattr(found, attribute or name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
