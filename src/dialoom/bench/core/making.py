"""Makers of models: functions that return a fresh model by name, or a fitted one from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dialoom.bench.core import settings
from dialoom.bench.core.protocol import Protocol
from dialoom.dialogue.question import kind_name
from dialoom.errors import UsageError, check_name
from dialoom.learn.text import encoders
from dialoom.models import MODELS, Model, load

Build = Callable[[], Model]
"""Returns a model; it must be picklable where several processes are used."""


@dataclass(frozen=True, slots=True)
class NamedModel:
    """Returns an unfitted model by its name in `MODELS`."""

    name: str
    settings: Mapping[str, Any]

    def __call__(self) -> Model:
        """Return the model; `UnknownNameError` for a missing model, encoder or setting."""
        model = MODELS.get(self.name)
        types = settings.types_of(model)
        for name in self.settings:
            check_name(f"setting of model {self.name}", name, types)
        instance: Model = model(**self.settings)
        return instance


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Returns a fitted model that it reads from a file."""

    path: Path

    def __call__(self) -> Model:
        """Return the model; `FormatError` if the file is no model of this version."""
        return load(self.path).model


def choose(
    model: str | None, protocol: Protocol, pairs: Sequence[str] = (), seed: int = 0
) -> NamedModel | ModelFile:
    """Return the maker of a protocol's model by name or file, by default its own.

    `pairs` are settings as NAME=VALUE; `seed` is set if the model has that setting. `UsageError` if
    the model has another kind of question, errors of unknown names, settings and files.
    """
    name, pairs = _with_address(model or protocol.model, pairs)
    if name not in MODELS and (Path(name).name != name or Path(name).suffix or Path(name).exists()):
        if pairs:
            raise UsageError(
                f"-M {pairs[0]}: {name} is a fitted model with settings of its own",
                code="not-taken",
            )
        load(Path(name), protocol.kind)
        return ModelFile(Path(name))
    check_kind(name, protocol)
    options = settings.read(MODELS.get(name), pairs, f"setting of model {name}")
    if encoder := options.get("encoder"):
        encoders.module(encoder)  # raises on a wrong name before any corpus is read
    takes = "seed" in settings.types_of(MODELS.get(name))
    return NamedModel(name, {"seed": seed, **options} if takes else options)


def _with_address(name: str, pairs: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return a model's name and its settings, with the address after the name (openai:small@…)."""
    head, colon, rest = name.partition(":")
    setting = getattr(MODELS.get(head), "named_by", None) if colon and head in MODELS else None
    return (name, pairs) if setting is None else (head, [f"{setting}={rest}", *pairs])


def check_kind(name: str, protocol: Protocol) -> None:
    """Check that a model answers a protocol's kind of question; `UsageError` lists such models."""
    if protocol.kind in MODELS.get(name).kinds:
        return
    answering = [other for other in MODELS if protocol.kind in MODELS.get(other).kinds]
    raise UsageError(
        f"model {name} does not answer questions of the kind {kind_name(protocol.kind)}, which "
        f"{protocol.name} asks; models that do: {', '.join(answering) or 'none'}",
        code="wrong-kind",
    )


def variants(make: NamedModel) -> list[NamedModel]:
    """Return a maker for each of a model's `variants`; `UsageError` if it has none."""
    offered = getattr(MODELS.get(make.name), "variants", None)
    if offered is None:
        message = f"model {make.name} offers no settings to choose among"
        raise UsageError(f"{message}: --nested has no use")
    return [NamedModel(make.name, {**make.settings, **each}) for each in offered()]
