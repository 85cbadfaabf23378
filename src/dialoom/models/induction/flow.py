"""The nodes of an induced flow: replies and calls of the system, and users' texts between them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dialoom.flow.importing import UNSAID
from dialoom.models.induction.graph import LEAST, Edge, Place, Transitions, asked_before, onward
from dialoom.models.induction.knowledge import Api, Knowledge
from dialoom.models.induction.turns import SystemTurn
from dialoom.models.induction.wording import placeholders
from dialoom.schema.flow import REQUESTS, reachable
from dialoom.schema.service_words import free, snake

OPENING, ENDING = "open", "end"
"""The names of the node that opens a dialogue, and of one that ends it if no reply does."""

SYSTEM_TEXTS, USER_TEXTS = 3, 8
"""Most templates of a node of the system, and of the user."""

USUAL = 0.1
"""Least share of a node's replies for a template to be kept besides the most frequent one."""

LONGEST = 25
"""Most words of a user's text that is kept as an example."""

ANSWERED = 0.1
"""Least share of an action's answers that give a slot, for the action with the largest such share
to ask for it. It is small because users seldom say the values of queries word for word."""

ALSO = 0.6
"""The same share for any other action."""

_Raw = dict[str, Any]

_Templates = Counter[str]


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the system with its node and templates; `heard` is the user's text before it.

    `text` is empty for a query, `heard` if the user said nothing.
    """

    node: str
    turn: SystemTurn
    text: str
    heard: str


def asked(
    paths: Sequence[Sequence[Said]], nodes: Iterable[str], openings: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return node to the slots that it asks for: those that users give first in answer to it.

    The most frequent slot comes first. `openings` open dialogues. Users answer a greeting with all
    that they want: an opening asks for a slot only if they give that one far more than others, and
    no other node asks for it.
    """
    answers, counts = _answers(paths)
    shares = {
        node: {slot: n / answers[node] for slot, n in counts[node].most_common() if n >= LEAST}
        for node in nodes
    }
    later = {node: slots for node, slots in shares.items() if node not in openings}
    best: dict[str, float] = {}
    for slots in later.values():
        for slot, share in slots.items():
            best[slot] = max(share, best.get(slot, 0.0))
    targets = {
        node: tuple(s for s, n in slots.items() if n >= (ANSWERED if n == best[s] else ALSO))
        for node, slots in later.items()
    }
    first = {node: slots for node, slots in shares.items() if node in openings}
    targets |= {node: (s,) for s, node in _above_all(first).items() if s not in best}
    return {node: slots for node, slots in targets.items() if slots}


