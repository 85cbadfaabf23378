"""Prediction files: a line of JSON for each answer, laid out by the kind of question.

    next-action  {"holdout":"weather","dialogue":12,"event":7,"task":"weather",
                  "gold":"query","predicted":"query"}
    next-reply   {"holdout":"weather","dialogue":12,"event":7,"task":"weather",
                  "gold":"Where?","predicted":"For which city?"}
    choice       {"holdout":"task1","dialogue":"api-1-3","event":3,
                  "gold":"3-a","predicted":"3-b","ranking":["3-b","3-a"],
                  "candidates":{"3-a":"For how many?","3-b":"Which price?"}}
    state        {"holdout":"dev","dialogue":"1_00000","turn":2,"service":"Hotels_1",
                  "slot_values":{"area":["north"]},"intent":"SearchHotel","requested":[]}
    next-call    {"holdout":"weather","dialogue":12,"event":7,"api":"weather","request":null,
                  "constraints":[{"parameter":"Day","operator":"equal","value":"Sunday"}]}
    realise      {"holdout":"dev","dialogue":"1_00000","turn":3,
                  "gold":"For when?","predicted":"Which day?"}
    in-scope     {"holdout":"weather","dialogue":12,"event":7,"task":"weather",
                  "gold":"out","predicted":"in","probability":0.41}
    frames       {"holdout":"U1","dialogue":"f-1","turn":4,"act":0,"slot":"budget","value":"900",
                  "gold":2,"predicted":0}
    acts         {"holdout":"U1","dialogue":"f-1","turn":4,"gold":[{"name":"affirm"}],
                  "predicted":[{"name":"inform","arguments":[{"slot":"budget","values":["900"]}]}]}
    next-acts    {"holdout":"dev","dialogue":"1_00000","turn":3,
                  "gold":[{"act":{"name":"REQ_MORE"},"service":"Hotels_1"}],
                  "predicted":[{"act":{"name":"GOODBYE"},"service":"Hotels_1"}]}
    spans        {"holdout":"test","dialogue":"dlg-1","turn":2,"gold":[],
                  "predicted":[{"start":4,"end":8,"labels":["movie_ticket.time.start"]}]}

`unreadable` says why the answer of a language model could not be read; it is scored as wrong.
Labels have a `ranking` where a metric scores it.
`set` names the challenge set that a question is of. `probability` is that of being out of scope.
Frame tracking has a line for each argument, with the index of its act; frame 0 is a new frame.

`dialogue` is the source's own id (an integer in STAR), `event` or `turn` the index in its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.bench.core import sam
from dialoom.bench.core.protocol import Outcome, Plan, Target, source_id
from dialoom.dialogue import (
    Acts,
    Choice,
    Constraint,
    FrameOf,
    InScope,
    NextAction,
    NextActs,
    NextCall,
    NextCalls,
    NextReply,
    Prediction,
    Query,
    Realise,
    Spans,
    State,
    StateOf,
)
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.references import ActFrames, best
from dialoom.errors import FormatError
from dialoom.metrics.classification import IN, OUT
from dialoom.schema.call import requested
from dialoom.schema.service import NO_INTENT
from dialoom.schema.task import TaskSchema

EMPTY = "empty file; expected prediction lines"

Key = tuple[str, str, int]

Row = dict[str, Any]


class _Line(msgspec.Struct, frozen=True):
    holdout: str
    dialogue: int | str
    event: int

    @property
    def key(self) -> Key:
        return self.holdout, str(self.dialogue), self.event


class PredictionLine(_Line, frozen=True, omit_defaults=True):
    """A line of answers that are labels, texts or candidates."""

    gold: str
    predicted: str
    task: str = ""
    ranking: tuple[str, ...] | None = None

    def prediction(self, schemas: Mapping[str, TaskSchema]) -> Prediction[str]:
        """Return the answer."""
        return Prediction(self.predicted, tuple((name, 0.0) for name in self.ranking or ()))


class CallLine(_Line, frozen=True):
    """A line of answers that are calls; it does not hold the right answer."""

    api: str
    constraints: list[dict[str, Any]]
    request: str | None = None
    gold: None = None

    def prediction(self, schemas: Mapping[str, TaskSchema]) -> Prediction[Query]:
        """Return the answer; the task's schema names the parameter that holds the request."""
        calls = (task.calls[self.api] for task in schemas.values() if self.api in task.calls)
        slots = next((call.requests for call in calls), ())
        wishes = [Constraint(slot, "equal", (self.request,)) for slot in slots if self.request]
        return Prediction(Query(id="", api=self.api, constraints=(*wishes, *self._given())))

    def _given(self) -> Iterator[Constraint]:
        for each in self.constraints:
            value = each.get("value")
            values = tuple(value) if isinstance(value, list) else (value,)
            yield Constraint(str(each.get("parameter")), each.get("operator"), values)


