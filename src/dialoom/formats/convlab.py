"""ConvLab-3's unified format (Zhu et al. 2022): many corpora in one layout.

    [{"dataset": "camrest", "data_split": "train", "dialogue_id": "camrest-train-0",
      "original_id": 0, "domains": ["restaurant"], "goal": {"description": "…", "inform":
      {"restaurant": {"area": "south"}}, "request": {"restaurant": {}}}, "turns": [
      {"speaker": "user", "utterance": "One in the south.", "utt_idx": 0, "dialogue_acts":
        {"categorical": [{"intent": "inform", "domain": "restaurant", "slot": "area",
                          "value": "south"}],
         "non-categorical": [{…, "value": "Ada's", "start": 3, "end": 8}],
         "binary": [{"intent": "request", "domain": "restaurant", "slot": "phone"}]},
       "state": {"restaurant": {"area": "south", "food": ""}}},
      {"speaker": "system", …, "db_results": {"restaurant": [{…}]}, "service_call": {…}}]}]

The dialogues of a corpus are `dialogues.json`, in `data.zip` next to an ontology; `dummy_data.json`
has a few. Values come back, in whatever order of keys and white space. Results (`db_results`, and
what was `booked`) and calls (`service_call`, `db_query`) come before the system's utterance.

    {"domains": {"ferry": {"description": "find a ferry", "slots": {
       "port": {"description": "where to", "is_categorical": false, "possible_values": []}}}},
     "intents": {"inform": {"description": "…"}}, "state": {"ferry": {"port": ""}},
     "dialogue_acts": {"categorical": […], "non-categorical": […], "binary": […]}}

The ontology has the slots of each domain, which is a service without intents. Its descriptions of
intents and its list of acts, which say what the dialogues have, are not read. A written ontology
has the domains, and the slots of a state.

Dialogues that follow task files get SGD's acts, and their tasks as domains; a part without a
service gets the dialogue's only one. `data_split` is the folder or file that a dialogue came from,
`original_goal` a goal of another layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.files import parse_json, write_synced
from dialoom.corpus.filters import in_part
from dialoom.corpus.listing import first_listed
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Act, Dialogue, Origin, Part, Scenario, Span, State
from dialoom.dialogue.event import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.views import annotated_parts, tasks
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.base import parameters
from dialoom.formats.base.codec import marked, marks, noted, restored
from dialoom.formats.base.framing import LIST
from dialoom.formats.base.json_file import INDENTED, spell
from dialoom.formats.base.multi_file import FileFormat, content
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import SIDES, Annotation, Fields, argument, lists, said, span_of
from dialoom.formats.base.values import SCALAR, Json, at, text_at, without
from dialoom.formats.sgd.flow_acts import adapt
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema

ID, TURNS, DOMAINS, GOAL = "dialogue_id", "turns", "domains", "goal"
SPEAKER, TEXT, NUMBER, ACTS, STATE = "speaker", "utterance", "utt_idx", "dialogue_acts", "state"
INTENTS, REQUESTED = "active_intent", "requested_slots"
RESULTS, BOOKED, CALLS, SEARCHES = "db_results", "booked", "service_call", "db_query"
METHOD, PARAMETERS = "method", "parameters"
DATASET, SPLIT, ORIGINAL = "dataset", "data_split", "original_id"
FOREIGN_GOAL, GOAL_KEYS = "original_goal", {"description", "inform", "request"}
INTENT, DOMAIN, SLOT, VALUE, START, END = "intent", "domain", "slot", "value", "start", "end"

CATEGORICAL, FREE, BINARY = "categorical", "non-categorical", "binary"
KINDS = (CATEGORICAL, FREE, BINARY)
"""The kinds of acts: with a value of a list, with a value of the text, without a value."""

KIND, LISTED, FROM, ABSENT = "kind", "listed", "from", "absent"
"""Keys in the `extra` of an act, of a state (all of its slots, with and without a value), and of a
query or result; and a mark of required fields that a dialogue lacks."""

SPLITS = {"train": "train", "dev": "validation", "validation": "validation", "test": "test"}
"""Name of a folder or file to ConvLab-3's name of its split."""

BETWEEN = "|"
"""The separator of the alternatives of a slot in a state."""


def dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    """Return the dialogue of an object."""
    whole = without(raw.rest, TURNS)
    name = raw.needed(ID, str)
    domains, goal = raw.take(DOMAINS, list), raw.take(GOAL, dict) or whole.get(FOREIGN_GOAL)
    services = tuple(domains) if all(isinstance(each, str) for each in domains) else ()
    events: list[Event] = []
    for index, turn in enumerate(raw.objects(TURNS, "turn", name)):
        events += _events_of(turn, index, _only(services))
    bare = Dialogue(
        id=name,
        events=tuple(events),
        services=services,
        scenario=Scenario(goal=goal) if goal else None,
        origin=origin,
    )
    filled = _filled(bare)
    usual = [key for key in filled if filled[key] in ("", name) and whole.get(key) == filled[key]]
    absent = [key for key in filled if key not in whole]
    extra = marked(noted(without(whole, *usual), header(bare)), **{ABSENT: absent})
    return replace(bare, extra=extra)


def _only(services: Sequence[str]) -> str:
    return services[0] if len(services) == 1 else ""


def _filled(dialogue: Dialogue) -> Json:
    """Return the fields that the layout requires, for a dialogue without them."""
    file = dialogue.origin.file if dialogue.origin else ""
    split = next((name for part, name in SPLITS.items() if in_part(file, part)), "")
    return {DATASET: "", ORIGINAL: dialogue.id, SPLIT: split}


def _events_of(turn: Fields, index: int, only: str) -> list[Event]:
    whole: Json = dict(turn.rest)
    agent, text = turn.speaker(SPEAKER, SIDES), turn.needed(TEXT, str)
    marks = Annotation(whole=isinstance(whole.get(ACTS), dict))
    _states(whole, marks)  # first, so that services come in the order in which states are written
    for kind, entry in _given(whole.get(ACTS)):
        _act(kind, entry, text, marks)
    calls = list(_called(whole, index)) if agent == SYSTEM else []
    bare = said(agent, text, marks)
    record = turn_object(bare, calls, index, only)
    return [
        *calls,
        Utterance(agent=agent, text=text, layers=bare.layers, extra=noted(whole, record)),
    ]


def _given(acts: Any) -> Iterator[tuple[str, Json]]:
    for kind in KINDS:
        for entry in at(acts, list, kind):
            if isinstance(entry, dict) and isinstance(entry.get(INTENT), str):
                yield kind, entry


def _act(kind: str, entry: Json, text: str, marks: Annotation) -> None:
    domain, slot = entry.get(DOMAIN), entry.get(SLOT)
    service = domain if isinstance(domain, str) else None
    values = [entry[VALUE]] if VALUE in entry else []
    span = None
    if START in entry:
        span = span_of(text, entry[START], entry.get(END), str(slot), *values)
    if span:
        marks.span(service, span)
    usual = FREE if span else CATEGORICAL if values else BINARY
    has_slot = isinstance(slot, str) and (slot or values)
    arguments = [argument(slot, *values)] if has_slot else []
    marks.act(service, entry[INTENT], *arguments, extra={KIND: kind} if kind != usual else None)


def _states(turn: Json, marks: Annotation) -> None:
    intents, requested = at(turn, dict, INTENTS), at(turn, dict, REQUESTED)
    for domain, slots in at(turn, dict, STATE).items():
        intent, requests = intents.get(domain), requested.get(domain)
        entries = at(slots, dict)
        values: dict[str, tuple[Any, ...]] = {
            slot: tuple(value.split(BETWEEN)) if isinstance(value, str) else (value,)
            for slot, value in entries.items()
            if value != "" and type(value) in SCALAR.types
        }
        unset = any(value == "" for value in entries.values())
        state = State(
            intent if isinstance(intent, str) and intent else None,
            tuple(map(str, requests)) if isinstance(requests, list) else (),
            values,
            {LISTED: list(entries)} if unset else {},
        )
        marks.state(domain, state)


