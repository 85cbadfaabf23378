"""A study of many rooms, grown from one dialogue: what a server has to replay when it starts.

One dialogue is played by the study's own commands; every room gets its records, with numbers,
workers and codes of its own, and the claims of those: a replay looks at who has ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

import msgspec

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.change import Change, Claim, Code, Seat, SeatLeft
from dialoom.collect.log.record import (
    ROLES,
    STUDY,
    UNIT,
    Booked,
    Closed,
    Ended,
    Entered,
    Opened,
    Record,
    Seated,
    assignment_stream,
    unit_stream,
)
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Envelope, Questionnaire, Ready
from dialoom.collect.settings import Settings
from dialoom.collect.study import page
from dialoom.collect.study.study import Study
from dialoom.dialogue import Completion

SETTINGS = Settings(
    tasks=("hotel_book",), purpose="a benchmark", guard="off", scenarios=1, target=10**6
)
START = 1_700_000_000_000
UNDER_WAY = 0.05
"""The share of rooms whose dialogue is not over."""
WAITING = 100
"""Rooms that wait for the writer at most."""


def grow(where: Path, rooms: int, records: int) -> int:
    """Write a study of so many rooms with about so many records in all; return how many it has."""
    first, template = _play(records // rooms)
    count, seq = len(first), len([line for line in first if line.stream == STUDY])
    live = rooms - int(rooms * UNDER_WAY)
    waiting: deque[Future[None]] = deque()
    with Store.open(where) as store:
        waiting.append(store.submit(Change(tuple(first))))
        for number in range(rooms):
            lines = tuple(_copy(template, number, seq, over=number < live))
            seq += sum(line.stream == STUDY for line in lines)
            count += len(lines)
            waiting.append(store.submit(Change(lines, tuple(_claims(lines)))))
            if len(waiting) > WAITING:
                waiting.popleft().result()
        for future in waiting:
            future.result()
    return count


def _play(length: int) -> tuple[list[Record], list[Record]]:
    """Return the records of a study's beginning, and those of a dialogue of about a length."""
    study = Study(SETTINGS, ScenarioLibrary(SETTINGS))
    lines = list(study.start(START).records)
    user, entered = study.enter("anna", START, role="user")
    wizard, also = study.enter("ben", START, role="wizard")
    lines += (entered + also).records
    sent = 0

    def do(one: int, message: ClientMessage) -> None:
        nonlocal sent
        sent += 1
        lines.extend(
            study.handle(one, Envelope(f"c-{sent}", 0, message), START + 7000 * sent).records
        )

    for one in (user, wizard):
        lines.extend(study.connected(one, START).records)
        do(one, Consent())
        do(one, Ready())
    while len(lines) < length or not page.state(study, user, START)["room"]["can_accomplish"]:
        do(user, Say("I need a room for two, for three nights, and it should be a quiet one."))
        do(wizard, Say("There is one at the river for 120 a night. Shall I book it for you?"))
    do(user, Accomplish())
    for one in (user, wizard):
        asked = page.state(study, one, START)["questionnaire"]
        answers = {question["id"]: True for question in asked["questions"]}
        do(one, Questionnaire(answers, 4 if asked["rating"] else None))
    first = [line for line in lines if line.stream == STUDY and not isinstance(line.body, Booked)]
    return first, [line for line in lines if line not in first]


def _copy(template: list[Record], number: int, seq: int, *, over: bool) -> Iterator[Record]:
    """Yield the records of one more room; `seq` is the study's last."""
    ones = {assignment_stream(one): 2 * number + one for one in (1, 2)}
    for line in template:
        if isinstance(line.body, Completion) and not over:
            return
        body, stream = line.body, line.stream
        if stream == STUDY:
            seq += 1
            line = msgspec.structs.replace(line, seq=seq)
        elif stream in ones:
            line = msgspec.structs.replace(line, stream=assignment_stream(ones[stream]))
        else:
            line = msgspec.structs.replace(line, stream=unit_stream(number + 1))
        match body:
            case Entered():
                body = msgspec.structs.replace(body, worker=f"{body.worker}-{number}")
            case Seated():
                body = msgspec.structs.replace(body, unit=number + 1)
            case Opened():
                seats = {role: 2 * number + one for role, one in body.seats.items()}
                body = msgspec.structs.replace(body, seats=seats)
            case Ended():
                body = msgspec.structs.replace(body, code=f"{body.code}-{number}")
            case Booked():
                worker, key = f"{body.worker}-{number}", f"{body.key}-{number}"
                one = 2 * number + (body.assignment or 0)
                body = msgspec.structs.replace(body, worker=worker, key=key, assignment=one)
        of = tuple(f"{worker}-{number}" for worker in line.of)
        yield msgspec.structs.replace(line, body=body, of=of)


def _claims(lines: Sequence[Record]) -> Iterator[Claim]:
    """Yield the seats and codes that a room's records take."""
    workers = {line.stream: line.body.worker for line in lines if isinstance(line.body, Entered)}
    for line in lines:
        match line.body:
            case Opened(seats=seats):
                room = int(line.stream.removeprefix(UNIT))
                for role, one in seats.items():
                    worker = workers[assignment_stream(one)]
                    yield Seat(unit=room, role=role, assignment=one, worker=worker)
            case Ended(code=code):
                yield Code(code=code, assignment=int(line.stream.rpartition("/")[2]))
            case Closed():
                for role in ROLES:
                    yield SeatLeft(unit=int(line.stream.removeprefix(UNIT)), role=role)
