"""An MCP server with the tools of tau2-bench's retail domain, over its database.

    RETAIL_DB=tau2-bench/data/tau2/domains/retail/db.json python tau2_retail.py

The database is tau2-bench's own and stays where it is; this file has the tools alone, written from
the domain's policy and the arguments in its tasks. `reset` restores the database, `changes` returns
the orders and users that are not as they were at first: the task file names both.

    task: retail
    environment:
      {at: "mcp:python tau2_retail.py", reset: reset, state: changes,
       hands_over: [transfer_to_human_agents]}
    briefing: {policy: {file: policy.md}}
"""

from __future__ import annotations

import ast
import copy
import json
import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

Row = dict[str, Any]

READS = ToolAnnotations(read_only_hint=True)
WRITES = ToolAnnotations(read_only_hint=False)

FIRST: dict[str, dict[str, Row]] = json.loads(Path(os.environ["RETAIL_DB"]).read_text())
DB = copy.deepcopy(FIRST)
DIRTY: set[tuple[str, str]] = set()

REASONS = ("no longer needed", "ordered by mistake")

server = MCPServer("retail")


def _row(table: str, key: str) -> Row:
    if key not in DB[table]:
        raise ToolError(f"{table}: not found: {key}")
    return DB[table][key]


def _edited(table: str, key: str) -> Row:
    row = _row(table, key)
    DIRTY.add((table, key))
    return row


def _order(order_id: str, status: str) -> Row:
    """Return an order that is of a status."""
    order = _row("orders", order_id)
    if order["status"] != status:
        raise ToolError(f"order {order_id} is not {status} but {order['status']}")
    return order


def _method(order: Row, payment_method_id: str) -> Row:
    methods = _row("users", order["user_id"])["payment_methods"]
    if payment_method_id not in methods:
        raise ToolError(f"payment method not found: {payment_method_id}")
    found: Row = methods[payment_method_id]
    return found


def _item(order: Row, item_id: str) -> Row:
    found: Row = next(item for item in order["items"] if item["item_id"] == item_id)
    return found


def _check_items(order: Row, item_ids: list[str]) -> None:
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            raise ToolError(f"item not found in the order: {item_id}")


def _difference(order: Row, item_ids: list[str], new_item_ids: list[str]) -> float:
    """Return the price difference of replacing items by others of the same products."""
    if len(item_ids) != len(new_item_ids):
        raise ToolError("as many new items are needed as there are items")
    _check_items(order, item_ids)
    difference = 0.0
    for old, new in zip(item_ids, new_item_ids, strict=True):
        item = _item(order, old)
        variant = DB["products"][item["product_id"]]["variants"].get(new)
        if variant is None or not variant["available"]:
            raise ToolError(f"new item is not available: {new}")
        difference += variant["price"] - item["price"]
    return round(difference, 2)


def _pays(method: Row, amount: float) -> None:
    if method["source"] == "gift_card" and method["balance"] < amount:
        raise ToolError("the balance of the gift card is too low")


@server.tool(annotations=READS)
def find_user_id_by_email(email: str) -> str:
    """Find a user's id by their email."""
    for key, user in DB["users"].items():
        if user["email"].lower() == email.lower():
            return key
    raise ToolError("user not found")


@server.tool(annotations=READS)
def find_user_id_by_name_zip(first_name: str, last_name: str, zip: str) -> str:
    """Find a user's id by their first name, last name and zip code."""
    wanted = (first_name.lower(), last_name.lower(), zip)
    for key, user in DB["users"].items():
        name = user["name"]
        if (
            name["first_name"].lower(),
            name["last_name"].lower(),
            user["address"]["zip"],
        ) == wanted:
            return key
    raise ToolError("user not found")


@server.tool(annotations=READS)
def get_user_details(user_id: str) -> Row:
    """Return a user's profile and the ids of their orders."""
    return _row("users", user_id)


@server.tool(annotations=READS)
def get_order_details(order_id: str) -> Row:
    """Return an order; its id begins with #."""
    return _row("orders", order_id)


@server.tool(annotations=READS)
def get_product_details(product_id: str) -> Row:
    """Return a product with all its variants; a product id is not an item id."""
    return _row("products", product_id)


@server.tool(annotations=READS)
def get_item_details(item_id: str) -> Row:
    """Return a variant of a product by its item id."""
    for product in DB["products"].values():
        if item_id in product["variants"]:
            found: Row = product["variants"][item_id]
            return found
    raise ToolError(f"item not found: {item_id}")


@server.tool(annotations=READS)
def list_all_product_types() -> dict[str, str]:
    """Return the names of all products with their ids."""
    return {product["name"]: key for key, product in sorted(DB["products"].items())}


_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return float(_OPERATORS[type(node.op)](_value(node.left), _value(node.right)))
    raise ToolError("the expression should have numbers, + - * / and brackets alone")


@server.tool(annotations=READS)
def calculate(expression: str) -> str:
    """Return the value of an arithmetic expression."""
    try:
        return str(round(_value(ast.parse(expression, mode="eval").body), 2))
    except (SyntaxError, ZeroDivisionError) as error:
        raise ToolError(f"{expression}: {error}") from error


