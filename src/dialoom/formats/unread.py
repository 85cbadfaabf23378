"""Layouts that are recognised and not read: a file in one of them is refused by its name.

A reader for a layout takes the row's signs into its own format, and the row is deleted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dialoom.formats.base.signs import Sight, Sign, Signs


class UnreadLayout(NamedTuple):
    """A layout that no format reads, with its name and publisher, and its own fields."""

    name: str
    signs: Signs


LAYOUTS = (
    UnreadLayout(
        "MultiWOZ 2.2's dialogue acts, read together with the dialogues next to them",
        Signs("*.dialog_act", "*.span_info", keyed=True),
    ),
    UnreadLayout(
        "the acts of MultiWOZ 2.0, read together with the data.json next to them",
        Signs("1|2|3.*[][]", keyed=True),
    ),
    UnreadLayout("labels of DSTC9 to DSTC11 (no dialogues)", Signs("target", "knowledge|source")),
    UnreadLayout("an answer of a language model (no dialogue)", Signs("choices[].message")),
    UnreadLayout(
        "results of BFCL (calls without their questions)",
        Signs("result", "id", "latency|inference_log"),
    ),
    UnreadLayout(
        "scores of BFCL (no dialogues)", Signs("accuracy", "correct_count", "total_count")
    ),
    UnreadLayout("MT-bench's questions (no answers)", Signs("question_id", "category", "turns[]")),
    UnreadLayout("MT-bench's answers (no questions)", Signs("answer_id", "choices[].turns")),
    UnreadLayout(
        "OpenAssistant's trees of messages (a branch is a dialogue; choose one)",
        Signs("message_tree_id", "tree_state"),
    ),
    UnreadLayout(
        "ranked answers to one prompt (Nectar), none of which was said",
        Signs("answers[].rank", "prompt", "num_responses"),
    ),
    UnreadLayout(
        "PersonaChat as candidates for histories (no dialogues)",
        Signs("*[].utterances[].candidates", "*[].personality"),
    ),
    UnreadLayout(
        "dialogues of persons with names, none of whom is user or system (SODA)",
        Signs("speakers[]", Sign("dialogue[]", str)),
    ),
    UnreadLayout(
        "summaries of talks between persons with names, none of whom is user or system",
        Signs("summary", Sign("dialogue", str)),
    ),
    UnreadLayout(
        "questions about a text (no dialogues)",
        Signs("data[].questions|paragraphs"),
    ),
    UnreadLayout("Rasa's NLU examples (no dialogues)", Signs("rasa_nlu_data.common_examples")),
    UnreadLayout(
        "intents with examples (no dialogues)", Signs("intents[].tag|name", "intents[].patterns")
    ),
    UnreadLayout("intents of LUIS (no dialogues)", Signs("luis_schema_version", "utterances")),
    UnreadLayout("an agent of Dialogflow (no dialogues)", Signs("supportedLanguages", "language")),
    UnreadLayout(
        "an intent of Dialogflow (no dialogues)", Signs("responses[].messages", "auto|contexts")
    ),
    UnreadLayout(
        "examples of an intent of Dialogflow (no dialogues)", Signs("isTemplate", "data[].text")
    ),
    UnreadLayout(
        "a talk of persons with names, none of whom is user or system (Telegram)",
        Signs("messages[].from_id", "messages[].from"),
    ),
    UnreadLayout(
        "a talk of persons with names, none of whom is user or system (Slack)",
        Signs("ts", "user", Sign("type", "message")),
    ),
    UnreadLayout(
        "turns with the dialogue before each, which are not joined (SOLOIST)",
        Signs("history[]", "belief", "reply"),
    ),
    UnreadLayout(
        "contexts with responses, which are not joined (ProsocialDialog)",
        Signs("response_id", "episode_done", "context"),
    ),
    UnreadLayout("trees of calls of ToolBench (no dialogue)", Signs("answer_generation", "tree")),
    UnreadLayout("instances of ToolAlpaca (no dialogues)", Signs("Instances[].intermediate_steps")),
    UnreadLayout("APIBench (instructions with code, no dialogues)", Signs("api_call", "api_data")),
    UnreadLayout("sentences of MASSIVE (no dialogues)", Signs("annot_utt", "intent", "utt")),
    UnreadLayout("single calls of functions (no dialogues)", Signs("answers", "query", "tools")),
    UnreadLayout(
        "DSTC2's labels, read together with the log.json next to them",
        Signs("session-id", "turns[].transcription"),
    ),
    UnreadLayout(
        "results of tau2-bench without simulations (these are next to it, in simulations/)",
        Signs("info.environment_info", "tasks", without=("simulations",)),
    ),
    UnreadLayout(
        "tau2-bench's tasks (no dialogues)", Signs("evaluation_criteria", "user_scenario")
    ),
    UnreadLayout("BFCL's answers (no dialogues)", Signs("ground_truth", "id")),
    UnreadLayout("CLINC150 (sentences with intents, no dialogues)", Signs("oos_val", "oos_test")),
    UnreadLayout("ABCD's ontology (no dialogues)", Signs("intents.subflows", "actions")),
    UnreadLayout("ABCD's guidelines (no dialogues)", Signs("description", "subflows", keyed=True)),
    UnreadLayout("task schemas (no dialogues)", Signs("service_name", "slots", "intents")),
    UnreadLayout(
        "definitions of tools (no dialogues)",
        Signs("function.parameters", Sign("type", "function")),
    ),
    UnreadLayout("definitions of tools (no dialogues)", Signs("parameters.properties", "name")),
)
"""The layouts; the first one that a file has the signs of is named."""

TEXTS = {
    "Rasa CALM's flows (tasks; `dialoom schema import` reads them)": "flows",
    "Rasa's rules (no dialogues)": "rules",
    "Rasa's NLU examples (no dialogues)": "nlu",
    "Rasa's domain (no dialogues)": "intents|slots|responses|forms|entities|actions|session_config",
}
"""The layouts of YAML files, and their first keys."""


def text_layout(head: bytes) -> str:
    """Return the name of a layout of YAML that a text begins like; empty if it is none."""
    found = re.search(rb"^(?!version\b)([\w-]+):", head, re.MULTILINE)
    key = found[1].decode() if found else ""
    return next((name for name, keys in TEXTS.items() if key in keys.split("|")), "")


def layout_of(sight: Sight) -> str:
    """Return the name of a layout that is recognised and not read; empty if it is none."""
    return next((each.name for each in LAYOUTS if each.signs.lacking(sight) == ""), "")
