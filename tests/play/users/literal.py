"""A user who follows instructions to the letter, as a language model should.

dialoom.play("flow", user=literal(tasks), tasks="hotel_book")

It has the instructions alone: lines of what it knows, and lines of what to say next. What the
agent asks for is read off its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram, compile_task
from dialoom.reading.dialogue import DialogueReading
from dialoom.schema.lexicon import lexicon
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.scenario_texts import scenario_texts

NONE = "No, nothing special."
"""What is said to a question without a wish, in English."""


class LiteralUser:
    """Follows the instructions for one task.

    Args:
        task: The task.
    """

    def __init__(self, task: TaskSchema) -> None:
        self._program: TaskProgram = compile_task(task)
        self._reading = DialogueReading(task)
        texts = scenario_texts(task.language)
        self._reply = re.compile(
            re.escape(texts.replies).replace(r"\{heard\}", "(.*)").replace(r"\{text\}", "(.*)")
        )
        self._fact = re.compile(
            re.escape(texts.fact).replace(r"\{slot\}", "(.*?)").replace(r"\{value\}", "(.*)")
        )
        self._open = texts.open.split("{text}")[0]
        self._slots = {s.description or name: name for name, s in task.slots.items()}
        self._known: dict[str, str] = {}
        self._steps: list[tuple[str, str, dict[str, str]]] = []
        self._told: set[str] = set()

    def __call__(self, history: list[dict[str, Any]]) -> str | None:
        """Return what comes next."""
        message = history[-1]["content"]
        if len(history) == 2:
            self._learn(history[0]["content"])
            first = self._program.first
            return self._say(first.lines[0].literals[0] if first.lines[0].names == () else "Hello.")
        for text in message.splitlines():
            self._reading.observe(Utterance(agent=SYSTEM, text=text))
        turn = self._reading.turn
        node = self._program.steps.get(turn.action or "")
        if node is not None and node in self._program.closing and not node.users:
            return None
        if turn.asks:
            texts = [self._tell(slot) for slot in turn.asks if slot in self._known]
            none = [text for text in texts if text.startswith(self._open)]
            answers = [text for text in texts if text not in none]
            last = none[-1].removeprefix(self._open) if none else NONE
            return self._say(" ".join(answers) or last)
        users = node.users if node is not None else ()
        values = {s: text for s, text in self._known.items() if not text.startswith(self._open)}
        lines = [line for each in users for line in each.lines if {*line.names} <= values.keys()]
        fresh = [line for line in lines if {*line.names} - self._told]
        if fresh:
            line = max(fresh, key=lambda line: len({*line.names} - self._told))
            self._told |= {*line.names}
            words = zip(line.literals, [*(values[name] for name in line.names), ""], strict=True)
            return self._say("".join(part for pair in words for part in pair))
        if self._steps and self._alike(self._steps[0][0], node):
            _, text, changes = self._steps.pop(0)
            self._known |= changes
            self._told -= changes.keys()
            return self._say(text)
        plain = next((line for line in users[0].lines if not line.names), None) if users else None
        if plain is not None:
            return self._say(plain.literals[0])
        return self._say(lexicon(self._program.language).yes[0])

    def _alike(self, prompt: str, node: Step | None) -> bool:
        """Tell whether a line of the instructions is of a node, or of one with its answers."""
        steps = self._program.steps.values()
        matches = [s for s in steps if prompt in ("…".join(line.literals) for line in s.lines)]
        return node is not None and any(set(s.users) & set(node.users) for s in matches)

    def _tell(self, slot: str) -> str:
        self._told.add(slot)
        return self._known.get(slot, NONE)

    def _say(self, text: str) -> str:
        self._reading.observe(Utterance(agent=USER, text=text))
        return text

    def _learn(self, script: str) -> None:
        facts: Mapping[str, str] = self._known
        values, texts = self._known, scenario_texts(self._program.language)
        for line in script.splitlines():
            reply = self._reply.fullmatch(line)
            if reply is not None:
                values = {}
                self._steps.append((reply[1], reply[2], values))
            elif (match := self._fact.fullmatch(line)) is not None and match[1] in self._slots:
                none = texts.open.format(text=NONE) if match[2] == texts.dropped else match[2]
                values[self._slots[match[1]]] = none
        assert facts is self._known
