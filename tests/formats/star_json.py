"""Hypothesis strategies for STAR's files as JSON values, and the way there and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, Origin, decode, encode
from dialoom.formats import star

DATA = Path(__file__).parent / "data"

Json = dict[str, Any]

texts = st.text(max_size=20)
whole = st.integers() | st.integers(-(2**70), 2**70)
fractions = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | whole | fractions | texts
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
# Few attributes and values, so that items repeat, and some that compare equal without being so.
items = st.dictionaries(
    st.sampled_from(["id", "Name"]), st.sampled_from([0, 1, True, 1.0, "x"]) | values, max_size=2
)
times = st.integers(0, 2**40)
labels = st.sampled_from(["hello", "inform", "custom", ""]) | texts
constraint_texts = st.sampled_from(
    ['"x"', "'x'", "4", "True", "api.is_one_of([1])", "__import__('os')", "null", "0314"]
)
unknown = st.dictionaries(
    st.sampled_from(["Mood", "Keys", "Kept", "Rank", "value"]) | texts, values, max_size=1
)


def fields(
    needed: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[Json]:
    """Return objects with all of `needed`, some of `optional`, now and then a value that is odd."""
    odd = {name: strategy | values for name, strategy in optional.items()}
    members = st.fixed_dictionaries(needed, optional=odd)
    return st.builds(lambda extra, own: {**extra, **own}, unknown, members)


def kind(agent: str, action: str) -> dict[str, st.SearchStrategy[Any]]:
    return {"Agent": st.just(agent), "Action": st.just(action)}


def events(names: dict[str, str], constraints: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """Return events; `names` maps a name of version 7 to the one in use."""

    def name(key: str) -> str:
        return names.get(key, key)

    time: dict[str, st.SearchStrategy[Any]] = {"UnixTime": times}
    before = {**time, "PrimaryItem": items, "SecondaryItem": items}
    task = name("select_task")
    answer = name("return_item")
    topic = names.get("answer", "APIName")
    return st.one_of(
        fields({**kind("User", "utter"), "Text": texts}, before),
        fields({**kind("Wizard", "utter"), "Text": texts}, {**before, "ActionLabel": labels}),
        fields({**kind("UserGuide", "instruct"), "Text": texts}, time),
        fields(kind("User", "complete"), time),
        fields({**kind("Wizard", "request_suggestions"), "Text": texts}, before),
        fields(
            {**kind("Wizard", "pick_suggestion"), "Text": texts, name("ActionLabel"): labels},
            {**before, name("ActionLabelOptions"): st.lists(labels, max_size=3)},
        ),
        fields(
            {**kind("Wizard", "query"), name("APIName"): texts, "Constraints": constraints},
            before,
        ),
        fields(
            {**kind("KnowledgeBase", answer), "TotalItems": whole},
            {**time, "Item": items, topic: texts},
        ),
        fields({**kind("Wizard", task), name("Task"): texts}, before),
        fields(kind("Wizard", "select_primary"), before),
        fields(kind("Wizard", "select_secondary"), before),
    )


def files(
    version: st.SearchStrategy[int], identifier: str, event: st.SearchStrategy[Json]
) -> st.SearchStrategy[Json]:
    """Return whole files."""
    capability = fields(
        {"Task": texts, "Domain": st.none() | texts}, {"SchemaImage": st.just("a.jpg") | texts}
    )
    scenario = fields(
        {
            "Domains": st.lists(st.none() | texts, max_size=2),
            "UserTask": texts,
            "WizardTask": texts,
            "WizardCapabilities": st.lists(capability, max_size=2),
            "Happy": st.booleans() | st.none(),
            "MultiTask": st.booleans() | st.none(),
        },
        {},
    )
    answers = st.lists(fields({"Question": texts, "Answer": scalars}, {}), max_size=2)
    return fields(
        {
            "FORMAT-VERSION": version,
            identifier: whole,
            "BatchID": texts,
            "CompletionLevel": st.just("Complete") | texts,
            "Scenario": scenario,
            "Events": st.lists(event, max_size=6),
            "AnonymizedUserWorkerID": texts,
            "AnonymizedWizardWorkerID": texts,
            "UserQuestionnaire": answers,
            "WizardQuestionnaire": answers,
        },
        {"IntroducesConflicts": st.booleans()},
    )


pairs = st.dictionaries(texts, constraint_texts, min_size=1, max_size=1)
version7 = files(
    st.integers(7, 9),
    "DialogueID",
    events({}, st.lists(pairs | st.dictionaries(texts, constraint_texts, max_size=2), max_size=3)),
)

PAPER = {
    "ActionLabel": "Intent",
    "ActionLabelOptions": "IntentOptions",
    "APIName": "API",
    "answer": "Topic",
    "Task": "Topic",
    "select_task": "select_topic",
    "return_item": "return",
}
paper_constraints = st.dictionaries(texts, constraint_texts, max_size=3) | st.lists(pairs)
version6 = st.one_of(
    files(st.integers(5, 6), "dialogID", events(PAPER, paper_constraints)),
    files(st.just(6), "dialogID", events({**PAPER, "ActionLabel": "Itent"}, paper_constraints)),
    files(st.just(6), "DialogueID", events({}, paper_constraints)),
)


def spell(value: Any) -> bytes:
    """Return a JSON text in which 1, 1.0 and true differ and the order of keys does not count."""
    return json.dumps(value, sort_keys=True).encode()


def read(data: bytes) -> Dialogue:
    """Read a file's content."""
    return star.read(data, Path("1.json"), Origin("1.json"))


def there_and_back(data: bytes) -> bytes:
    """Read a file's content, pass it through the native encoding, and write it again."""
    return star.FORMAT.render_file([decode(encode(read(data)))])
