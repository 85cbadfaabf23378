"""STAR's published JSON as typed records, field for field (format version 7).

    {"AnonymizedUserWorkerID": "…", "DialogueID": 12, "Events": [
        {"Action": "utter", "Agent": "User", "Text": "Hi!", "UnixTime": 1589375697},
        {"Action": "pick_suggestion", "ActionLabel": "hello", "ActionLabelOptions": ["hello"], …},
        {"Action": "query", "APIName": "weather", "Constraints": [{"Day": "\\"Monday\\""}], …},
        {"Action": "return_item", "Agent": "KnowledgeBase", "Item": {…}, "TotalItems": -1}], …}

The records have only the layout; reading.py converts them to events, writing.py back.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item

VERSION = 7
"""The version of the published data; the paper's appendix C describes version 6."""

NAMES = {
    "api": "APIName",
    "label": "ActionLabel",
    "options": "ActionLabelOptions",
    "time": "UnixTime",
    "primary": "PrimaryItem",
    "secondary": "SecondaryItem",
    "total": "TotalItems",
    "id": "DialogueID",
    "version": "FORMAT-VERSION",
    "batch": "BatchID",
    "completion": "CompletionLevel",
    "user_worker": "AnonymizedUserWorkerID",
    "wizard_worker": "AnonymizedWizardWorkerID",
    "capabilities": "WizardCapabilities",
    "image": "SchemaImage",
}


def _rename(field: str) -> str:
    return NAMES.get(field) or "".join(word.capitalize() for word in field.split("_"))


SUPPLIED = {"SchemaImage", "ActionLabelOptions", "APIName", "IntroducesConflicts"}
"""Fields that writing adds if the model has no value for them. If one is missing in a file, `extra`
has None for it; a value of a wrong type, such as null, is kept there as {"value": …}."""

OptionalTime = Annotated[int, Meta(ge=-(2**53), le=2**53)] | UnsetType
"""A time in seconds; other values are kept in `extra` by lenient.py."""
Spelled = msgspec.Raw | UnsetType
"""A value as bytes of the file: items and options repeat, and equal bytes are decoded once."""

SPELLED: dict[str, Any] = {"Item": Item, "PrimaryItem": Item, "SecondaryItem": Item}
SPELLED |= {"ActionLabelOptions": list[str]}
"""Key to type of such values."""


class Record(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename=_rename,
    kw_only=True,
    gc=False,  # records hold no cycles and live for one file
):
    """Base class of records; a field that is UNSET is not in the file."""


class Event(Record, kw_only=True, tag_field="Action"):
    """Base class of the events; `Action` is the tag."""


class Instruct(Event, kw_only=True, tag="instruct"):
    """An instruction to the user."""

    agent: Literal["UserGuide"]
    text: str
    time: OptionalTime = UNSET


class WizardEvent(Event, kw_only=True):
    """Fields that any event of the wizard may have: the items that the wizard sees."""

    time: OptionalTime = UNSET
    primary: Spelled = UNSET
    secondary: Spelled = UNSET


class Utter(WizardEvent, kw_only=True, tag="utter"):
    """An utterance of the user, or a reply that the wizard typed."""

    agent: Literal["User", "Wizard"]
    text: str


class RequestSuggestions(WizardEvent, kw_only=True, tag="request_suggestions"):
    """The wizard's text for which replies were suggested, and the suggestions."""

    agent: Literal["Wizard"]
    text: str


class PickSuggestion(WizardEvent, kw_only=True, tag="pick_suggestion"):
    """The wizard sent one of the suggested replies."""

    agent: Literal["Wizard"]
    text: str
    label: str
    options: Spelled = UNSET


class Query(WizardEvent, kw_only=True, tag="query"):
    """A query of the wizard to the knowledge base."""

    agent: Literal["Wizard"]
    api: str
    constraints: list[dict[str, str]]


class ReturnItem(Event, kw_only=True, tag="return_item"):
    """An answer of the knowledge base."""

    agent: Literal["KnowledgeBase"]
    total: int
    api: str | UnsetType = UNSET
    item: Spelled = UNSET
    time: OptionalTime = UNSET


class SelectTask(WizardEvent, kw_only=True, tag="select_task"):
    """The wizard's switch to another task."""

    agent: Literal["Wizard"]
    task: str


class SelectPrimary(WizardEvent, kw_only=True, tag="select_primary"):
    """The wizard's choice of the first item."""

    agent: Literal["Wizard"]


class SelectSecondary(WizardEvent, kw_only=True, tag="select_secondary"):
    """The wizard's choice of the second item."""

    agent: Literal["Wizard"]


class Complete(Event, kw_only=True, tag="complete"):
    """The user's click on the button that ends the dialogue."""

    agent: Literal["User"]
    time: OptionalTime = UNSET


AnyEvent = (
    Instruct
    | Utter
    | RequestSuggestions
    | PickSuggestion
    | Query
    | ReturnItem
    | SelectTask
    | SelectPrimary
    | SelectSecondary
    | Complete
)

EVENTS: dict[str, type[Event]] = {
    str(event.__struct_config__.tag): event for event in get_args(AnyEvent)
}
"""Action to record."""


class Capability(Record, kw_only=True):
    """A task that the wizard can help with."""

    task: str
    domain: str | None
    image: str | UnsetType = UNSET


class Scenario(Record, kw_only=True):
    """The tasks of the two people; null in dialogues of other formats, which do not say so."""

    domains: list[str | None]
    user_task: str
    wizard_task: str
    capabilities: list[Capability]
    happy: bool | None
    multi_task: bool | None


class Answer(Record, kw_only=True):
    """One answer of a questionnaire."""

    question: str
    answer: Value
    """A boolean in the published data."""


class Dialogue(Record, kw_only=True):
    """A file, which has one dialogue."""

    id: int
    version: int
    batch: str
    completion: str
    scenario: Scenario
    events: list[AnyEvent]
    user_worker: str
    wizard_worker: str
    user_questionnaire: list[Answer]
    wizard_questionnaire: list[Answer]
    introduces_conflicts: bool | UnsetType = UNSET
