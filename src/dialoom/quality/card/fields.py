"""The fields of the data model that a corpus uses, with their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dialoom.dialogue import Dialogue

ABOUT = {
    "dialogue.id": "the source's own identifier",
    "dialogue.services": "the services or tasks in play",
    "dialogue.scenario": "what the participants were asked to do",
    "dialogue.workers": "who played each agent (anonymised)",
    "dialogue.batch": "the batch it was collected in",
    "dialogue.outcome": "how it ended",
    "dialogue.answers": "questionnaires and ratings",
    "dialogue.provenance": "imported, simulated, collected or written",
    "utterance.agent": "who speaks",
    "utterance.text": "what is said",
    "utterance.time": "when, in milliseconds",
    "utterance.layers": "annotation, by source",
    "utterance.layers.source": "who annotated: gold is the published annotation",
    "utterance.layers.parts": "one for each service spoken of",
    "utterance.layers.parts.service": "the service",
    "utterance.layers.parts.acts": "what the utterance does",
    "utterance.layers.parts.acts.arguments": "slots with their values",
    "utterance.layers.parts.acts.arguments.values": "values as they were said",
    "utterance.layers.parts.acts.arguments.canonical": "values as the knowledge base has them",
    "utterance.layers.parts.acts.arguments.references": "other frames that are meant",
    "utterance.layers.parts.spans": "characters of the text, from start to end (exclusive)",
    "utterance.layers.parts.spans.labels": "what the span is",
    "utterance.layers.parts.state": "the dialogue state after a user's turn",
    "utterance.layers.parts.state.intent": "what the user is after",
    "utterance.layers.parts.state.requested": "slots the user asks for",
    "utterance.layers.parts.state.values": "slots that are set, with their variants",
    "utterance.layers.parts.frames": "the sets of constraints that are alive",
    "utterance.layers.parts.active_frame": "the one that is spoken of",
    "instruction.text": "what the guide asks the user to do",
    "query.api": "the call that is made",
    "query.service": "the service it belongs to",
    "query.constraints": "conditions on its parameters",
    "query.constraints.operator": "how a value restricts a parameter",
    "result.items": "what the knowledge base answers",
    "result.query": "the query that is answered",
    "result.total": "how many items there were in all",
    "options.candidates": "replies on offer",
    "options.choice": "the one that is right, or was taken",
    "options.text": "what the wizard typed",
    "selection.kind": "what the wizard turns to",
    "completion.agent": "who declares the dialogue accomplished",
}
"""Field to its description in a few words (docs/reference/data-model.md has all fields)."""


def used(dialogue: Dialogue) -> set[str]:
    """Return the fields of a dialogue that are not empty, as paths without indices."""
    return set(_used(dialogue, "dialogue"))


def _used(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, tuple):
        for entry in value:
            yield from _used(entry, path)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            field = getattr(value, name)
            if name == "events":
                for event in field:
                    yield from _used(event, str(event.__struct_config__.tag))
            elif name != "origin" and field is not None and field not in ((), {}):
                yield f"{path}.{name}"
                yield from _used(field, f"{path}.{name}")
