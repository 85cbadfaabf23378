"""The text form of Frames (El Asri et al. 2017): one sentence a line, with speaker and act.

    train/train_1.txt, train/train_2.txt, … (one dialogue each)

    USR|We want to see the sea.|inform
    USR|Is there a boat to Oslo
    or a train?|request
    SYS|There is no boat.|no_result

A line without a speaker continues the sentence before it. A sentence may contain `|`: the text
after the last one is the act if it is a single word. `train_set.txt` is `train/*.txt` in one file,
in which the boundaries of dialogues cannot be detected, as users speak both first and last. It is
ignored if the folder is next to it; otherwise it is read as one dialogue. All files come back byte
for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from dialoom.corpus.traits import Traits
from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Dialogue, Layer, Origin, Part, Utterance
from dialoom.dialogue.views import annotation
from dialoom.errors import FormatError
from dialoom.formats.base.codec import LAYOUT, marks
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.values import Json
from dialoom.formats.frames import PUBLISHED
from dialoom.formats.frames.flow_acts import adapt
from dialoom.formats.iob import ACTS

AGENTS = {"USR": USER, "SYS": SYSTEM}

_SPOKEN = re.compile(r"(USR|SYS)\|")
_ACT = re.compile(r"[^\s|]*")
_NOT_ACT = re.compile(r"[\s|]+")
_SET = re.compile(r"(.*/)?([^/]+)_set\.txt")
_OWNS = re.compile(r"(?:[^/]+/){0,3}[A-Za-z]+_(?:[0-9]+|set)\.txt")
_EMPTY = "\n"
"""The file of a dialogue without utterances; an empty file is an error."""


def _repeats(name: str) -> str | None:
    """Return the first of the files whose content `P_set.txt` repeats: P/P_1.txt."""
    match = _SET.fullmatch(name)
    return match and f"{match[1] or ''}{match[2]}/{match[2]}_1.txt"


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogue of a file; `FormatError` if it does not begin with a speaker."""
    if not data:
        raise FormatError(file, "empty file; expected lines like 'USR|text|act'", code="empty")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(file, f"not UTF-8: {error}", code="not-utf-8") from error
    layout: Json = {}
    if text.count("\r\n") == text.count("\n") > 0:
        layout["newline"] = "\r\n"
        text = text.replace("\r\n", "\n")
    if not text.endswith("\n"):
        layout["end"] = ""
        text += "\n"
    lines = text.split("\n")[:-1] if text != _EMPTY or layout else []
    yield Dialogue(
        id=PurePosixPath(name).stem,
        events=tuple(_utterances(lines, file)),
        origin=Origin(name, 0),
        extra={LAYOUT: layout} if layout else {},
    )


def _utterances(lines: list[str], file: Path) -> Iterator[Utterance]:
    if lines and not _SPOKEN.match(lines[0]):
        raise FormatError(
            file, "line 1 names no speaker; expected 'USR|text|act' or 'SYS|…'", code="no-speaker"
        )
    agent, buffer = USER, list[str]()
    has_name = True
    for line in lines:
        spoken = _SPOKEN.match(line)
        if spoken:
            if buffer:
                yield _utterance(agent, "\n".join(buffer), None, has_name)
            agent, line, buffer, has_name = AGENTS[spoken[1]], line[spoken.end() :], [], True
        act = _closing(line)
        if act is None:
            buffer.append(line)
            continue
        text = line[: -len(act) - 1]
        yield _utterance(agent, "\n".join([*buffer, text]), act, has_name)
        buffer, has_name = [], False
    if buffer:
        yield _utterance(agent, "\n".join(buffer), None, has_name)


def _closing(line: str) -> str | None:
    _, bar, act = line.rpartition("|")
    return act if bar and _ACT.fullmatch(act) else None


def _utterance(agent: str, text: str, act: str | None, has_name: bool) -> Utterance:
    acts = (Act(act),) if act else ()
    return Utterance(
        agent=agent,
        text=text,
        layers=() if act is None else (Layer(GOLD, (Part(acts=acts),)),),
        extra={} if has_name else {LAYOUT: {"speaker": False}},
    )


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the lines of dialogues; an utterance's first act is written."""
    return b"".join(map(_render, dialogues))


def _render(dialogue: Dialogue) -> bytes:
    lines: list[str] = []
    before: str | None = None  # the speaker of a finished utterance; another by them needs no name
    for event in dialogue.events:
        if not isinstance(event, Utterance):
            continue
        speaker = "USR" if event.agent == USER else "SYS"
        act = _act(event)
        unnamed = marks(event.extra).get("speaker") is False and before == speaker
        line = event.text if act is None else f"{event.text}|{act}"
        lines.append(line if unnamed and not _SPOKEN.match(line) else f"{speaker}|{line}")
        before = None if act is None else speaker
    if not lines:
        return _EMPTY.encode()
    layout = marks(dialogue.extra)
    text = "\n".join(lines) + ("" if layout.get("end") == "" else "\n")
    return (text.replace("\n", "\r\n") if layout.get("newline") == "\r\n" else text).encode()


def _act(utterance: Utterance) -> str | None:
    """Return the text after the last bar; None for no bar.

    An utterance without annotation gets an empty act only if its own text would be read as one.
    """
    layer = annotation(utterance)
    if layer is None:
        return None if _closing(utterance.text.rpartition("\n")[2]) is None else ""
    names = (act.name for part in layer.parts for act in part.acts or ())
    return _NOT_ACT.sub("_", next(names, ""))


FORMAT = FileFormat(
    name="frames-text",
    owns=_OWNS,
    sniff=lambda head: _SPOKEN.match(head[:8].decode("latin-1")) is not None,
    read=read,
    render=render,
    new_name="train/train_{}.txt".format,
    per_file=1,
    adapt=adapt,
    repeats=_repeats,
    traits=Traits(acts=ACTS, published=PUBLISHED._replace(turns_are="speaker_turns")),
)
