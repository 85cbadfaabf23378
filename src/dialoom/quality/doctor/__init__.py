"""The schema doctor: simulate dialogues of a task file and report what never or wrongly happens.

Findings of `schema check` are not repeated here. A finding has the place in the task
file of what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dialoom.dialogue import Dialogue
from dialoom.errors import DialoomError, SchemaError, UsageError
from dialoom.quality.coverage import Coverage, CoverageCounter
from dialoom.quality.doctor.rules import CHECKS, Observations
from dialoom.quality.lint import Linter
from dialoom.schema.findings import RULES, Finding, Report, TooManyError
from dialoom.schema.places import Document
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import make
from dialoom.sim.policies.flow.digressions import THOROUGH
from dialoom.sim.policies.flow.persons import PLAIN, Persons
from dialoom.sim.policies.flow.simulator import Simulator

DIALOGUES = 500
"""Default number of dialogues, enough to reach every node of the bundled tasks."""


@dataclass(frozen=True)
class Diagnosis:
    """The result of the schema doctor for a task.

    Attributes:
        ended: Number of those that came to an end.
        reached: Number of those that reached their goal: what the flow books, enters or changes was
            done; where it does nothing of the kind, what was searched for was found.
    """

    task: str
    dialogues: int
    ended: int
    reached: int
    findings: list[Finding]
    coverage: Coverage

    @property
    def errors(self) -> int:
        """Number of errors among the findings."""
        return sum(finding.severity == "error" for finding in self.findings)


def examine(document: Document, dialogues: int = DIALOGUES, seed: int = 0) -> Diagnosis:
    """Simulate dialogues of a task file, return findings; `SchemaError` if it has errors."""
    if dialogues < 1:
        raise UsageError(
            f"{dialogues} dialogues show nothing; ask for 1 or more", code="out-of-range"
        )
    task = make(document)
    observed = Observations(CoverageCounter(task))
    linter = Linter({task.id: task}, seed)
    for dialogue in _simulated(task, dialogues, seed, observed):
        observed.add(dialogue)
        for finding in linter.check(dialogue):
            if finding.severity == "information":  # nothing that is wrong
                continue
            observed.first_findings.setdefault(finding.code, f"{finding.pointer} {finding.message}")
    observed.lint_counts = linter.counts
    report = Report(document)
    _report(observed, report)
    return Diagnosis(
        task=task.id,
        dialogues=dialogues,
        ended=observed.ended,
        reached=observed.reached,
        findings=list(report),
        coverage=observed.coverage,
    )


def _report(observed: Observations, report: Report) -> None:
    try:
        for code, check in sorted(CHECKS.items()):
            for pointer, what in check(observed):
                report.add(code, pointer, f"{what}; {RULES[code].right}")
    except TooManyError:
        report.cut()


def _simulated(
    task: TaskSchema, dialogues: int, seed: int, observed: Observations
) -> Iterator[Dialogue]:
    try:
        persons = Persons(PLAIN, task.language, scripted=True)
        simulator = Simulator(task, seed, stage_rates={"happy": THOROUGH}, persons=persons)
    except SchemaError:
        raise
    except DialoomError as error:  # a table that cannot be filled
        observed.broken[str(error)] += dialogues
        return
    for index in range(dialogues):
        try:
            yield simulator.dialogue(index)
        except DialoomError as error:
            observed.broken[str(error)] += 1
