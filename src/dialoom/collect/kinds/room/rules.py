"""The rules of a room: which message each person may send now, and the records that it makes.

The two people take turns, the user first. A turn of the user is one utterance. In their turn the
wizard may switch to another task, query the knowledge base, choose an item and ask for suggestions,
any number of times; a reply, suggested or in their own words, ends the turn. Instructions to the
user come after the turns that the scenario says. The functions read no clock and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.collect.kinds.room import speech
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    Pick,
    Say,
    Speak,
    Suggest,
    SwitchTask,
)
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.log.record import (
    ROLES,
    SERVER,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Body,
    Closed,
    Departed,
    Override,
    Role,
)
from dialoom.collect.message import (
    Leave,
    MessageBody,
    Questionnaire,
    Refused,
    cleaned,
    visible,
    within,
)
from dialoom.dialogue import (
    COMPLETE,
    SYSTEM,
    USER,
    Candidate,
    Completion,
    Instruction,
    Options,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.errors import clip
from dialoom.formats.star.reading import label_layers

RATINGS = range(1, 6)
"""Ratings of a dialogue by its user (as in Frames), and of a worker's dialogue by the admin."""

SHORTEST_REASON = 2
"""The fewest characters of a reason for a reply that is not the flow's."""


def author(body: Body, role: Role) -> str:
    """Return the author of a record whose body a message of `role` made."""
    if isinstance(body, Instruction):
        return "guide"
    if isinstance(body, Result):
        return "kb"
    return SERVER if isinstance(body, Closed) else role


def decide(
    work: Room,
    role: Role,
    message: MessageBody,
    now: int,
    ranked: Sequence[Candidate] | None = None,
) -> tuple[Body, ...]:
    """Return the bodies of the records that a message makes, in order; nothing is changed.

    Args:
        ranked: For a `Suggest`, the candidates for the request of `Room.wanted`, best first.

    Raises:
        Refused: The message is not allowed now, or not valid; its code is one of those in
            docs/reference/wire-protocol.md.
    """
    rule = _RULES.get(type(message))
    is_gone = work.closed or role in work.departed
    if is_gone or rule is None or rule.step not in (None, work.step):
        raise Refused("not_now", "that cannot be done now")
    if role not in rule.roles:
        raise Refused("not_yours", f"the {role} cannot do that")
    if rule.turns and role != work.turn:
        raise Refused("not_your_turn", "wait for your partner's message")
    if isinstance(message, Suggest):
        request = work.wanted(message.text)
        offers = tuple(ranked or ())[: request.count]
        return (Options(text=request.text, candidates=offers, time=now),)
    return tuple(rule.bodies(work, role, message, now))


def instructions(room: Room, turn: int, now: int) -> Iterator[Instruction]:
    """Yield the instructions that come after the user's turn number `turn`; 0 is the start."""
    for after, text in room.scenario.instructions:
        if after == turn:
            yield Instruction(text=text, time=now)


def _say(room: Room, role: Role, message: Say, now: int) -> Iterator[Body]:
    text = cleaned(message.text)
    if role == USER_ROLE:
        if room.spoken:
            raise Refused("not_yours", "the user speaks here")
        yield Utterance(agent=USER, text=text, time=now)
        yield from instructions(room, room.turns + 1, now)
        return
    if room.settings.guard == "reason" and any(task.flow.nodes for task in room.tasks):
        yield _override(room, None, message.reason)
    options = room.shown
    if options is None or options.text != text:  # what was typed is logged first, as in STAR
        yield Options(text=text, time=now)
    yield Utterance(agent=SYSTEM, text=text, time=now)


def _speak(room: Room, role: Role, message: Speak, now: int) -> Iterator[Body]:
    speech.check_speaker(room, role)
    yield Utterance(agent=USER, text="", time=now, extra=speech.said(room, message))
    yield from instructions(room, room.turns + 1, now)


def _accomplish(room: Room, role: Role, message: Accomplish, now: int) -> Iterator[Body]:
    why = lacks(room)
    if why is not None:
        raise Refused("not_yet", "the task cannot be accomplished yet", why=why)
    yield from _completed(room, Completion(time=now))


def _completed(room: Room, body: Completion) -> Iterator[Body]:
    """Yield the bodies that end the dialogue; without a questionnaire, close the room as well."""
    yield body
    if not room.asks:
        yield from (Answered(role=role, answers={}) for role in room.unanswered)
        yield room.close(COMPLETE)


def lacks(room: Room) -> str | None:
    """Return what the user still has to do before they may end the dialogue; None for nothing.

    `turn`: it has to be their turn; `instructions`: all of them have to come; `turns`: they have to
    say something after the last instruction. Without instructions, one exchange is enough. This is
    how dialogues end in STAR's files.
    """
    if room.turn != USER_ROLE:
        return "turn"
    if room.delivered < len(room.scenario.instructions):
        return "instructions"
    return None if room.turns > room.delivered_at else "turns"


def _turn(room: Room, role: Role, message: SwitchTask, now: int) -> Iterator[Body]:
    if message.task not in room.scenario.tasks:
        names = ", ".join(room.scenario.tasks)
        raise Refused("unknown", f"no task {clip(message.task)!r} here; there are {names}")
    if message.task == room.task:
        raise Refused("bad_value", f"{message.task} is the task you are in", field="task")
    yield Selection(kind="task", task=message.task, time=now)


