"""dialoom weaves task-oriented dialogues out of task schemas, and measures what models learn.

    import dialoom
    corpus = dialoom.simulate("hotel_book", n=200, seed=7)
    corpus.lint().errors, corpus.stats()["dialogues"], corpus.convert("chat", "out").loss
    dialoom.evaluate("star-zero-shot-domain", "corpora", model="follower").table

The names below are loaded when they are first used: `import dialoom` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom import metrics
    from dialoom.bench.evaluation import evaluate
    from dialoom.dialogue import Dialogue, Query, Result, Utterance
    from dialoom.errors import DialoomError
    from dialoom.metrics.lists import score
    from dialoom.play.functions import play
    from dialoom.quality.publishing import publish
    from dialoom.schema.task import TaskSchema
    from dialoom.workbench.corpus import OpenCorpus as Corpus
    from dialoom.workbench.corpus import load
    from dialoom.workbench.simulation import simulate
    from dialoom.workbench.task import load_task

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
    "evaluate",
    "load",
    "load_task",
    "metrics",
    "play",
    "publish",
    "score",
    "simulate",
]

_HOMES = {
    "Corpus": "dialoom.workbench.corpus:OpenCorpus",
    "Dialogue": "dialoom.dialogue",
    "DialoomError": "dialoom.errors",
    "Query": "dialoom.dialogue",
    "Result": "dialoom.dialogue",
    "TaskSchema": "dialoom.schema.task",
    "Utterance": "dialoom.dialogue",
    "evaluate": "dialoom.bench.evaluation",
    "load": "dialoom.workbench.corpus",
    "load_task": "dialoom.workbench.task",
    "metrics": "dialoom.metrics",
    "play": "dialoom.play",
    "publish": "dialoom.quality.publishing",
    "score": "dialoom.metrics.lists",
    "simulate": "dialoom.workbench.simulation",
}


_MODULES = {"metrics", "play"}
"""Names that are modules: `play` can be called, too."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    home = import_module(module)
    return home if name in _MODULES else getattr(home, attribute or name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
