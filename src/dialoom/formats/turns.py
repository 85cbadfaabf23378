"""Corpora of which only speakers and texts are read: MetaLWOZ, SMCalFlow, UltraChat, DailyDialog …

    {"id": "1f", "user_id": "3", "domain": "BUS", "turns": ["How may I help?", "A bus to Bonn."]}
    {"dialogue_id": "1f", "turns": [{"user_utterance": {"original_text": "When is it?"},
       "agent_utterance": {"original_text": "At six."}, "lispress": "…"}]}
    [[{"speaker": "U", "text": "A bus to Bonn."}, {"speaker": "S", "text": "When?"}]]
    {"sender_id": "1f", "events": [{"event": "user", "text": "Hi.", "parse_data": {…}}]}

Each layout is a row of a table (`ROWS`): the place of the turns, and who says which text of a turn.
Other fields of a turn stay with its utterance in `extra`; entries without a text are in that of the
dialogue. The first of two equal speakers (CaSiNO, CraigslistBargains) is the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.corpus.files import parse_json
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin
from dialoom.formats.base.codec import Place
from dialoom.formats.base.multi_file import sight
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import Annotation, Fields, entries, read_only, said
from dialoom.formats.base.values import Json, at, without

OTHERS = "other turns"
"""The key in `extra` of entries without a text, each with its number."""

TEXT = ""
"""The key of the text of a turn that is a text itself."""


class TurnLayout(NamedTuple):
    """A layout: the places of turns, speakers and texts.

    Attributes:
        signs: The fields that only this layout has.
        turns: The key of the list of turns; empty if a dialogue is that list.
        speaker: The key of a speaker; empty if speakers take turns.
        agents: Name of a speaker to agent, or the agents in the order in which they take turns. A
            name after "=" is that of the dialogue's field that has the speaker.
        texts: Key of a text to its agent, in the order of speaking. If one text has no agent,
            that is the speaker, or speakers take turns.
        name: The key of a dialogue's id.
        services: The key of its domain, or of a list of them.
        within: The key of an object or list of dialogues.
        keyed: Whether the dialogues of a file, or within it, are the values of an object.
        whole: Whether a file is the list of turns of a single dialogue.
    """

    signs: Signs
    turns: str
    speaker: str = ""
    agents: Mapping[str, str] = {"first": USER, "second": SYSTEM}
    texts: Mapping[str, str | None] = {"text": None}
    name: str = "dialogue_id"
    services: str = ""
    within: str = ""
    keyed: bool = False
    whole: bool = False


EQUALS = {"0": USER, "1": SYSTEM}
"""The numbers of two equal speakers."""

WIZARDS = {"Apprentice": USER, "Wizard": SYSTEM}
"""The speakers of Wizard of Wikipedia; the one who speaks first is number 0."""

DOCUMENTS = TurnLayout(
    Signs("dial_id", "turns[].utterance", "turns[].role"),
    "turns",
    "role",
    {"user": USER, "agent": SYSTEM},
    texts={"utterance": None},
    name="dial_id",
    services="domain",
)
"""Dialogues about documents."""

ROWS = {
    "MetaLWOZ": TurnLayout(
        Signs("bot_id", "user_id", "task_id", "turns[]"),
        "turns",
        agents={"first": SYSTEM, "second": USER},
        texts={TEXT: None},
        name="id",
        services="domain",
    ),
    "SMCalFlow and TreeDST": TurnLayout(
        Signs("turns[].user_utterance.original_text", "turns[].agent_utterance"),
        "turns",
        texts={"user_utterance.original_text": USER, "agent_utterance.original_text": SYSTEM},
    ),
    "RiSAWOZ": TurnLayout(
        Signs("dialogue[].user_utterance", "dialogue[].system_utterance"),
        "dialogue",
        texts={"user_utterance": USER, "system_utterance": SYSTEM},
        services="domains",
    ),
    "SIMMC": TurnLayout(
        Signs("dialogue_data[].dialogue[].transcript"),
        "dialogue",
        texts={"transcript": USER, "system_transcript": SYSTEM},
        name="dialogue_idx",
        services="domain",
        within="dialogue_data",
    ),
    "HDSA": TurnLayout(
        Signs("info[].user_orig", "info[].sys_orig"),
        "info",
        texts={"user_orig": USER, "sys_orig": SYSTEM},
        name="file",
    ),
    "MultiWOZ as DAMD and UBAR prepare it": TurnLayout(
        Signs("log[].nodelx_resp", "log[].user", keyed=True),
        "log",
        texts={"user": USER, "nodelx_resp": SYSTEM},
        keyed=True,
    ),
    "EmoWOZ": TurnLayout(Signs("log[].emotion", "log[].text", keyed=True), "log", keyed=True),
    "MuDoCo": TurnLayout(
        Signs("dialogs.*.turns[].named_entities", "dialogs.*.turns[].utterance"),
        "turns",
        texts={"utterance": None},
        services="domain",
        within="dialogs",
        keyed=True,
    ),
    "logs of DSTC9 to DSTC11": TurnLayout(
        Signs(Sign("[].speaker", "U", "S"), "[].text"), "", "speaker", {"U": USER, "S": SYSTEM}
    ),
    "CaSiNO": TurnLayout(
        Signs("participant_info", "chat_logs[].text", "chat_logs[].id"),
        "chat_logs",
        "id",
        {"mturk_agent_1": USER, "mturk_agent_2": SYSTEM},
    ),
    "CraigslistBargains": TurnLayout(
        Signs("scenario_uuid", "events[].agent", "events[].data"),
        "events",
        "agent",
        EQUALS,
        texts={"data": None},
        name="uuid",
    ),
    "trackers of Rasa": TurnLayout(
        Signs("sender_id", "events[].event"),
        "events",
        "event",
        {"user": USER, "bot": SYSTEM},
        name="sender_id",
    ),
    "UltraChat": TurnLayout(
        Signs(
            Sign("data[]", str),
            "id",
            without=("label", "labels", "text", "title", "name", "question"),
        ),
        "data",
        texts={TEXT: None},
        name="id",
    ),
    "DailyDialog": TurnLayout(
        Signs(Sign("dialog[]", str), "act[]", "emotion[]"), "dialog", texts={TEXT: None}
    ),
    "DailyDialog by turns": TurnLayout(
        Signs("dialogue[].emotion", "dialogue[].act", Sign("dialogue[].text", str)), "dialogue"
    ),
    "Taskmaster in columns": TurnLayout(
        Signs("utterances.speaker[]", "utterances.text[]", "conversation_id"),
        "utterances",
        "speaker",
        {"USER": USER, "ASSISTANT": SYSTEM},
        name="conversation_id",
    ),
    "CCPE": TurnLayout(
        Signs("utterances[].segments[].annotations[].annotationType", "conversationId"),
        "utterances",
        "speaker",
        {"USER": USER, "ASSISTANT": SYSTEM},
        name="conversationId",
    ),
    "Wizard of Wikipedia": TurnLayout(
        Signs(
            "chosen_topic",
            Sign("dialog[].speaker", *(f"{n}_{who}" for n in "01" for who in WIZARDS)),
        ),
        "dialog",
        "speaker",
        {f"{n}_{who}": agent for n in "01" for who, agent in WIZARDS.items()},
    ),
    "Wizard of the Internet": TurnLayout(
        Signs("apprentice_persona", "dialog_history[].action", keyed=True),
        "dialog_history",
        "action",
        {"Apprentice => Wizard": USER, "Wizard => Apprentice": SYSTEM},
        keyed=True,
    ),
    "Topical-Chat": TurnLayout(
        Signs("article_url", "content[].message", "content[].agent", keyed=True),
        "content",
        "agent",
        {"agent_1": USER, "agent_2": SYSTEM},
        texts={"message": None},
        keyed=True,
    ),
    "ConvAI2": TurnLayout(
        Signs("dialog_id", Sign("dialog[].sender_class", "Human", "Bot"), "dialog[].text"),
        "dialog",
        "sender_class",
        {"Human": USER, "Bot": SYSTEM},
        name="dialog_id",
    ),
    "BlendedSkillTalk": TurnLayout(
        Signs("personas", "context_dataset", "dialog[][]"), "dialog", "0", EQUALS, texts={"1": None}
    ),
    "ESConv": TurnLayout(
        Signs("emotion_type", "dialog[].content", "dialog[].speaker"),
        "dialog",
        "speaker",
        {"seeker": USER, "supporter": SYSTEM, "usr": USER, "sys": SYSTEM},
        texts={"content": None},
    ),
    "ReDial": TurnLayout(
        Signs("initiatorWorkerId", "messages[].senderWorkerId", "messages[].text"),
        "messages",
        "senderWorkerId",
        {"=initiatorWorkerId": USER, "=respondentWorkerId": SYSTEM},
        name="conversationId",
    ),
    "Doc2Dial": DOCUMENTS._replace(
        signs=Signs("dial_data.*.*[].turns[].utterance"), within="dial_data"
    ),
    "MultiDoc2Dial": DOCUMENTS,
    "Contact Lens": TurnLayout(
        Signs("Transcript[].ParticipantId", "Transcript[].Content"),
        "Transcript",
        "ParticipantId",
        {"CUSTOMER": USER, "AGENT": SYSTEM},
        texts={"Content": None},
    ),
    "transcripts of Bot Framework": TurnLayout(
        Signs("conversation.id", Sign("from.role", "user", "bot"), "type"),
        "",
        "from.role",
        {"user": USER, "bot": SYSTEM},
        whole=True,
    ),
}
"""The layouts, by the corpora that have them."""


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; `FormatError` if it is in none of the layouts."""
    row = next((each for each in ROWS.values() if each.signs.lacking(sight(file)) == ""), None)
    if row is None:
        raise Place(file).error(f"expected a layout of {', '.join(ROWS)}")
    for index, (key, value) in enumerate(_values(row, data, file)):
        yield _dialogue(row, key, value, Origin(name, index), Place(file, key or f"number {index}"))


