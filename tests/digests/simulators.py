"""Bytes that simulators write: small corpora, plain, with noise or paraphrased."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from dialoom import formats
from dialoom.dialogue import Dialogue, digest
from dialoom.sim import PRESETS, SCENARIOS, Plan, Request
from dialoom.sim.noise import KINDS, Noise
from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions, Paraphrasing
from dialoom.sim.presets import sgd
from tests.digests.corpora import Corpora
from tests.digests.table import Entry

SEED = 7
GERMAN = str(resources.files("dialoom").joinpath("tasks", "de", "wetter.yaml"))
EVERY = "all,service"

OUTSIDE = frozenset({"manifest.json", "schemas"})
"""The parts of a native corpus that are no dialogues; the manifest has the version of dialoom."""

Change = Callable[[Plan], Callable[[Dialogue], Dialogue]]
"""Returns a function that changes the dialogues of a plan."""


@dataclass(frozen=True)
class SimulatorCase:
    """One simulated corpus.

    Attributes:
        name: The entry's name.
        preset: The preset's name.
        request: The options of the run.
        change: Changes the dialogues before they are written; None for no change.
        needs: The libraries that it needs and that a plain installation lacks.
    """

    name: str
    preset: str
    request: Request
    change: Change | None = None
    needs: tuple[str, ...] = ()

    def measure(self, corpora: Corpora) -> Entry:
        preset = PRESETS.get(self.preset)
        plan = preset.plan(self.request)
        dialogues = list(map(plan.source(), range(plan.dialogues)))
        if self.change is not None:
            dialogues = list(map(self.change(plan), dialogues))
        with TemporaryDirectory(dir=corpora.folder) as name:
            formats.get(preset.format).write(dialogues, plan.schemas, Path(name))
            output = of_bytes(Path(name))
        events = sum(len(dialogue.events) for dialogue in dialogues)
        score = f"{len(dialogues)} dialogues, {events} events"
        return Entry(output, digest([self.preset, plan.settings, plan.seed]), score)


def of_bytes(folder: Path) -> str:
    """Return the digest of the files of a corpus, their names and contents."""
    files = (file for file in folder.rglob("*") if file.is_file())
    names = {file.relative_to(folder).as_posix(): file for file in files}
    hashes = {
        name: sha256(file.read_bytes()).hexdigest()
        for name, file in names.items()
        if name.partition("/")[0] not in OUTSIDE
    }
    return digest(hashes)


def noise(kind: str) -> Change:
    return lambda plan: Noise(kind, rate=0.2, seed=SEED).dialogue


def scripted(language: str) -> Change:
    def change(plan: Plan) -> Callable[[Dialogue], Dialogue]:
        paraphraser = PARAPHRASERS.get("scripted")(ParaphraseOptions(language, SEED))
        return Paraphrasing(paraphraser, plan.schemas, language).dialogue

    return change


def star(number: int = 30, *, tasks: str = EVERY, scenario: str = "mixed") -> Request:
    return Request(number=number, seed=SEED, tasks=tasks, scenario=scenario)


def _presets() -> Iterable[SimulatorCase]:
    for scenario in SCENARIOS:
        yield SimulatorCase(f"simulator/star/{scenario}", "star", star(60, scenario=scenario))
    yield SimulatorCase("simulator/star/german", "star", star(20, tasks=GERMAN))
    yield SimulatorCase(
        "simulator/star/noisy-wizard",
        "star",
        Request(number=60, seed=SEED, tasks=EVERY, wizard_noise=0.3, brief=0.5, digress=3.0),
    )
    for scenario in sgd.SCENARIOS:
        request = Request(number=16, seed=SEED, scenario=scenario)
        yield SimulatorCase(f"simulator/sgd/{scenario}", "sgd", request)
    for preset, number in (("babi", 3), ("dstc6", 3), ("frames", 20), ("taskmaster", 20)):
        request = Request(number=number, seed=SEED)
        yield SimulatorCase(f"simulator/{preset}", preset, request)
    request = Request(number=20, seed=SEED, tasks="hotel_book,weather,trivia")
    yield SimulatorCase("simulator/taskmaster/tasks", "taskmaster", request)


def _changed() -> Iterable[SimulatorCase]:
    for kind in KINDS:
        yield SimulatorCase(f"noise/{kind}", "star", star(), noise(kind))
    english = scripted("en")
    services = Request(number=9, seed=SEED)
    german = star(9, tasks=GERMAN)
    yield SimulatorCase("paraphrase/scripted", "star", star(), english)
    yield SimulatorCase("paraphrase/scripted/services", "sgd", services, english)
    yield SimulatorCase("paraphrase/scripted/german", "star", german, scripted("de"))


SIMULATOR_CASES = [*_presets(), *_changed()]
