"""What a person's words give of a task's slots: the forms of values turned around.

    hearing = Hearing(program)
    hearing.heard("Half past seven for four of us", {"time"})     # {"time": "19:30", "guests": 4}

Values are found by the forms that the simulator says them in, the longest first, so that no slot
hears what belongs to another. A bare number goes to the slot that was asked for. Texts of no listed
value are taken from the answer to their question: what stands where a template of the task has the
slot, else the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.kb.domain import slot_domain
from dialoom.schema.lexicon import lexicon
from dialoom.schema.template import Template, match_best, parse
from dialoom.sim.policies.flow.program import Program

MOST = 2000
"""Values of a slot that are listened for at most: more are no closed set."""

LIKE = 0.7
"""How well an answer must fit a template for the slot to be read off it."""

_TEXTS = ("short text", "long text")


class _Form(NamedTuple):
    slot: str
    canonical: Any


class Hearing:
    """Listens for the values of one task.

    Args:
        program: The task, compiled.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._slots = program.schema.slots

    @cached_property
    def _forms(self) -> dict[str, list[_Form]]:
        """What may be said, lower-cased, to the values it may stand for."""
        found: dict[str, list[_Form]] = {}
        for name, slot in self._slots.items():
            domain = slot_domain(slot)
            if domain is None or domain.size > MOST or slot.type == "categories":
                continue
            for place in range(domain.size):
                value = domain.at(place)
                for said in self._program.words.forms(name, value):
                    held = found.setdefault(said.text.casefold(), [])
                    if _Form(name, value) not in held:
                        held.append(_Form(name, value))
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self._forms, key=len, reverse=True)
        return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)")

    @cached_property
    def _answers(self) -> dict[str, dict[str, Template]]:
        """Slot of free text to the templates of users that name it."""
        found: dict[str, dict[str, Template]] = {}
        for step in self._program.steps.values():
            for text in step.node.texts if step.kind == "user" else ():
                template = parse(text)
                for slot in template.slots:
                    if slot.name in self._slots and self._slots[slot.name].type in _TEXTS:
                        found.setdefault(slot.name, {})[text] = template
        return found

    def heard(self, text: str, asked: Collection[str] = ()) -> dict[str, Any]:
        """Return slot to canonical value.

        Args:
            text: What was said.
            asked: The slots it answers a question for.
        """
        found: dict[str, Any] = {}
        for match in self._pattern.finditer(text.casefold()) if self._forms else ():
            form = self._meant(self._forms[match[0]], match[0], asked)
            if form is not None:
                found.setdefault(form.slot, form.canonical)
        for name in asked:
            if name not in found and self._slots[name].type in _TEXTS:
                value = self._free(name, text)
                if value:
                    found[name] = value
        return found

    def declined(self, text: str) -> bool:
        """Tell whether an answer says no: there is no wish for what was asked."""
        spoken = lexicon(self._program.language)
        said = re.findall(r"\w+", text.casefold())
        return bool(said) and said[0] in {word.casefold() for word in spoken.no}

    def _meant(self, forms: list[_Form], text: str, asked: Collection[str]) -> _Form | None:
        """Return which value is meant: that of a slot asked for, else of the only slot."""
        fitting = [form for form in forms if form.slot in asked]
        if fitting:
            return fitting[0]
        only = {form.slot for form in forms}
        return forms[0] if len(only) == 1 and not text.isdigit() else None

    def _free(self, name: str, text: str) -> str:
        found = match_best(text, self._answers.get(name, {}), least=LIKE)
        if found is not None and found[1].values.get(name):
            return found[1].values[name].strip(" .,!")
        return text.strip(" .,!")
