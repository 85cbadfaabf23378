"""What the user's words and the last result say for each action."""

from __future__ import annotations

from dialoom.models.follower.likeness import fits_result
from dialoom.models.follower.point import Columns, Point
from dialoom.models.follower.state import State
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.template import PLACE, PLACEHOLDER
from dialoom.schema.values import same


def similarity_columns(point: Point) -> Columns:
    """How close the user's words and the result come to the nodes that lead to the action."""
    state, program = point.state, point.program
    heard = point.likeness.edges(state.user) if state.user else None
    user, here, marker = point.zeros(), point.zeros(), point.zeros()
    anchored = point.zeros()
    kb, kb_here = point.zeros(), point.zeros()
    for number, edge in enumerate(program.edges):
        index = point.static.index[edge.after]
        if edge.source == "kb":
            score = fits_result(edge.condition, state.item) if state.items else 0.0
            kb[index] = max(kb[index], score)
            if edge.before == state.last_query:
                kb_here[index] = max(kb_here[index], score)
        elif heard is not None and edge.condition:
            score = float(heard[number])
            if edge.source == "marker":
                marker[index] = max(marker[index], score)
            else:
                user[index] = max(user[index], score)
                score += _answer_match(edge.condition, state)
                if edge.before == state.last_said:
                    here[index] = max(here[index], score)
                if edge.before == state.anchor:
                    anchored[index] = max(anchored[index], score)
    said = point.likeness.actions(state.user) if state.user else point.zeros()
    after_user = state.kind == "user"
    for name, column in (
        ("user", user),
        ("here", here),
        ("marker", marker),
        ("said", said),
        ("anchored", anchored),
    ):
        yield f"sim_{name}", column
        yield f"sim_{name}_rel", column - column.max()
        yield f"sim_{name}_now", column * after_user
    for name, column in (("kb", kb), ("kb_here", kb_here)):
        now = column * (state.kind == "result")
        yield f"sim_{name}", column
        yield f"sim_{name}_now", now
        yield f"sim_{name}_rel", now - now.max()


def _answer_match(condition: str, state: State) -> float:
    """Whether the user said, or failed to say, the value that a condition names.

    A placeholder named as an attribute of the item wants its value to be said; one whose name has
    more words than that wants another value.
    """
    score = 0.0
    for place in PLACE.findall(condition):
        for key, value in (state.item or {}).items():
            wanted, name = split_name(key), split_name(place)
            if isinstance(value, str | int | float) and set(wanted) <= set(name):
                said = " ".join(words(str(value))) in " ".join(words(state.user))
                score += 1.0 if said == (wanted == name) else -1.0
    return score


def cue_columns(point: Point) -> Columns:
    """Thanks, farewells, yes, no, questions: heard, and agreeing with what leads to the action."""
    agree, oppose, here = point.zeros() - 3, point.zeros(), point.zeros() - 3
    heard = point.heard
    for number, edge in enumerate(point.program.edges):
        if edge.source not in ("user", "marker"):
            continue
        wanted = point.static.conditions[number]
        both = sum(heard[cue] and wanted[cue] for cue in heard)
        one = sum(heard[cue] != wanted[cue] for cue in heard)
        index = point.static.index[edge.after]
        agree[index] = max(agree[index], both - 0.3 * one)
        oppose[index] = max(oppose[index], float(one))
        if edge.before == point.state.last_said:
            here[index] = max(here[index], both - 0.3 * one)
    yield "cue_agree", agree
    yield "cue_here", here
    yield "cue_oppose", oppose
    for cue, found in heard.items():
        yield f"heard_{cue}", point.fill(found)


def placeholder_columns(point: Point) -> Columns:
    """Whether the last item has the values that the action's reply needs, and lacks others."""
    item = point.state.item or {}
    keys = [split_name(key) for key in item]
    share, count = point.zeros(), point.zeros()
    for number, action in enumerate(point.program.actions):
        names = PLACEHOLDER.findall(point.program.texts[action])
        if names:
            hits = sum(_has(split_name(name), keys) for name in names)
            share[number], count[number] = hits / len(names), hits
        else:
            share[number] = -1.0
    yield "place_share", share
    yield "place_count", count
    yield "item_keys", point.fill(len(item))
    lists = [value for value in item.values() if isinstance(value, list)]
    yield "item_lists", point.fill(len(lists))


def _has(name: list[str], keys: list[list[str]]) -> bool:
    return any(any(same(one, other) for one in name for other in key) for key in keys)
