"""A language's texts for scenarios: instructions during a dialogue, and users' reactions.

    scenario_texts("en").kinds["change"].instruct[0]
    fill("Not {old}, {new}.", {"old": first, "new": second})    # text, and spans of given values

The code has no word of any language; `lang/<language>-scenarios.json` holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from dialoom.dialogue import Span
from dialoom.schema.lexicon import texts_of
from dialoom.schema.template import Slot, parse
from dialoom.schema.values.forms import SurfaceForm

GIVEN = frozenset({"new", "value"})
"""Placeholders whose values the user gives; others are only mentioned."""


class InstructionKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of instruction, with templates for it and for the user's utterance or addition.

    `reasons` are reasons for a change of the goal, the texts for `{reason}`; each to the texts for
    `{mention}`, the user's mention of it. `suits` maps kinds of values to reasons that change them.
    """

    instruct: tuple[str, ...]
    user: tuple[str, ...] = ()
    reasons: dict[str, tuple[str, ...]] = {}
    suits: dict[str, tuple[str, ...]] = {}

    def suiting(self, kind: str) -> tuple[str, ...]:
        """Return the reasons for which people change a value of some kind; all without any."""
        names = self.suits.get(kind, ())
        return tuple(reason for reason in self.reasons if reason in names) or tuple(self.reasons)


class ScenarioTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language.

    Attributes:
        briefing: First line of the user's instructions if the goal has values.
        fact: Template of the line for one value of the goal.
        user: Template of the user's task, if the task file has none.
        wizard: Template of the wizard's task, if the task file has none.
        assistant: Template of the wizard's instructions.
        agent: Template of an agent's instructions, without a flow chart before it.
        flow: Template of a task's flow in words, in these.
        topics: First line of the user's instructions for several tasks.
        story: Text on the topics of a story, before these.
        names: Line before the names and numbers that the user may use.
        numbered: Template of an instruction with its number and the dialogue's total.
        begin: Template of the first instruction of a dialogue of several tasks.
        lost: Users' first texts after an unreadable turn.
        gone: Their texts when they leave because of such turns.
        played: Prompt of a language model in the user's place.
        open: Template of a value without a preference.
        dropped: Replacement of a value that the user no longer wants.
        replies: Template of a user's reply to a text of the system.
        from_then: Line before the values that the user wants from then on.
        kinds: Name of a kind of instruction to its texts.
    """

    language: str
    briefing: str
    fact: str
    user: str
    wizard: str
    assistant: str
    agent: str
    flow: str
    topics: str
    story: str
    names: str
    numbered: str
    begin: str
    lost: tuple[str, ...]
    gone: tuple[str, ...]
    played: str
    open: str
    dropped: str
    replies: str
    from_then: str
    kinds: dict[str, InstructionKind]
    today: str = "{today}."


@lru_cache(maxsize=8)
def scenario_texts(language: str) -> ScenarioTexts:
    """Return the texts of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "scenarios", "scenarios", ScenarioTexts)


def fill(
    template: str, values: Mapping[str, SurfaceForm | str], after: int = 0
) -> tuple[str, tuple[Span, ...]]:
    """Put values into a template; return the text and the spans of the given values.

    `values` maps placeholders to values or texts; `after` is the text's offset in the utterance.
    """
    text = ""
    spans: list[Span] = []
    for part in parse(template).parts:
        value = part if isinstance(part, str) else values[part.name]
        if isinstance(value, str):
            text += value
            continue
        if isinstance(part, Slot) and part.name in GIVEN:
            spans += value.at(after + len(text))
        text += value.text
    return text, tuple(spans)
