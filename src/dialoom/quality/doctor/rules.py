"""The checks of the schema doctor on the dialogues that it has simulated.

A check is a function over `Observations`, the statistics of those dialogues, with its code above it
(schema/codes.txt).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import combinations

from dialoom.dialogue import Dialogue, Event, Result
from dialoom.dialogue.event import BOOK, CHECK
from dialoom.flow.alignment import Visit
from dialoom.flow.node import FAILURES
from dialoom.quality.coverage import ARROW, Coverage, CoverageCounter
from dialoom.render.tables import counted
from dialoom.schema.call import Call
from dialoom.schema.flow import STEP, Node
from dialoom.schema.places import Pointer
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.validation import gives, placeholders

GOALS = {"book": "done", "insert": "done", "update": "done", "search": "found", "find": "found"}
"""Effect of a call to its outcome of success."""


class Observations:
    """Statistics of the simulated dialogues of one task.

    Attributes:
        broken: Why dialogues did not come to an end, with how many.
        reached: Number of those that reached their goal.
        goals: API and outcome that are a goal of the task.
        known: Node to all that was known there, be it only once.
        chances: Node and number of a template to how often it could have been said.
        lint_counts: Code of lint to the number of its findings.
        first_findings: Code of lint to the first of its findings.
    """

    def __init__(self, counting: CoverageCounter) -> None:
        self.counting, self.task = counting, counting.task
        flow = self.task.flow
        self.nodes, self.before, self.after = flow.nodes, flow.before, flow.after
        self.broken: Counter[str] = Counter()
        self.ended = self.reached = 0
        self.known: defaultdict[str, set[str]] = defaultdict(set)
        self.chances: Counter[tuple[str, int]] = Counter()
        self.lint_counts: Counter[str] = Counter()
        self.first_findings: dict[str, str] = {}
        names = {node.call for node in self.nodes.values() if node.kind == "call"}
        calls = [call for call in self.task.calls.values() if call.name in names]
        writes = [call for call in calls if GOALS[call.effect] == "done"]
        self.goals = {f"{call.name} {GOALS[call.effect]}" for call in writes or calls}
        brought = (column.slot for call in calls for column in self.task.result_columns(call))
        self._brought = set(filter(None, brought))
        self._names = {
            node.name: [frozenset(placeholders(text)) for text in node.texts]
            for node in self.nodes.values()
        }

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue; note what was known at each node and whether it reached its goal."""
        self.ended += 1
        wished, outputs = _wished_slots(dialogue), set[str]()
        done: set[str] = set()
        for visit in self.counting.add(dialogue):
            if visit.node is None:
                continue
            node = self.nodes[visit.node]
            if node.kind == "result" and visit.before is not None:
                api = self.nodes[visit.before].call
                done.add(f"{api} {node.outcome}")
                outputs = set(self._shown(dialogue.events[visit.event], api or ""))
            elif node.texts:
                self._note(visit, node, wished, outputs)
        self.reached += bool(done & self.goals)

    def _note(self, visit: Visit, node: Node, wished: set[str], outputs: set[str]) -> None:
        user = node.kind == "user"
        slots = outputs | (wished if user else {*visit.said, *self._brought})
        self.known[node.name] |= slots
        most = max((len(names) for names in self._names[node.name] if names <= slots), default=0)
        for number, names in enumerate(self._names[node.name]):
            if node.confirms and len(names) < most:  # all that is known is listed
                continue
            # users do not say twice what they said before
            if names <= slots and not (user and names & visit.said.keys()):
                self.chances[node.name, number] += 1

    def _shown(self, event: Event, api: str) -> Iterator[str]:
        call = self.task.calls.get(api)
        yield STEP
        yield from (column.name for column in (call.inputs if call else ()))
        for item in event.items if isinstance(event, Result) else ():
            yield from item

    @cached_property
    def coverage(self) -> Coverage:
        """The elements of the task file that the dialogues use, once all are counted."""
        return self.counting.result()


def _wished_slots(dialogue: Dialogue) -> set[str]:
    goal = dialogue.scenario.goal if dialogue.scenario else None
    if not isinstance(goal, dict):
        return set()
    changes = (set(change) for change in goal.get("changes", ()))
    return set(goal.get("values", ())).union(*changes)


