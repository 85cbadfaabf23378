"""Recovers the line ids of a bot's texts from their position in dialogues, not from their words.

    roles = roles_of(dialogues)
    roles.line(event)               # "ask.cuisine", "offer", "api_call", …
    roles.wording()                 # {"hello": "…", …}: the bot's lines of these dialogues

The bot says each line in one way, so that each occurrence of a text is a vote for its line: a text
right before a call is `look`, a text that the user answers with a cuisine is `ask.cuisine`, and so
on. Names, phone numbers and addresses are the words with an underscore.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Options, Query, Result, Utterance
from dialoom.sim.policies.booking.family import SLOTS
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.wording import BOT, NAMED

SILENT = ("<silence>", "<SILENCE>")

SURE = 0.9
"""Least share of one slot among the answers to a text that asks for it; below, the text is `ready`,
which any value may follow."""

_ENDINGS = {"_phone": "{phone}", "_address": "{address}"}
_BY_ENTITY = {f"{{{entity}}}": line for line, entity in NAMED.items() if line.startswith("tell.")}
_MARKS = ".,?!;:"


@dataclass
class BotTurn:
    """A turn of the bot and its context.

    `text` has placeholders for entities; of a call, it is the API's name. `before` and `after` are
    the adjacent texts of the user, None for silence or the end; `ends` marks the last turn.
    """

    text: str
    before: str | None = None
    after: str | None = None
    ends: bool = True

    @property
    def entity(self) -> str | None:
        """The placeholder of the entity that it names."""
        return next((e for e in ("{name}", "{phone}", "{address}") if e in self.text), None)


@dataclass
class Roles:
    """The lines of some dialogues.

    `lines` maps texts with placeholders to line ids, `counts` to frequencies; `slots` maps values
    to slots.
    """

    lines: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    slots: dict[str, str] = field(default_factory=dict)

    def line(self, text: str) -> str:
        """Return the id of the bot's line; the text with placeholders if it is unknown."""
        if text.startswith(CALL):
            return CALL
        bare = without_entities(text)
        return self.lines.get(bare, bare)

    def wording(self) -> dict[str, str]:
        """Return the text of each line found; of several, the most frequent one."""
        texts: dict[str, str] = {}
        for text, _ in self.counts.most_common():
            line = self.lines.get(text)
            if line is not None:
                texts.setdefault(line, text)
        return {line: texts[line] for line in BOT if line in texts}

    def delexicalised(self, text: str) -> str:
        """Return a user's words with placeholders for values and entities."""
        return " ".join(map(self._word, text.split(" ")))

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the slots of the values that a text mentions, in order."""
        words = (word.rstrip(_MARKS) for word in text.split(" "))
        return tuple(self.slots[word] for word in words if word in self.slots)

    def _word(self, word: str) -> str:
        bare = word.rstrip(_MARKS)
        if bare in self.slots:
            return f"{{{self.slots[bare]}}}{word[len(bare) :]}"
        return _placeholder(word)


def roles_of(dialogues: Iterable[Dialogue]) -> Roles:
    """Identify the lines of some dialogues by their positions."""
    roles = Roles()
    talks: list[list[BotTurn]] = []
    closing: dict[str, Counter[str]] = defaultdict(Counter)
    for dialogue in dialogues:
        _learn_values(dialogue, roles.slots)
        turns = moves(dialogue, answered=True)
        roles.counts.update(move.text for move in turns if move.text != CALL)
        talks.append(turns)
        if turns:
            closing[turns[-1].text].update(_offered(dialogue))
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for turns in talks:
        for place, move in enumerate(turns):
            line = _vote(turns, place, roles) if move.text != CALL else None
            if line is not None:
                votes[move.text][line] += 1
    roles.lines = {text: _decided(counts) for text, counts in votes.items()}
    _add_last(roles, closing)
    return roles


def _add_last(roles: Roles, closing: Mapping[str, Counter[str]]) -> None:
    """Identify `welcome`, the line that no history has because nothing follows it.

    It is the only text without an entity that is offered after `anything` and never said.
    """
    if "welcome" in roles.lines.values():
        return
    for text, offered in closing.items():
        if roles.lines.get(text) == "anything":
            new = [option for option, _ in offered.most_common() if option not in roles.counts]
            if new:
                roles.lines[new[0]] = "welcome"
                roles.counts[new[0]] += 1


def without_entities(text: str) -> str:
    """Return a bot's words with placeholders for names, phone numbers and addresses."""
    return " ".join(map(_placeholder, text.split(" ")))


def _placeholder(word: str) -> str:
    if "_" not in word or word == CALL:
        return word
    bare = word.rstrip(_MARKS)
    ending = next((e for e in _ENDINGS if bare.endswith(e)), "")
    return _ENDINGS.get(ending, "{name}") + word[len(bare) :]