def _ask(room: Room, role: Role, message: Ask, now: int) -> Iterator[Body]:
    task, before = room.chosen(), room.queries
    constraints = room.tools.form(task.id, message.api).constraints(message.conditions)
    scenario = room.scenario
    state = scenario.state(task.id)
    answer = room.tools.answer(message.api, constraints, before, scenario.id, state)
    name = str(len(before) + 1)
    yield Query(id=name, api=message.api, constraints=constraints, time=now)
    yield Result(query=name, items=answer.items, total=answer.total)


def _choose(room: Room, role: Role, message: Choose, now: int) -> Iterator[Body]:
    items, selected = room.items, room.selected
    if message.item is not None and not 0 <= message.item < len(items):
        raise Refused("unknown", f"there is no item {message.item} in the list")
    item = None if message.item is None else items[message.item].item
    after = replace(selected, **{message.kind: item})
    if after == selected:
        raise Refused("bad_value", "that is before you already", field="item")
    yield Selection(kind=message.kind, selected=after, time=now)


def _pick(room: Room, role: Role, message: Pick, now: int) -> Iterator[Body]:
    options = room.shown.candidates if room.shown else ()
    candidate = next((each for each in options if each.id == message.action), None)
    if candidate is None or candidate.text is None:
        raise Refused("unknown", f"{clip(message.action)!r} is not among the suggestions shown")
    task = room.chosen()
    if room.settings.guard != "off" and not room.progress.places[task.id].permits(message.action):
        yield _override(room, message.action, message.reason)
    layers = label_layers(candidate.id)
    yield Utterance(agent=SYSTEM, text=candidate.text, time=now, layers=layers)
    node = task.flow.nodes.get(candidate.id)
    if node is not None and node.hands_over:  # handed over to a person: the dialogue ends here
        yield from _completed(room, Completion(agent=SYSTEM, time=now))


def _override(room: Room, action: str | None, text: str | None) -> Override:
    """Return the override for a reply off the flow chart; `action` is None for a typed one."""
    is_needed = room.settings.guard == "reason"
    expected = [] if room.task is None else room.expected(room.task)
    reason = " ".join((text or "").split())
    if not visible(reason) or (is_needed and len(reason) < SHORTEST_REASON):
        what = f"{action} does not come next" if action else "a reply of your own is not"
        raise Refused(
            "off_flow",
            f"{what} in the flow chart",
            action=action,
            expected=expected,
            reason_wanted=is_needed,
        )
    return Override(
        action=action,
        expected=tuple(each["id"] for each in expected),
        reason=within(reason) if is_needed else None,
    )


def _questionnaire(room: Room, role: Role, message: Questionnaire, now: int) -> Iterator[Body]:
    if role in room.answers:
        raise Refused("not_now", "your answers are in already")
    lookup = {each.id: each for each in room.questions(role)}
    missing = [
        name for name, each in lookup.items() if each.required and name not in message.answers
    ]
    if missing:
        raise Refused("incomplete", f"{len(missing)} questions are open", questions=missing)
    stray = [name for name in message.answers if name not in lookup]
    if stray:
        raise Refused("unknown", f"there is no question {clip(stray[0])!r}")
    comment = cleaned(message.comment) if message.comment and visible(message.comment) else None
    answers = {
        name: each.checked(message.answers[name])
        for name, each in lookup.items()
        if name in message.answers
    }
    yield Answered(
        role=role,
        answers={
            lookup[name].name: value for name, value in answers.items() if lookup[name].turn is None
        },
        turns={name: value for name, value in answers.items() if lookup[name].turn is not None},
        rating=_rating(room, role, message.rating),
        comment=comment,
    )
    if room.unanswered == (role,):
        broken = bool(room.departed - {role} - room.answers.keys())
        yield room.close("DisconnectDuringQuestionnaire" if broken else COMPLETE)


def _rating(room: Room, role: Role, rating: int | None) -> int | None:
    if not room.rates(role):
        if rating is not None:
            raise Refused("unknown", "no rating is asked for")
        return None
    if rating is None:
        raise Refused("incomplete", "rate the dialogue from 1 to 5", questions=["rating"])
    if rating not in RATINGS:
        raise Refused("bad_value", "a rating is a number from 1 to 5", field="rating")
    return rating


def _leave(room: Room, role: Role, message: Leave, now: int) -> Iterator[Body]:
    yield Departed(role=role, cause="left")
    if room.step == "talk" or room.unanswered in ((), (role,)):
        yield room.close(room.completion_level)


class _Rule(NamedTuple):
    """The rule for a type of message.

    Attributes:
        step: The step in which it is allowed; None for any.
        turns: Whether it has to be the sender's turn.
        bodies: Yields the bodies of the records that it makes.
    """

    step: str | None
    roles: tuple[Role, ...]
    turns: bool
    bodies: Callable[[Room, Role, Any, int], Iterator[Body]]


_WIZARD: tuple[Role, ...] = (WIZARD_ROLE,)

_RULES: dict[type, _Rule] = {
    Say: _Rule("talk", ROLES, True, _say),
    Speak: _Rule("talk", (USER_ROLE,), True, _speak),
    Accomplish: _Rule("talk", (USER_ROLE,), False, _accomplish),
    SwitchTask: _Rule("talk", _WIZARD, True, _turn),
    Ask: _Rule("talk", _WIZARD, True, _ask),
    Choose: _Rule("talk", _WIZARD, True, _choose),
    Suggest: _Rule("talk", _WIZARD, True, lambda room, role, message, now: iter(())),
    Pick: _Rule("talk", _WIZARD, True, _pick),
    Questionnaire: _Rule("questionnaire", ROLES, False, _questionnaire),
    Leave: _Rule(None, ROLES, False, _leave),
}