@server.tool(annotations=READS)
def transfer_to_human_agents(summary: str) -> str:
    """Transfer the user to a human agent, where the policy leaves nothing else."""
    return "Transfer successful"


@server.tool(annotations=WRITES)
def cancel_pending_order(order_id: str, reason: str) -> Row:
    """Cancel a pending order; the reason is 'no longer needed' or 'ordered by mistake'."""
    order = _order(order_id, "pending")
    if reason not in REASONS:
        raise ToolError(f"reason: should be one of {', '.join(REASONS)}")
    order = _edited("orders", order_id)
    for payment in list(order["payment_history"]):
        paid = {**payment, "transaction_type": "refund"}
        order["payment_history"].append(paid)
        if "gift_card" in payment["payment_method_id"]:
            user = _edited("users", order["user_id"])
            card = user["payment_methods"][payment["payment_method_id"]]
            card["balance"] = round(card["balance"] + payment["amount"], 2)
    order["status"], order["cancel_reason"] = "cancelled", reason
    return order


@server.tool(annotations=WRITES)
def modify_pending_order_address(
    order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Row:
    """Change the shipping address of a pending order."""
    if "pending" not in _row("orders", order_id)["status"]:
        raise ToolError(f"order {order_id} is not pending")
    order = _edited("orders", order_id)
    order["address"] = {
        "address1": address1,
        "address2": address2,
        "city": city,
        "state": state,
        "country": country,
        "zip": zip,
    }
    return order


@server.tool(annotations=WRITES)
def modify_pending_order_payment(order_id: str, payment_method_id: str) -> Row:
    """Change the payment method of a pending order."""
    order = _order(order_id, "pending")
    method, (paid, *more) = _method(order, payment_method_id), order["payment_history"]
    if more or paid["payment_method_id"] == payment_method_id:
        raise ToolError("another payment method is needed, and there may be one payment alone")
    _pays(method, paid["amount"])
    order, user = _edited("orders", order_id), _edited("users", order["user_id"])
    new = {**paid, "payment_method_id": payment_method_id}
    order["payment_history"] += [new, {**paid, "transaction_type": "refund"}]
    for key, sign in ((payment_method_id, -1), (paid["payment_method_id"], 1)):
        card = user["payment_methods"][key]
        if card["source"] == "gift_card":
            card["balance"] = round(card["balance"] + sign * paid["amount"], 2)
    return order


@server.tool(annotations=WRITES)
def modify_pending_order_items(
    order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Row:
    """Replace items of a pending order by others of the same products; once an order."""
    order = _order(order_id, "pending")
    difference = _difference(order, item_ids, new_item_ids)
    method = _method(order, payment_method_id)
    _pays(method, difference)
    order = _edited("orders", order_id)
    kind = "payment" if difference > 0 else "refund"
    order["payment_history"].append(
        {
            "transaction_type": kind,
            "amount": abs(difference),
            "payment_method_id": payment_method_id,
        }
    )
    if method["source"] == "gift_card":
        DIRTY.add(("users", order["user_id"]))
        method["balance"] = round(method["balance"] - difference, 2)
    for old, new in zip(item_ids, new_item_ids, strict=True):
        item = _item(order, old)
        variant = DB["products"][item["product_id"]]["variants"][new]
        item |= {"item_id": new, "price": variant["price"], "options": variant["options"]}
    order["status"] = "pending (item modified)"
    return order


@server.tool(annotations=WRITES)
def modify_user_address(
    user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Row:
    """Change the default address of a user."""
    user = _edited("users", user_id)
    user["address"] = {
        "address1": address1,
        "address2": address2,
        "city": city,
        "state": state,
        "country": country,
        "zip": zip,
    }
    return user


@server.tool(annotations=WRITES)
def return_delivered_order_items(order_id: str, item_ids: list[str], payment_method_id: str) -> Row:
    """Return items of a delivered order; the refund goes to the payment or to a gift card."""
    order = _order(order_id, "delivered")
    method = _method(order, payment_method_id)
    paid = order["payment_history"][0]["payment_method_id"]
    if method["source"] != "gift_card" and payment_method_id != paid:
        raise ToolError("the refund should go to the original payment method or to a gift card")
    _check_items(order, item_ids)
    order = _edited("orders", order_id)
    order["status"], order["return_items"] = "return requested", sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return order


@server.tool(annotations=WRITES)
def exchange_delivered_order_items(
    order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Row:
    """Exchange items of a delivered order for others of the same products; once an order."""
    order = _order(order_id, "delivered")
    difference = _difference(order, item_ids, new_item_ids)
    _pays(_method(order, payment_method_id), difference)
    order = _edited("orders", order_id)
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return order


@server.tool(annotations=WRITES)
def reset() -> str:
    """Restore the database."""
    for table, key in DIRTY:
        DB[table][key] = copy.deepcopy(FIRST[table][key])
    DIRTY.clear()
    return "done"


@server.tool(annotations=READS)
def changes() -> dict[str, dict[str, Row]]:
    """Return the orders and users that are not as they were at first."""
    found: dict[str, dict[str, Row]] = {"orders": {}, "users": {}}
    for table, key in sorted(DIRTY):
        if DB[table][key] != FIRST[table][key]:
            found[table][key] = DB[table][key]
    return found


if __name__ == "__main__":
    server.run()
