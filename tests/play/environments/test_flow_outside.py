"""A task with a flow whose calls are made by an MCP server."""

from __future__ import annotations

from pathlib import Path

from dialoom.errors import UsageError
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema.yaml.reading import read_text
from tests.make import refuses
from tests.play.environments.lamp_shop import COMMAND

TASK = """
task: order_status
domain: shop
language: en
description: Say where an order is.
environment: {at: "mcp:COMMAND", reset: start_over, state: dump}
slots:
  order:
    type: category
    description: the order
    values: {o1: [the first order], o2: [the second order]}
tables:
  orders:
    rows: 2
    columns:
      order: {slot: order}
      status: {type: category, values: [lost, found]}   # not the server's
apis:
  find_order:
    effect: find
    table: orders
    key: order
    inputs: {order: {slot: order, required: true}}
flow:
  open:
    user: [Hi there., Hello., Good day., Hi., Hello you.]
    then: ask
  ask:
    system: Which order is it?
    asks: order
    then: tell
  tell:
    user: ["{order}", "{order} please", "It is {order}.", "My order is {order}.", "I mean {order}."]
    then: look
  look:
    call: find_order
    then: [there, none]
  there:
    result: found
    then: say
  none:
    result: nothing
    then: sorry
  say:
    system: Your order is {status}. Goodbye!
  sorry:
    system: I cannot find it. Goodbye!
"""


def test_the_flow_is_played_with_the_answers_of_the_server(tmp_path: Path) -> None:
    task = read_text(TASK.replace("COMMAND", COMMAND))
    run = make_run(plan_of((task,), "flow", "simulated", 4, 1, 3), tmp_path / "run")
    assert run.summary["all"]["success"] == 100
    statuses = {each["value"] for one in run.dialogues for each in one.played.wanted["reported"]}
    assert statuses <= {"pending", "sent"} and statuses
    silent = make_run(plan_of((task,), "silent", "simulated", 4, 1, 3), tmp_path / "silent")
    assert silent.summary["all"]["success"] == 0


def test_its_calls_have_to_be_tools_of_the_server() -> None:
    task = read_text(TASK.replace("COMMAND", COMMAND).replace("find_order", "seek_order"))
    with refuses(UsageError, "unknown-name", "seek_order"):
        plan_of((task,), "flow", "simulated", 1, 1, 1)
