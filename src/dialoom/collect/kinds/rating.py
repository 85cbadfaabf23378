"""Ratings and rankings of several systems' replies to one dialogue (Byrne et al. 2019, section 5).

The file that a stage's `outputs` names has lines such as

    {"id": "7", "context": [{"agent": "user", "text": "A table for two."}],
     "outputs": {"transformer": "What time?", "lstm": "I do not know."}}

A rater sees the outputs side by side in an order drawn for the item, without the systems' names,
and gives each a grade from 1 to 5 (the best) for each criterion, or a rank from 1 (the best; equal
ranks are allowed). A part is "C.O": the index of a criterion and that of an output as shown. The
export has a dialogue for each output, with a layer for each rater.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import ComparableKind
from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused, visible
from dialoom.collect.unit import Data, Policy, Result
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import SYSTEM, Dialogue, Layer, Part, Utterance
from dialoom.dialogue.annotation import GRADES, ITEM, SYSTEM_NAME, Struct
from dialoom.errors import FormatError, clip
from dialoom.sim.core.rng import SeededRng, seed_of

RATER: Role = "rater"

GRADED = 5
"""The best grade of a stage without a scale of its own; the worst is 1."""

FEWEST = {"rate": 1, "rank": 2}
"""The least number of outputs in an item, by the stage's setting `judge`."""


class ContextLine(Struct, frozen=True):
    """An utterance before the outputs."""

    agent: Literal["user", "system"]
    text: str


class RatedOutputs(Struct, frozen=True):
    """Outputs to compare.

    Attributes:
        outputs: System to reply, in the order shown.
        priority: Those with a higher priority are judged first.
        right: In a gold item, system to criterion to the right grade or rank, or a list of these.
    """

    id: str
    context: tuple[ContextLine, ...]
    outputs: dict[str, str]
    right: dict[str, dict[str, int | tuple[int, ...]]] = {}
    priority: int = 0


