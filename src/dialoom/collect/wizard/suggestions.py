"""Suggestions for a wizard: a task's replies, ranked by the typed text, filled from the item.

    suggester = Suggester(task, TfidfEncoder())
    suggester.rank("table is free", {"Name": "Juniper", "Time": "19:30", "PartySize": 4}, 3)
    # (Candidate("restaurant_ask_confirm_booking", "Juniper can seat 4 at 7:30 pm. …"), …)

A reply is as good as the most similar of its templates, its examples and the words of its action's
name, which wizards come to know. Its text is its most similar
template that can be filled, from the item first and then from what is known. A reply that has no
such template is left out: nobody can send it yet, and no placeholder is ever shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dialoom.collect.wizard.filling import Filler
from dialoom.dialogue import Candidate
from dialoom.dialogue.event import Item
from dialoom.models.encoder import Encoder, TfidfEncoder
from dialoom.schema.actions import OUT_OF_SCOPE, wordings
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template, parse

NEXT = 0.1
"""How much the next action of the flow is put before others that are as similar (0 to 1)."""


class Suggester:
    """Ranks the replies of one task; fitted once, then used from any thread.

    Args:
        task: The task.
        encoder: Tells how alike texts are; it is fitted here.
    """

    def __init__(self, task: TaskSchema, encoder: Encoder | None = None) -> None:
        self.task = task
        self._filler = Filler(task)
        replies = dict(_replies(task))
        self._actions = tuple(replies)
        self._templates: list[tuple[int, Template]] = []
        texts: list[str] = []
        for place, held in enumerate(replies.values()):
            self._templates += [(place, parse(text)) for text in held]
            texts += [parse(text).bare for text in held]
        self._owners = [place for place, _ in self._templates]
        for place, action in enumerate(self._actions):
            node = task.flow.nodes.get(action)
            examples = wordings(node) if node else ()
            self._owners += [place] * len(examples)
            texts += examples
        self._owners += range(len(self._actions))
        texts += [" ".join(split_name(action)) for action in self._actions]
        self._texts = tuple(texts)
        self._encoder = encoder or TfidfEncoder()
        self._encoder.fit(texts)

    def rank(
        self,
        text: str,
        item: Item | None = None,
        count: int = 3,
        known: Mapping[str, Any] = {},
        likely: Collection[str] = (),
    ) -> tuple[Candidate, ...]:
        """Return the replies that fit best, at most `count`.

        Args:
            text: What the wizard typed.
            item: The item before them.
            count: How many are wanted.
            known: Name to value of what the user said (known.py).
            likely: The actions that come next in the flow: a little better than they look.
        """
        if not self._texts:
            return ()
        likeness = self._encoder.similarity([text], self._texts)[0]
        best = np.array([NEXT * (action in likely) for action in self._actions])
        np.maximum.at(best, self._owners, likeness + best[self._owners])
        found: list[Candidate] = []
        for place in np.argsort(-best, kind="stable"):
            said = self._said(int(place), likeness, item or {}, known)
            if said is not None:
                found.append(Candidate(self._actions[place], said))
            if len(found) == count:
                break
        return tuple(found)

    def _said(self, place: int, likeness: Any, item: Item, known: Mapping[str, Any]) -> str | None:
        """Return the most similar text of a reply that can be filled; the first one of equals."""
        texts = [
            (-likeness[number], number, template)
            for number, (owner, template) in enumerate(self._templates)
            if owner == place
        ]
        node = self.task.flow.nodes.get(self._actions[place])
        for _, _, template in sorted(texts, key=lambda held: held[:2]):
            filled = self._filler.fill(template, item, known, node)
            if filled is not None:
                return filled
        return None


def _replies(task: TaskSchema) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each reply with its texts."""
    for node in task.flow.nodes.values():
        if node.kind == "system" and node.texts:
            yield node.name, node.texts
    if task.out_of_scope:
        yield OUT_OF_SCOPE, task.out_of_scope