def moves(dialogue: Dialogue, *, answered: bool) -> list[BotTurn]:
    """Return the bot's turns in their order; the right candidate as the last one if `answered`."""
    turns: list[BotTurn] = []
    before: str | None = None
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            reply = None if event.text in SILENT else event.text
            if turns:
                turns[-1].after, turns[-1].ends = reply, False
            before = reply
            continue
        text = _said(event, answered)
        if text is not None:
            turns.append(BotTurn(text, before))
            before = None
    return turns


def _said(event: Event, answered: bool) -> str | None:
    if isinstance(event, Query):
        return CALL
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return without_entities(event.text)
    if isinstance(event, Options) and answered and event.choice is not None:
        answer = next((c.text for c in event.candidates if c.id == event.choice), None)
        if answer is not None:
            return CALL if answer.startswith(CALL) else without_entities(answer)
    return None


def _offered(dialogue: Dialogue) -> Iterator[str]:
    options = dialogue.events[-1] if dialogue.events else None
    if isinstance(options, Options) and options.choice is None:
        texts = {event.text for event in dialogue.events if isinstance(event, Utterance)}
        for candidate in options.candidates:
            text = candidate.text or ""
            if "_" not in text and text not in texts:
                yield text


def _learn_values(dialogue: Dialogue, slots: dict[str, str]) -> None:
    for event in dialogue.events:
        pairs: Iterable[tuple[str, object]] = ()
        if isinstance(event, Query):
            pairs = ((c.slot, c.value) for c in event.constraints)
        elif isinstance(event, Result):
            pairs = (pair for item in event.items for pair in item.items())
        elif isinstance(event, Options):
            pairs = _called(event)
        for slot, value in pairs:
            if slot in SLOTS:
                slots[str(value)] = slot


def _called(options: Options) -> Iterator[tuple[str, object]]:
    for candidate in options.candidates:
        words = (candidate.text or "").split(" ")
        if words[0] == CALL:
            yield from zip(SLOTS, words[1:], strict=False)


def _vote(turns: list[BotTurn], place: int, roles: Roles) -> str | None:
    move = turns[place]
    if move.entity is not None:
        return _BY_ENTITY.get(move.entity) or ("was" if move.before else "offer")
    if place == 0:
        return "hello"
    if place == 1:
        return "reserve" if "_" in (move.before or "") else "on_it"
    return _by_next(turns, place) or _by_previous(turns, place) or _by_answer(turns, place, roles)


def _kind(turns: list[BotTurn], place: int) -> str | None:
    if not 0 <= place < len(turns):
        return None
    move = turns[place]
    if move.text == CALL:
        return CALL
    if move.entity == "{name}":
        return "was" if move.before else "offer"
    return "tell" if move.entity else ""


def _by_next(turns: list[BotTurn], place: int) -> str | None:
    move, after = turns[place], _kind(turns, place + 1)
    silent = move.after is None and not move.ends
    if silent and after == CALL:
        return "look"
    if silent and after == "offer":
        return "another" if move.before else "look"
    return None


def _by_previous(turns: list[BotTurn], place: int) -> str | None:
    move = turns[place]
    before, after, then = (_kind(turns, place + step) for step in (-1, 1, 2))
    if move.before and before == CALL:
        return "welcome" if move.ends else "more"
    if before in ("offer", "was") and (then == "offer" or after == "was"):
        return "sorry"
    if before in ("offer", "was") and "tell" in (after, then):
        return "reserve"
    if before == "tell":
        return "ready" if after == "tell" else "anything" if not move.ends else None
    if _kind(turns, place - 2) == "tell" and move.ends and before == "":
        return "welcome"
    if place == 2 and "_" in (turns[1].before or ""):
        return "ready"
    return None


def _by_answer(turns: list[BotTurn], place: int, roles: Roles) -> str | None:
    move = turns[place]
    if move.after is None or any(_kind(turns, earlier) for earlier in range(place)):
        return None
    slots = set(roles.mentioned(move.after))
    return f"ask.{slots.pop()}" if len(slots) == 1 else None


def _decided(counts: Mapping[str, int]) -> str:
    """Return the line that most places vote for; all kinds of values follow a waiting line."""
    questions = {line: count for line, count in counts.items() if line.startswith("ask.")}
    whole = dict(counts)
    if questions and max(questions.values()) < SURE * sum(questions.values()):
        for line in questions:
            del whole[line]
        whole["ready"] = whole.get("ready", 0) + sum(questions.values())
    return max(whole, key=lambda line: (whole[line], line))
