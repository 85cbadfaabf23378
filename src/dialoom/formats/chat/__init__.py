"""Chat messages in the OpenAI wire format: conversations with their tools, one on each line.

    {"id": "12", "messages": [
      {"role": "user", "content": "Somewhere in the north?"},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function",
        "function": {"name": "find", "arguments": "{\\"area\\": \\"north\\"}"}}]},
      {"role": "tool", "tool_call_id": "1", "content": "[{\\"name\\": \\"Ada's\\"}]"}],
     "tools": [{"type": "function", "function": {"name": "find", "parameters": {…}}}]}

The user has the role `user`, the system `assistant`; queries are its tool calls, and results are
messages of the tool. Instructions of the guide are `system` messages with the name `guide`, which
can be left out for training; results without a query are `system` messages with the name `kb`. A
call without a result gets an empty answer unless it comes last, as providers refuse calls without
one. The tools are those of the dialogue's tasks, else derived from its calls. Annotation, times,
suggestions and scenarios are lost. Dialogues of a run get rewards, and a file of pairs.

Other chat logs are read too, with any keys, content in parts, parallel calls and any roles, and in
other spellings: `function_call`, `tool_use`, ShareGPT's `conversations`. They come back value for
value. A file of definitions of tools is read as schemas of tasks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Origin, Query
from dialoom.dialogue.views import tasks
from dialoom.errors import FormatError
from dialoom.formats.base.framing import LINES
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.values import Json
from dialoom.formats.chat import arguments, reading, shapes, writing
from dialoom.formats.chat.dialects import restored
from dialoom.formats.chat.marks import MessageFile, extra, marks_of
from dialoom.formats.chat.rewards import PAIRS, goal_of, pairs, rewarded
from dialoom.formats.chat.tools import schemas_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import function_names, toolbox

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def read(data: bytes, file: Path, name: str, first: int = 0) -> Iterator[Dialogue]:
    """Yield a dialogue for each line; `FormatError` if one is not a conversation."""
    lines = data.split(b"\n")
    ended = not lines[-1]
    if ended:
        del lines[-1]
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise FormatError(file, "empty file; expected a conversation a line", code="empty")
    for index, (number, line) in enumerate(numbered, start=first):
        place = Path(f"{file}, line {number}")
        record = reading.dialogue(parse_json(line, place), file, Origin(name, index))
        if number == numbered[-1][0] and not ended:
            marks = marks_of(record.extra) | {"no newline": True}
            record = msgspec.structs.replace(record, extra=record.extra | extra(marks))
        yield record


def render(dialogues: Sequence[Dialogue], schemas: Mapping[str, TaskSchema] | None = None) -> bytes:
    """Return the lines of these dialogues."""
    values = zip(dialogues, conversations(dialogues, schemas), strict=True)
    lines = [msgspec.json.encode(rewarded(each, restored(value))) for each, value in values]
    last = marks_of(dialogues[-1].extra) if dialogues else {}
    return b"\n".join(lines) + (b"" if "no newline" in last else b"\n")


def conversations(
    dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema] | None = None
) -> Iterator[Json]:
    """Yield the conversations of dialogues with messages of the wire format, and their marks."""
    toolboxes: dict[tuple[str, ...], _Toolbox] = {}
    for dialogue in dialogues:
        queries = [event for event in dialogue.events if isinstance(event, Query)]
        services = (query.service for query in queries if query.service is not None)
        names = dict.fromkeys((*tasks(dialogue), *services))
        played = tuple(name for name in names if schemas and name in schemas)
        if played not in toolboxes:
            toolboxes[played] = _Toolbox(
                {name: schemas[name] for name in played} if schemas else {}
            )
        toolbox = toolboxes[played]
        yield writing.conversation(dialogue, toolbox.name, toolbox.tools + _seen(queries, toolbox))


def pair_files(
    dialogues: Sequence[Dialogue], name: str, schemas: Mapping[str, TaskSchema] | None = None
) -> dict[str, bytes]:
    """Return the file of pairs for a file of dialogues of a run: name to content; else nothing."""
    if not any(goal_of(dialogue) for dialogue in dialogues):
        return {}
    examples = list(pairs(dialogues, render(dialogues, schemas).splitlines()))
    return {name.removesuffix(".jsonl") + PAIRS: msgspec.json.encode(examples)} if examples else {}


class _Toolbox:
    def __init__(self, played: Mapping[str, TaskSchema]) -> None:
        self.tools = toolbox(played)
        self.known = {tool["function"]["name"] for tool in self.tools}
        self._names = function_names(played)

    def name(self, query: Query) -> str:
        if marks_of(query.extra):
            return writing.called(query)
        exact = self._names.get((query.service or "", query.api))
        own = [name for (_, call), name in self._names.items() if call == query.api]
        return exact or (own[0] if len(own) == 1 else writing.called(query))


def _seen(queries: Iterable[Query], toolbox: _Toolbox) -> list[Json]:
    """Return tools derived from calls to no known task, with the parameters that were used."""
    tools: dict[str, Json] = {}
    for query in queries:
        if (callee := toolbox.name(query)) not in toolbox.known:
            parameters = tools.setdefault(callee, {})
            for slot, value in arguments.write(query.constraints).items():
                kind = _TYPES.get(type(value))
                schema = {"type": kind} if kind else {}
                parameters[slot] = schema if parameters.get(slot, schema) == schema else {}
    return [
        {
            "type": "function",
            "function": {"name": name, "parameters": {"type": "object", "properties": properties}},
        }
        for name, properties in tools.items()
    ]


class ChatFormat(MessageFile):
    """A format of JSON lines whose tools come from the task schemas."""

    def writer(
        self, schemas: Mapping[str, TaskSchema], target: Path
    ) -> Callable[[str, Sequence[Dialogue]], None]:
        """Return a function that writes a file, with the tools of these schemas."""
        bound: Any = partial(render, schemas=schemas)
        sidecar: Any = partial(pair_files, schemas=schemas)
        own = replace(self, render=bound, companions=sidecar)
        return super(ChatFormat, own).writer(schemas, target)

    def _home(self, dialogue: Dialogue) -> str | None:
        """Return the file that a dialogue came from; a `.json` file only if it was one of chats."""
        home = super()._home(dialogue)
        return home if home and (home.endswith(".jsonl") or self._frame(dialogue)) else None


_NOT_CHAT = ("events[].type", "termination_reason", *shapes.BLOCKS)
"""Fields of native lines, of tau2-bench and of other services, which may have messages, too."""

SIGNS = (
    Signs("messages", Sign("messages[].role", *reading.ROLES), without=_NOT_CHAT),
    *shapes.signs(reading.ROLES),
)
FORMAT = ChatFormat(
    name="chat",
    owns=re.compile(r"(?:[^/]+/){0,3}[^/]+(?<!\.pairs)\.jsonl?"),
    signs=SIGNS,
    read=read,
    read_from=read,
    render=render,
    companions=pair_files,
    schemas_of=schemas_of,
    traits=Traits(schema_files=("definitions of tools",)),
    new_name="chat_{:05d}.jsonl".format,
    named=False,
    per_file=500,
    forms=(LINES,),
)
