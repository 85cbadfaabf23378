"""The caller: predicts a call's constraints from the dialogue and the schema, for unseen tasks too.

Boosted trees score each (parameter, value) by task-independent features (features.py). Parameters
take the option with the highest score, which may be to leave the parameter out; options are chosen
in descending order of scores, and a mention that one parameter has taken is closed to the others.
Further trees choose operators, by phrases next to the value and by earlier calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import Constraint, NextCall, Prediction, Query
from dialoom.dialogue.constraint import Operator
from dialoom.errors import UsageError
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known
from dialoom.learn.trees import FittedTrees, Trees
from dialoom.models.caller.evidence import CallPlan, Evidence, key_of
from dialoom.models.caller.features import CallPoint, Option
from dialoom.models.follower.scorer import TREES
from dialoom.models.history import states
from dialoom.schema.call import Call
from dialoom.schema.once import once_for_each
from dialoom.schema.task import resolve
from dialoom.schema.values import Kind

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]


class ColumnLayout:
    """Assigns a column to each feature name; once closed, it ignores new names."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.closed = False

    def vector(self, row: Mapping[str, float]) -> Vector:
        """Return a row as a vector; missing columns are NaN."""
        if not self.closed:
            for name in row:
                self.places.setdefault(name, len(self.places))
        array = np.full(len(self.places), np.nan, dtype=np.float32)
        for name, value in row.items():
            if name in self.places:
                array[self.places[name]] = value
        return array

    def table(self, vectors: Sequence[Vector]) -> Matrix:
        """Return vectors as rows of a matrix, shorter ones of earlier layouts filled with NaN."""
        matrix = np.full((len(vectors), len(self.places)), np.nan, dtype=np.float32)
        for number, vector in enumerate(vectors):
            matrix[number, : len(vector)] = vector
        return matrix

    def beginning(self, prefixes: tuple[str, ...]) -> list[int]:
        """Return the columns whose names begin with one of the prefixes."""
        return [place for name, place in self.places.items() if name.startswith(prefixes)]


TOLD_BY = ("kind_", "compared_", "queried_", "form_", "multiple", "values")
"""Prefixes of the features that the trees use."""

ORDERED: tuple[Kind, ...] = ("number", "time", "date")
"""The kinds of values that have an order."""

COMPARING: frozenset[Operator] = frozenset(("at_least", "at_most", "less", "greater"))
"""The operators for values of these kinds."""

OPERATOR_TREES = Trees(rounds=40, rate=0.1, leaves=8, penalty=10.0)
"""Settings of the trees that choose operators."""


class OperatorChooser:
    """Chooses the likeliest of the operators that fit the type of a value.

    Values of ordered kinds may be compared, a slot with several values may contain one; all other
    values are equal. With only one operator in training, it always chooses "equal". The layout of
    the vectors must be closed.
    """

    def __init__(self, layout: ColumnLayout, seed: int) -> None:
        self._seed = seed
        self._columns = layout.beginning(TOLD_BY)
        self._ordered = layout.beginning(tuple(f"kind_{kind}" for kind in ORDERED))
        self._multiple = layout.beginning(("multiple",))
        self._trees: FittedTrees | None = None

    def fit(self, vectors: Matrix, labels: Sequence[Operator]) -> None:
        """Fit on the features (values, columns) and the operator of each value."""
        if len(set(labels)) > 1:
            self._trees = OPERATOR_TREES.fit(vectors[:, self._columns], labels, self._seed)

    def choose(self, vectors: Matrix) -> list[Operator]:
        """Return an operator for each row of features: shape (values, columns)."""
        if self._trees is None or not len(vectors):
            return ["equal"] * len(vectors)
        names: list[Operator] = self._trees.classes
        shares = self._trees.chances(vectors[:, self._columns])
        operators: list[Operator] = []
        for vector, row in zip(vectors, shares, strict=True):
            allowed = self._allowed(vector)
            ranked = sorted(zip(row, names, strict=True), reverse=True)
            operators.append(next((name for _, name in ranked if name in allowed), "equal"))
        return operators

    def _allowed(self, vector: Vector) -> frozenset[Operator]:
        if (vector[self._multiple] == 1).any():
            return frozenset(("contains", "equal"))
        return frozenset(("equal", *(COMPARING if (vector[self._ordered] == 1).any() else ())))


class Parameter(NamedTuple):
    """A parameter of a call at a question, with its options and the features of each."""

    name: str
    required: bool
    options: list[Option]
    vectors: list[Vector]


Given = tuple[str, Option, Vector]

_planned = once_for_each(CallPlan)


