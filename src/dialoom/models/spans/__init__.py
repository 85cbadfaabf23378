"""Slot filling: the spans of values of a service's slots in a user's utterance.

learnt   the model: spans that may be values, each classified for each slot
rules    the baseline: values found by the types of the schema's slots
"""

from dialoom.models.spans.learnt import SlotSpans
from dialoom.models.spans.rules import SpanRules

__all__ = ["SlotSpans", "SpanRules"]
