"""Slots, tables and calls, inferred from the queries and results of dialogues.

The effect of a call is inferred from its parameters: one with a request books, one that always has
the same parameters finds the row of a key, any other searches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cached_property
from statistics import mean
from typing import Any

from dialoom.dialogue import Query, Result
from dialoom.models.induction.columns import column, typed
from dialoom.models.induction.turns import SystemTurn
from dialoom.schema.flow import QUERIES, REQUESTS
from dialoom.schema.lexicon import words
from dialoom.schema.service_words import free, snake, spelled, spoken_name
from dialoom.schema.slot import Slot
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.grammar import OUTCOMES
from dialoom.schema.yaml.grammar import REQUESTS as ENDS

ALWAYS = 0.9
"""Least share of queries with a parameter for it to be required."""

SELDOM = 0.01
"""Least share of queries with a parameter; rarer ones are left out as noise."""

MOST_OUTCOMES = 20
"""Most values of the output that distinguishes outcomes."""

BETTER = 1.05
"""Least factor by which that output predicts more next actions than the majority does."""

OUTCOME = "Outcome"
"""The name of that output if no column of results qualifies."""

ROWS = 60
"""Rows of an induced table: dialogues do not contain their number."""

_REQUESTED = frozenset(filter(None, REQUESTS.values()))

_Raw = dict[str, Any]


class Api:
    """The queries and results of one call.

    `results` are (label of the query, result, label of the next action, whether a query with the
    same label follows). `given` maps parameters to values with their numbers of dialogues;
    `request` is the parameter for a request (check, book), or None.
    """

    def __init__(self, name: str, language: str) -> None:
        self.name, self.language = name, language
        self.queries: list[Query] = []
        self.results: list[tuple[str, Result, str, bool]] = []
        self.given: dict[str, Counter[Any]] = defaultdict(Counter)
        self.request: str | None = None

    def add(self, query: Query) -> None:
        """Add a query."""
        self.queries.append(query)
        for constraint in query.constraints:
            if constraint.values and set(constraint.values) <= _REQUESTED:
                self.request = constraint.slot

    def give(self, queries: Iterable[Query]) -> None:
        """Count the values in the queries of one dialogue, each once."""
        pairs = dict.fromkeys(
            (c.slot, value)
            for query in queries
            for c in query.constraints
            for value in c.values
            if value is not None
        )
        for slot, value in pairs:
            self.given[slot][value] += 1

    @cached_property
    def parameters(self) -> dict[str, bool]:
        """Parameter to whether it is required; rare ones are left out."""
        times = Counter(name for q in self.queries for name in {c.slot for c in q.constraints})
        names = sorted(name for name in self.given if name != self.request)
        total = len(self.queries)
        return {n: times[n] >= ALWAYS * total for n in names if times[n] >= SELDOM * total}

    @cached_property
    def effect(self) -> str:
        """The effect of the call in a task file: "book", "find" or "search"."""
        if self.request is not None:
            return "book"
        plain = all(c.operator == "equal" for q in self.queries for c in q.constraints)
        return "find" if plain and all(self.parameters.values()) else "search"

    def outcomes(self, label: str) -> tuple[str, ...]:
        """Return the two outcomes of a query with a label, success first."""
        request = REQUESTS.get(label)
        return ENDS[request] if request and self.effect == "book" else OUTCOMES[self.effect][:2]

    def outcome(self, label: str, result: Result) -> str:
        """Return the outcome of a query with a label, by its result."""
        good, bad = self.outcomes(label)
        row = result.items[0] if result.items else {}
        name = self.outcome_outputs[label]
        if name is None or name not in row:
            return good if row else bad
        return self.meanings[label].get(row[name], bad)

    @cached_property
    def rows(self) -> dict[str, Counter[Any]]:
        """Column of results to its values with their counts."""
        columns: dict[str, Counter[Any]] = {}
        for _, result, *_ in self.results:
            for item in result.items:
                for name, value in item.items():
                    if value is not None:
                        columns.setdefault(name, Counter())[frozen(value)] += 1
        return columns

    @cached_property
    def outcome_outputs(self) -> dict[str, str | None]:
        """Query label to the column of few values that best predicts the next action, or None."""
        columns = [name for name in self.rows if self._may_distinguish(name)]
        outputs: dict[str, str | None] = {}
        for label in QUERIES:
            right = {name: self._predicted(label, name) for name in columns}
            best = max(right, key=right.__getitem__, default=None)
            usual = BETTER * self._predicted(label, None)
            outputs[label] = best if best is not None and right[best] > usual else None
        return outputs

    def _may_distinguish(self, name: str) -> bool:
        """True if a column of results has few values, all of them texts.

        A column that is a parameter as well only repeats the request.
        """
        values = self.rows[name]
        few = all(isinstance(value, str) for value in values) and 2 <= len(values) <= MOST_OUTCOMES
        return few and name not in self.given

    def _predicted(self, label: str, name: str | None) -> int:
        """Return how many next actions the values of a column predict; None for no column.

        An empty result predicts as well. Each group predicts its commonest next action, minus one
        turn: a value that occurs once predicts nothing.
        """
        groups: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for own, result, after, _ in self.results:
            if own == label:
                row = result.items[0] if result.items else {}
                groups[bool(row), None if name is None else frozen(row.get(name))][after] += 1
        return sum(max(after.values()) - 1 for after in groups.values())

    @cached_property
    def meanings(self) -> dict[str, dict[str, str]]:
        """Label to the values of the column `outcome_outputs`, each with the outcome that it means.

        A value that has an outcome's name as a word means that outcome. The others mean the
        outcomes that no value names: success for the value that the fewest repeated queries follow.
        """
        by_label: dict[str, dict[str, str]] = defaultdict(dict)
        again: dict[str, dict[str, list[bool]]] = defaultdict(dict)
        for label, result, _, repeated in self.results:
            output = self.outcome_outputs[label]
            for item in result.items[:1]:
                if output is not None and output in item:
                    again[label].setdefault(item[output], []).append(repeated)
        for label, values in again.items():
            matches = {v: o for v in values for o in self.outcomes(label) if o in words(v)}
            left = [each for each in self.outcomes(label) if each not in matches.values()]
            for value in sorted(values, key=lambda v: (mean(values[v]), v)):
                last = self.outcomes(label)[-1]
                by_label[label][value] = matches.get(value) or (left.pop(0) if left else last)
        return by_label

    def column(self, label: str) -> str:
        """Return the output that distinguishes the outcomes of a query."""
        return self.outcome_outputs[label] or OUTCOME


class Knowledge:
    """The slots, tables and calls of one task.

    `apis` maps names of calls to queries and results, `names` parameters to slots. `columns`,
    `calls` and `tables` map the names of the dialogues' inputs and outputs, of calls and of their
    tables to those in the file.
    """

    def __init__(self, dialogues: Iterable[list[SystemTurn]], language: str) -> None:
        self.language = language
        self.apis: dict[str, Api] = {}
        for path in dialogues:
            for place, turn in enumerate(path):
                self._observe(turn, path[place + 1 :])
            for name, api in self.apis.items():
                api.give(t.query for t in path if t.query is not None and t.query.api == name)
        apis = self.apis.values()
        self.names = distinct((p for api in apis for p in api.parameters), snake)
        fields = (
            name for api in apis for name in (*api.given, *filter(None, [api.request]), *api.rows)
        )
        self.columns = distinct((*fields, OUTCOME), spelled)
        self.calls, self.tables = distinct(self.apis, spelled), distinct(self.apis, snake)

    def _observe(self, turn: SystemTurn, later: Sequence[SystemTurn]) -> None:
        if turn.query is None:
            return
        api = self.apis.setdefault(turn.query.api, Api(turn.query.api, self.language))
        api.add(turn.query)
        if later and later[0].answered and later[0].result is not None:
            again = any(t.query is not None and t.label == turn.label for t in later)
            api.results.append((turn.label, later[0].result, later[0].label, again))

    @cached_property
    def raw_slots(self) -> dict[str, _Raw]:
        """Slot to its keys and values in a task file."""
        counts: dict[str, Counter[Any]] = defaultdict(Counter)
        needed: dict[str, bool] = {}
        for api in self.apis.values():
            for parameter, required in api.parameters.items():
                counts[parameter] += api.given[parameter]
                needed[parameter] = needed.get(parameter, False) or required
        return {
            self.names[parameter]: {
                "type": "",
                "description": spoken_name(parameter),  # the type comes first
                **({} if needed[parameter] else {"need": "optional"}),
                **typed(values, self.language),
            }
            for parameter, values in counts.items()
        }

    @cached_property
    def slots(self) -> dict[str, Slot]:
        """Parameter to its slot."""
        by_name = build({"slots": self.raw_slots}).slots
        return {parameter: by_name[name] for parameter, name in self.names.items()}

    def raw_tables(self, slots: Collection[str]) -> dict[str, _Raw]:
        """Return the tables, one for each call, with columns for the slots in `slots`."""
        entries = {}
        for api in self.apis.values():
            columns: _Raw = {} if api.effect == "book" else self._brought(api)
            inputs = self._inputs(api, slots)
            columns |= {self.columns[p]: {"slot": self.names[p]} for p in inputs}
            columns = columns or {"id": {"type": "serial", "minimum": 1}}
            entries[self.tables[api.name]] = {"rows": ROWS, "columns": columns}
        return entries

    def _brought(self, api: Api) -> dict[str, _Raw]:
        """Return the columns of results; of a booking, they are outputs of the call."""
        exceptions = {*map(api.column, QUERIES), api.request}
        outputs = {n: values for n, values in api.rows.items() if n not in exceptions}
        return {self.columns[n]: column(v, self.language) for n, v in outputs.items()}

    def _inputs(self, api: Api, slots: Collection[str]) -> dict[str, bool]:
        return {p: needed for p, needed in api.parameters.items() if self.names[p] in slots}

    def raw_calls(self, slots: Collection[str]) -> dict[str, _Raw]:
        """Return the calls, with inputs for the slots in `slots`."""
        return {self.calls[name]: self._call(api, slots) for name, api in self.apis.items()}

    def _call(self, api: Api, slot_names: Collection[str]) -> _Raw:
        needs = self._inputs(api, slot_names)
        required = [name for name, needed in needs.items() if needed]
        call: _Raw = {"effect": api.effect, "table": self.tables[api.name]}
        parameters = required or list(needs)
        measured = [name for name in parameters if "text" not in self.slots[name].type]
        key = [self.columns[name] for name in measured or parameters]
        if key and api.effect != "search":
            call["key"] = key
        elif api.effect == "find":
            call["effect"] = "search"  # no slot of the flow can be its key
        inputs: _Raw = {
            self.columns[name]: {"slot": self.names[name]} | ({"required": True} if needed else {})
            for name, needed in needs.items()
        }
        if api.request is not None:
            inputs[self.columns[api.request]] = {"type": "request"}
        return call | {"inputs": inputs} | self._answers(api, inputs)

    def _answers(self, api: Api, inputs: Collection[str]) -> _Raw:
        """Return outputs and answers: the value of the output for each outcome.

        An outcome that never occurred has its own name as the value.
        """
        if not any(api.outcome_outputs.values()) and api.effect != "book":
            return {}
        labels = QUERIES[1:] if api.effect == "book" else QUERIES[:1]
        answers: dict[str, _Raw] = {}
        columns: dict[str, dict[str, None]] = {}
        for label in labels:
            senses = api.meanings[label]
            inverse = {outcome: value for value, outcome in reversed(senses.items())}
            values_of = {outcome: inverse.get(outcome, outcome) for outcome in api.outcomes(label)}
            name = self.columns[api.column(label)]
            answers |= {outcome: {name: value} for outcome, value in values_of.items()}
            values = dict.fromkeys((*senses, *values_of.values()))
            columns[name] = columns.get(name, {}) | values
        brought = self._brought(api) if api.effect == "book" else {}
        outputs = {n: schema for n, schema in brought.items() if n not in inputs}
        outputs |= {n: {"type": "category", "values": list(texts)} for n, texts in columns.items()}
        return {"outputs": outputs, "answers": answers}


def distinct(names: Iterable[str], spell: Callable[[str], str]) -> dict[str, str]:
    """Return names with their spellings; a number is appended to those that are taken."""
    spellings: dict[str, str] = {}
    for name in dict.fromkeys(names):
        spellings[name] = free(spell(name), {*spellings.values()})
    return spellings


def frozen(value: Any) -> Any:
    """Return a JSON value as a hashable one: a list as a tuple, an object as text."""
    if isinstance(value, list):
        return tuple(map(frozen, value))
    return str(value) if isinstance(value, dict) else value
