"""JSON Schema of a study's settings, from the structs that also check a settings file.

Descriptions come from the structs' docstrings. In addition to JSON Schema's keywords a setting has
`fixed`, the reason why a study that has begun keeps it; `long` where it is a text of sentences;
`kinds`, the kinds of work that use a setting of a stage; `rare` where most studies leave it out;
`among`, the setting next to it whose keys are its values.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from dialoom.collect.kinds.registry import KINDS
from dialoom.collect.quiz_check import ASKING
from dialoom.collect.recruiters.recruiter import RECRUITERS
from dialoom.collect.settings import QUIZ, ROOM, ROOMS, SPOKEN, Settings
from dialoom.collect.settings_change import FIXED
from dialoom.dialogue.annotation import Struct
from dialoom.learn.text import encoders

SECTIONS: dict[str, tuple[str, ...]] = {
    "about": ("name", "purpose", "consent", "debriefing", "language", "translations"),
    "tasks": ("tasks", "story", "scenario", "scenarios", "target", "seed", "guide"),
    "stages": ("stages", "video", "quiz"),
    "talks": (
        *("guard", "rating", "present_wizard_as", "suggestions", "encoder", "wizards", "pair_cap"),
        *("spare", "call", "times", "speech"),
    ),
    "pay": ("pay", "budget", "reward", "currency"),
    "people": (
        *("recruiter", "require_id", "worker_from", "codes", "redirects", "approval", "approved"),
        *("country", "per_address"),
    ),
    "running": ("batch", "pilot", "paused", "open", "attention", "retention", "renewed"),
}
"""Settings of a study by what they are about."""

LONG = ("purpose", "debriefing", "text", "guidelines", "hint")
"""Settings whose values are whole sentences; the form edits them in a large field."""

AMONG = {"right": "options"}
"""Setting to the one next to it whose keys it chooses from."""

RARE = ("limits", "prelabels", "items", "cap", "gold", "accept", "only", "groups", "questionnaire")
"""Settings of stages that most studies leave out."""

_MARKS = ("annotation", "adjudication")
USES: dict[str, Sequence[str]] = {
    "groups": ROOMS,
    "tasks": ("self_dialogue", "paraphrase", "bot"),
    "corpus": ("annotation", "paraphrase"),
    "of": (*_MARKS, "paraphrase", "transcription"),
    **dict.fromkeys(("labels", "acts", "layers", "relations"), _MARKS),
    "guidelines": (QUIZ, *_MARKS),
    **dict.fromkeys(("questions", "limits"), (QUIZ,)),
    "prelabels": ("annotation",),
    **dict.fromkeys(("agents", "goals"), ("bot",)),
    **dict.fromkeys(("outputs", "judge", "criteria", "scale"), ("rating",)),
    "least": ("self_dialogue",),
    "questionnaire": ROOMS,
    "asks": tuple(ASKING),
}
"""Setting of a stage to the kinds of work that use it; all kinds use the others."""

ALONE = ("workers", "items", "cap", "gold", "accept")
"""Settings of stages that neither are quizzes nor have dialogues of two people."""


def settings_schema() -> dict[str, Any]:
    """Return the JSON Schema of a settings file, without references."""
    source = msgspec.json.schema(Settings)
    structs = {each.__name__: each for each in _below(Struct)}
    schema: dict[str, Any] = _whole({"$ref": source["$ref"]}, source["$defs"], structs)
    properties, stage = schema["properties"], schema["properties"]["stages"]["anyOf"][1]["items"]
    for name, reason in FIXED.items():
        properties[name]["fixed"] = reason
    properties["encoder"]["enum"] = list(encoders)
    properties["recruiter"]["enum"] = ["", *RECRUITERS]
    kinds = [ROOM, SPOKEN, QUIZ, *KINDS]
    stage["properties"]["kind"]["enum"] = kinds
    alone = [kind for kind in kinds if kind not in (*ROOMS, QUIZ)]
    uses = USES | dict.fromkeys(ALONE, alone)
    for name, setting in stage["properties"].items():
        setting |= {"rare": True} if name in RARE else {}
        if name in uses:
            setting["kinds"] = list(uses[name])
    return schema


def described(struct: type[Struct]) -> dict[str, str]:
    """Return what a struct's docstring says of each of its fields."""
    text = inspect.cleandoc(struct.__doc__ or "").partition("Attributes:\n")[2]
    matches = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", text, re.MULTILINE)
    return {name: " ".join(about.split()) for name, about in matches}


def _whole(schema: Any, defs: dict[str, Any], structs: dict[str, type[Struct]]) -> Any:
    """Return a schema with its references replaced, and its settings described."""
    if isinstance(schema, list):
        return [_whole(each, defs, structs) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        definition = _whole(defs[name], defs, structs) | {"description": ""}
        for key, about in described(structs[name]).items():
            definition["properties"][key]["description"] = about
            definition["properties"][key] |= {"long": True} if key in LONG else {}
            if AMONG.get(key) in definition["properties"]:
                definition["properties"][key]["among"] = AMONG[key]
        return {**definition, **{key: value for key, value in schema.items() if key != "$ref"}}
    return {key: _whole(each, defs, structs) for key, each in schema.items()}


def _below(struct: type[Struct]) -> list[type[Struct]]:
    return [struct, *(each for below in struct.__subclasses__() for each in _below(below))]
