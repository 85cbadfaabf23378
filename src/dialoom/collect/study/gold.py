"""Gold items: which worker gets one when, how workers answered them, and what follows from it."""

from __future__ import annotations

from dialoom.collect.settings import Stage
from dialoom.collect.stage_rules import GoldRule
from dialoom.sim.core.rng import SeededRng, seed_of


class GoldAnswers:
    """The answers of workers to gold items; `units` maps a unit to whether its answer is right."""

    def __init__(self) -> None:
        self.units: dict[int, bool] = {}
        self._workers: dict[tuple[str, str], tuple[bool, ...]] = {}

    def answer(self, worker: str, stage: str, unit: int, *, right: bool) -> None:
        """Add an answer of a worker to a gold item, right or wrong."""
        self.units[unit] = right
        self._workers[worker, stage] = (*self.of(worker, stage), right)

    def of(self, worker: str, stage: str) -> tuple[bool, ...]:
        """Return whether a worker's answers in a stage are right, in order."""
        return self._workers.get((worker, stage), ())

    def table(self) -> dict[str, dict[str, int]]:
        """Return worker to the number of their answers, and of the right ones, as JSON values."""
        rows: dict[str, dict[str, int]] = {}
        for (name, _), answers in self._workers.items():
            row = rows.setdefault(name, {"right": 0, "of": 0})
            row["right"] += sum(answers)
            row["of"] += len(answers)
        return rows

    def rule(self, worker: str, stage: Stage) -> GoldRule | None:
        """Return the strictest rule of a stage that a worker's answers call for."""
        return None if stage.gold is None else stage.gold.rule(self.of(worker, stage.name))


def due(stage: Stage, seed: int, worker: int, had: int) -> bool:
    """True if a worker's next item of a stage is a gold item.

    Args:
        worker: The worker's number in the study.
        had: The number of items that they had before.
    """
    if stage.gold is None:
        return False
    block, place = divmod(had, stage.gold.every)
    return (
        SeededRng(seed_of(seed, worker), f"gold {stage.name} {block}".encode()).below(
            stage.gold.every
        )
        == place
    )
