"""Tasks drawn at random, each a valid task file of a domain and a flow of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.worlds.shapes import SHAPES, FlowDrawer, FlowShape
from dialoom.sim.worlds.slots import DrawnSlot, Node, SlotDrawer, with_article, world_words

MOST = 2000
"""Most tasks of a draw."""

DRAWN = "drawn:"
"""Before a number, in `--tasks`: that many drawn tasks or services."""

FEWEST_SLOTS, MOST_SLOTS = 2, 6

OPEN = (0, 1, 3)
"""In how many of five tasks' slots a user may have no wish: drawn for each task."""


def drawn_tasks(number: int, seed: int = 0) -> Iterator[TaskSchema]:
    """Yield tasks with names such as `gym_17`; `UsageError` for a number out of range.

    Task 17 of a seed is the same whatever the number of tasks.
    """
    for place in places(number, "tasks"):
        yield read_text(json.dumps(document(place, seed)), f"drawn task {place}")


def places(number: int, what: str) -> range:
    """Return the numbers of drawn tasks or services, from 0; `UsageError` if they are too many."""
    if not 1 <= number <= MOST:
        raise UsageError(
            f"{number} {what} cannot be drawn; ask for 1 to {MOST}", code="out-of-range"
        )
    return range(number)


def number_after(prefix: str, name: str) -> int:
    """Return the number of a name such as `drawn:100`; `UsageError` if it has none."""
    number = name.removeprefix(prefix)
    if not number.isdecimal():
        raise UsageError(
            f"--tasks {name}: a number should follow {prefix}, such as {prefix}100",
            code="not-given",
        )
    return int(number)


def document(place: int, seed: int) -> dict[str, Any]:
    """Return the task file of a drawn task."""
    words = world_words()
    rng = SeededRng(seed_of(seed, place), b"drawn task")
    draw = SlotDrawer(words, rng)
    domain = list(words.worlds)[place % len(words.worlds)]
    thing, verbs, names, facts = words.worlds[domain]
    slots = _slots(draw, names.split())
    outputs = facts.split()
    wishes = [f"{verb} {with_article(thing)}" for verb in verbs.split("; ")]
    reported = {output: str(words.facts[output][0]) for output in outputs}
    flow = FlowDrawer(draw, domain, thing, wishes[0], reported)
    shape = FlowShape(flow, slots, {output: fact(*words.facts[output][1:]) for output in outputs})
    first = SHAPES[rng.choice(list(SHAPES))](shape)
    opening = _opening(flow, slots, wishes, first)
    return {
        "task": f"{domain}_{place}",
        "domain": domain,
        "language": "en",
        "description": f"{wishes[0].capitalize()}.",
        "briefing": {
            "user": f"{wishes[0].capitalize()}.",
            "wizard": f"Help the user to {wishes[0]}.",
            "wish": f"{'; '.join(wishes)} | {with_article(thing)}",
        },
        "slots": {slot.name: slot.node for slot in slots},
        "tables": shape.tables,
        "apis": shape.apis,
        "flow": _reached(opening | flow.nodes),
        "questions": {"user": ["Did you get what you came for?"], "wizard": ["Could you help?"]},
        "out_of_scope": [text.replace("{thing}", thing) for text in words.said["scope"]],
    }


def _reached(nodes: dict[str, Node]) -> dict[str, Node]:
    names, level = set[str](), [next(iter(nodes))]
    while level:
        name = level.pop()
        if name not in names:
            names.add(name)
            then = nodes[name].get("then", [])
            level += [then] if isinstance(then, str) else then
    return {name: node for name, node in nodes.items() if name in names}


def _slots(draw: SlotDrawer, names: list[str]) -> list[DrawnSlot]:
    rng = draw.rng
    many = FEWEST_SLOTS + rng.below(MOST_SLOTS - FEWEST_SLOTS + 1)
    slots = [draw.slot(name) for name in rng.shuffle(names)[:many]]
    open_of_five, loose = rng.choice(OPEN), rng.below(2)
    for slot in slots:
        slot.optional = slot.kind == "text" or rng.below(5) < open_of_five
        if slot.optional:
            slot.node["need"] = "optional"
        slot.required = not slot.optional and not (loose and rng.below(2))
    if rng.below(5) < 3:
        slots.insert(0 if rng.below(4) else len(slots), draw.slot("name"))
    return slots


def fact(*limits: str | int) -> Node:
    """Return the type of an output, of listed values or between limits."""
    if len(limits) == 1:
        return {"type": "category", "values": str(limits[0]).split("; ")}
    return {"type": "integer", "minimum": limits[0], "maximum": limits[1]}


def _opening(
    flow: FlowDrawer, slots: list[DrawnSlot], goals: list[str], first: str
) -> dict[str, Node]:
    draw, greetings = flow.draw, flow.draw.words.greetings
    rng = draw.rng
    texts = draw.some(greetings["wish"], 4)
    wishes = list(dict.fromkeys(text.replace("{wish}", rng.choice(goals)) for text in texts))
    sayable = [slot for slot in slots if slot.kind != "secret"]
    for text in greetings["wish_with"][: rng.below(4) if sayable else 0]:
        slot = rng.choice(sayable)
        answer = draw.answer(slot, rng.choice(draw.words.kinds[slot.kind].answers))
        wishes.append(text.replace("{wish}", rng.choice(goals)).replace("{answer}", answer))
    domain = flow.domain.replace("_", " ")
    hello = [text.replace("{domain}", domain) for text in draw.some(greetings["hello"], 1)]
    is_query = rng.below(4) > 0
    opening: dict[str, Node] = {
        "open": {"user": draw.some(greetings["open"], 5), "then": "hello"},
        "hello": {"system": hello[:2], "then": "say_wish" if is_query else first},
    }
    if is_query:
        plain = f"{with_article(flow.thing).capitalize()}, please."
        opening["say_wish"] = {"user": [*wishes, plain], "then": first}
    else:
        opening["open"]["user"] = wishes + opening["open"]["user"][:1]
    return opening
