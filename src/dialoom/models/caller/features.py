"""Features of a candidate value of a parameter, independent of tasks, parameters and sentences.

A row describes one proposal for one parameter at one question, or the choice to leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import Operator
from dialoom.models.caller.evidence import Evidence, Hit, Proposal, key_of
from dialoom.models.caller.tracked import REQUESTED
from dialoom.schema.call import Call, Column, Outcome, outcomes, requested
from dialoom.schema.lexicon import Lexicon, split_name, words
from dialoom.schema.values import Kind

KINDS = get_args(Kind)
ORIGINS = ("said", "answered", "offered", "queried", "denied")
OUTCOMES = get_args(Outcome)
OPERATORS = get_args(Operator)
FORMS = ("one", "next", "later", "phrase", "constant")
NEVER = 40.0
"""Age, in turns, of an event that has not happened: more than most dialogues have."""

Row = dict[str, float]


class Option(NamedTuple):
    """Values for a parameter, or none to leave it out.

    `place` is turn, start and end of the mention that is its only source, or None. Two parameters
    cannot take the same mention.
    """

    values: tuple[Value, ...] = ()
    place: tuple[int, int, int] | None = None


LEFT_OUT = Option()


class CallPoint:
    """The evidence of a dialogue, and the call whose constraints are to be predicted."""

    def __init__(self, evidence: Evidence, call: Call) -> None:
        self.heard, self.plan, self.call = evidence, evidence.plan, call
        self.last = evidence.last_call(call.name)
        self.inputs = call.inputs
        self.shared = self._shared()

    def _shared(self) -> Row:
        evidence = self.heard
        return {
            "turns": min(evidence.turn, 20),
            "since": evidence.since,
            "calls": min(len(evidence.made), 6),
            "own_calls": min(sum(q.api == self.call.name for q in evidence.made), 6),
            "empty": float(bool(evidence.items) and evidence.item is None),
            "had_item": float(evidence.item is not None),
            "inputs": len(self.inputs),
            "required_share": sum(c.required for c in self.inputs) / max(len(self.inputs), 1),
            "user_words": min(len(words(evidence.user)), 40),
            **{f"cue_{name}": float(present) for name, present in evidence.cues.items()},
        }

    def rows(self, column: Column) -> tuple[list[Option], list[Row]]:
        """Return the options of a parameter, the first to leave it out, with features of each."""
        if column.type == "request":
            return self._requests(column)
        name = column.name
        proposals = self.heard.proposals(name)
        parameter = self._parameter(column, proposals)
        rows = [{**parameter, **self._left_out(proposals)}]
        for proposal in proposals:
            rows.append({**parameter, **self._proposal(name, proposal, proposals)})
        return [LEFT_OUT, *map(_option, proposals)], rows

    def _requests(self, column: Column) -> tuple[list[Option], list[Row]]:
        last = requested(self.call, self.last.constraints) if self.last else None
        shared = {**self.shared, "request": 1.0, "required": float(column.required)}
        items = () if self.heard.item is None else (self.heard.item,)
        ended = outcomes(self.call, self.last.constraints, items) if self.last else ()
        shared |= {f"ended_{name}": float(name in ended) for name in OUTCOMES}
        rows = [{**shared, "none": 1.0}]
        for place, request in enumerate(REQUESTED):
            queried = float(last == request)
            rows.append({**shared, "none": 0.0, "choice": float(place), "queried": queried})
        return [LEFT_OUT, *(Option((request,)) for request in REQUESTED)], rows

    def _parameter(self, column: Column, proposals: Sequence[Proposal]) -> Row:
        evidence, name = self.heard, column.name
        slot = self.plan.parameters[name]
        queried = [each for each in self.last.constraints if each.slot == name] if self.last else []
        tracked = evidence.tracker.values.get(column.slot or "")
        return {
            **self.shared,
            **{f"kind_{kind}": float(self.plan.kinds[name] == kind) for kind in KINDS},
            "long": float(slot.type == "long text"),
            "multiple": float(slot.type == "categories"),
            "listed": min(len(slot.values), 40),
            "required": float(column.required),
            "place": self.inputs.index(column) / len(self.inputs),
            "linked": float(any(each.name == name for each in self.plan.program.links.values())),
            "asks": min(evidence.asks.get(name, 0), 4),
            "unsure": float(name in evidence.unsure),
            "was_queried": len(queried),
            "was_made": float(self.last is not None),
            "tracked": float(tracked is not None and tracked.value is not None),
            **{f"tracked_{o}": float(tracked is not None and tracked.origin == o) for o in ORIGINS},
            "proposals": min(len(proposals), 20),
        }

    def _left_out(self, proposals: Sequence[Proposal]) -> Row:
        hits = [hit for each in proposals for hit in each.said]
        return {
            "none": 1.0,
            "best": max((hit.confidence for hit in hits), default=0.0),
            "age": self._age(max((each.last for each in proposals), default=-1)),
            "answered": float(any(each.answered >= 0 for each in proposals)),
            "queried": float(any(each.queried for each in proposals)),
        }

    def _age(self, turn: int) -> float:
        return float(self.heard.turn - turn) if turn >= 0 else NEVER

    def _proposal(self, name: str, proposal: Proposal, proposals: Sequence[Proposal]) -> Row:
        evidence = self.heard
        tracked = evidence.tracker.values.get(self.plan.slot_of.get(name, ""))
        entry = tracked.value if tracked is not None else None
        values = entry if isinstance(entry, list) else [entry]
        queried = proposal.queried.operator if proposal.queried else None
        return {
            "none": 0.0,
            "values": min(len(proposal.values), 10),
            **{f"form_{form}": float(proposal.form == form) for form in FORMS},
            "said": min(len(proposal.said), 4),
            "stated": min(proposal.stated, 4),
            "age": self._age(proposal.last),
            "answered": float(proposal.answered >= 0),
            "answer_age": self._age(proposal.answered),
            "queried": float(proposal.queried is not None),
            **{f"queried_{each}": float(each == queried) for each in OPERATORS},
            "elsewhere": float(proposal.elsewhere),
            "returned": float(proposal.returned),
            "is_tracked": float(entry is not None and key_of(values) == key_of(proposal.values)),
            "newer": min(sum(o.last > proposal.last for o in proposals), 10),
            "newer_single": min(
                sum(o.last > proposal.last and o.form == "one" for o in proposals), 10
            ),
            "rival_queried": float(any(o.queried and o is not proposal for o in proposals)),
            "in_task": float(proposal.last >= evidence.selected),
            "words": min(len(str(proposal.values[0]).split()), 10),
            **dict(self._hit(name, proposal.said)),
        }

    def _hit(self, name: str, hits: Sequence[Hit]) -> Iterator[tuple[str, float]]:
        if not hits:
            return
        hit, spoken = hits[-1], self.plan.program.spoken
        yield "confidence", hit.confidence
        yield "most", max(each.confidence for each in hits)
        yield "asked_for", float(hit.asked == name)
        yield "asked_else", float(hit.asked is not None and hit.asked != name)
        yield "order", hit.order
        yield "share", hit.share
        yield "first_age", self._age(hits[0].turn)
        leads = spoken.places.get(hit.before[-1], ()) if hit.before else ()
        yield "led", float(not {*split_name(name)}.isdisjoint(leads))
        names = (split_name(other) for other in self.plan.parameters if other != name)
        yield "led_else", float(any(not {*each}.isdisjoint(leads) for each in names))
        yield "capital", float(hit.capital)
        for operator, present in compared(hit, spoken).items():
            yield f"compared_{operator}", float(present)


def compared(hit: Hit, spoken: Lexicon) -> dict[str, bool]:
    """Return operator to whether one of its phrases ("at most") is next to a mention."""
    before, after = f" {' '.join(hit.before[-4:])} ", f" {' '.join(hit.after[:3])} "
    return {
        operator: any(f" {phrase} " in before or f" {phrase} " in after for phrase in phrases)
        for operator, phrases in spoken.comparisons.items()
    }


def _option(proposal: Proposal) -> Option:
    """Return a proposal as an option, with its last mention as place if that is its only source."""
    is_known = proposal.queried or proposal.elsewhere or proposal.returned
    if is_known or not proposal.said or proposal.form != "one":
        return Option(proposal.values)
    return Option(proposal.values, proposal.said[-1][:3])
