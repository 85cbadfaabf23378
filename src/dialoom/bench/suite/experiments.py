"""The list of experiments: experiments.json, one entry a run.

{"name": "star-zero-shot-domain", "table": "STAR, Table 4: zero-shot next action",
 "protocol": "star-zero-shot-domain", "settings": {"test": "happy"}}
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from importlib import resources

import msgspec
from msgspec.structs import replace

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.settings import types_of
from dialoom.errors import check_name
from dialoom.models import MODELS


class Simulated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A corpus that is simulated for an experiment, of all tasks by default.

    `part` is a folder of its files, such as `train`; `wording` is the number of a bundled wording;
    `wizard_noise` is the probability that a wizard deviates from the flow.
    """

    preset: str
    number: int
    seed: int = 0
    tasks: str | None = None
    scenario: str | None = None
    part: str | None = None
    wording: str | None = None
    wizard_noise: float = 0.0


class Experiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One run of a protocol with a model.

    Attributes:
        table: The published table or figure that it reproduces, or else its subject.
        model: The model's name; the protocol's default when absent.
        split: The test part of the corpus; the protocol's default when absent.
        train_split: The training part, where the protocol has no default.
        wordings: The wordings in which the training corpus is simulated, each with a seed of its
            own; together they are what is learned from.
        worlds: A second simulated training corpus, of drawn tasks.
        train_from: The folder of the corpus root with the training corpus, perhaps in another
            format.
        mixed: Whether the test corpus is learnt from as well as the simulated one.
        quick: Whether `--quick` also runs it, on a small simulated corpus.
        seeds: Number of runs, each on a training corpus simulated with another seed.
        long: Whether it takes so long that it is run only where it is named.
        seconds: CPU time (s) that it took when measured, alone in a new folder; None where it was
            not. It decides when it is run, and nothing else.
        family: The common name of its repetitions with other seeds.
    """

    name: str
    table: str
    protocol: str
    model: str | None = None
    settings: dict[str, str] = {}
    model_settings: dict[str, str] = {}
    split: str | None = None
    train_split: str | None = None
    corpus: Simulated | None = None
    train: Simulated | None = None
    wordings: tuple[str, ...] = ()
    worlds: Simulated | None = None
    train_from: str | None = None
    mixed: bool = False
    quick: bool = False
    seeds: int = 1
    long: bool = False
    seconds: int | None = None
    family: str = ""

    @property
    def simulated(self) -> tuple[Simulated, ...]:
        """The simulated training corpora."""
        train = self.train
        if train is None:
            return ()
        worded = tuple(
            replace(train, wording=wording, seed=train.seed + number)
            for number, wording in enumerate(self.wordings)
        )
        return (*(worded or (train,)), *((self.worlds,) if self.worlds else ()))


class Unavailable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published table that cannot be reproduced from published data."""

    table: str
    why: str


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list of experiments of `dialoom bench --all`; `samples` replace corpora if quick."""

    samples: dict[str, Simulated]
    experiments: list[Experiment]
    unavailable: list[Unavailable]


@cache
def suite() -> Suite:
    """Return the bundled suite, each repetition with another seed as an experiment of its own."""
    data = resources.files(__package__).joinpath("experiments.json").read_bytes()
    bundle = msgspec.json.decode(data, type=Suite)
    return replace(bundle, experiments=[each for one in bundle.experiments for each in _seeds(one)])


def _seeds(one: Experiment) -> list[Experiment]:
    if one.train is None or one.seeds == 1:
        return [one]
    return [
        replace(
            one, name=f"{one.name}-{seed}", train=replace(one.train, seed=seed), seeds=1,
            family=one.name,
        )
        for seed in range(one.seeds)
    ]  # fmt: skip


def repeated(experiments: Iterable[Experiment], seeds: int) -> list[Experiment]:
    """Return experiments, those whose model has a seed with `seeds` seeds: 0, 1, and so on.

    The further ones are called `NAME-seed1` and so on.
    """
    runs = []
    for one in experiments:
        name = one.model or PROTOCOLS.get(one.protocol).model
        if seeds == 1 or one.family or "seed" not in types_of(MODELS.get(name)):
            runs.append(one)  # a repetition already, or one whose model has no seed
            continue
        one = replace(one, family=one.name)
        runs.append(one)
        for seed in range(1, seeds):
            settings = {**one.model_settings, "seed": str(seed)}
            runs.append(replace(one, name=f"{one.name}-seed{seed}", model_settings=settings))
    return runs


def experiments(only: Collection[str] = (), *, quick: bool = False) -> list[Experiment]:
    """Return the (`quick`) experiments, or those named in `only`; or `UnknownNameError`.

    Names may be of families. Without any, long experiments are left out.
    """
    entries = suite().experiments
    if quick:  # measured times are those of the real corpora
        entries = [replace(each, seconds=None) for each in entries if each.quick]
    names = {name for each in entries for name in (each.name, each.family) if name}
    for name in only:
        check_name("experiment", name, names)
    if not only:
        return [each for each in entries if not each.long]
    return [each for each in entries if each.name in only or each.family in only]
