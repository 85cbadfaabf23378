"""An item: what a unit of work is about.

    WorkItem(id="s1", group="single", content={"user_task": "…"}, digest="3f0c…", target=2)

Its content is known to its kind of work alone: two people's scenario, an outline to write from, a
dialogue to annotate or to put into other words, two annotations to settle. It comes from the
simulator, from a corpus, or from closed units of another stage.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dialoom.dialogue.annotation import Struct


class WorkItem(Struct, frozen=True, kw_only=True):
    """What a unit of work is about.

    Attributes:
        id: Its name in the study.
        source: Where it comes from: the stage whose own it is; empty for those of rooms, which
            several stages share.
        group: Which of the items of its source a stage may ask for: single, multi.
        content: What its kind makes of it, as JSON values.
        variant: Which of several things that are compared it has: everybody gets those first that
            they had less often.
        digest: Of what is read: nobody gets two items with the same.
        target: Units wanted of it.
        participants: Workers whose own work it is about, who never judge it.
        after: The item or unit of another stage whose work it goes on with; empty where there is
            none.
        language: The language of those who may have it; empty where it is for everybody.
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


class ItemFilter(NamedTuple):
    """Which items a stage gives to somebody.

    Attributes:
        source: Where they come from.
        groups: Of which groups; of any where there is none.
        language: In which language; in any where it is empty.
    """

    source: str
    groups: tuple[str, ...] = ()
    language: str = ""

    def admits(self, item: WorkItem) -> bool:
        """Tell whether an item is one of them."""
        return (
            item.source == self.source
            and (not self.groups or item.group in self.groups)
            and self.language in ("", item.language or self.language)
        )