def _values(row: TurnLayout, data: bytes, file: Path) -> Iterator[tuple[str, Any]]:
    if row.whole:
        yield "", [value for _, value in entries(data, file)]
        return
    for key, value in entries(data, file, row.turns if row.keyed and not row.within else ""):
        value = parse_json(value.encode(), file) if isinstance(value, str) else value
        if not row.within:
            yield key, value
            continue
        whole = Fields(value, Place(file), "file")
        section = whole.rest.pop(row.within, None)
        for name, each in _nested(section, row.turns, ""):
            yield name if row.keyed else "", whole.rest | each


def _nested(node: Any, turns: str, name: str) -> Iterator[tuple[str, Json]]:
    if isinstance(node, dict) and turns in node:
        yield name, node
    elif isinstance(node, dict | list):
        for key, each in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _nested(each, turns, str(key))


def _rows(turns: Any) -> Any:
    if not isinstance(turns, dict):
        return turns
    columns = {key: cells for key, cells in turns.items() if isinstance(cells, list)}
    size = max(map(len, columns.values()), default=0)
    if columns.keys() != turns.keys() or any(len(cells) != size for cells in columns.values()):
        return turns
    return [{key: cells[n] for key, cells in columns.items()} for n in range(size)]


def _dialogue(row: TurnLayout, key: str, value: Any, origin: Origin, place: Place) -> Dialogue:
    raw = Fields(value if row.turns else {TEXT: value}, place, "dialogue")
    raw.rest[row.turns] = _rows(raw.rest.get(row.turns))
    if any(name.startswith("=") for name in row.agents):
        fields = ((name[1:], agent) for name, agent in row.agents.items())
        sides = {str(raw.rest[name]): agent for name, agent in fields if name in raw.rest}
        row = row._replace(agents=sides)
    name = raw.scalar(row.name) or key or str(origin.index)
    domains = raw.rest.get(row.services)
    events: list[Event] = []
    others: list[list[Any]] = []
    for number, entry in enumerate(raw.needed(row.turns, list)):
        spoken = list(_spoken(row, entry, Place(place.file, name, number)))
        events += spoken
        others += [] if spoken else [[number, entry]]
    topics = domains if isinstance(domains, list) else [domains]
    raw.rest |= {OTHERS: others} if others else {}
    return raw.dialogue(name, events, origin, (each for each in topics if isinstance(each, str)))