class RatingKind(ComparableKind):
    """The kind of work in which several people, each alone, grade or rank outputs."""

    name = "rating"
    roles = (RATER,)
    policy: Policy = "apart"
    merges = True
    content = RatedOutputs

    @cached_property
    def _lines(self) -> tuple[RatedOutputs, ...]:
        lines = read_outputs(Path(self._stage.outputs), FEWEST[self._stage.judge])
        return tuple(sorted(lines, key=lambda line: -line.priority))

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the outputs, those of each item in an order drawn for it.

        If the file has more lines than the study's `scenarios`, a sample is drawn, in its order.
        """
        return self._items(self._sample())

    def known(self) -> Iterator[tuple[Any, Any]]:
        """Yield the outputs of gold items; `FormatError` for a line without right grades."""
        if self._stage.gold is None:
            return iter(())
        path = Path(self._stage.gold.items)
        lines = list(read_outputs(path, FEWEST[self._stage.judge]))
        for line in lines:
            names = {name for grades in line.right.values() for name in grades}
            fits = line.right.keys() <= line.outputs.keys() and names <= {*self._stage.criteria}
            rights = [_right(each) for grades in line.right.values() for each in grades.values()]
            most = self._most(line)
            scale = {*range(1, most + 1)}
            if not (rights and fits and all(each and scale.issuperset(each) for each in rights)):
                what = "expected `right`: system to criterion to the right grade or rank, 1 to"
                raise FormatError(path, f"item {clip(line.id)!r}: {what} {most}", code="no-key")
        return self._items(lines)

    def added(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the outputs of a line of such a file."""
        line = msgspec.json.encode(value)
        return self._items([_line(Path("items"), 1, line, FEWEST[self._stage.judge])])

    def score(self, item: RatedOutputs, document: Mapping[str, Any]) -> float:
        """Return the share of the known grades or ranks that a document has."""
        systems, criteria = list(item.outputs), self._stage.criteria
        hits = [
            document[f"{criteria.index(criterion)}.{systems.index(system)}"] in _right(right)
            for system, grades in item.right.items()
            for criterion, right in grades.items()
        ]
        return sum(hits) / len(hits)

    def agreement(
        self, item: RatedOutputs, one: Mapping[str, Any], other: Mapping[str, Any]
    ) -> float:
        """Return one minus the mean difference of the grades, as a share of the scale."""
        parts, most = self._parts(item), self._most(item)
        apart: int = sum(abs(one[part] - other[part]) for part in parts)
        return 1 - apart / len(parts) / max(most - 1, 1)

    def _items(self, lines: Iterable[RatedOutputs]) -> Iterator[tuple[Any, Any]]:
        for index, line in enumerate(lines):
            rng = SeededRng(seed_of(self._settings.seed, index), b"outputs")
            names = rng.shuffle(list(line.outputs))
            texts = {name: line.outputs[name] for name in names}
            key = ([each.text for each in line.context], sorted(line.outputs.values()))
            yield msgspec.to_builtins(replace(line, outputs=texts)), key

    def _sample(self) -> list[RatedOutputs]:
        rng = SeededRng(seed_of(self._settings.seed, 0), b"lines")
        places = rng.shuffle(list(range(len(self._lines))))[: self._settings.scenarios]
        return [self._lines[place] for place in sorted(places)]

    def page(self, item: RatedOutputs) -> Data:
        """Return the context and the outputs, without the names of their systems."""
        return {
            "lines": [{"from": line.agent, "text": line.text} for line in item.context],
            "outputs": list(item.outputs.values()),
            "criteria": list(self._stage.criteria),
            "judge": self._stage.judge,
            "most": self._most(item),
            "scale": list(self._stage.scale),
        }

    def _most(self, item: RatedOutputs) -> int:
        if self._stage.judge == "rank":
            return len(item.outputs)
        return len(self._stage.scale) or GRADED

    def checked(self, item: RatedOutputs, part: str, value: Any) -> Any:
        """Return a grade or rank."""
        if part not in self._parts(item):
            raise Refused("unknown", f"there is no criterion and output {clip(part)!r}")
        most = self._most(item)
        if type(value) is not int or not 1 <= value <= most:
            raise Refused("bad_value", f"a whole number from 1 to {most}", field="value")
        return value

    def _parts(self, item: RatedOutputs) -> list[str]:
        criteria, outputs = range(len(self._stage.criteria)), range(len(item.outputs))
        return [f"{criterion}.{output}" for criterion in criteria for output in outputs]

    def problems(self, item: RatedOutputs, document: Mapping[str, Any]) -> list[Data]:
        """Return the parts without a grade or rank, and criteria whose ranks lack a 1."""
        issues: list[Data] = [
            {"code": "ungraded", "part": part} for part in self._parts(item) if part not in document
        ]
        if not issues and self._stage.judge == "rank":
            for criterion in range(len(self._stage.criteria)):
                parts = [f"{criterion}.{output}" for output in range(len(item.outputs))]
                if 1 not in [document[part] for part in parts]:
                    issues.append({"code": "no_first", "part": parts[0]})
        return issues

    def dialogues(self, item: RatedOutputs, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield a dialogue for each output, its last utterance, with each rater's grades."""
        before = [Utterance(agent=line.agent, text=line.text) for line in item.context]
        for place, (system, text) in enumerate(item.outputs.items()):
            layers = [
                Layer(f"rater-{each.worker}", (Part(extra={GRADES: self._grades(place, each)}),))
                for each in results
            ]
            output = Utterance(agent=SYSTEM, text=text, layers=tuple(layers))
            yield Dialogue(
                id=f"{item.id}-{system}",
                events=(*before, output),
                batch=results[0].batch,
                provenance="collected",
                extra={SYSTEM_NAME: system, ITEM: item.id},
            )

    def _grades(self, place: int, result: Result) -> dict[str, int]:
        return {
            criterion: result.document[f"{number}.{place}"]
            for number, criterion in enumerate(self._stage.criteria)
        }


def _right(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def read_outputs(path: Path, fewest: int) -> Iterator[RatedOutputs]:
    """Yield the lines of a file of outputs.

    Args:
        fewest: The least number of outputs of a line.

    Raises:
        FormatError: A line has another shape, too few outputs or an empty one, or two lines have
            the same id.
        MissingDataError: There is no such file.
    """
    ids: set[str] = set()
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        if not line.strip():
            continue
        item = _line(path, number, line, fewest)
        if item.id in ids:
            what = f"there is another item {clip(item.id)!r}"
            raise FormatError(path, what, line=number, code="twice")
        ids.add(item.id)
        yield item
    if not ids:
        raise FormatError(
            path, "empty file; expected lines with a context and outputs", code="empty"
        )


def _line(path: Path, number: int, line: bytes, fewest: int) -> RatedOutputs:
    try:
        item = msgspec.json.decode(line, type=RatedOutputs)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(path, str(error), line=number) from error
    if len(item.outputs) < fewest or not all(map(visible, item.outputs.values())):
        what = f"{fewest} or more outputs, each with a text"
        raise FormatError(path, f"expected {what}", line=number, code="too-few")
    return item
