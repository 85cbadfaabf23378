"""What models see: everything else is damaged, and each model answers as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.bench.core.settings import read
from dialoom.bench.protocols.zero_shot import ZeroShotSettings
from dialoom.bench.visibility import (
    WINDOW,
    View,
    sam_view,
    schemas,
    visible,
    window,
    without_api,
    wizard_page,
)
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Answer,
    Candidate,
    Dialogue,
    Event,
    InScope,
    Instruction,
    Layer,
    Options,
    Part,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Spans,
    State,
    StateOf,
    Utterance,
)
from dialoom.errors import MissingExtraError, UnknownNameError
from dialoom.flow.actions import read_graph
from dialoom.formats.star.importing import to_schema
from dialoom.models import MODELS
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.prompt import Inventory
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView
from tests.bench import tiny
from tests.bench.visible_cases import SCHEMAS, cases, targets
from tests.make import refuses

NOISE = {"noise": "query"}
LOUD = Layer("noise", (Part("noise", acts=(Act("query"),), state=State("query")),))


def damaged(dialogue: Dialogue, event: int, keep: View) -> Dialogue:
    """Change all that a question about `event` may not show; `keep` gives what it may."""
    events = [_damaged(each, keep(each)) for each in dialogue.events[:event]]
    after = (*events, *(Utterance(agent=SYSTEM, text="noise", layers=(LOUD,)),) * 3)
    return msgspec.structs.replace(
        dialogue,
        events=after,
        id=f"{dialogue.id}-noise",
        scenario=Scenario(domains=("noise",), user_task="noise", instruction_id="noise"),
        outcome="noise",
        workers={USER: "noise"},
        answers=(Answer(USER, "noise", True),),
        services=("noise",),
        extra=NOISE,
    )


def _damaged(event: Event, view_event: Event | None) -> Event:
    more: dict[str, Any] = {"extra": NOISE, "time": 7}
    if isinstance(event, Utterance):
        base = view_event.layers if isinstance(view_event, Utterance) else ()
        return msgspec.structs.replace(
            event, layers=(*base, LOUD), selected=Selected({"noise": 1}), **more
        )
    if isinstance(event, Query):
        return msgspec.structs.replace(event, selected=Selected({"noise": 1}), **more)
    if isinstance(event, Result):
        return msgspec.structs.replace(event, **more)
    if isinstance(event, Options) and isinstance(view_event, Options):
        offered = (Candidate("noise"), *event.candidates)
        return msgspec.structs.replace(event, candidates=offered, choice="noise", **more)
    if isinstance(event, Selection) and view_event is not None:
        return msgspec.structs.replace(event, selected=Selected({"noise": 1}), **more)
    return Options(text="noise") if isinstance(event, Options) else Instruction(text="noise")


def asked_again(target: Target, dialogue: Dialogue, view: View) -> Target:
    """Return a question as the protocol would make it of another dialogue."""
    events, positions = visible(dialogue, view)
    position = positions[target.event] + _end(target, view) - target.event
    return msgspec.structs.replace(target, seen=events, position=position)


@pytest.mark.parametrize(
    "case",
    cases(),
    ids=[
        "next-action",
        "no-labels",
        "next-call",
        "next-reply",
        "suggestions",
        "in-scope",
        "choice",
        "state",
        "state-acts",
        "realise",
        "spans",
        "next-acts",
        "arguments",
    ],
)
def test_what_may_not_be_seen_changes_no_prediction(case: Any) -> None:
    kind, view, pairs = case
    clean = [target for _, target in pairs]
    again = [
        asked_again(target, damaged(dialogue, _end(target, view), view), view)
        for dialogue, target in pairs
    ]
    assert clean
    assert msgspec.json.encode(questions(clean)) == msgspec.json.encode(questions(again))
    prompt, answered = PROMPTS[kind](SCHEMAS, Inventory()), 0
    prompts = [[prompt.messages(q, (), prompt) for q in questions(each)] for each in (clean, again)]
    assert prompts[0] == prompts[1]
    local = (name for name in MODELS if not hasattr(MODELS.get(name), "named_by"))
    for name in (name for name in local if kind in MODELS.get(name).kinds):
        model = MODELS.get(name)()
        try:
            model.fit(examples(clean), SCHEMAS)
        except MissingExtraError:
            continue
        answered += 1
        one, other = (model.predict(questions(each), SCHEMAS) for each in (clean, again))
        assert msgspec.json.encode(one) == msgspec.json.encode(other), name
    assert answered


def _end(target: Target, view: View) -> int:
    """Return the place in the file before which things may be seen: some see the event itself."""
    after = isinstance(target.asked, StateOf | InScope | Spans)
    return target.event + (after or view is wizard_page)


def test_without_labels_even_those_of_the_systems_actions_are_hidden() -> None:
    wizard = tiny.dialogue(7, "hello", "weather_ask", "query", task="weather", domain="weather")
    for target in targets(wizard, ["no-labels"]):
        assert not any(e.layers for e in target.seen if isinstance(e, Utterance))
    assert [t.gold for t in targets(wizard, ["no-labels"])] == [t.gold for t in targets(wizard)]


def test_what_lies_before_the_window_changes_no_question() -> None:
    long = tiny.user("word " * 70)
    log = (tiny.user("first"), tiny.query("Check"), long, tiny.reply("hello", "one two " * 20))
    (target,) = targets(_log(*log, tiny.query()), ["sam-window"])[-1:]
    assert target.position == len(target.seen) == 2
    assert isinstance(target.seen[0], Utterance)
    assert target.seen[0].text == "word " * (WINDOW - 40)
    other = (tiny.user("noise"), tiny.query("Book"), tiny.user(f"noise {long.text}"), log[-1])
    (again,) = targets(_log(*other, tiny.query()), ["sam-window"])[-1:]
    assert msgspec.json.encode(questions([target])) == msgspec.json.encode(questions([again]))
    result = Result(query="q", items=({"Name": "x " * WINDOW},))
    assert window((result, tiny.user("Hm?")), 2, ["sam-window"]) == ((tiny.user("Hm?"),), 1)


def _log(*events: Event) -> Dialogue:
    return tiny.dialogue(1, task="weather", domain="weather", log=events)


def test_a_schema_without_what_is_withheld_is_that_of_a_task_that_never_had_it() -> None:
    api = StarApi(name="weather", inputs=(StarParameter(name="City", type="String"),))
    wizards: dict[str, tuple[str, ...]] = {"weather_ask": ("ask for the place",)}
    replies = {"hello": "Hello.", "weather_ask": "Where?", "query": "Query"}
    paper = StarView(edges={"hello": "weather_ask", "weather_ask": "query"})
    whole = StarSource(apis=(api,), sam=tiny.WAY, paper=paper, examples=wizards)
    bare = StarSource(sam=tiny.WAY)
    full, least = (to_schema("weather", None, replies, each) for each in (whole, bare))
    assert without_api(full).inputs == ()
    assert read_graph(sam_view(without_api(full))).edges == read_graph(least).edges
    assert sam_view(full).flow.nodes["weather_ask"].examples == ()
    schema = schemas({"weather": full}, ["sam-schema"])["weather"]
    assert (schema.inputs, schema.slots) == ((), {})
    tasks = {"weather": full}
    assert schemas(tasks, ["no-labels", "sam-window"]) is tasks


def test_what_is_withheld_stands_in_the_signature(tmp_path: Path) -> None:
    words = read(ZeroShotSettings, ["see=sam-window,no-api"], "setting")
    assert words == {"see": ("sam-window", "no-api")}
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path), **words)
    assert plan.options["see"] == "no-api,sam-window"
    assert plan.schemas is plan.train_schemas
    assert not plan.schemas["weather"].inputs
    assert (
        "see" not in tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path)).options
    )
    with refuses(UnknownNameError, "unknown-name", "no-api"):
        read(ZeroShotSettings, ["see=nothing"], "setting")
