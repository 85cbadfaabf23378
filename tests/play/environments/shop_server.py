"""A small MCP server of a shop, over standard input and output: an environment for tests.

python shop_server.py [FAULT]        fault: "dies" ends it in `cancel`, "ends" at once

It writes the protocol's messages itself: the library takes more than a second to load, and tests
start this server some hundred times.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


class ToolError(Exception):
    """A refusal of a tool."""


def first() -> dict[str, Any]:
    """Return the state at the beginning."""
    return {
        "orders": {
            "o1": {"customer": "Ada Quill", "items": ["lamp", "rug"], "status": "pending"},
            "o2": {"customer": "Bo Fenn", "items": ["desk"], "status": "sent"},
        },
        "notes": [],
    }


STATE = first()
FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def find_order(order: str) -> dict[str, Any]:
    """Return an order."""
    if order not in STATE["orders"]:
        raise ToolError(f"there is no order {order}")
    return {"order": order, **STATE["orders"][order]}


def cancel(order: str, items: list[str], reason: str = "") -> dict[str, Any]:
    """Cancel items of an order that is pending."""
    if FAULT == "dies":
        print("the shop burns", file=sys.stderr, flush=True)
        os._exit(3)
    record = STATE["orders"][order]
    if record["status"] != "pending":
        raise ToolError(f"order {order} is {record['status']}")
    record["items"] = [item for item in record["items"] if item not in items]
    record["status"] = record["status"] if record["items"] else "cancelled"
    return {"order": order, "status": record["status"]}


def note(text: str) -> str:
    """Write a note."""
    STATE["notes"].append(text)
    return "written"


def start_over() -> str:
    """Restore the first state."""
    STATE.clear()
    STATE.update(first())
    return "done"


def dump() -> dict[str, Any]:
    """Return the whole state."""
    return STATE


TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
TOOLS: tuple[tuple[Any, bool, dict[str, Any], tuple[str, ...]], ...] = (
    (find_order, True, {"order": TEXT}, ("order",)),
    (cancel, False, {"order": TEXT, "items": TEXTS, "reason": TEXT}, ("order", "items")),
    (note, False, {"text": TEXT}, ("text",)),
    (start_over, False, {}, ()),
    (dump, True, {}, ()),
)
"""Each tool, whether it only reads, its inputs, and those that are required."""


def listed() -> dict[str, Any]:
    """Return the tools as `tools/list` publishes them."""
    return {
        "tools": [
            {
                "name": tool.__name__,
                "description": tool.__doc__,
                "inputSchema": {
                    "type": "object",
                    "properties": inputs,
                    "required": list(required),
                },
                "annotations": {"readOnlyHint": reads},
            }
            for tool, reads, inputs, required in TOOLS
        ]
    }


def called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of `tools/call`."""
    tools = {tool.__name__: tool for tool, *_ in TOOLS}
    try:
        result = tools[name](**arguments)
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    text = result if isinstance(result, str) else json.dumps(result)
    structured = {} if isinstance(result, str) else {"structuredContent": result}
    return {"content": [{"type": "text", "text": text}], **structured}


def answered(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result of a request; None for an unknown method."""
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "shop", "version": "1"},
        }
    if method == "tools/list":
        return listed()
    if method == "tools/call":
        return called(params["name"], params.get("arguments") or {})
    return {} if method == "ping" else None


def main() -> None:
    """Answer requests until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answered(request["method"], request.get("params") or {})
        unknown = {"error": {"code": -32601, "message": "unknown method"}}
        answer = unknown if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)


if __name__ == "__main__":
    if FAULT == "ends":
        raise SystemExit("the shop is closed")
    main()
