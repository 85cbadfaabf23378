"""Layouts that are recognised and not read: a file in one of them is refused by its name.

A reader for a layout takes the row's signs into its own format, and the row is deleted.
"""

from __future__ import annotations

from typing import NamedTuple

from dialoom.formats.base.signs import Sight, Sign, Signs


class UnreadLayout(NamedTuple):
    """A layout that no format reads.

    Attributes:
        name: Its name, and what published it.
        signs: The fields that only this layout has.
    """

    name: str
    signs: Signs


LAYOUTS = (
    UnreadLayout(
        "MultiWOZ 2.2's dialogue acts, read together with the dialogues next to them",
        Signs("*.dialog_act", "*.span_info", keyed=True),
    ),
    UnreadLayout(
        "DSTC2's labels, read together with the log.json next to them",
        Signs("session-id", "turns[].transcription"),
    ),
    UnreadLayout("ABCD", Signs("convo_id", "original[]", "delexed[].speaker|text")),
    UnreadLayout(
        "ABCD",
        Signs(
            "train|dev|test[].convo_id",
            "train|dev|test[].original[]",
            "train|dev|test[].delexed[].speaker|text",
        ),
    ),
    UnreadLayout(
        "SDialog", Signs("turns[].speaker", "turns[].text", "personas|model|seed|version")
    ),
    UnreadLayout("tau-bench's runs", Signs("traj[].role", "task_id")),
    UnreadLayout("tau2-bench's runs", Signs("simulations[].messages|ticks", "info")),
    UnreadLayout("a run of tau2-bench", Signs("messages|ticks", "termination_reason", "task_id")),
    UnreadLayout(
        "tau2-bench's tasks (no dialogues)", Signs("evaluation_criteria", "user_scenario")
    ),
    UnreadLayout("BFCL's questions", Signs("question[][].role", "question[][].content")),
    UnreadLayout("task schemas (no dialogues)", Signs("service_name", "slots", "intents")),
    UnreadLayout(
        "definitions of tools (no dialogues)",
        Signs("function.parameters", Sign("type", "function")),
    ),
    UnreadLayout("definitions of tools (no dialogues)", Signs("parameters.properties", "name")),
)
"""The layouts; the first one that a file has the signs of is named."""


def layout_of(sight: Sight) -> str:
    """Return the name of a layout that is recognised and not read; empty if it is none."""
    return next((each.name for each in LAYOUTS if each.signs.lacking(sight) == ""), "")