def _called(turn: Json, index: int) -> Iterator[Query | Result]:
    queries: dict[str, str] = {}
    for domain, call in at(turn, dict, CALLS).items():
        entry = at(call, dict)
        if isinstance(entry.get(METHOD), str):
            yield _query(queries, domain, entry[METHOD], at(entry, dict, PARAMETERS), index, CALLS)
    for domain, slots in at(turn, dict, SEARCHES).items():
        filled = {slot: value for slot, value in at(slots, dict).items() if value != ""}
        if filled:
            yield _query(queries, domain, domain, filled, index, SEARCHES)
    for key in (RESULTS, BOOKED):
        for domain, items in at(turn, dict, key).items():
            valid = isinstance(items, list) and all(isinstance(each, dict) for each in items)
            if valid and (items or (key == RESULTS and domain in queries)):
                query = queries.get(domain, "") if key == RESULTS else ""
                more = {FROM: key} if key == BOOKED else {}
                api = None if query else domain
                yield Result(query=query, items=tuple(items), api=api, extra=more)


def _query(
    queries: dict[str, str], domain: str, api: str, slots: Mapping[str, Any], index: int, key: str
) -> Query:
    name = queries[domain] = f"{index}-{domain}"
    constraints = tuple(parameters.read(slots))
    more = {FROM: key} if key == SEARCHES else {}
    return Query(id=name, api=api, constraints=constraints, service=domain, extra=more)


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the content of a file of dialogues."""
    return INDENTED.render(list(map(_json, dialogues)), {"end": "\n"})


def header(dialogue: Dialogue) -> Json:
    """Return the fields of a dialogue besides its turns, without notes."""
    services = dialogue.services or tasks(dialogue)
    goal = dialogue.scenario.goal if dialogue.scenario else None
    key = GOAL if isinstance(goal, dict) and goal.keys() <= GOAL_KEYS else FOREIGN_GOAL
    return {ID: dialogue.id, DOMAINS: list(services)} | ({key: goal} if goal else {})


def _json(dialogue: Dialogue) -> Json:
    turns: list[Json] = []
    calls: list[Event] = []
    only, extra = _only(dialogue.services or tasks(dialogue)), dialogue.extra
    for event in dialogue.events:
        if isinstance(event, Query | Result):
            calls.append(event)
        elif isinstance(event, Utterance) and event.agent in (USER, SYSTEM):
            turns.append(restored(turn_object(event, calls, len(turns), only), event.extra))
            calls = calls if event.agent == USER else []
    filled = without(_filled(dialogue), *extra, *at(marks(extra), list, ABSENT))
    return restored(header(dialogue) | filled, extra) | {TURNS: turns}


def turn_object(spoken: Utterance, calls: Iterable[Event], index: int, only: str = "") -> Json:
    """Return the object of an utterance and the calls before it; `only` is a default service."""
    acts: Json = {kind: [] for kind in KINDS}
    states: Json = {}
    intents: Json = {}
    requests: Json = {}
    for part in annotated_parts(spoken):
        service = only if part.service is None else part.service
        for kind, entry in _written(part, service, spoken.text):
            acts[kind].append(entry)
        if part.state is not None:
            state, order = part.state, part.state.extra.get(LISTED)
            content = dict.fromkeys(map(str, order), "") if isinstance(order, list) else {}
            states[service] = content | {slot: _value(each) for slot, each in state.values.items()}
            if state.intent is not None:
                intents[service] = state.intent
            if state.requested or state.intent is not None:
                requests[service] = list(state.requested)
    fields = {STATE: states, INTENTS: intents, REQUESTED: requests}
    whole = {SPEAKER: spoken.agent, TEXT: spoken.text, NUMBER: index, ACTS: acts}
    whole |= {key: content for key, content in fields.items() if content}
    return whole | (_calls(calls) if spoken.agent == SYSTEM else {})


def _value(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else BETWEEN.join(map(str, values))


def _written(part: Part, service: str, text: str) -> Iterator[tuple[str, Json]]:
    """Yield the acts of a part, an entry for each slot, with the spans of their values."""
    left = list(part.spans or ())
    for act in part.acts or ():
        around = {INTENT: act.name, DOMAIN: service}
        for each in act.arguments:
            values = each.values or (each.canonical or ())
            entry = around | {SLOT: each.slot} | ({VALUE: _value(values)} if values else {})
            span = _taken(left, each.slot, entry.get(VALUE), text)
            if span:
                entry |= {START: span.start, END: span.end}
            yield (_kind(act, FREE if span else CATEGORICAL if values else BINARY), entry)
        if not act.arguments:
            yield _kind(act, BINARY), around | {SLOT: ""}


def _kind(act: Act, usual: str) -> str:
    noted = act.extra.get(KIND)
    return noted if noted in KINDS else usual


def _taken(spans: list[Span], slot: str, value: Any, text: str) -> Span | None:
    for index, span in enumerate(spans):
        own = text[span.start : span.end] if span.value is None else span.value
        if slot in span.labels and value is not None and own == value:
            return spans.pop(index)
    return None


def _calls(events: Iterable[Event]) -> Json:
    """Return calls and results by service; of several in one turn the last one."""
    groups: dict[str, Json] = {}
    services: dict[str, str] = {}
    for event in events:
        if isinstance(event, Query):
            slots = parameters.write(event.constraints)
            services[event.id] = service = event.service or event.api
            if event.extra.get(FROM) == SEARCHES:
                groups.setdefault(SEARCHES, {})[service] = slots
            else:
                groups.setdefault(CALLS, {})[service] = {METHOD: event.api, PARAMETERS: slots}
        elif isinstance(event, Result):
            key = str(event.extra.get(FROM, RESULTS))
            service = services.get(event.query) or event.api or ""
            groups.setdefault(key, {})[service] = list(event.items)
    return dict(groups)


FILE = "ontology.json"
SLOTS, DESCRIPTION = "slots", "description"
LISTED_ONLY, VALUES = "is_categorical", "possible_values"
_FILES = re.compile(r"(?:[^/]+/){0,3}ontology\.json")


def read_ontology(path: Path) -> dict[str, TaskSchema]:
    """Read the ontology in a corpus or next to a file, if any; `SchemaError` if it is not JSON."""
    root = path if path.is_dir() else path.parent
    file = first_listed(root, _FILES)
    if file is None:
        return {}
    try:
        value = parse_json(content(file), file)
    except FormatError as error:
        raise SchemaError(file, error.what, code="not-json") from error
    return schemas_of(value, file) or {}


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return the domains of an ontology as tasks by id; None if it is none."""
    domains = at(value, dict).get(DOMAINS)
    if not isinstance(domains, dict) or STATE not in value:
        return None
    return {
        name: from_service(name, _service(domain), origins=(Origin(FILE, index),))
        for index, (name, domain) in enumerate(domains.items())
        if isinstance(domain, dict) and name
    }


