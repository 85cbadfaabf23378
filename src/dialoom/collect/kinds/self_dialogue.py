"""Self-dialogues: one person writes both sides from an outline (Byrne et al. 2019, Taskmaster-1).

    {"1": {"speaker": "user", "text": "A large pizza, please."}, "2": {"speaker": "assistant", …}}

A part is an utterance; its name is a number, and utterances are in the order of these numbers. The
outline lists what to order or book; the page also shows the ontology's arguments. Dialogues
are exported with the fields of Taskmaster-1's self-dialogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused, cleaned
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.unit import Data, Result, Scenarios
from dialoom.dialogue import COMPLETE, SYSTEM, USER, Dialogue, Scenario, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.schema.service_words import spoken_name
from dialoom.schema.services import contract
from dialoom.sim.core.plan import PRESETS, Plan, Request

WRITER: Role = "writer"

_AGENTS = {"user": USER, "assistant": SYSTEM}


class WrittenTurn(Struct, frozen=True):
    """An utterance of a self-dialogue."""

    speaker: Literal["user", "assistant"]
    text: str


class Outline(Struct, frozen=True):
    """A self-dialogue's vertical or task, with instructions and wanted values."""

    subject: str
    scenario: Scenario
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


class SelfDialogueKind(DocumentKind):
    """The kind of work in which one person writes both sides of a dialogue."""

    name = "self_dialogue"
    roles = (WRITER,)
    content = Outline

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(scenarios, settings, stage)
        self.schemas = self._plan.schemas

    @cached_property
    def _plan(self) -> Plan:
        names = ",".join(self._stage.tasks) or None
        many = self._settings.scenarios
        seed = self._settings.seed
        return PRESETS.get("taskmaster").plan(Request(number=many, seed=seed, tasks=names))

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the outlines of simulated self-dialogues."""
        dialogue, subjects = self._plan.source(), list(self.schemas)
        for index in range(self._settings.scenarios):
            scenario = dialogue(index).scenario or Scenario()
            subject = subjects[index % len(subjects)]
            [intent] = contract(self.schemas[subject]).intents[:1]
            outline = Outline(subject, scenario, intent.required, tuple(intent.optional))
            yield msgspec.to_builtins(outline), (scenario.user_task, scenario.goal)

    def page(self, item: Outline) -> Data:
        """Return the outline, the values that are wanted, and the ontology's arguments."""
        goal = item.scenario.goal if isinstance(item.scenario.goal, dict) else {}
        return {
            "subject": item.subject,
            "text": item.scenario.user_task or "",
            "wanted": _in_words(goal.get("values", {})),
            "first": _in_words((goal.get("changes") or [{}])[0]),
            "required": list(map(spoken_name, item.required)),
            "optional": list(map(spoken_name, item.optional)),
            "least": self._stage.least,
        }

    def checked(self, item: Outline, part: str, value: Any) -> Any:
        """Return an utterance, as JSON values for the log."""
        if not part.isascii() or not part.isdecimal() or int(part) < 1:
            raise Refused("malformed", "a part is the number of an utterance, from 1")
        try:
            turn = msgspec.convert(value, WrittenTurn)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"not an utterance: {error}") from error
        return {"speaker": turn.speaker, "text": cleaned(turn.text)}

    def problems(self, item: Outline, document: Mapping[str, Any]) -> list[Data]:
        """Return the problems `short` (too few utterances), `no_user` and `no_assistant`."""
        issues: list[Data] = []
        if len(document) < self._stage.least:
            issues.append({"code": "short", "part": None})
        speakers = {turn["speaker"] for turn in document.values()}
        return issues + [
            {"code": f"no_{speaker}", "part": None}
            for speaker in _AGENTS
            if speaker not in speakers
        ]

    def dialogues(self, item: Outline, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue that was written."""
        [result] = results
        turns = sorted(result.document.items(), key=lambda turn: int(turn[0]))
        yield Dialogue(
            id=f"dlg-{result.unit}",
            events=tuple(
                Utterance(agent=_AGENTS[turn["speaker"]], text=turn["text"]) for _, turn in turns
            ),
            scenario=item.scenario,
            workers={USER: result.worker, SYSTEM: result.worker},
            batch=result.batch,
            outcome=COMPLETE,
            provenance="collected",
        )


def _in_words(values: Mapping[str, Any]) -> dict[str, Any]:
    return {spoken_name(name): value for name, value in values.items()}
