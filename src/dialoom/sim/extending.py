"""An utterance with more said before or after it: spans move along, acts are added.

extended(said, "Well, ", " By the way, at noon.", spans, acts, state)
"""

from __future__ import annotations

import msgspec

from dialoom.dialogue import Act, Span, State, Utterance


def extended(
    said: Utterance,
    before: str,
    after: str,
    spans: tuple[Span, ...] = (),
    acts: tuple[Act, ...] = (),
    state: State | None = None,
) -> Utterance:
    """Return an utterance with text before and after it, and what the latter gives.

    Args:
        said: The utterance.
        before: What comes before it.
        after: What comes after it.
        spans: The values in what comes after it.
        acts: What they are.
        state: The state after it, where that is another one now.
    """
    layer = said.layers[0]
    part = layer.parts[0]
    said_acts, width = part.acts or (), len(before) + len(said.text)
    moved = [_moved(span, len(before)) for span in part.spans or ()]
    moved += [_moved(span, width) for span in spans]
    part = msgspec.structs.replace(
        part,
        acts=(*said_acts, *(act for act in acts if act not in said_acts)) if acts else part.acts,
        spans=tuple(moved) if moved or part.spans is not None else None,
        state=part.state if state is None else state,
    )
    layers = (msgspec.structs.replace(layer, parts=(part,)),)
    text = f"{before}{said.text}{after}"
    return msgspec.structs.replace(said, text=text, layers=layers)


def _moved(span: Span, by: int) -> Span:
    return msgspec.structs.replace(span, start=span.start + by, end=span.end + by) if by else span