def _service(domain: Json) -> Service:
    slots = tuple(_slots(at(domain, dict, SLOTS)))
    return Service(description=text_at(domain, DESCRIPTION), slots=slots)


def _slots(slots: Json) -> Iterator[ServiceSlot]:
    for name, raw in slots.items():
        if isinstance(raw, dict) and name:
            values = (each for each in at(raw, list, VALUES) if type(each) in SCALAR.types)
            yield ServiceSlot(
                name=name,
                description=text_at(raw, DESCRIPTION),
                categorical=raw.get(LISTED_ONLY) is True,
                possible_values=tuple(values),
            )


def write_ontology(schemas: Mapping[str, TaskSchema], target: Path) -> None:
    """Write the ontology of some tasks; none if there are no tasks."""
    services = {name: contract(task) for name, task in schemas.items()}
    if services:
        value = {
            DOMAINS: {name: _domain(each) for name, each in services.items()},
            "intents": {},
            STATE: {name: {s.name: "" for s in each.slots} for name, each in services.items()},
            "dialogue_acts": {kind: [] for kind in KINDS},
        }
        write_synced(target / FILE, spell(value, 2, escaped=False) + b"\n")


def _domain(service: Service) -> Json:
    return {
        DESCRIPTION: service.description or "",
        SLOTS: {
            slot.name: {
                DESCRIPTION: slot.description or "",
                LISTED_ONLY: slot.categorical,
                VALUES: list(slot.possible_values),
            }
            for slot in service.slots
        },
    }


FORMAT = FileFormat(
    name="convlab",
    owns=re.compile(r"(?:[^/]+/){0,3}(?!ontology\.json)[^/]+\.jsonl?"),
    signs=Signs("turns[].utt_idx", Sign("turns[].speaker", "user", "system"), "turns[].utterance"),
    named=False,
    read=lists(dialogue),
    render=render,
    new_name=lambda number: "dialogues.json" if number == 1 else f"dialogues_{number}.json",
    per_file=10_000,
    forms=(LIST,),
    read_schemas=read_ontology,
    schemas_of=schemas_of,
    write_schemas=write_ontology,
    adapt=adapt,
    traits=Traits(pair=True, schema_files=("ConvLab's ontology.json",)),
)
