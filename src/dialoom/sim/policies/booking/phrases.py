"""Recovers the line ids of users' texts from the bot's lines before and after them.

    phrases_of(dialogues, roles)        # {"answer.cuisine": ["{cuisine} please", …], …}

Values become placeholders: the value of the later call is the slot's, other values are `{other}`.
Texts with an ambiguous line, since the history ends too early, are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Utterance
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.roles import SILENT, Roles

JUDGED = ("offer", "sorry", "was")
"""Lines before a user's judgement of an option."""

INFORMED = ("reserve", "tell.phone", "tell.address")
"""After these lines users ask for facts, or say goodbye."""


@dataclass
class HistoryStep:
    """One utterance of a history: of the bot's line, or of the user if `line` is empty.

    `text` is the user's text, or the restaurant that the bot names; `values` are those of a call.
    """

    line: str
    text: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def phrases_of(dialogues: Iterable[Dialogue], roles: Roles) -> dict[str, list[str]]:
    """Return the texts of each of the users' lines, the most frequent first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for dialogue in dialogues:
        steps = list(_steps(dialogue, roles))
        for place, step in enumerate(steps):
            if step.line or step.text in SILENT:
                continue
            line = _line(steps, place, roles)
            text = _template(line, steps, place, roles) if line else None
            if line and text:
                found[line][text] += 1
    _split_requests(found)
    _split_updates(found)
    return {line: [text for text, _ in texts.most_common()] for line, texts in found.items()}


def _steps(dialogue: Dialogue, roles: Roles) -> Iterator[HistoryStep]:
    for event in dialogue.events:
        if isinstance(event, Query):
            yield HistoryStep(CALL, values={c.slot: str(c.value) for c in event.constraints})
        elif isinstance(event, Utterance) and event.agent == USER:
            yield HistoryStep("", event.text)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            yield HistoryStep(roles.line(event.text), _entity(event.text))


def _entity(text: str) -> str:
    word = next((word for word in text.split(" ") if "_" in word), "")
    return word.removesuffix("_phone").removesuffix("_address")


def _line(steps: list[HistoryStep], place: int, roles: Roles) -> str | None:
    before = steps[place - 1].line if place else ""
    after = steps[place + 1].line if place + 1 < len(steps) else ""
    if not before:
        return "greet"
    if before == "hello":
        return {"on_it": "request", "reserve": "book"}.get(after)
    if before in JUDGED:
        return _judgement(steps, place, before, after)
    if before in INFORMED:
        return _wish(steps, place, after)
    if before == "anything":
        return "no_thanks"
    return _value(steps[place].text, before, after, roles)


def _value(text: str, before: str, after: str, roles: Roles) -> str | None:
    if after == "more":
        return "update"
    if before == "more" and after == "look":
        return "no_more"
    if before == "ready" and after.startswith("tell."):
        return "want.it"
    slots = set(roles.mentioned(text))
    if len(slots) != 1:
        return None
    if after == "ready":
        return f"hesitate.{slots.pop()}"
    return f"answer.{slots.pop()}" if after == "look" or after.startswith("ask.") else None


def _judgement(steps: list[HistoryStep], place: int, before: str, after: str) -> str | None:
    offered = [step.text for step in steps[:place] if step.line == "offer"]
    if not offered:
        return None
    if after == "was":
        named = steps[place + 1].text
        if len(offered) < 3:  # the first one and the one before are the same
            return None
        return {offered[0]: "repeat.first", offered[-2]: "repeat.previous"}.get(named)
    if after == "reserve" and before == "was":
        fact = _next_told(steps, place)
        taken = fact.text if fact else ""
        return {steps[place - 1].text: "accept.previous", offered[-1]: "accept.last"}.get(taken)
    again = {"another": "reject.both"} if before == "was" else {"another": "reject"}
    return ({"sorry": "question", "reserve": "accept"} | again).get(after)


def _wish(steps: list[HistoryStep], place: int, after: str) -> str | None:
    if after == "anything":
        return "thanks"
    fact = _next_told(steps, place)
    if fact is None:
        return None
    return {"ready": f"unsure{fact.line[4:]}", fact.line: f"want{fact.line[4:]}"}.get(after)


def _next_told(steps: list[HistoryStep], place: int) -> HistoryStep | None:
    return next((step for step in steps[place:] if step.line.startswith("tell.")), None)


def _template(line: str, steps: list[HistoryStep], place: int, roles: Roles) -> str | None:
    """Return a user's words with placeholders as the line has them; None if they do not fit."""
    text = steps[place].text
    act, _, topic = line.partition(".")
    bare = roles.delexicalised(text)
    mentioned = roles.mentioned(text)
    if act in ("request", "update"):
        return bare if len(mentioned) <= 1 and "{name}" not in bare else None
    if act == "book":
        return bare if bare.count("{") == bare.count("{name}") == 1 else None
    if act not in ("answer", "hesitate"):
        return bare if "{" not in bare else None
    if len(mentioned) > 2 or "{name}" in bare:
        return None
    names = ["other", "more"]
    if act == "answer":
        wanted = next((s.values.get(topic) for s in steps[place:] if s.line == CALL), None)
        said = [word.rstrip(".,?!") for word in text.split(" ")]
        values = [word for word in said if roles.slots.get(word) == topic]
        if len(values) > 1 and (values.count(str(wanted)) != 1):
            return None
        names = [topic if value == wanted or len(values) == 1 else "other" for value in values]
    for name in names[: len(mentioned)]:
        bare = bare.replace(f"{{{topic}}}", f"{{={name}}}", 1)
    return bare.replace("{=", "{")


def _split_requests(found: dict[str, Counter[str]]) -> None:
    requests = found.pop("request", Counter())
    openings = sorted((text for text in requests if "{" not in text), key=len, reverse=True)
    for text, count in requests.items():
        opening = next((o for o in openings if text == o or text.startswith(f"{o} ")), None)
        if opening == text:
            found["request"][text] = count
        elif opening is not None:
            fragment = text[len(opening) + 1 :]
            slot = fragment.partition("{")[2].partition("}")[0]
            found[f"request.{slot}"][fragment] += count


def _split_updates(found: dict[str, Counter[str]]) -> None:
    updates = found.pop("update", Counter())
    fragments = [t for line, texts in found.items() if line.startswith("request.") for t in texts]
    fragments.sort(key=len, reverse=True)
    for text, count in updates.items():
        fragment = next((f for f in fragments if text.endswith(f)), None)
        if fragment is not None and text != fragment:
            found["update"][f"{text[: -len(fragment)]}{{change}}"] += count
