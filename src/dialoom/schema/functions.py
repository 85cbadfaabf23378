"""The communicative functions of a flow's nodes, in terms that are the same for all tasks.

    functions = Functions(task)
    functions.of["ask_time"]         # ("request",)
    functions.of["say_booked"]       # ("success",)

The term is that of ISO 24617-2. The functions follow from the task file alone: the slots that a
node asks for, names and reads out, the result before it, the branches after it. A node for which
these do not decide has no function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dialoom.dialogue.event import CHECK
from dialoom.schema.flow import Node, reachable
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

Function = Literal[
    "greeting",
    "goodbye",
    "request",
    "inform",
    "offer",
    "confirm",
    "success",
    "nothing",
    "failure",
    "more",
    "intent",
    "affirm",
    "negate",
    "indifferent",
]
"""Of the system: greeting, goodbye, request for a slot, information, offer of a search result,
request for confirmation, report of success, of no result or of failure, question for further
wishes. Of the user: intent, yes, no, no preference. (A user who gives values informs; the values
show that, so that no node needs it.)"""

_OUTCOMES: dict[str, Function] = {
    "done": "success",
    "failed": "failure",
    "nothing": "nothing",
    "unavailable": "nothing",
    "refused": "failure",
    "error": "failure",
}


class Functions:
    """The functions of a task's nodes; in `intents`, None is a call that the flow leaves open."""

    def __init__(self, task: TaskSchema) -> None:
        self._task, self._nodes = task, task.flow.nodes
        before = task.flow.before
        self._before = {name: [self._nodes[n] for n in before[name]] for name in before}
        opening = next(iter(task.flow.nodes.values()), None)
        self._first = () if opening is None else (opening, *self._then(opening))
        self._proposals = {n.name for n in self._system() if self._proposes(n)}
        ends = (n for n in self._system() if not (n.then or n.hands_over))
        self._last = {n.name for n in ends if self._is_plain(n)}
        self._more: set[str] = set()
        while new := {n.name for n in self._system() if self._asks_for_more(n)} - self._more:
            self._more |= new
        self.intents = dict(self._intents(task.id))
        self.of: dict[str, tuple[Function, ...]] = {
            name: tuple(self._said(node) if node.kind == "system" else self._answered(node))
            for name, node in task.flow.nodes.items()
            if node.kind in ("system", "user")
        }

    def _system(self) -> Iterator[Node]:
        return (node for node in self._nodes.values() if node.kind == "system")

    def _then(self, node: Node) -> list[Node]:
        return self._task.flow.following(node)

    def _is_plain(self, node: Node) -> bool:
        """True if a reply neither asks for a slot nor reports or reads out anything."""
        after_result = any(before.kind == "result" for before in self._before[node.name])
        return not (
            after_result or node.asks or node.reads or node.last or node.detail or names(node)
        )

    def _changes(self, node: Node) -> bool:
        call = self._task.calls.get(node.call or "")
        return call is not None and call.writes and node.request != CHECK

    def _accepts(self, node: Node) -> bool:
        """True if a call that changes something directly follows the user's turn."""
        return not node.forget and any(map(self._changes, self._then(node)))

    def _proposes(self, node: Node) -> bool:
        return _is_question(node) and any(map(self._accepts, self._users(node)))

    def _users(self, node: Node) -> list[Node]:
        """Return the user's answers to a reply; none if something else may follow."""
        then = self._then(node)
        return then if all(after.kind == "user" for after in then) else []

    def _asks_for_more(self, node: Node) -> bool:
        """True if an answer to a question without a slot leads to the end."""
        after_result = any(before.kind == "result" for before in self._before[node.name])
        if (
            after_result
            or node.reads
            or node.detail
            or not _is_question(node)
            or self._proposes(node)
        ):
            return False
        ends = self._last | self._more
        return any(ends.issuperset(after.then) for after in self._users(node) if after.then)

    # --- the system -------------------------------------------------------------------------

    def _said(self, node: Node) -> Iterator[Function]:
        results = [before for before in self._before[node.name] if before.kind == "result"]
        if node.asks:
            yield "request"
        elif results:
            functions = {self._of_result(node, result) for result in results}
            if functions == {"nothing", "failure"}:
                yield "failure"
            elif len(functions) == 1:
                yield from filter(None, functions)
        elif node.name in self._proposals:
            yield "confirm"
        elif node.name in self._last:
            yield "goodbye"
        elif node in self._first and self._is_plain(node):
            yield "greeting"
        else:
            if names(node) or node.reads or node.detail:
                yield "inform"
            if node.name in self._more:
                yield "more"

    def _of_result(self, node: Node, result: Node) -> Function | None:
        function = _OUTCOMES.get(result.outcome or "")
        if function is not None:
            return function
        if result.outcome == "available" and node.name in self._proposals:
            return "confirm"
        if not names(node):
            return None
        searched = (self._task.calls.get(q.call or "") for q in self._before[result.name])
        is_search = all(call is not None and call.effect == "search" for call in searched)
        return "offer" if is_search and not node.reads else "inform"

    # --- the user ---------------------------------------------------------------------------

    def _answered(self, node: Node) -> Iterator[Function]:
        before = {before.name for before in self._before[node.name]}
        ends = bool(node.then) and (self._last | self._more).issuperset(node.then)
        if node.name in self.intents:
            yield "intent"
        if node.gives_none and self._optional(before):
            yield "indifferent"
        elif before and before <= self._proposals:
            if self._accepts(node):
                yield "affirm"
            elif node.forget or ends:
                yield "negate"
        elif before and before <= self._more:
            yield "negate" if ends else "affirm"

    def _optional(self, before: Iterable[str]) -> bool:
        """True if all slots that nodes ask for are optional, so that users may decline."""
        slot_names = {slot for name in before for slot in self._nodes[name].asks}
        slots = self._task.slots
        return bool(slot_names) and all(
            slot in slots and slots[slot].optional for slot in slot_names
        )

    def _intents(self, task: str) -> Iterator[tuple[str, str | None]]:
        if not self._first:
            return
        opening, *after = self._first
        greeted = after if opening.kind == "user" else [opening]
        answers = [user for node in greeted if self._is_plain(node) for user in self._users(node)]
        wishes = answers or [node for node in (opening,) if node.kind == "user"]
        calls = self._task.calls
        for node in wishes:
            call = next(iter(calls)) if len(calls) == 1 else task if task in calls else None
            yield node.name, self._first_call(node) if len(wishes) > 1 else call

    def _first_call(self, node: Node) -> str | None:
        after = self._task.flow.after
        nodes = (self._nodes[name] for name in reachable((node.name,), after.__getitem__))
        return next((each.call for each in nodes if each.kind == "call"), None)


def names(node: Node) -> bool:
    """True if a node's texts name a slot, input or output."""
    return any(PLACEHOLDER.search(text) for text in node.texts)


def _is_question(node: Node) -> bool:
    return bool(node.texts) and not node.asks and all("?" in text for text in node.texts)