def _spoken(row: TurnLayout, entry: Any, place: Place) -> Iterator[Event]:
    """Yield what is said in a turn; the last utterance gets its other fields."""
    entry = {TEXT: entry} if isinstance(entry, str) else entry
    pair = isinstance(entry, list) and len(entry) == len(row.texts) + 1
    turn = Fields(dict(zip("01", entry, strict=True)) if pair else entry, place, "turn")
    agents = list(row.agents.values())
    author = row.agents.get(str(at(turn.rest, object, *row.speaker.split("."))))
    turns = agents[(place.event or 0) % len(agents)] if agents else None
    sides = {path: side or (author if row.speaker else turns) for path, side in row.texts.items()}
    none = not any(path.partition(".")[0] in turn.rest for path in row.texts)
    texts = [(side, text) for path, side in sides.items() if side and (text := _text(turn, path))]
    if not texts and (none if author else not row.speaker):
        raise place.error(f"turn: no text under {' or '.join(map(repr, row.texts))}")
    for agent, text in texts:
        rest = turn if text is texts[-1][1] else None
        yield said(agent, text, Annotation(), rest)


def _text(turn: Fields, path: str) -> str:
    key, _, inner = path.partition(".")
    if not inner:
        return turn.take(key, str)
    parent = turn.rest.get(key)
    text = parent.get(inner) if isinstance(parent, dict) else None
    if not isinstance(parent, dict) or not isinstance(text, str):
        return ""
    turn.rest[key] = without(parent, inner)
    return text


FORMAT = read_only(
    "turns",
    read,
    *(row.signs for row in ROWS.values()),
    owns=re.compile(r"(?:[^/]+/){0,3}[^/]+\.(?:jsonl?|txt)"),
)
