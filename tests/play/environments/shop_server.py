"""A small MCP server of a shop, over standard input and output: an environment for tests.

python shop_server.py [FAULT]        fault: "dies" ends it in `cancel`, "ends" at once
"""

from __future__ import annotations

import os
import sys
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)
WRITES = ToolAnnotations(read_only_hint=False)


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
server = MCPServer("shop")
FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


@server.tool(annotations=READS)
def find_order(order: str) -> dict[str, Any]:
    """Return an order."""
    if order not in STATE["orders"]:
        raise ToolError(f"there is no order {order}")
    return {"order": order, **STATE["orders"][order]}


@server.tool(annotations=WRITES)
def cancel(order: str, items: list[str], reason: str = "") -> dict[str, Any]:
    """Cancel items of an order that is pending."""
    if FAULT == "dies":
        print("the shop burns", file=sys.stderr, flush=True)
        os._exit(3)
    held = STATE["orders"][order]
    if held["status"] != "pending":
        raise ToolError(f"order {order} is {held['status']}")
    held["items"] = [item for item in held["items"] if item not in items]
    held["status"] = held["status"] if held["items"] else "cancelled"
    return {"order": order, "status": held["status"]}


@server.tool(annotations=WRITES)
def note(text: str) -> str:
    """Write a note."""
    STATE["notes"].append(text)
    return "written"


@server.tool(annotations=WRITES)
def start_over() -> str:
    """Restore the first state."""
    STATE.clear()
    STATE.update(first())
    return "done"


@server.tool(annotations=READS)
def dump() -> dict[str, Any]:
    """Return the whole state."""
    return STATE


if __name__ == "__main__":
    if FAULT == "ends":
        raise SystemExit("the shop is closed")
    server.run()
