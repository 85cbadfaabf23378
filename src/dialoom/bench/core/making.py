"""Making the model that answers a protocol's questions: by name, or from a file.

make = choose("follower", protocol, ["members=3"], seed=0)    # NamedModel("follower", {…})
make = choose("follower.model", protocol)                     # ModelFile(Path("follower.model"))
model = make()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dialoom.bench.core import settings
from dialoom.bench.core.protocol import Protocol
from dialoom.dialogue.question import kind_name
from dialoom.errors import UsageError
from dialoom.models import MODELS, Model
from dialoom.models.encoder import encoders
from dialoom.models.saved import load

Build = Callable[[], Model]
"""Makes a model; must survive pickling where several processes are asked for."""


@dataclass(frozen=True, slots=True)
class NamedModel:
    """Makes a registered model, to be fitted.

    Attributes:
        name: The model's name.
        settings: Its settings.
    """

    name: str
    settings: Mapping[str, Any]

    def __call__(self) -> Model:
        """Return the model.

        Raises:
            UnknownNameError: There is no such model or encoder, or it has no such setting.
        """
        model = MODELS.get(self.name)
        settings.check(settings.types_of(model), self.settings, f"setting of model {self.name}")
        made: Model = model(**self.settings)
        return made


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Makes a model by reading it from a file; it is fitted already.

    Attributes:
        path: The file.
    """

    path: Path

    def __call__(self) -> Model:
        """Return the model.

        Raises:
            FormatError: The file holds no model that this dialoom reads.
        """
        return load(self.path).model


def choose(
    model: str | None, protocol: Protocol, pairs: Sequence[str] = (), seed: int = 0
) -> NamedModel | ModelFile:
    """Return what makes the model that is to answer a protocol's questions.

    Args:
        model: A model's name or a file; the protocol's own model when absent.
        protocol: The protocol.
        pairs: The model's settings as NAME=VALUE.
        seed: The model's, where it takes one and no setting names one.

    Raises:
        UnknownNameError: There is no such model or encoder, or it has no such setting.
        UsageError: The model does not answer the protocol's questions, or a setting is wrong.
        MissingDataError: There is no such file.
        FormatError: The file holds no model that this dialoom reads.
    """
    name = model or protocol.model
    if name not in MODELS and (Path(name).name != name or Path(name).suffix or Path(name).exists()):
        if pairs:
            raise UsageError(f"-M {pairs[0]}: {name} is a fitted model, whose settings stand")
        load(Path(name), protocol.kind)
        return ModelFile(Path(name))
    check_kind(name, protocol)
    chosen = settings.read(MODELS.get(name), pairs, f"setting of model {name}")
    if encoder := chosen.get("encoder"):
        encoders.module(encoder)  # a wrong name is told before anything is read
    takes = "seed" in settings.types_of(MODELS.get(name))
    return NamedModel(name, {"seed": seed, **chosen} if takes else chosen)


def check_kind(name: str, protocol: Protocol) -> None:
    """Check that a model answers the kind of question that a protocol asks.

    Raises:
        UsageError: It does not; the message lists the models that do.
    """
    if protocol.kind in MODELS.get(name).kinds:
        return
    answering = [other for other in MODELS if protocol.kind in MODELS.get(other).kinds]
    raise UsageError(
        f"model {name} does not answer questions of the kind {kind_name(protocol.kind)}, which "
        f"{protocol.name} asks; models that do: {', '.join(answering) or 'none'}"
    )


def variants(make: NamedModel) -> list[NamedModel]:
    """Return makers with the settings that a model offers to choose among: its `variants`.

    Raises:
        UsageError: It offers none.
    """
    offered = getattr(MODELS.get(make.name), "variants", None)
    if offered is None:
        told = f"model {make.name} offers no settings to choose among"
        raise UsageError(f"{told}: --nested has no use")
    return [NamedModel(make.name, {**make.settings, **each}) for each in offered()]
