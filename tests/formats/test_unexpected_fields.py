"""Fields that a layout does not have: they are kept, or the file is refused."""

from __future__ import annotations

import json
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.errors import FormatError
from tests.formats.star_json import DATA
from tests.make import refuses


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("multiwoz", "SNG01.json/log/1/metadata/ferry/odd"),
        ("multiwoz", "SNG01.json/log/1/metadata/ferry/book/booked/-1"),
        ("multiwoz", "SNG01.json/log/1/metadata/ferry/semi"),
        ("multiwoz", "SNG01.json/log/1/metadata/ferry"),
        ("m2m", "0/turns/1/dialogue_state/0/odd"),
        ("m2m", "0/turns/0/user_intents/-1"),
        ("m2m", "0/turns/1/system_utterance/slots/0/odd"),
        ("kvret", "0/dialogue/0/odd"),
        ("kvret", "0/dialogue/1/data/requested/odd"),
        ("kvret", "0/scenario/kb/items"),
        ("camrest", "0/dial/0/usr/slu/0/odd"),
        ("camrest", "0/dial/0/usr/slu/0/slots/-1"),
        ("camrest", "0/dial/0/sys/DA/-1"),
        ("woz", "0/dialogue/1/system_acts/-1"),
        ("woz", "0/dialogue/1/belief_state/0/odd"),
        ("woz", "0/dialogue/2/odd"),
        ("multiwoz-columns", "0/turns/turn_id/0"),
        ("multiwoz-columns", "0/turns/dialogue_acts/0/odd"),
    ],
)
@pytest.mark.parametrize("odd", [["Z"], {"z": "Z"}])
def test_unexpected_fields_are_kept(name: str, path: str, odd: Any, tmp_path: Path) -> None:
    (file, *_) = formats.load(DATA / name).files
    value = json.loads(file.read_text())
    *above, last = [int(key) if key.lstrip("-").isdigit() else key for key in path.split("/")]
    place = reduce(getitem, above, value)
    if last == -1:
        place.append(odd)
    else:
        place[last] = odd
    (tmp_path / file.name).write_text(json.dumps(value))
    read = list(formats.load(tmp_path / file.name, name).dialogues())
    assert b'"Z"' in msgspec.json.encode(read)


@pytest.mark.parametrize("lists", [{"act_type": ["a", "b"], "act_slots": [None]}, {"act_type": 3}])
def test_columns_of_unequal_length_are_refused(lists: Any, tmp_path: Path) -> None:
    file = DATA / "multiwoz-columns" / "dev.json"
    value = json.loads(file.read_text())
    value[0]["turns"]["dialogue_acts"][0]["dialog_act"] = lists
    (tmp_path / "dev.json").write_text(json.dumps(value))
    with refuses(FormatError, "wrong-type", "number 0", "dialog_act", "expected"):
        list(formats.load(tmp_path / "dev.json").dialogues())
