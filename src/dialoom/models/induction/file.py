"""An induced task as a task file: its value, its text, and repairs of findings of `check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dialoom.flow.importing import UNSAID
from dialoom.models.induction.knowledge import Knowledge
from dialoom.models.induction.wording import placeholders
from dialoom.schema.findings import Finding, Report
from dialoom.schema.lexicon import split_name
from dialoom.schema.service_words import snake, spoken_name
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.including import read_string
from dialoom.schema.yaml.knowledge import trace
from dialoom.schema.yaml.reading import check_text
from dialoom.schema.yaml.validation import ValidationContext
from dialoom.schema.yaml.writing import write

ROUNDS = 5
"""Most rounds of repairs: a repair may reveal a mistake that another one has hidden."""

_Raw = dict[str, Any]


@dataclass
class TaskFile:
    """A task file made from dialogues.

    `out_of_scope` are the system's replies to out-of-scope turns; `dialogues` counts the source
    dialogues.
    """

    name: str
    language: str
    knowledge: Knowledge
    nodes: dict[str, _Raw]
    out_of_scope: list[str]
    dialogues: int

    @cached_property
    def value(self) -> _Raw:
        """The value of the file, repaired as far as possible."""
        content = self._repaired()
        _relax(content)
        return content

    def _repaired(self) -> _Raw:
        draft = self._drafted()
        for _ in range(ROUNDS):
            # the last text of a list first, as repairs may drop some
            mended = [_repair(draft, finding) for finding in reversed(check_text(write(draft)))]
            if not any(mended):
                break
        return draft

    @property
    def unsure(self) -> dict[str, set[str]]:
        """Node of a call to the required slots that have no certain value there."""
        nodes = {
            name: {
                call["inputs"][each]["slot"]
                for each in unsure
                if call["inputs"][each].get("required") or each in call.get("key", ())
            }
            for name, call, unsure in _unsure(self._repaired())
        }
        return {name: slots for name, slots in nodes.items() if slots}

    @property
    def text(self) -> str:
        """The text of the file."""
        return write(self.value, self._head())

    @cached_property
    def task(self) -> TaskSchema:
        """The task that the file holds."""
        return build(self.value)

    def _drafted(self) -> _Raw:
        names = self._heard()
        slots = {name: raw for name, raw in self.knowledge.raw_slots.items() if name in names}
        draft: _Raw = {
            "task": snake(self.name),
            "domain": snake(self.name.partition("_")[0]),
            "language": self.language,
            "description": " ".join(split_name(self.name)),
            "slots": slots,
        }
        if self.knowledge.apis:
            draft["tables"] = self.knowledge.raw_tables(names)
            draft["apis"] = self.knowledge.raw_calls(names)
        draft["flow"] = self.nodes
        if self.out_of_scope:
            draft["out_of_scope"] = self.out_of_scope
        return draft

    def _heard(self) -> set[str]:
        texts = (text for node in self.nodes.values() for text in node.get("user", ()))
        return {name for text in texts for name in placeholders(text)}

    def _head(self) -> str:
        lost = [p for p, name in self.knowledge.names.items() if name not in self._heard()]
        comment = f"Induced from {self.dialogues} dialogues: go through it piece by piece.\n"
        comment += "`dialoom schema check` lists what is missing; `schema render` draws the flow."
        spellings = self.knowledge.columns | self.knowledge.calls
        odd = [f"{new} ({old})" for old, new in spellings.items() if new != old]
        if odd:
            comment += f"\nNames that a task file cannot have as they are: {', '.join(odd)}."
        if lost:
            comment += f"\nParameters that no user was heard to give: {', '.join(lost)}."
        return comment


def _unsure(value: _Raw) -> Iterator[tuple[str, _Raw, list[str]]]:
    document = read_string(write(value), value["task"])
    context = ValidationContext(document, build(document.value), Report(document))
    slots = trace(context).sure
    for name, node in value["flow"].items():
        if "call" in node:
            call, sure = value["apis"][node["call"]], slots.get(name, ())
            unsure = [n for n, entry in call["inputs"].items() if entry.get("slot") not in sure]
            yield name, call, unsure


def _relax(value: _Raw) -> None:
    """Make inputs without a certain value at a node of their call optional, and no keys.

    If no part of a key is certain, the required inputs become the key; without any, a call that
    finds a row searches.
    """
    for _, call, unsure in list(_unsure(value)):
        for each in unsure:
            call["inputs"][each].pop("required", None)
        sure = [each for each in call.get("key", ()) if each not in unsure]
        required = [name for name, entry in call["inputs"].items() if entry.get("required")]
        if "key" in call and (key := sure or required):
            call["key"] = key
        elif call["effect"] == "find":
            del call["key"]
            call["effect"] = "search"


def _repair(value: _Raw, finding: Finding) -> bool:
    repair = _REPAIRS.get(finding.code)
    if repair is None or not finding.pointer.startswith("/flow/"):
        return False
    _, name, *keys = finding.pointer[1:].split("/")
    repair(value, value["flow"][name], keys)
    return True


def _spell_out(value: _Raw, node: _Raw, keys: list[str]) -> None:
    texts, place = node[keys[0]], int(keys[1])
    texts[place] = _plain(texts[place])


def _add_plain(value: _Raw, node: _Raw, keys: list[str]) -> None:
    node["system"] = [*node["system"], _plain(node["system"][0])]


def _plain(text: str) -> str:
    return PLACEHOLDER.sub(lambda match: spoken_name(match[1]), text)


def _open_inputs(value: _Raw, node: _Raw, keys: list[str]) -> None:
    """Make all inputs optional of a call that is made before their values can be known."""
    for entry in value["apis"][node["call"]]["inputs"].values():
        entry.pop("required", None)


def _drop(value: _Raw, node: _Raw, keys: list[str]) -> None:
    if len(keys) == 2:  # the place of a text
        texts, place = node[keys[0]], int(keys[1])
        node[keys[0]] = texts[:place] + texts[place + 1 :] or [UNSAID]


_REPAIRS: dict[str, Callable[[_Raw, _Raw, list[str]], None]] = {
    "E106": _drop,
    "E107": _drop,
    "E301": _spell_out,
    "E302": _spell_out,
    "W303": _add_plain,
    "E309": _drop,
    "E405": _open_inputs,
}
"""Code of a finding about the flow to its repair."""
