"""Parameters of published APIs as slots: their types under the names that slots have."""

from __future__ import annotations

from dialoom.schema.slot import Slot, SlotType
from dialoom.schema.task import Parameter

_TYPES: dict[str, SlotType] = {
    "Integer": "integer",
    "Float": "amount",
    "Number": "amount",
    "Boolean": "boolean",
    "ShortString": "short text",
}
"""The type names of STAR's API descriptions."""

_made: dict[int, tuple[Parameter, Slot]] = {}


def slot_of(parameter: Parameter) -> Slot:
    """Return a parameter as a slot: a category where it lists values."""
    held = _made.get(id(parameter))
    if held is None:
        if len(_made) > 4096:
            _made.clear()
        held = _made[id(parameter)] = (parameter, _slot(parameter))
    return held[1]


def _slot(parameter: Parameter) -> Slot:
    low, high = (
        bound if isinstance(bound, int | float) else None
        for bound in (parameter.minimum, parameter.maximum)
    )
    listed: dict[str, tuple[str, ...]] = {str(value): () for value in parameter.values}
    otherwise: SlotType = "category" if listed else "long text"
    kind = _TYPES.get(parameter.type, otherwise)
    return Slot(
        name=parameter.name,
        type="category" if kind == "short text" and listed else kind,
        values=listed,
        minimum=low,
        maximum=high,
    )