def _above_all(shares: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return slot to the node that users answer with it far more than with others.

    Its share is `ALSO` at least, and twice that of any other slot. Among several such nodes, it is
    the one with the fewest other answers.
    """
    owners: dict[str, str] = {}
    for node, slots in sorted(shares.items(), key=lambda each: sum(each[1].values())):
        (slot, most), (_, second) = [*slots.items(), ("", 0.0), ("", 0.0)][:2]
        if most >= max(ALSO, 2 * second):
            owners.setdefault(slot, node)
    return owners


def _answers(paths: Sequence[Sequence[Said]]) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """Return node to how often users answer it, and to the slots that they give first then."""
    answers = Counter[str]()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        slots: set[str] = set()
        for before, step in zip([None, *path], path, strict=False):
            new = placeholders(step.heard) - slots
            slots |= new
            if before is not None and step.heard and before.turn.query is None:
                answers[before.node] += 1
                counts[before.node].update(sorted(new))
    return answers, counts


class FlowLayout:
    """Makes the nodes of a task file.

    `asks` maps nodes to requested slots, `chains` nodes of queries to the questions before them.
    `support` is the least share of the actions after an outcome for an edge.
    """

    def __init__(
        self,
        paths: Sequence[Sequence[Said]],
        transitions: Transitions,
        edges: set[Edge],
        asks: Mapping[str, tuple[str, ...]],
        knowledge: Knowledge,
        support: float,
        chains: Mapping[str, Sequence[str]],
    ) -> None:
        self._transitions, self._asks, self._knowledge = transitions, asks, knowledge
        self._support = support
        self._after: dict[str | None, list[str]] = defaultdict(list)
        self._chained: dict[str, str] = {}
        for query, questions in chains.items():
            earlier = transitions.order[: transitions.order.index(query)]
            edges = asked_before(edges, query, questions, earlier)
            self._chained |= zip(questions, (*questions[1:], query), strict=True)
        for before, after in sorted(edges, key=lambda e: (-transitions.counts[e], e[1])):
            self._after[before].append(after)
        self._texts: dict[str, _Templates] = defaultdict(Counter)
        self._heard: dict[Edge, _Templates] = defaultdict(Counter)
        self._again = Counter[Edge]()
        self._ended: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._calls: dict[str, tuple[str, Api]] = {}
        for path in paths:
            mentions: set[str] = set()
            uses: set[str] = set()
            for step, last in zip(path, (None, *path), strict=False):
                self._observe(last, step)
                mentions |= placeholders(step.heard)
                uses |= mentions if step.turn.query is not None else set()
                edge = last.node if last else None, step.node
                self._again[edge] += uses.issuperset(asks.get(step.node, ("",)))
        self._nodes: dict[str, _Raw] = {}
        self._leads = {action: self._after_call(action) for action in self._calls}
        self._put_first()

    def _put_first(self) -> None:
        """Order successors so that the path along the first one of each node reaches an end."""
        ways: dict[Place, dict[str, int]] = {
            before: {after: self._transitions.counts[before, after] for after in order}
            for before, order in self._after.items()
        }
        for action, leads in self._leads.items():
            for outcome, order in leads.items():
                ways[action, outcome] = {each: self._ended[action, outcome][each] for each in order}
        for question, after in self._chained.items():
            ways[question] = {after: 1}
        for place, first in onward(ways, self._leads).items():
            order = (
                self._leads[place[0]][place[1]] if isinstance(place, tuple) else self._after[place]
            )
            order.remove(first)
            order.insert(0, first)

    def _observe(self, before: Said | None, step: Said) -> None:
        if step.turn.query is not None:
            api = self._knowledge.apis[step.turn.query.api]
            self._calls.setdefault(step.node, (step.turn.label, api))
        else:
            self._texts[step.node][step.text] += 1
        if before is not None and before.node in self._calls:
            if step.turn.result is not None:
                label, api = self._calls[before.node]
                self._ended[before.node, api.outcome(label, step.turn.result)][step.node] += 1
        elif step.heard:
            self._heard[before.node if before else None, step.node][step.heard] += 1

    def nodes(self) -> dict[str, _Raw]:
        """Return node to its keys and values, in the order of actions."""
        self._nodes = {}
        if any(self._heard[None, after] for after in self._after[None]):
            self._nodes[OPENING] = {}
            first = sorted(self._after[None], key=self._transitions.order.index)
            self._nodes[OPENING] = self._users(None, OPENING, first)[OPENING]
        for action in self._transitions.order:
            if action in self._calls:
                self._call(action)
            else:
                self._system(action)
        self._give_up()
        return self._nodes

    def _system(self, action: str) -> None:
        counts = self._texts[action]
        usual = [text for text, n in counts.most_common() if n >= USUAL * counts.total()]
        node: _Raw = {"system": usual[:SYSTEM_TEXTS] or [counts.most_common(1)[0][0]]}
        self._nodes[action] = node
        if self._asks.get(action):
            node["asks"] = list(self._asks[action])
        after = self._after[action]
        spoken = sum(self._heard[action, each].total() for each in after)
        silent = sum(self._transitions.counts[action, each] for each in after) - spoken
        if not after:
            return
        if action in self._asks or spoken >= silent:
            users = self._users(action, f"after_{action}", after)
            node["then"] = list(users)
            self._nodes |= users
        else:
            node["then"] = after

    def _users(self, action: str | None, name: str, after: Sequence[str]) -> dict[str, _Raw]:
        """Return the nodes of users' texts after an action (None: the beginning).

        There is one for each successor with texts of its own; the others join the first. The
        opening node is a single one. `name` names the first node, and starts the others' names.
        """
        asks = self._asks.get(action or "", ())
        ways: list[tuple[list[str], _Templates]] = []
        wordings: set[str] = set()
        for each in after:
            fresh = Counter(
                {t: n for t, n in self._heard[action, each].items() if plain(t) not in wordings}
            )
            if asks:
                fresh = Counter({t: n for t, n in fresh.items() if placeholders(t) & set(asks)})
            picks = chosen_texts(fresh)
            if ways and (action is None or not picks):
                ways[0][0].append(each)
                ways[0][1].update(fresh)
            else:
                ways.append(([each], fresh))
            wordings |= set(map(plain, fresh))
        missing = set(asks) - {s for _, c in ways for t in chosen_texts(c) for s in placeholders(t)}
        nodes: dict[str, _Raw] = {}
        for leads, counts in ways:
            drafted = [", ".join(f"{{{slot}}}" for slot in asks) + "."] if missing else []
            texts, missing = chosen_texts(counts) + drafted, set()
            names = {*self._nodes, *nodes, *self._transitions.times} - {OPENING}
            own = name if name == OPENING else free(name, names)
            nodes[own] = {"user": texts or [UNSAID], "then": leads}
            if forgotten := self._forgotten(action, leads[0]):
                nodes[own]["forget"] = forgotten
        return nodes

    def _forgotten(self, action: str | None, after: str) -> list[str]:
        """Return the slots of a question that mostly comes after a query with their values."""
        if 2 * self._again[action, after] <= self._transitions.counts[action, after]:
            return []
        return [s for s in self._asks[after] if s not in self._asks.get(action or "", ())]

    def _give_up(self) -> None:
        """Let users end the dialogue where a result leads only to the same call again."""
        nodes = self._nodes
        ends = [name for name, node in nodes.items() if "then" not in node]
        for action in self._calls if ends else ():
            onward = {name: node.get("then", ()) for name, node in nodes.items()}
            onward |= {question: (after,) for question, after in self._chained.items()}
            onward[action] = ()
            for result in nodes[action]["then"]:
                after = reachable((result,), onward.__getitem__)
                replies = [n for n in after if "system" in nodes[n] and "asks" not in nodes[n]]
                replies = [n for n in replies if any("user" in nodes[a] for a in onward[n])]
                if replies and not {*ends}.intersection(after):
                    name = free(f"after_{replies[0]}", {*nodes})
                    nodes[replies[0]]["then"] = [*onward[replies[0]], name]
                    final = max(ends, key=self._transitions.times.__getitem__)
                    last = (texts for edge, texts in self._heard.items() if edge[1] == final)
                    texts = [
                        t for t in chosen_texts(sum(last, _Templates())) if not placeholders(t)
                    ]
                    nodes[name] = {"user": texts or [UNSAID], "then": [final]}

    def _call(self, action: str) -> None:
        label, api = self._calls[action]
        node: _Raw = {"call": self._knowledge.calls[api.name]}
        if api.request is not None:
            node["request"] = REQUESTS.get(label) or "Check"
        leads = self._leads[action]
        names = {o: free(f"{action}_{o}", set(self._transitions.times)) for o in leads}
        self._nodes[action] = node | {"then": list(names.values())}
        for outcome, name in names.items():
            likely = bool(self._likely(action, outcome))
            then = leads[outcome] if likely else leads[outcome][:1]
            self._nodes[name] = {"result": outcome, "then": then or [ENDING]}
            if not then:
                self._nodes[ENDING] = {"system": [UNSAID]}

    def _after_call(self, action: str) -> dict[str, list[str]]:
        """Return outcome of a call to the actions after it, the likeliest first.

        An outcome without any leads to the successors of the call and to the final replies.
        """
        label, api = self._calls[action]
        outcomes = api.outcomes(label)
        leads = {outcome: self._likely(action, outcome) for outcome in outcomes}
        for after in self._after[action]:
            if not any(after in each for each in leads.values()):
                leads[max(outcomes, key=lambda o: self._ended[action, o][after])].append(after)
        spoken = sorted(self._transitions.final - self._calls.keys())
        return {o: actions or [*self._after[action], *spoken] for o, actions in leads.items()}

    def _likely(self, action: str, outcome: str) -> list[str]:
        counts = self._ended[action, outcome]
        likely = (a for a, n in counts.most_common() if n >= self._support * counts.total())
        return [each for each in likely if each in self._after[action]]


def chosen_texts(counts: _Templates) -> list[str]:
    """Return the most frequent of users' templates with at most `LONGEST` words.

    It includes one without placeholders, if any, for users without values.
    """
    fit = [text for text, _ in counts.most_common() if len(text.split()) <= LONGEST]
    spelt = {plain(text): text for text in reversed(fit)}
    texts = [text for text in fit if spelt[plain(text)] == text and plain(text)]
    bare = [text for text in texts if not placeholders(text)][:1]
    top = texts[:USER_TEXTS]
    return top if not bare or bare[0] in top else [*top[:-1], *bare]


def plain(text: str) -> str:
    """Return a template in lower case without punctuation, for comparison."""
    return " ".join(re.findall(r"[\w{}]+", text.lower()))


def node_of(turn: SystemTurn, knowledge: Knowledge) -> str:
    """Return the name of the node of a turn: its label, with the API if there are several."""
    if turn.query is None or len(knowledge.apis) == 1:
        return turn.label
    return snake(f"{turn.label}_{knowledge.tables[turn.query.api]}")
