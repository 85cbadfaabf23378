"""Contents that no format reads, in words: known layouts by name, others by form and keys.

    layout_of(sight)                    # "MT-bench's questions (no answers)"
    sighted([{"id": 1, "turns": [{"speaker": "user"}]}])
    # "a JSON list of objects with id, turns; in turns: speaker"

A reader for a layout takes its signs into its own format, and the entry is deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.formats.base.signs import Sight, Sign, Signs
from dialoom.formats.base.values import spoken

LAYOUTS = {
    "MultiWOZ 2.2's dialogue acts, read together with the dialogues next to them": Signs(
        "*.dialog_act", "*.span_info", keyed=True
    ),
    "the acts of MultiWOZ 2.0, read together with the data.json next to them": Signs(
        "1|2|3.*[][]", keyed=True
    ),
    "labels of DSTC9 to DSTC11 (no dialogues)": Signs("target", "knowledge|source"),
    "an answer of a language model (no dialogue)": Signs("choices[].message"),
    "results of BFCL (calls without their questions)": Signs(
        "result", "id", "latency|inference_log"
    ),
    "scores of BFCL (no dialogues)": Signs("accuracy", "correct_count", "total_count"),
    "MT-bench's questions (no answers)": Signs("question_id", "category", "turns[]"),
    "MT-bench's answers (no questions)": Signs("answer_id", "choices[].turns"),
    "OpenAssistant's trees of messages (a branch is a dialogue; choose one)": Signs(
        "message_tree_id", "tree_state"
    ),
    "ranked answers to one prompt (Nectar), none of which was said": Signs(
        "answers[].rank", "prompt", "num_responses"
    ),
    "PersonaChat as candidates for histories (no dialogues)": Signs(
        "*[].utterances[].candidates", "*[].personality"
    ),
    "dialogues of persons with names, none of whom is user or system (SODA)": Signs(
        "speakers[]", Sign("dialogue[]", str)
    ),
    "summaries of talks between persons with names, none of whom is user or system": Signs(
        "summary", Sign("dialogue", str)
    ),
    "questions about a text (no dialogues)": Signs("data[].questions|paragraphs"),
    "Rasa's NLU examples (no dialogues)": Signs("rasa_nlu_data.common_examples"),
    "intents with examples (no dialogues)": Signs("intents[].tag|name", "intents[].patterns"),
    "intents of LUIS (no dialogues)": Signs("luis_schema_version", "utterances"),
    "an agent of Dialogflow (no dialogues)": Signs("supportedLanguages", "language"),
    "an intent of Dialogflow (no dialogues)": Signs("responses[].messages", "auto|contexts"),
    "examples of an intent of Dialogflow (no dialogues)": Signs("isTemplate", "data[].text"),
    "a talk of persons with names, none of whom is user or system (Telegram)": Signs(
        "messages[].from_id", "messages[].from"
    ),
    "a talk of persons with names, none of whom is user or system (Slack)": Signs(
        "ts", "user", Sign("type", "message")
    ),
    "turns with the dialogue before each, which are not joined (SOLOIST)": Signs(
        "history[]", "belief", "reply"
    ),
    "contexts with responses, which are not joined (ProsocialDialog)": Signs(
        "response_id", "episode_done", "context"
    ),
    "trees of calls of ToolBench (no dialogue)": Signs("answer_generation", "tree"),
    "instances of ToolAlpaca (no dialogues)": Signs("Instances[].intermediate_steps"),
    "APIBench (instructions with code, no dialogues)": Signs("api_call", "api_data"),
    "sentences of MASSIVE (no dialogues)": Signs("annot_utt", "intent", "utt"),
    "single calls of functions (no dialogues)": Signs("answers", "query", "tools"),
    "DSTC2's labels, read together with the log.json next to them": Signs(
        "session-id", "turns[].transcription"
    ),
    "results of tau2-bench without simulations (these are next to it, in simulations/)": Signs(
        "info.environment_info", "tasks", without=("simulations",)
    ),
    "tau2-bench's tasks (no dialogues)": Signs("evaluation_criteria", "user_scenario"),
    "BFCL's answers (no dialogues)": Signs("ground_truth", "id"),
    "CLINC150 (sentences with intents, no dialogues)": Signs("oos_val", "oos_test"),
    "ABCD's ontology (no dialogues)": Signs("intents.subflows", "actions"),
    "ABCD's guidelines (no dialogues)": Signs("description", "subflows", keyed=True),
    "task schemas (no dialogues)": Signs("service_name", "slots", "intents"),
    "definitions of tools in OpenAI's form (no dialogues)": Signs(
        "function.parameters", Sign("type", "function")
    ),
    "definitions of tools (no dialogues)": Signs("parameters.properties", "name"),
}
"""Name and publisher of a layout to its own fields; the first one that a file has is named."""

TEXTS = {
    "Rasa CALM's flows (no dialogues; `dialoom schema import` reads them as tasks)": "flows",
    "Rasa's rules (no dialogues)": "rules",
    "Rasa's NLU examples (no dialogues)": "nlu",
    "Rasa's domain (no dialogues)": "intents|slots|responses|forms|entities|actions|session_config",
}
"""The layouts of YAML files, and their first keys."""


def text_layout(head: bytes) -> str:
    """Return the name of a layout of YAML that a text begins like; empty if it is none."""
    match = re.search(rb"^(?!version\b)([\w-]+):", head, re.MULTILINE)
    key = match[1].decode() if match else ""
    return next((name for name, keys in TEXTS.items() if key in keys.split("|")), "")


def layout_of(sight: Sight) -> str:
    """Return the name of a layout that is recognised and not read; empty if it is none."""
    return next((name for name, signs in LAYOUTS.items() if signs.lacking(sight) == ""), "")


MOST = 8
"""Most keys that are listed of an object."""

COMPRESSED = {
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"\x1f\x8b": "gzip",
}
"""The first bytes of compressed files, and the name of the method."""

PARQUET = b"PAR1"
"""The first bytes of a Parquet file."""


def compression(data: bytes) -> str:
    """Return the method with which a content is compressed; empty if it is not."""
    return next((name for start, name in COMPRESSED.items() if data.startswith(start)), "")


def sighted(value: Any) -> str:
    """Return a JSON value in words: its form, and the keys of its objects."""
    if isinstance(value, list) and value:
        return f"a JSON list of {_several(value[0])}"
    if (
        isinstance(value, dict)
        and len(value) > 1
        and all(isinstance(each, dict) for each in value.values())
    ):
        return f"an object of {_several(next(iter(value.values())))}"
    return f"{spoken(value)}{_keys(value)}"


def _several(first: Any) -> str:
    if not isinstance(first, dict):
        return f"entries, the first of which is {spoken(first)}"
    return f"objects{_keys(first)}" + "".join(_inner(first))


def _inner(value: Mapping[str, Any]) -> Iterator[str]:
    for name, rows in value.items():
        if isinstance(rows, list) and rows and isinstance(rows[0], dict):
            yield f"; in {name}:{_keys(rows[0]).removeprefix(' with')}"
            return


def _keys(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    names = list(value)
    more = len(names) - MOST
    return f" with {', '.join(names[:MOST])}" + (f" and {more} more" if more > 0 else "")
