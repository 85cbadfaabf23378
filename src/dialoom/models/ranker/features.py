"""Features of a dialogue's state, and the class of a bot's line in that state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dialoom.models.ranker.lines import MARKS, NAME, Line, LineReader
from dialoom.models.ranker.state import HistoryState, Mentioned

Features = Mapping[str, float]
"""Names of features, each with the value 1."""

CALL = "call"
"""The class of all calls."""

LONGEST = 3
"""Most words of a word n-gram."""

ASK_NEXT = "ask for next"
"""The class of the question for the first missing slot, whatever the slot."""

WEIGHED = 2
"""Values of one slot that users weigh against one another when they state a wish."""


@dataclass(frozen=True)
class SlotQuestions:
    """The slots that templates ask for; `order` counts the others asked for before each."""

    slots: Mapping[str, str] = field(default_factory=dict)
    order: Mapping[str, int] = field(default_factory=dict)

    def extended(self, slots: Mapping[str, str]) -> SlotQuestions:
        """Return the same with further templates; known ones keep their slot."""
        return SlotQuestions({**slots, **self.slots}, self.order)

    def missing(self, state: HistoryState, required: Collection[str]) -> list[str]:
        """Return the required slots without a value, in the order in which they are asked for.

        All slots count if `required` is empty. Those never asked for in training come last, in
        alphabetical order.
        """
        slots = [slot for slot in required or self.order if slot not in state.said]
        return sorted(slots, key=lambda slot: (self.order.get(slot, len(self.order)), slot))


def line_class(
    line: Line, state: HistoryState, missing: Sequence[str], asking: SlotQuestions
) -> str:
    """Return the class of a line in a state: its template with the roles of its entities.

    `missing` are the required slots without a value, in the order in which they are asked for.
    """
    if line.is_call:
        return CALL
    request = asking.slots.get(line.template)
    if request is not None:
        if missing[:1] == [request]:
            return ASK_NEXT
        return f"ask for {'later' if request in missing else 'known'} {line.template}"
    if not line.entities:
        return line.template
    name = next((word for slot, word in line.entities if slot == NAME), None)
    roles = (
        state.role(word)
        if slot == NAME or word in state.owners
        else state.relation(slot, word, name)
        for slot, word in dict.fromkeys(line.entities)
    )
    return " ".join([line.template, *roles])


def features(
    state: HistoryState, missing: Sequence[str], asking: SlotQuestions, reader: LineReader
) -> tuple[tuple[str, str], Features]:
    """Return the conditions of a state for the action mask, and its features.

    Features are the last line's kind, the user's answer to it, the counts of the state (calls,
    offers, items left, missing slots) alone and in conjunction, and word n-grams of the user.
    """
    before = [_kind(line, asking) for line in state.lines()]
    last = before[-1] if before else "start"
    mentioned = [slot for slot, _ in reader.mentions(state.user or "")]
    several = "several" * (len({*mentioned}) < len(mentioned))
    answer = NAME if NAME in mentioned else f"{min(len({*mentioned}), 2)}"
    answer = "silence" if state.user is None else answer
    requests = [asking.slots.get(turn.line.template) for turn in state.turns]
    untouched = [slot for slot in missing if slot not in requests]
    open_ = f"missing {bool(missing)}"
    left = f"left {min(len(state.left()), 2) if state.items else -1}"
    others = (
        open_,
        left,
        f"asked {requests[-1] in mentioned if requests else None}",
        f"offered {min(len(state.offered), 3)}",
        f"calls {min(state.calls, 2)}",
        f"changed {state.changed()}",
        f"untouched {min(len(untouched), 2)}",
        f"found {state.found if state.found is None else min(state.found, 2)}",
        several,
    )
    names = [f"last {last}", f"heard {answer}", f"{last} {answer}", f"{last} {answer} {open_}"]
    names += [*others, *(f"{last} {answer} {other}" for other in others)]
    names += [" ".join((last, answer, *others)), f"turn {min(len(before), 3)}"]
    names += [f"before {kind} {last} {answer}" for kind in before[-2:-1]]
    names += [
        f"told {kind}" for kind in {_kind(line, asking) for line in state.lines() if line.entities}
    ]
    names += [f"word {gram}" for gram in _word_features(state.user, reader)]
    if state.turns:
        names += [f"earlier {gram}" for gram in _word_features(state.turns[-1].user, reader)]
    if state.named not in state.offered[-1:]:
        names += [f"reply {gram}" for gram in _word_features(state.reply, reader)]
    conditions = (f"{last} {answer}", f"{last} {answer} {open_} {left}")
    return conditions, dict.fromkeys(names, 1.0)


def _kind(line: Line, asking: SlotQuestions) -> str:
    if line.is_call:
        return CALL
    return "ask" if line.template in asking.slots else line.template


def mention_features(line: Mentioned, value: str, reader: LineReader) -> Features:
    """Return the features of a value as the intended one of several in a text.

    They are word n-grams of the text with placeholders for this value and others, and its place.
    """
    words = []
    for word in line.text.split(" "):
        bare = word.rstrip(MARKS)
        other = "{other}" if bare in line.values else "{v}" if bare in reader.types else bare
        words.append("{this}" if bare == value else other)
    place = f"place {line.values.index(value)} of {len(line.values)}"
    return dict.fromkeys([*grams(words), place], 1.0)


def _word_features(text: str | None, reader: LineReader) -> Iterator[str]:
    if text is not None:
        bare = (word.rstrip(MARKS) for word in last_clauses(text, reader).split(" "))
        yield from grams([_placeholder(word, reader.types.get(word)) for word in bare])


def last_clauses(text: str, reader: LineReader) -> str:
    """Return a user's text, without earlier clauses if it has many values of one slot.

    The rest has two of them at most, because users may turn one down in favour of the other: "rome
    or oslo, let me see. bonn please" becomes "let me see. bonn please".
    """
    words = text.split(" ")
    types = [reader.types.get(word.rstrip(MARKS)) for word in words]
    last = next((slot for slot in reversed(types) if slot is not None), None)
    places = [place for place, slot in enumerate(types) if slot == last is not None]
    if len(places) <= WEIGHED:
        return text
    ends = range(places[-WEIGHED - 1], places[-1])
    start = next((place + 1 for place in ends if words[place].endswith(tuple(MARKS))), 0)
    return " ".join(words[start:])


def _placeholder(word: str, slot: str | None) -> str:
    return word if slot is None else f"{{{NAME}}}" if slot == NAME else "{v}"


def grams(words: Sequence[str]) -> Iterator[str]:
    """Yield all n-grams of at most `LONGEST` words, with marks for beginning and end."""
    whole = ["^", *words, "$"]
    for size in range(1, LONGEST + 1):
        for start in range(len(whole) - size + 1):
            yield " ".join(whole[start : start + size])
