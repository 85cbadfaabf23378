"""User turns of Frames with a tag for each word, as its slot taggers use them: a turn a line.

    BOS we go to north berwick EOS<TAB>O O O O B_inform_dst_city I_inform_dst_city O inform
    BOS no oslo EOS<TAB>O O B_negate_dst_city O negate+request

A line has the words in lower case without punctuation, a tag for each word, and the acts joined by
`+`. A tag is O, or a label with the prefix B_ for the first word of a span or I_ for others. A
label is an act and a slot joined by `_`, and is kept so (`act_and_slot` splits it). The lines do
not show dialogues, so each is read as a dialogue of one utterance. An I_ that continues no span is
marked. Dialogues from other formats are written with the user's utterances, split at blanks. All
files come back byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from dialoom.corpus.traits import Traits
from dialoom.dialogue import GOLD, USER, Act, Dialogue, Layer, Origin, Part, Span, Utterance
from dialoom.dialogue.views import annotated_parts
from dialoom.errors import FormatError
from dialoom.formats.base.codec import LAYOUT, Place, marks
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.values import Json
from dialoom.formats.frames import acts as frames
from dialoom.formats.frames.flow_acts import adapt

ACTS = frames.ACTS | {"null"}
"""The acts of Frames, and `null`, which its published text has as well."""

BEGIN, END, OUTSIDE = "BOS ", " EOS\t", "O"

_WORD = re.compile(r"[^ ]+")
_BLANKS = re.compile(r"\s")


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield a dialogue for each line; `FormatError` for a line without a tagged utterance."""
    if not data:
        raise FormatError(
            file, "empty file; expected lines like 'BOS … EOS<TAB>tags act'", code="empty"
        )
    end = b"\r\n" if data.count(b"\r\n") == data.count(b"\n") > 0 else b"\n"
    lines = data.split(end)
    complete = not lines[-1]
    if complete:
        lines.pop()
    stem = PurePosixPath(name).stem
    for index, line in enumerate(lines):
        layout: Json = {} if end == b"\n" else {"newline": "\r\n"}
        if index == len(lines) - 1 and not complete:
            layout["end"] = ""
        yield Dialogue(
            id=f"{stem}-{index + 1}",
            events=(_utterance(line, Place(file, f"{stem}-{index + 1}")),),
            origin=Origin(name, index),
            extra={LAYOUT: layout} if layout else {},
        )


def _utterance(line: bytes, place: Place) -> Utterance:
    try:
        phrase, mark, tagged = line.decode().rpartition(END)
    except UnicodeDecodeError as error:
        raise place.error(f"not UTF-8: {error}", "not-utf-8") from error
    if not mark or not phrase.startswith(BEGIN):
        raise place.error("expected 'BOS words EOS<TAB>tags act'", "bad-line")
    text = phrase[len(BEGIN) :]
    *tags, acts = tagged.split(" ")
    words = [match.span() for match in _WORD.finditer(text)]
    if len(tags) != len(words) + 2:
        what = f"{len(words) + 2} words with BOS and EOS, but {len(tags)} tags"
        raise place.error(what, "bad-line")
    if tags[0] != OUTSIDE or tags[-1] != OUTSIDE:
        raise place.error("BOS and EOS must have the tag O", "bad-line")
    part = Part(
        acts=tuple(Act(act) for act in acts.split("+")) if acts else (),
        spans=tuple(_spans(words, tags[1:-1], place)),
    )
    return Utterance(agent=USER, text=text, layers=(Layer(GOLD, (part,)),))


def _spans(words: list[tuple[int, int]], tags: list[str], place: Place) -> Iterator[Span]:
    span: Span | None = None
    for (start, end), tag in zip(words, tags, strict=True):
        label = tag[2:]
        if tag.startswith("I_") and span is not None and span.labels == (label,):
            span = Span(span.start, end, span.labels, extra=span.extra)
            continue
        if span is not None:
            yield span
        span = None
        if tag.startswith(("B_", "I_")):
            span = Span(start, end, (label,), extra={} if tag[0] == "B" else {"tag": "I"})
        elif tag != OUTSIDE:
            raise place.error(f"tag {tag!r}; expected O, B_label or I_label", "bad-line")
    if span is not None:
        yield span


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return a line for each utterance of the user."""
    lines = [line for dialogue in dialogues for line in _lines(dialogue)]
    if not lines:
        return b""
    last = marks(dialogues[-1].extra).get("end") == ""
    end = "\r\n" if all(marks(each.extra).get("newline") == "\r\n" for each in dialogues) else "\n"
    return (end.join(lines) + ("" if last else end)).encode()


def _lines(dialogue: Dialogue) -> list[str]:
    """Return the lines of a dialogue; one without words if it has no user utterance."""
    events = [event for event in dialogue.events if isinstance(event, Utterance)]
    turns = [event for event in events if event.agent == USER]
    return list(map(_line, turns or [Utterance(agent=USER, text="")]))


def _line(utterance: Utterance) -> str:
    text = utterance.text.replace("\n", " ")
    parts = annotated_parts(utterance)
    spans = [span for part in parts for span in part.spans or ()]
    tags = " ".join([OUTSIDE, *_tags(text, spans), OUTSIDE])
    acts = "+".join(_BLANKS.sub("_", act.name) for part in parts for act in part.acts or ())
    return f"{BEGIN}{text}{END}{tags} {acts}"


def _tags(text: str, spans: list[Span]) -> list[str]:
    words = [match.span() for match in _WORD.finditer(text)]
    tags = [OUTSIDE] * len(words)
    for span in spans:
        if span.start >= span.end:
            continue
        inside = [n for n, (at, end) in enumerate(words) if at < span.end and end > span.start]
        if not inside or not span.labels or any(tags[n] != OUTSIDE for n in inside):
            continue
        label = _BLANKS.sub("_", span.labels[0])
        first = inside[0]
        goes_on = first > 0 and tags[first - 1][2:] == label and tags[first - 1] != OUTSIDE
        tags[first] = f"{'I' if span.extra.get('tag') == 'I' and not goes_on else 'B'}_{label}"
        for n in inside[1:]:
            tags[n] = f"I_{label}"
    return tags


def act_and_slot(label: str) -> tuple[str | None, str]:
    """Return the longest act that a label begins with, if any, and its slot."""
    for act in sorted(ACTS, key=len, reverse=True):
        if label.startswith(f"{act}_"):
            return act, label[len(act) + 1 :]
    return None, label


FORMAT = FileFormat(
    name="iob",
    owns=re.compile(r"(?:[^/]+/){0,3}[^/]+\.iob"),
    sniff=lambda head: head.startswith(BEGIN.encode()),
    read=read,
    render=render,
    new_name="user_turns_{}.iob".format,
    per_file=10_000,
    adapt=adapt,
    traits=Traits(acts=ACTS),
)