ENOUGH = 20
"""Least number of times a choice is made, for each of its branches, before an untaken branch is a
finding."""

Found = tuple[Pointer, str]
"""The pointer of a finding in the task file, and its message."""

Check = Callable[[Observations], Iterator[Found]]

CHECKS: dict[str, Check] = {}
"""Finding code to the function that looks for findings of that code."""


def _check(code: str) -> Callable[[Check], Check]:
    return lambda check: CHECKS.setdefault(code, check)


def _at(node: str) -> Pointer:
    return ("flow", node)


@_check("E901")
def _endless_dialogue(observed: Observations) -> Iterator[Found]:
    if observed.broken:
        (why, _), *_ = observed.broken.most_common()
        count = counted(observed.broken.total(), "dialogue")
        ended = "" if observed.ended else ", so that no simulation of this flow can end"
        yield ("flow",), f"{count} did not end{ended}, most often because of {why}"


@_check("E902")
def _unreached_goal(observed: Observations) -> Iterator[Found]:
    if observed.ended and observed.goals and not observed.reached:
        text = " or ".join(sorted(observed.goals))
        yield ("flow",), f"none of {observed.ended} dialogues came to {text}"


@_check("W901")
def _seldom_reached_goal(observed: Observations) -> Iterator[Found]:
    if 0 < observed.reached < observed.ended / 2:
        yield ("flow",), f"only {observed.reached} of {observed.ended} dialogues reached their goal"


@_check("E903")
def _unreached_node(observed: Observations) -> Iterator[Found]:
    fired = observed.coverage.nodes
    for name in observed.coverage.missing("nodes"):
        often = [n for n in observed.before[name] if fired[n] >= ENOUGH * len(observed.after[n])]
        # what is not understood mostly is the next time
        open_ = [n for n in often if not observed.nodes[n].not_understood]
        if open_ and observed.nodes[name].kind != "result":
            why = reason(observed.task, fired, name)
            yield _at(name), f"{name} never fires, though {open_[0]} often does: {why}"


@_check("W902")
def _absent_result(observed: Observations) -> Iterator[Found]:
    for name in observed.coverage.missing("nodes"):
        node = observed.nodes[name]
        calls = [n for n in observed.before[name] if observed.coverage.nodes[n] >= ENOUGH]
        if node.kind == "result" and calls and not _forestalled(calls, observed):
            times = sum(observed.coverage.nodes[n] for n in calls)
            yield _at(name), f"none of {times} calls of {', '.join(calls)} was {node.outcome!r}"


def _forestalled(names: list[str], observed: Observations) -> bool:
    """True if a check or search comes before these calls, so that they cannot fail.

    In a simulation nobody else books or cancels between the check and the call.
    """
    nodes, calls = observed.nodes, observed.task.calls
    checked = {node.call for node in nodes.values() if node.request == CHECK}
    apis = {node.call for node in nodes.values() if node.kind == "call"}
    tables = {calls[n].table for n in apis if n in calls and calls[n].effect in ("find", "search")}
    for node in map(nodes.__getitem__, names):
        if node.request != BOOK or node.call not in checked:
            call = calls[node.call or ""]
            if call.effect != "update" or call.table not in tables:
                return False
    return True


@_check("I901")
def _missed_node(observed: Observations) -> Iterator[Found]:
    """Find the nodes that were not reached and that no other rule is about, with the reason."""
    reported = {pointer[1] for rule in ("E903", "W902") for pointer, _ in CHECKS[rule](observed)}
    for name in observed.coverage.missing("nodes") if observed.ended else ():
        if name not in reported:
            before = observed.before[name]
            result = observed.nodes[name].kind == "result"
            why = reason(observed.task, observed.coverage.nodes, name)
            if result and _forestalled([*before], observed):
                why = f"in a simulation nobody takes what was free or found before {before[0]}"
            yield _at(name), f"{name} is not reached: {why}"


