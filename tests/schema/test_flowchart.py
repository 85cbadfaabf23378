from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import UsageError
from dialoom.schema import pack
from dialoom.schema.flowchart import draw
from dialoom.schema.layout import Box, lay_out
from dialoom.schema.outline import outline
from dialoom.schema.pack import starter
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from tests.make import refuses
from tests.schema.starting import changed

SVG = "{http://www.w3.org/2000/svg}"


def overlap(one: Box, other: Box) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    names = [f"n{number}" for number in range(draw(st.integers(1, 14)))]
    ends = st.lists(st.sampled_from(names), max_size=4, unique=True).map(tuple)
    return {name: draw(ends) for name in names}


@given(graphs())
def test_boxes_do_not_overlap_and_every_edge_is_drawn(graph: dict[str, tuple[str, ...]]) -> None:
    placed = lay_out(graph, {name: (100.0, 20.0 + 3 * len(name)) for name in graph})
    assert placed.boxes.keys() == graph.keys()
    for one, other in itertools.combinations(placed.boxes.values(), 2):
        assert not overlap(one, other)
    edges = {(a, b) for a, ends in graph.items() for b in ends if a != b}
    assert placed.ways.keys() == edges
    for box in placed.boxes.values():
        assert box.x >= -1e-6
        assert box.x + box.width <= placed.width + 1e-6
        assert box.y + box.height <= placed.height + 1e-6


@given(graphs())
def test_edges_run_beside_boxes(graph: dict[str, tuple[str, ...]]) -> None:
    placed = lay_out(graph, dict.fromkeys(graph, (100.0, 30.0)))
    for (start, end), points in placed.ways.items():
        for one, two in itertools.islice(itertools.pairwise(points), 1, None, 2):
            assert one.x == two.x
            passing = Box(one.x - 1, min(one.y, two.y), 2, abs(one.y - two.y))
            others = (box for name, box in placed.boxes.items() if name not in (start, end))
            assert not any(overlap(passing, box) for box in others)


@pytest.mark.parametrize("name", pack.names())
def test_every_bundled_task_can_be_drawn(name: str) -> None:
    task = pack.load(name)
    root = ET.fromstring(draw(task))
    boxes = [rect for rect in root.iter(f"{SVG}rect") if "box" in rect.get("class", "")]
    assert len(boxes) == len(task.flow.nodes)
    assert draw(task) == draw(task)
    assert task.id in outline(task)


def test_texts_are_escaped() -> None:
    text = changed(('"May I have your name?"', '"<script>&\\u0007 {name} ]]>?"'))
    root = ET.fromstring(draw(read_text(text)))
    assert not list(root.iter(f"{SVG}script"))
    assert any("<script>&" in (element.text or "") for element in root.iter(f"{SVG}text"))


def test_only_tasks_with_a_flow_are_drawn() -> None:
    with refuses(UsageError, "no-flow"):
        draw(TaskSchema(id="published"))


def test_the_outline_names_everything() -> None:
    task = read_text(starter("pizza_order"))
    text = outline(task)
    for node in task.flow.nodes:
        assert f"[{node}]" in text
    assert "time (time, required): 09:00 to 16:30 by 30" in text
    assert "repair_book (book in appointments, key Day, Time)" in text


def test_limits_stand_at_the_nodes_that_they_are_about() -> None:
    notes = {
        box.findtext(f"{SVG}text[@class='name']"): " ".join(
            str(line.text) for line in box.iter(f"{SVG}text") if line.get("class") == "when"
        )
        for name in ("bank_transfer", "train_journey")
        for box in ET.fromstring(draw(pack.load(name))).iter(f"{SVG}g")
    }
    assert notes["ask_source"] == notes["ask_target"] == "has to meet: target is not source"
    assert notes["ask_seat"] == "seat depends on class"
    assert notes["send"] == "refused where Amount is greater than 500 out of order once in 17 times"
    assert notes["find_account"] == ""
