"""The flow of a task: typed nodes, each with the nodes that may follow it.

Node(name="ask_guests", kind="system", texts=("For how many?",), asks=("guests",),
     then=("give_guests",))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Literal, TypeVar

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import BOOK, CHECK
from dialoom.schema.condition import Condition

N = TypeVar("N")

REQUESTS = {"query": None, "query_check": CHECK, "query_book": BOOK}
"""Label of a knowledge-base query to its request type (dialoom.dialogue.views.query_label)."""

QUERIES = tuple(REQUESTS)

ASK = "ask"
"""The word in names of actions that ask for a slot (`ask_name`)."""

OUT_OF_SCOPE = "out_of_scope"
"""The label of the system's reply to requests outside the task."""

CUSTOM = "custom"
"""The name of the action of a reply that a wizard typed instead of picking one."""

STEP = "step"
"""The placeholder of the element of a list that a node reads out."""

UNBOUND = frozenset({CUSTOM, OUT_OF_SCOPE})
"""Actions that are in no flow."""


class Node(Struct, frozen=True, kw_only=True):
    """A node of the flow graph.

    Attributes:
        name: Its name; a system node's is its action label.
        kind: The actor: the user, the system, the system by a call, the knowledge base.
        texts: Templates of a user's or system node; the text of a published result node.
        examples: Texts by which the reply is suggested to wizards, where published.
        then: The nodes that may follow; without any, the dialogue ends.
        when: Conditions of this node: a question is passed over unless they hold; of several nodes
            that may follow, the first comes whose conditions hold.
        confirms: The call node whose inputs a system node lists (`{summary}` in its templates).
        request: `CHECK` or `BOOK` if the API separates them.
        another: The column that identifies rows, if a call is for a row not shown before.
        takes: Slot to the input or output of the last result whose value it gets.
        gives_none: Whether the user has no preference for the slot asked for.
        corrects: The slots whose values the user may replace here, at any time after giving them.
        anytime: Whether the user may say it at any time.
        not_understood: For an apology for not understanding: how often in a row it is given before
            the flow goes on with the nodes that follow it.
        hands_over: Whether a person takes over from here.
        set: Slot to the value it gets.
        next: The integer slot that grows by one.
        reads: The list output read out step by step.
        detail: The list parallel to `reads` whose element a side branch reads out.
    """

    name: str
    kind: Literal["user", "system", "call", "result"]
    texts: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    when: tuple[Condition, ...] = ()
    confirms: str | None = None
    call: str | None = None
    request: str | None = None
    another: str | None = None
    outcome: str | None = None
    takes: dict[str, str] = {}
    gives_none: bool = False
    forget: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()
    anytime: bool = False
    not_understood: int = 0
    hands_over: bool = False
    set: dict[str, str] = {}
    next: str | None = None
    reads: str | None = None
    last: str | None = None
    detail: str | None = None

    @property
    def successors(self) -> tuple[str, ...]:
        """The nodes that may follow, each once."""
        return tuple(dict.fromkeys((*self.then, *filter(None, (self.last,)))))


def label(node: Node) -> str:
    """Return the action of a system or call node."""
    if node.kind == "call":
        return next(
            (name for name, purpose in REQUESTS.items() if purpose == node.request), QUERIES[0]
        )
    return node.name


def notes(node: Node) -> Iterator[str]:
    """Yield the properties of a node that charts and outlines show besides texts and calls."""
    yield from (f"when {condition}" for condition in node.when)
    yield from (f"{slot} is taken from {output}" for slot, output in node.takes.items())
    if node.corrects:
        yield f"at any time, corrects {', '.join(node.corrects)}"
    remarks = {
        "at any time": node.anytime,
        "after what is not understood": node.not_understood,
        f"lists what {node.confirms} is called with": node.confirms,
        f"another {node.another}": node.another,
        "a person takes over": node.hands_over,
    }
    yield from (text for text, there in remarks.items() if there)


class FlowGraph(Struct, frozen=True, kw_only=True, dict=True, gc=True):
    """The nodes of a flow by name; the first one opens the dialogue.

    A user node that no other node leads to may come at any time. A `complete` graph has every
    course, with texts for both sides; published graphs have the usual course only.
    """

    nodes: dict[str, Node] = {}
    complete: bool = False

    def __bool__(self) -> bool:
        return bool(self.nodes)

    @property
    def first(self) -> Node | None:
        """The node that opens the dialogue."""
        return next(iter(self.nodes.values()), None)

    def following(self, node: Node) -> list[Node]:
        """Return the nodes that may follow a node, as far as the flow has them."""
        return [self.nodes[name] for name in self.after[node.name]]

    @cached_property
    def after(self) -> dict[str, tuple[str, ...]]:
        """Node to the names of the nodes that may follow it, as far as the flow has them."""
        return {
            name: tuple(after for after in node.successors if after in self.nodes)
            for name, node in self.nodes.items()
        }

    @cached_property
    def before(self) -> dict[str, tuple[str, ...]]:
        """Node to the names of the nodes that lead to it."""
        return {
            name: tuple(before for before, after in self.after.items() if name in after)
            for name in self.nodes
        }

    @cached_property
    def anytime(self) -> tuple[Node, ...]:
        """The user nodes that may come at any time: no node leads to them, and none is first."""
        others = list(self.nodes.values())[1:]
        return tuple(n for n in others if n.kind == "user" and not self.before[n.name])

    @cached_property
    def apologies(self) -> tuple[Node, ...]:
        """The system's apologies for not understanding."""
        return tuple(node for node in self.nodes.values() if node.not_understood)

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The first node, and those that come at any time."""
        spoken = (n.name for n in self.nodes.values() if n.corrects or n.anytime)
        apologies = (node.name for node in self.apologies)
        return tuple(dict.fromkeys((*list(self.nodes)[:1], *spoken, *apologies)))


def reachable(first: Iterable[N], after: Callable[[N], Iterable[N]]) -> list[N]:
    """Return nodes and those reachable from them, breadth first; `after` returns the next nodes."""
    queue = list(dict.fromkeys(first))
    members = {*queue}
    for one in queue:
        new = [each for each in dict.fromkeys(after(one)) if each not in members]
        members.update(new)
        queue += new
    return queue
