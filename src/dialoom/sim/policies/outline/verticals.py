"""Verticals and their words: kinds of orders and bookings, and their lines.

    vertical = texts().verticals[0]                     # lang/en-selfdialogue.json
    lines(vertical).template("ask.name.store", rng)     # "Which place do you like?"
    named(Path("corpora/taskmaster1/ontology.json"))    # verticals of any ontology

No vertical has code of its own: its arguments, values, menu and lines are all in the file. Those of
an ontology get values by the words of their arguments, and lines by their kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Origin
from dialoom.errors import SchemaError
from dialoom.schema.lexicon import texts_of
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import render, samples
from dialoom.schema.yaml.building import build
from dialoom.sim.core.grammar import Grammar

ONTOLOGY = "ontology.json"
"""The file of an ontology, as the published one is called."""

MOST = 12
"""Most values of an argument that only an ontology names."""

Lines = dict[str, dict[str, int] | list[str]]
"""Line id to the ways to say it (`sim/core/grammar.py`)."""


class Vertical(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of transaction.

    Attributes:
        id: The prefix of labels.
        vertical: The ontology's name of the transaction.
        asked: The arguments that the assistant asks for, in order.
        reported: The arguments that the assistant reports at the end, such as a price.
        refused: Arguments with values that may be unavailable.
        menu: The argument whose values have parts; may be empty.
        part: The argument that is a part, where parts can be asked for one by one.
        wish: The argument for changes of menu values.
        menus: Value to its parts; one without parts leaves them to the user.
        extras: Replacement parts; `part`'s values by default.
        instructions: Id to a worker's instruction.
    """

    id: str
    vertical: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    asked: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    menu: str = ""
    part: str = ""
    wish: str = ""
    menus: dict[str, tuple[str, ...]] = {}
    extras: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = {}
    instructions: dict[str, str] = {}
    lines: Lines = {}

    def options(self, argument: str) -> tuple[str, ...]:
        """Return the values of an argument."""
        return tuple(self.menus) if argument == self.menu else self.values[argument]


class ArgumentWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ways to speak of arguments with names that begin alike.

    `{value}` is the value, `<it>` the rest of the name, `<name>` all of it. `piece` mentions it in
    a sentence about the whole transaction; `refuse` says that a value is not available. Without
    `values`, those of the words of its name are used.
    """

    piece: str
    ask: list[str]
    answer: list[str]
    refuse: list[str]
    values: tuple[str, ...] = ()


class OutlineTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-selfdialogue.json`.

    Attributes:
        leads: Words that annotators may or may not count as part of the value after them.
        kinds: An argument's name, or its part before the dot, to its words; the empty one fits all.
        any: Lines that all verticals of ontologies share.
        instruction: A worker's instruction for one; `<it>` is its name.
    """

    language: str
    leads: tuple[str, ...]
    verticals: tuple[Vertical, ...]
    lines: Lines
    kinds: dict[str, ArgumentWords]
    any: Lines
    instruction: str


@lru_cache(maxsize=8)
def texts(language: str = "en") -> OutlineTexts:
    """Return the words of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "selfdialogue", "self-dialogues", OutlineTexts)


def lines(vertical: Vertical) -> Grammar:
    """Return the grammar of a vertical's lines and of the shared ones."""
    return Grammar({**texts().lines, **vertical.lines})


def named(ontology: Path) -> list[Vertical]:
    """Return an ontology's verticals, bundled if arguments match; `SchemaError` if malformed."""
    presets = {(v.id, *v.required, *v.optional): v for v in texts().verticals}
    try:
        entries = msgspec.json.decode(read_bytes(ontology), type=dict[str, Vertical]).values()
    except msgspec.MsgspecError as error:
        raise SchemaError(ontology, f"no ontology of verticals: {error}") from error
    return [presets.get((v.id, *v.required, *v.optional)) or _outlined(v) for v in entries]


def _outlined(entry: Vertical) -> Vertical:
    words_of, arguments = texts(), (*entry.required, *entry.optional)
    kinds = {name: _kind(name) for name in arguments}
    alike = Counter(kinds.values())
    phrases: Lines = {}
    values: dict[str, tuple[str, ...]] = {}
    for name, kind in kinds.items():
        words = words_of.kinds[kind if alike[kind] == 1 else ""]
        values[name] = words_of.kinds[kind].values or _values(name)
        filler = {
            "{value}": f"{{{name}}}",
            "<it>": spoken_name(name.partition(".")[2] or name),
            "<name>": spoken_name(name),
        }
        phrases[f"piece.{name}"] = {_put(words.piece, filler): 1, "": 0}
        for line in ("ask", "answer", "refuse"):
            phrases[f"{line}.{name}"] = [_put(text, filler) for text in getattr(words, line)]
    # arguments that follow a comma come last
    ordered = sorted(kinds, key=lambda name: next(iter(phrases[f"piece.{name}"])).startswith(","))
    pieces = [f"<piece.{name}>" for name in ordered]
    noun = spoken_name(entry.vertical)
    phrases["thing"] = [f"a~ {noun}{''.join(pieces)}"]
    instructions = {entry.id: _put(words_of.instruction, {"<it>": noun})}
    return msgspec.structs.replace(
        entry,
        asked=arguments,
        refused=arguments,
        values=values,
        instructions=instructions,
        lines={**words_of.any, **phrases},
    )


def _kind(argument: str) -> str:
    """Return the key of the words for an argument: its name, or the beginning, or the empty one."""
    fitting = ("", argument, argument.partition(".")[0])
    return next(kind for kind in texts().kinds if kind in fitting)


def _values(argument: str) -> tuple[str, ...]:
    raw = ServiceWords().kind(ServiceSlot(name=argument))
    slot = build({"slots": {"slot": raw}}).slots["slot"]
    examples = samples(slot, MOST)
    return tuple([render(slot, value, texts().language)[0] for value in examples])


def _put(text: str, filler: Mapping[str, str]) -> str:
    for mark, words in filler.items():
        text = text.replace(mark, words)
    return text


def ontology_entry(
    name: str, vertical: str, required: Sequence[str], optional: Sequence[str], index: int
) -> TaskSchema:
    """Return a vertical as the format reads it from an ontology.

    `name` is the prefix of labels, `vertical` the name of the transaction, `index` its place in the
    file.
    """
    intent = ServiceIntent(
        name=vertical,
        transactional=True,
        required=tuple(required),
        optional=dict.fromkeys(optional),
    )
    slots = tuple(ServiceSlot(name=each) for each in (*required, *optional))
    service = Service(slots=slots, intents=(intent,))
    return from_service(name, service, origins=(Origin(ONTOLOGY, index),))