@dataclass
class Caller:
    """Predicts which parameters a call gives, with which operators and values."""

    name: ClassVar[str] = "caller"
    kinds: ClassVar[Kinds] = (NextCall,)
    seed: Seed = 0
    _layout: ColumnLayout = field(default_factory=ColumnLayout, init=False, repr=False)
    _trees: FittedTrees | None = field(default=None, init=False, repr=False)
    _operators: OperatorChooser = field(init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit on the parameters of gold calls; `UsageError` if no call is one of its task's."""
        layout = self._layout = ColumnLayout()
        vectors: list[Vector] = []
        marks: list[bool] = []
        valued: dict[int, Operator] = {}
        questions = [example.question for example in examples]
        for number, evidence in self._heard(questions, schemas):
            gold = examples[number].answer
            call = evidence.plan.task.calls.get(gold.api)
            for parameter in self._parameters(evidence, call) if call else ():
                labels = {key_of(c.values): c for c in gold.constraints if c.slot == parameter.name}
                vectors += parameter.vectors
                for option in parameter.options:
                    constraint = labels.get(key_of(option.values)) if option.values else None
                    if constraint is not None and constraint.operator is not None:
                        valued[len(marks)] = constraint.operator
                    marks.append(constraint is not None or not (option.values or labels))
        if not any(marks):
            raise UsageError(
                "nothing to learn from: no example's call is one of its task's",
                code="nothing-to-learn",
            )
        layout.closed = True
        table = layout.table(vectors)
        self._operators = OperatorChooser(layout, self.seed)
        self._trees = TREES.fit(table, marks, self.seed)
        self._operators.fit(table[list(valued)], list(valued.values()))

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Query]]:
        """Return the likeliest call of each question: the one with the most certain parameters."""
        known(self._trees)
        best: dict[int, tuple[float, Call, list[Given]]] = {}
        for number, evidence in self._heard(questions, schemas):
            for call in evidence.plan.task.calls.values():
                sure, choices = self._given(list(self._parameters(evidence, call)))
                if number not in best or sure > best[number][0]:
                    best[number] = sure, call, choices
        picks = [best.get(number) for number in range(len(questions))]
        vectors = [vector for each in picks if each for *_, vector in each[2]]
        operators = iter(self._operators.choose(self._layout.table(vectors)))
        return [_prediction(each, operators) for each in picks]

    def _given(self, parameters: list[Parameter]) -> tuple[float, list[Given]]:
        """Return the mean best probability of required parameters, and the chosen options."""
        vectors = [vector for parameter in parameters for vector in parameter.vectors]
        if not vectors:
            return 0.0, []
        scores = known(self._trees).chance(True, self._layout.table(vectors))
        ends = np.cumsum([len(parameter.vectors) for parameter in parameters])[:-1]
        groups = np.split(scores, ends)
        sure = [
            float(max(each[1:], default=0.0))
            for parameter, each in zip(parameters, groups, strict=True)
            if parameter.required
        ]
        return sum(sure) / max(len(sure), 1), list(_chosen(parameters, groups))

    def _parameters(self, evidence: Evidence, call: Call) -> Iterator[Parameter]:
        point = CallPoint(evidence, call)
        for column in call.inputs:
            options, rows = point.rows(column)
            vectors = [self._layout.vector(row) for row in rows]
            yield Parameter(column.name, column.required, options, vectors)

    def _heard(self, questions: Questions, schemas: Schemas) -> Iterator[tuple[int, Evidence]]:
        tasks = [resolve(question.asked.task, schemas) for question in questions]
        return states(
            questions, tasks, lambda task: Evidence(_planned(schemas[task])), Evidence.observe
        )


def _prediction(
    pick: tuple[float, Call, list[Given]] | None, operators: Iterator[Operator]
) -> Prediction[Query]:
    if pick is None:
        return Prediction(Query(id="", api=""))
    sure, call, choices = pick
    constraints = tuple(_constraint(name, option, next(operators)) for name, option, _ in choices)
    return Prediction(Query(id="", api=call.name, constraints=constraints), confidence=sure)


def _chosen(parameters: Sequence[Parameter], scores: Sequence[Iterable[float]]) -> Iterator[Given]:
    """Yield the chosen option of each parameter with values, in the order of inputs.

    `scores` are the probabilities of each option of each parameter.
    """
    places: list[tuple[int, int, int]] = []
    choices: dict[str, tuple[Option, Vector]] = {}
    order = sorted(
        ((score, p, o) for p, row in enumerate(scores) for o, score in enumerate(row)),
        key=lambda each: -each[0],
    )
    for _, place, number in order:
        name, option = parameters[place].name, parameters[place].options[number]
        if name in choices or (option.place and any(_overlap(option.place, t) for t in places)):
            continue
        choices[name] = option, parameters[place].vectors[number]
        if option.place:
            places.append(option.place)
    for parameter in parameters:
        option, vector = choices[parameter.name]
        if option.values:
            yield parameter.name, option, vector


def _overlap(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def _constraint(name: str, option: Option, operator: Operator) -> Constraint:
    several = len(option.values) > 1
    if several == (operator == "one_of"):
        return Constraint(name, operator, option.values)
    return Constraint(name, "one_of" if several else "equal", option.values)