def write_predictions(plan: Plan, outcomes: Iterable[Outcome]) -> bytes:
    """Return the prediction file: hold-outs in the plan's order, questions in theirs."""
    answers = {outcome.holdout: outcome.predictions for outcome in outcomes}
    rows = (
        {
            "holdout": holdout.name,
            "dialogue": source_id(target.source),
            **row,
            **_faults(prediction),
        }
        for holdout in plan.holdouts
        for target, prediction in zip(holdout.test, answers[holdout.name], strict=True)
        for row in ROWS[plan.kind](plan, target, prediction)
    )
    return msgspec.json.Encoder().encode_lines(rows)


def _faults(prediction: Prediction[Any]) -> Row:
    unreadable = prediction.record.unreadable if prediction.record is not None else ""
    return {"unreadable": unreadable} if unreadable else {}


def read_predictions(path: Path) -> list[PredictionLine]:
    """Read a prediction file; `FormatError` for an empty file, and for other lines."""
    lines = sam.decode_lines(path, PredictionLine, "a prediction")
    if not lines:
        raise FormatError(path, EMPTY, code="empty")
    return lines


def _label(plan: Plan, target: Target, prediction: Prediction[str]) -> Iterator[Row]:
    topic = {"task": target.asked.task} if isinstance(target.asked, NextAction | NextReply) else {}
    answers = {"gold": target.gold, "predicted": prediction.answer}
    scored = plan.kind is Choice or plan.ranks
    ranking = {"ranking": [name for name, _ in prediction.ranking]} if scored else {}
    yield {"event": target.event, **topic, **answers, **ranking}


def _candidate(plan: Plan, target: Target, prediction: Prediction[str]) -> Iterator[Row]:
    for row in _label(plan, target, prediction):
        ids = {target.gold, *row["ranking"]}
        texts = {each.id: each.text for each in target.asked.candidates if each.id in ids}
        yield {**row, "candidates": texts}


def _states(plan: Plan, target: Target, prediction: Prediction[dict[str, State]]) -> Iterator[Row]:
    for service in target.gold:
        state = prediction.answer.get(service, State())
        yield {
            "turn": target.event,
            "service": service,
            "slot_values": {slot: list(variants) for slot, variants in state.values.items()},
            "intent": state.intent or NO_INTENT,
            "requested": list(state.requested),
        }


def _call(plan: Plan, target: Target, prediction: Prediction[Query]) -> Iterator[Row]:
    answer = prediction.answer
    task = plan.schemas.get(target.asked.task)
    call = task.calls.get(answer.api) if task else None
    requests = call.requests if call else ()
    yield {
        "event": target.event,
        "api": answer.api,
        "request": requested(call, answer.constraints) if call else None,
        "constraints": [
            {
                "parameter": each.slot,
                "operator": each.operator,
                "value": list(each.values) if each.operator == "one_of" else each.value,
            }
            for each in answer.constraints
            if each.slot not in requests
        ],
    }


def _text(plan: Plan, target: Target, prediction: Prediction[str]) -> Iterator[Row]:
    name = {"set": target.slices[0]} if target.aside else {}
    yield {"turn": target.event, **name, "gold": target.gold, "predicted": prediction.answer}


def _scope(plan: Plan, target: Target, prediction: Prediction[float]) -> Iterator[Row]:
    out = round(1 - prediction.answer, 6)
    yield {
        "event": target.event,
        "task": target.asked.task,
        "gold": IN if target.gold else OUT,
        "predicted": prediction.ranking[0][0] if prediction.ranking else OUT if out > 0.5 else IN,
        "probability": out,
    }


def _frames(
    plan: Plan, target: Target, prediction: Prediction[tuple[ActFrames, ...]]
) -> Iterator[Row]:
    answers = zip(target.asked.acts, target.gold, prediction.answer, strict=True)
    for number, (act, gold, guess) in enumerate(answers):
        triples = zip(act.arguments, gold.arguments, guess.arguments, strict=True)
        for argument, right, shares in triples:
            yield {
                "turn": target.event,
                "act": number,
                "slot": argument.slot,
                "value": argument.values[0] if argument.values else None,
                "gold": best(right),
                "predicted": best(shares),
            }


def _marks(plan: Plan, target: Target, prediction: Prediction[tuple[Any, ...]]) -> Iterator[Row]:
    yield {"turn": target.event, "gold": target.gold, "predicted": prediction.answer}


ROWS: dict[type[Struct], Callable[[Plan, Target, Any], Iterator[Row]]] = {
    NextAction: _label,
    NextReply: _label,
    Choice: _candidate,
    InScope: _scope,
    StateOf: _states,
    NextCall: _call,
    Realise: _text,
    FrameOf: _frames,
    NextActs: _marks,
    NextCalls: _marks,
    Acts: _marks,
    Spans: _marks,
}
