"""An utterance with more said before or after it: spans move along, acts are added.

extended(said, "Well, ", " By the way, at noon.", spans, acts, state)
"""

from __future__ import annotations

from dialoom.dialogue import Act, Layer, Part, Span, State, Utterance


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
    moved = (*_moved(part.spans or (), len(before)), *_moved(spans, width))
    part = Part(
        part.service,
        (*said_acts, *(act for act in acts if act not in said_acts)) if acts else part.acts,
        moved if moved or part.spans is not None else None,
        part.state if state is None else state,
    )
    return Utterance(
        agent=said.agent,
        text=f"{before}{said.text}{after}",
        time=said.time,
        layers=(Layer(layer.source, (part,)),),
    )


def _moved(spans: tuple[Span, ...], by: int) -> tuple[Span, ...]:
    if not by or not spans:
        return spans
    return tuple([Span(span.start + by, span.end + by, span.labels) for span in spans])