@_check("E904")
def _unknown_slot_in_template(observed: Observations) -> Iterator[Found]:
    for node, number, text in _unused(observed):
        missing = [name for name in placeholders(text) if name not in observed.known[node.name]]
        if missing and observed.coverage.nodes[node.name] >= ENOUGH * len(node.texts):
            slots = ", ".join(f"{{{name}}}" for name in missing)
            yield (*_at(node.name), node.kind, number), f"{text!r} needs {slots}, never known here"


@_check("W903")
def _unused_template(observed: Observations) -> Iterator[Found]:
    for node, number, text in _unused(observed):
        chances = observed.chances[node.name, number]
        if chances >= ENOUGH * len(node.texts):
            what = f"{text!r} was not said, though it could have been {chances} times"
            yield (*_at(node.name), node.kind, number), what


def _unused(observed: Observations) -> Iterator[tuple[Node, int, str]]:
    for node in observed.nodes.values():
        for number, text in enumerate(node.texts):
            if not observed.coverage.templates[f"{node.name}: {text}"]:
                yield node, number, text


@_check("E905")
def _result_without_reply(observed: Observations) -> Iterator[Found]:
    nodes, after = observed.nodes, observed.after
    for node in nodes.values():
        if node.kind != "result":
            continue
        silent = [name for name in after[node.name] if nodes[name].kind == "user"]
        if silent or not after[node.name]:
            yield _at(node.name), f"no reply speaks of {node.outcome!r}"


@_check("W904")
def _same_reply(observed: Observations) -> Iterator[Found]:
    nodes, after = observed.nodes, observed.after
    for query in nodes.values():
        results = [nodes[name] for name in after[query.name] if nodes[name].kind == "result"]
        for one, other in combinations(results, 2):
            if (one.outcome in FAILURES) == (other.outcome in FAILURES):
                continue
            for reply in set(after[one.name]) & set(after[other.name]):
                what = f"{reply} follows {one.outcome!r} and {other.outcome!r} alike"
                yield _at(other.name), what


@_check("E906")
def _indistinct_outcomes(observed: Observations) -> Iterator[Found]:
    nodes, after = observed.nodes, observed.after
    reported: set[tuple[str, str, str]] = set()
    for query in nodes.values():
        call = observed.task.calls.get(query.call or "")
        if call is None or call.effect in ("search", "find"):
            continue
        outcomes = [nodes[name].outcome or "" for name in after[query.name]]
        for one, other in combinations(outcomes, 2):
            first, second = call.answers.get(one), call.answers.get(other)
            pair = call.name, one, other
            if (not first or not second or first == second) and pair not in reported:
                reported.add(pair)
                what = f"a result of {call.name} does not distinguish {one!r} from {other!r}"
                yield ("apis", call.name), what


@_check("W905")
def _unused_edge(observed: Observations) -> Iterator[Found]:
    for edge in observed.coverage.missing("edges"):
        before, after = edge.split(ARROW)
        fired = observed.coverage.nodes[before]
        if observed.nodes[before].not_understood:
            continue  # most are understood the next time
        if observed.coverage.nodes[after] and fired >= ENOUGH * len(observed.after[before]):
            yield (*_at(before), "then"), f"{edge} is not taken in {fired} times"


@_check("W906")
def _unused_value(observed: Observations) -> Iterator[Found]:
    slots = [name.partition(" = ")[0] for name in observed.coverage.values]
    for name in observed.coverage.missing("values"):
        slot, _, value = name.partition(" = ")
        total = observed.coverage.slots[slot]
        if total >= ENOUGH * slots.count(slot):
            yield ("slots", slot, "values", value), f"{value!r} is not among {total} of {slot}"


@_check("E907")
def _lint_findings(observed: Observations) -> Iterator[Found]:
    for code, first in observed.first_findings.items():
        times = counted(observed.lint_counts[code], "time")
        yield ("flow",), f"lint finds {code} {times}, first: {first}"


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
        clause = " and ".join(map(str, node.when))
        return f"it was never so that {clause}, {times}"
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
    answers = gives(node, set(task.slots))
    if before.asks and not node.gives_none and answers.isdisjoint(before.asks):
        slots = ", ".join(before.asks)
        return f"{before.name} asks for {slots}, and it neither gives that nor has `gives_none`"
    if node.gives_none:
        return f"users had a wish {times}"
    return f"users went on otherwise {times}"
