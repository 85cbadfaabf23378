"""Work items: what a study gives out to its workers, and which items a stage may give to whom.

    WorkItem(id="s1", group="single", content={"user_task": "…"}, digest="3f0c…", target=2)

An item's content depends on its kind of work: a scenario for two people, an outline of a dialogue
to write, a dialogue to annotate or to paraphrase, two annotations to adjudicate. Items are made by
the simulator, from a corpus, or from the finished work of another stage. One person's or pair's
work on an item is a unit of work.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dialoom.dialogue.annotation import Struct


class WorkItem(Struct, frozen=True, kw_only=True):
    """One scenario, dialogue or other piece of content that people are to work on.

    Attributes:
        source: The stage that it belongs to; empty for scenarios of rooms, which several stages
            share.
        group: The group within its source that a stage can ask for: single or multi.
        variant: The condition that it belongs to when several are compared (for example, the bot);
            each worker gets items of the variants that they have had least often first.
        digest: The digest of the texts that the worker reads; a worker gets each digest once.
        target: The number of units of work wanted of it.
        participants: The workers whose own work it is about; they are not given this item.
        after: The item or unit of another stage that it continues; empty where there is none.
        language: The language of the workers who may get it; empty for everybody.
        priority: Items with a higher priority are given out first.
        added: Whether the admin added it, so that it is not one of the stage's source.
        gold: Whether its right answers are known, to compare with those of workers; it is given
            out by other rules (`study/gold.py`) and to any number of workers.
    """

    id: str
    source: str = ""
    group: str = ""
    content: Any = None
    variant: str = ""
    digest: str
    target: int = 1
    participants: tuple[str, ...] = ()
    after: str = ""
    language: str = ""
    priority: int = 0
    added: bool = False
    gold: bool = False


def gold_source(stage: str) -> str:
    """Return the source of the gold items of a stage."""
    return f"{stage}, gold"


class ItemFilter(NamedTuple):
    """A condition on the items that a stage gives out; empty groups or language admit any."""

    source: str
    groups: tuple[str, ...] = ()
    language: str = ""

    def admits(self, item: WorkItem) -> bool:
        """True if an item meets the condition."""
        return (
            item.source == self.source
            and (not self.groups or item.group in self.groups)
            and self.language in ("", item.language or self.language)
        )
