"""Reasons of the schema doctor for nodes that no simulated dialogue reaches.

reason(flow, coverage.nodes, "say_full")    # "it follows full only, which no dialogue reaches"
"""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.schema.call import Call
from dialoom.schema.flow import Node
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.validation import gives


def reason(task: TaskSchema, counts: Mapping[str, int], name: str) -> str:
    """Return why a node was not reached."""
    node, before = task.flow.nodes[name], task.flow.before[name]
    if name in task.flow.entries:
        return "no dialogue gave occasion for it"
    fired = [each for each in before if counts[each]]
    if not fired:
        return f"it follows {', '.join(before)} only, which no dialogue reaches"
    times = f"in {sum(counts[each] for each in fired)} times after {', '.join(fired)}"
    if node.when:
        listed = " and ".join(map(str, node.when))
        return f"it was never so that {listed}, {times}"
    if node.kind == "result":
        return _ending(node, task.calls.get(task.flow.nodes[fired[0]].call or ""), times)
    if node.asks:
        return f"{', '.join(node.asks)} was known or needless {times}"
    if node.kind == "user":
        return _choice(task, node, task.flow.nodes[fired[0]], times)
    return f"another node came {times}"


def _ending(node: Node, call: Call | None, times: str) -> str:
    if call is not None and node.outcome == "refused":
        rules = " or ".join(map(str, call.refuses))
        return f"it was never so that {rules}, {times}"
    return f"no call was {node.outcome!r} {times}"


def _choice(task: TaskSchema, node: Node, before: Node, times: str) -> str:
    """Return why users never choose a branch: it is no answer, or they always have another one."""
    given = gives(node, set(task.slots))
    if before.asks and not node.gives_none and given.isdisjoint(before.asks):
        asked = ", ".join(before.asks)
        return f"{before.name} asks for {asked}, and it neither gives that nor has `gives_none`"
    if node.gives_none:
        return f"users had a wish {times}"
    return f"users went on otherwise {times}"
