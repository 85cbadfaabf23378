"""The keys of ConvLab's unified format, for reading and writing."""

from __future__ import annotations

SPEAKERS = ("user", "system")
ID, TURNS, DOMAINS, GOAL = "dialogue_id", "turns", "domains", "goal"
SPEAKER, TEXT, NUMBER, ACTS, STATE = "speaker", "utterance", "utt_idx", "dialogue_acts", "state"
INTENTS, REQUESTED = "active_intent", "requested_slots"
RESULTS, BOOKED, CALLS, SEARCHES = "db_results", "booked", "service_call", "db_query"
METHOD, PARAMETERS = "method", "parameters"
INTENT, DOMAIN, SLOT, VALUE, START, END = "intent", "domain", "slot", "value", "start", "end"

CATEGORICAL, FREE, BINARY = "categorical", "non-categorical", "binary"
KINDS = (CATEGORICAL, FREE, BINARY)
"""The kinds of acts: with a value of a list, with a value of the text, without a value."""

KIND, LISTED, FROM = "kind", "listed", "from"
"""Keys in the `extra` of an act, of a state (all of its slots, with and without a value), and of a
query or result."""

BETWEEN = "|"
"""The separator of the alternatives of a slot in a state."""
