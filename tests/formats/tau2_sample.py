"""A small domain as tau2 publishes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TOOLS = '''
class LibraryTools(ToolKitBase):
    def helper(self, loan_id: str): ...

    @is_tool(ToolType.READ)
    def get_loan_details(self, loan_id: str) -> Loan:
        """Get the details
        of a loan.

        Args:
            loan_id: The loan, such as 'L1'.

        Returns:
            The loan.
        """
        return self.db.loans[loan_id]

    @is_tool(ToolType.READ)
    def find_reader_id_by_name(self, first: str, last: str) -> str:
        """Find a reader."""

    @is_tool(ToolType.READ)
    def get_fines_for_reader(self, reader_id: str, year: int = 2026) -> list[Fine]:
        """Get fines."""

    @is_tool(ToolType.WRITE)
    def modify_reader_address(self, reader_id: str, street: str) -> Reader:
        """Modify the address of a reader."""

    @is_tool(tool_type=ToolType.WRITE)
    def create_loan(self, reader_id: str, days: int, desk: Literal["north", "south"]) -> Loan:
        """Create a loan."""

    @is_tool(ToolType.GENERIC)
    def calculate(self, expression: str) -> str:
        """Calculate."""
'''

NAMES = [("Ada", "Brook"), ("Bela", "Crane"), ("Cleo", "Dove"), ("Dina", "Elm"), ("Edo", "Finch")]

DATABASE: dict[str, Any] = {
    "readers": {
        f"r{n}": {
            "reader_id": f"r{n}",
            "name": {"first": first, "last": last},
            "address": {"street": f"{n} Mill Lane", "city": {"zip": f"000{n}"}},
            "cards": {f"c{n}": {"id": f"c{n}", "kind": "adult"}},
            "active": n % 2 == 0,
        }
        for n, (first, last) in enumerate(NAMES)
    },
    "loans": {
        f"L{n}": {"title": f"Volume {n}", "fee": n / 2, "days": n, "reader_id": f"r{n % 5}"}
        for n in range(12)
    },
    "fines": [{"fine_id": f"F{n}", "reader_id": f"r{n % 5}", "sum": n} for n in range(8)],
}

POLICY = "# Library\n\nEverybody may lend ten books.\n"


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "tau2" / "domains" / "library"
    folder.mkdir(parents=True)
    (folder / "db.json").write_text(json.dumps(DATABASE))
    (folder / "policy.md").write_text(POLICY)
    code = tmp_path / "src" / "tau2" / "domains" / "library"
    code.mkdir(parents=True)
    (code / "tools.py").write_text(TOOLS)
    return folder
