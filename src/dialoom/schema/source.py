"""Content of sources of task schemas that the schema itself does not name.

Each struct belongs to one format, which fills it on reading and needs it to write its files back
byte for byte; nothing else reads it.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue.annotation import Struct
from dialoom.schema.service import Service


class StarParameter(Struct, frozen=True, kw_only=True):
    """An input or output of an API, or a column of the table behind it.

    The type is "Categorical", "Integer", "ShortString", … as the source names it. Categories and
    limits may be expressions of the source; `enabled` is one (if the parameter applies at all).
    """

    name: str
    type: str
    categories: Any = None
    minimum: Any = None
    maximum: Any = None
    enabled: Any = None
    readable: str | None = None
    extra: dict[str, Any] = {}

    @property
    def values(self) -> tuple[Any, ...]:
        """The listed values; empty where there are none or they are an expression."""
        return tuple(self.categories) if isinstance(self.categories, list | tuple) else ()


class StarApi(Struct, frozen=True, kw_only=True):
    """A knowledge-base call: what goes in, what comes out, what must be given.

    `table` holds the columns of the database `db` that rows are drawn from, where published.
    """

    name: str
    inputs: tuple[StarParameter, ...] = ()
    outputs: tuple[StarParameter, ...] = ()
    required: tuple[str, ...] = ()
    db: str | None = None
    function: str | None = None
    returns_count: bool | None = None
    table: tuple[StarParameter, ...] | None = None
    extra: dict[str, Any] = {}


class StarView(Struct, frozen=True, kw_only=True):
    """One published view of a task's flow graph: the node that follows each node.

    Attributes:
        edges: Node to the node that follows it.
        reverse: Node to the node it answers, if the view has it.
        nodes: Node to text, where the view has texts of its own; else the task's replies.
        name: The task's name as this view prints it.
        extra: Further keys of the source.
    """

    edges: dict[str, str] = {}
    reverse: dict[str, str] | None = None
    nodes: dict[str, str] | None = None
    name: str | None = None
    extra: dict[str, Any] = {}


class StarSource(Struct, frozen=True, kw_only=True, tag="star"):
    """STAR's and SAM's files of a task (Mosig et al. 2020; Mehri & Eskenazi 2021).

    Attributes:
        paper: The view of the flow graph that STAR publishes.
        sam: The Schema Attention Model's view, with nodes for what users and the KB say.
        suggestions: Reply to template, as the wizard's suggestions were rendered from.
        examples: Reply to what wizards may type to get it suggested.
        files: Other text files of the task, by name.
    """

    paper: StarView = StarView()
    sam: StarView | None = None
    apis: tuple[StarApi, ...] = ()
    suggestions: dict[str, str] | None = None
    examples: dict[str, tuple[str, ...]] | None = None
    files: dict[str, str] = {}


class ListsSource(Struct, frozen=True, kw_only=True, tag="lists"):
    """The lists of candidates and facts with bAbI's and DSTC6's dialogues: file to text."""

    files: dict[str, str] = {}


Source = StarSource | ListsSource | Service | None
"""The source of a task schema; None where it needs none."""
