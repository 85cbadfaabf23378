"""The flow of a task: typed nodes, each with the nodes that may follow it.

Node(name="ask_guests", kind="system", texts=("For how many?",), asks=("guests",),
     then=("give_guests",))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.condition import Condition


class Node(Struct, frozen=True, kw_only=True):
    """A node of the flow graph.

    Attributes:
        name: Its name; a system node's is its action label.
        kind: Who acts: the user, the system, the system by a call, the knowledge base.
        texts: Templates of what is said (user, system); what a published result holds.
        examples: What wizards may type to have the reply suggested, where published.
        then: The nodes that may follow; none ends the dialogue.
        asks: The slots a system node asks for.
        when: What must hold for this node to come: a question is passed over otherwise, of several
            nodes that may follow the first comes whose conditions hold.
        confirms: The call node whose inputs a system node lists (`{summary}` in its templates).
        call: The call that a call node makes.
        request: "Check" or "Book" where the API tells them apart.
        another: The column that tells rows apart, where a call is for a row not shown before.
        outcome: The outcome a result node stands for.
        takes: Slot to the input or output of the last result whose value it gets.
        gives_none: The user has no wish for the slot asked for.
        forget: Slots to be asked for again.
        corrects: The slots to which the user gives another value, at any time after the first.
        anytime: Whether the user may say it at any time.
        not_understood: How often in a row a reply to what was not understood is given, before the
            nodes that follow it.
        hands_over: Whether a person takes over from here.
        set: Slot to the value it gets.
        next: The integer slot that grows by one.
        reads: The list output read out step by step.
        last: The node for the last step.
        detail: The parallel list that a side branch reads.
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


def notes(node: Node) -> Iterator[str]:
    """Yield what charts and outlines tell of a node besides what it says and does."""
    yield from (f"when {condition}" for condition in node.when)
    yield from (f"{slot} is taken from {output}" for slot, output in node.takes.items())
    if node.corrects:
        yield f"at any time, corrects {', '.join(node.corrects)}"
    held = {
        "at any time": node.anytime,
        "after what is not understood": node.not_understood,
        f"lists what {node.confirms} is called with": node.confirms,
        f"another {node.another}": node.another,
        "a person takes over": node.hands_over,
    }
    yield from (text for text, there in held.items() if there)


class FlowGraph(Struct, frozen=True, kw_only=True, dict=True, gc=True):
    """The nodes of a flow.

    Attributes:
        nodes: The nodes by name; the first one opens the dialogue. What a user says in another
            that no node leads to may come at any time.
        complete: Whether the nodes show every way that a dialogue may take, and what both sides
            say: published graphs show the usual way only.
    """

    nodes: dict[str, Node] = {}
    complete: bool = False

    def __bool__(self) -> bool:
        """Whether there is a node at all."""
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
        """The nodes of what users may say at any time: none leads there, and none opens."""
        others = list(self.nodes.values())[1:]
        return tuple(n for n in others if n.kind == "user" and not self.before[n.name])

    @cached_property
    def apologies(self) -> tuple[Node, ...]:
        """The replies to what was not understood."""
        return tuple(node for node in self.nodes.values() if node.not_understood)

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The first node, and those that come at any time."""
        spoken = (n.name for n in self.nodes.values() if n.corrects or n.anytime)
        apologies = (node.name for node in self.apologies)
        return tuple(dict.fromkeys((*list(self.nodes)[:1], *spoken, *apologies)))
