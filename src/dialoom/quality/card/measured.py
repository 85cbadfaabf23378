"""The facts of a data card that are counted, in Markdown: sizes, fields, splits, annotation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.transcript import lines
from dialoom.quality.catalogue import Checked, Track, count
from dialoom.quality.stats import Statistics
from dialoom.render.tables import counted
from dialoom.render.transcript import to_text

SHOWN = 30
"""Most names in a list of counts."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |"
                     for line in lines)  # fmt: skip


def listed(counts: Mapping[str, int]) -> str:
    """Return counts on a line: `Hotels (475), Flights (322)`."""
    entries = [f"{escape(name)} ({n:,})" for name, n in list(counts.items())[:SHOWN]]
    more = len(counts) - SHOWN
    return ", ".join(entries) + (f" and {more} more" if more > 0 else "")


def block(text: str, language: str = "text") -> str:
    """Return a text as a block; its fence is longer than any in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def escape(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


EXAMPLE = 12
"""Most events of the example dialogue."""

_SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    math.inf: "1M<n<10M",
}
"""Number of dialogues below which a corpus is of a size category."""


class Measured:
    """Counts a corpus for its card; `format` is the one it was converted from, if any."""

    def __init__(self, corpus: Corpus, name: str | None, format: str | None = None) -> None:
        self.corpus, self.name = corpus, name
        namer = formats.get(format or corpus.format).event_name
        self.statistics = Statistics(namer, corpus.schemas)
        self.fields: Counter[str] = Counter()
        self.provenance: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()
        self.first: Dialogue | None = None

    def facts(self, track: Track) -> dict[str, str]:
        """Count every dialogue and return the facts."""

        def watched(dialogues: Iterator[Dialogue], what: str) -> Iterable[Dialogue]:
            for dialogue in track(dialogues, what):
                self._add(dialogue)
                yield dialogue

        checked = count(self.corpus, watched, self.name)
        result: Mapping[str, Any] = self.statistics.result()
        languages = sorted({task.language for task in self.corpus.schemas.values()})
        texts = {
            "size_category": next(s for most, s in _SIZES.items() if result["dialogues"] < most),
            "summary": self._summary(result),
            "fields": self._fields(),
            "example": self._example(),
            "splits": _splits(checked),
            "obtained": f"By provenance: {listed(self.provenance)}.",
            "participants": _participants(result),
            "topics": _topics(result),
            "outcomes": _outcomes(result),
            "annotation": self._annotation(),
            "acts": _acts(result),
            "limits": _limits(result),
            "multilingual": {0: "", 1: "no"}.get(len(languages), "yes"),
        }
        if languages:
            texts |= {
                "languages": ", ".join(languages),
                "language_list": f"[{', '.join(languages)}]",
            }
        return {name: text for name, text in texts.items() if text}

    def _add(self, dialogue: Dialogue) -> None:
        self.statistics.add(dialogue)
        self.fields.update(used(dialogue))
        self.provenance[dialogue.provenance] += 1
        self.first = self.first or dialogue
        for event in dialogue.events:
            if isinstance(event, Utterance):
                self.sources["utterances"] += 1
                self.sources.update({layer.source for layer in event.layers})

    def _summary(self, result: Mapping[str, Any]) -> str:
        first = result.get("table_1") or {}
        pieces = [
            f"{counted(result['dialogues'], 'dialogue')} with "
            f"{counted(result['utterances'], 'utterance')} of "
            f"{first.get('tokens_per_utterance_white_space') or 0:.1f} tokens on average "
            "(parted at white space)"
        ]
        for what in ("domains", "tasks", "acts", "slots"):
            if first.get(what):
                pieces.append(counted(first[what], what.removesuffix("s")))
        if self.corpus.schemas:
            pieces.append(counted(len(self.corpus.schemas), "schema"))
        return f"As counted: {', '.join(pieces)}."

    def _fields(self) -> str:
        rows = sorted(self.fields.items())
        cells = [[f"`{name}`", ABOUT.get(name, ""), f"{n:,}"] for name, n in rows]
        return table(["field", "what", "dialogues"], cells)

    def _example(self) -> str:
        if self.first is None:
            return ""
        events = list(lines(self.first))
        more = len(events) - EXAMPLE
        tail = f"… and {more} more events\n" if more > 0 else ""
        text = to_text(events[:EXAMPLE], width=100) + tail
        return f"Dialogue {self.first.id}, as text:\n\n{block(text)}"

    def _annotation(self) -> str:
        total = self.sources["utterances"]
        kinds = [
            f"{source}: {n:,} of {total:,} utterances"
            for source, n in self.sources.most_common()
            if source != "utterances"
        ]
        return f"By source: {'; '.join(kinds)}." if kinds else "No utterance is annotated."


def _splits(checked: Checked) -> str:
    rows = [
        [
            check.part,
            *(f"{check.found.get(what, 0):,}" for what in ("files", "dialogues", "utterances")),
            f"{check.expected['dialogues']:,}" if "dialogues" in check.expected else "",
        ]
        for check in checked.checks
        if check.part != "schemas"
    ]
    return table(["part", "files", "dialogues", "utterances", "dialogues in a whole copy"], rows)


def _participants(result: Mapping[str, Any]) -> str:
    people = result.get("people") or {}
    if not people.get("participants"):
        return ""
    by_agent = listed(people.get("participants_by_agent", {}))
    return (
        f"{counted(people['participants'], 'participant')} by their (anonymised) names: {by_agent}."
    )


def _topics(result: Mapping[str, Any]) -> str:
    tables = result.get("distributions") or {}
    sentences = []
    for what in ("domains", "services"):
        if tables.get(what):
            sentences.append(f"{counted(len(tables[what]), what.removesuffix('s'))}, by dialogues: "
                        f"{listed(tables[what])}.")  # fmt: skip
    return " ".join(sentences)


def _outcomes(result: Mapping[str, Any]) -> str:
    outcomes = {name: n for name, n in result.get("outcomes", {}).items() if name != "unknown"}
    return f"How the dialogues ended: {listed(outcomes)}." if outcomes else ""


def _acts(result: Mapping[str, Any]) -> str:
    acts = (result.get("distributions") or {}).get("acts") or {}
    sentences = [
        f"Acts of the {agent}: {listed(counts)}." for agent, counts in acts.items() if counts
    ]
    spans = (result.get("spans") or {}).get("by_label") or {}
    if spans:
        sentences.append(f"Labels of spans: {listed(spans)}.")
    return " ".join(sentences)


def _limits(result: Mapping[str, Any]) -> str:
    tables = result.get("distributions") or {}
    sentences = []
    for what in ("domains", "services"):
        counts: dict[str, int] = tables.get(what) or {}
        if len(counts) > 1:
            most, least = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
            sentences.append(
                f"The {what} are uneven: {counts[most]:,} dialogues with {most}, "
                f"{counts[least]:,} with {least}."
            )
    return " ".join(sentences)


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
