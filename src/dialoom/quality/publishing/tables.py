"""The tables of a published folder: chat rows, and the columns and splits in the card's head.

configs:                          dataset_info:
- config_name: turns              - config_name: turns
  data_files:                       features: [{name: text, dtype: string}, …]
  - split: train                    splits: [{name: train, num_examples: 812, …}]
    path: train/turns.parquet
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dialoom.corpus import Corpus
from dialoom.corpus.files import write_synced
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.formats.base.values import Json, at
from dialoom.formats.parquet import DIALOGUES, README, TURNS, arrow_tables, rows
from dialoom.quality.card.terms import EDGE

CHAT = "chat.parquet"

ONLY_SPLIT = "train"
"""The split that HF datasets makes of a table that is in none."""


class HubTable(NamedTuple):
    """A table: its configuration, its split, and its path in the folder."""

    config: str
    split: str
    path: str


class Function(Struct, frozen=True, forbid_unknown_fields=False):
    """The function of a call, as trainers of chat models read it."""

    name: str
    arguments: str


class ToolCall(Struct, frozen=True, forbid_unknown_fields=False, omit_defaults=False):
    """A call in a chat message."""

    function: Function
    id: str | None = None
    type: str = "function"


class RowMessage(Struct, frozen=True, forbid_unknown_fields=False):
    """A chat message; keys that no column has are left out."""

    role: str
    content: str | None = None
    name: str | None = None
    tool_call_id: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None


def tables(folder: Path) -> list[HubTable]:
    """Return the tables that the head of a folder's README.md lists."""
    listing = []
    for config in _head(folder)["configs"]:
        files = config["data_files"]
        if isinstance(files, str):
            files = [{"split": ONLY_SPLIT, "path": files}]
        listing += [HubTable(config["config_name"], each["split"], each["path"]) for each in files]
    return listing


def splits(folder: Path) -> dict[str, int]:
    """Return the number of dialogues of each split."""
    config = Path(DIALOGUES).stem
    return {each.split: _described(folder / each.path)[1]
            for each in tables(folder) if each.config == config}  # fmt: skip


def columns(folder: Path, table: HubTable) -> list[tuple[str, str]]:
    """Return the columns of a table with their types, as Arrow spells these."""
    return [(name, str(kind)) for name, kind in _described(folder / table.path)[0]]


def add_chat(folder: Path, corpus: Corpus) -> None:
    """Write a table of chat rows next to each table of dialogues, and list them."""
    write = arrow_tables().write
    for file in corpus.files:
        with file.with_name(CHAT).open("wb") as table:
            write(_chat_rows(corpus, file), rows.CHAT, table)
    head = _head(folder)
    turns, chat = Path(TURNS).stem, Path(CHAT).stem
    config = next(each for each in head["configs"] if each["config_name"] == turns)
    text = msgspec.json.encode(config).decode().replace(TURNS, CHAT)
    head["configs"].append(msgspec.json.decode(text) | {"config_name": chat})
    _write_head(folder, head)


def _chat_rows(corpus: Corpus, file: Path) -> Iterator[rows.Row]:
    from dialoom.formats.chat import conversations

    for dialogue in corpus.read_file(file):
        (value,) = conversations([dialogue], corpus.schemas)
        system, tools = value.get("system"), value.get("tools")
        first = [{"role": "system", "content": system}] if system else []
        try:
            several = [_cells(each) for each in first + value["messages"]]
            messages = msgspec.convert(several, list[RowMessage])
        except msgspec.ValidationError as error:
            raise UsageError(
                f"--chat: dialogue {dialogue.id} has a message that trainers do not read: {error}"
            ) from error
        text = _text(tools) if tools else None
        yield {"id": dialogue.id, "messages": msgspec.to_builtins(messages), "tools": text}


def _cells(message: Json) -> Json:
    from dialoom.formats.chat.content import text_of

    content, calls = message.get("content"), message.get("tool_calls")
    parts = {"content": text_of(message).text} if isinstance(content, list) else {}
    fields = {"tool_calls": list(map(_call, calls))} if isinstance(calls, list) else {}
    return message | parts | fields


def _call(call: Any) -> Json:
    function = at(call, dict, "function")
    fields = {"arguments": _text(function.get("arguments", {}))}
    return at(call, dict) | {"function": function | fields}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def describe(folder: Path) -> None:
    """Add the columns and splits of the tables to the head of README.md, as `dataset_info`."""
    head = _head(folder)
    infos: dict[str, dict[str, Any]] = {}
    for table in tables(folder):
        columns, number, size = _described(folder / table.path)
        features = [_feature(name, kind) for name, kind in columns]
        new: dict[str, Any] = {"config_name": table.config, "features": features, "splits": []}
        info = infos.setdefault(table.config, new | {"download_size": 0, "dataset_size": 0})
        split = {"name": table.split, "num_bytes": size, "num_examples": number}
        info["splits"].append(split)
        info["download_size"] += (folder / table.path).stat().st_size
        info["dataset_size"] += size
    _write_head(folder, head | {"dataset_info": list(infos.values())})


def _feature(name: str, kind: Any) -> dict[str, Any]:
    """Return a column as `dataset_info` has it; lists and structs have their own columns."""
    return {"name": name, **_kind(kind)}


def _kind(kind: Any) -> dict[str, Any]:
    if hasattr(kind, "value_field"):  # a list
        inner = _kind(kind.value_type)
        return {"list": inner.get("struct", inner.get("dtype"))}
    if kind.num_fields:
        return {"struct": [_feature(each.name, each.type) for each in kind]}
    return {"dtype": str(kind)}


def _described(path: Path) -> tuple[list[tuple[str, Any]], int, int]:
    outline: tuple[list[tuple[str, Any]], int, int] = arrow_tables().described(path)
    return outline


def _head(folder: Path) -> dict[str, Any]:
    import yaml  # deferred: only published folders need it here

    text = (folder / README).read_text(encoding="utf-8")
    head: dict[str, Any] = yaml.safe_load(text.split(f"{EDGE}\n")[1])
    return head


def _write_head(folder: Path, head: dict[str, Any]) -> None:
    import yaml

    text = yaml.safe_dump(head, sort_keys=False, allow_unicode=True)
    write_synced(folder / README, f"{EDGE}\n{text}{EDGE}\n".encode())
