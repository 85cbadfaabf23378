"""Recruiters that follow a script: what their APIs were asked for, and what they say to it."""

from __future__ import annotations

import json
from typing import Any

import httpx
from httpx import Client, MockTransport


class Platform:
    """A recruiter's server; `refuses` and `breaks` say which paths fail, and how.

    Attributes:
        asked: Path or operation, and body, of each request.
        tokens: What the requests were signed with.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.tokens: list[str] = []
        self.refuses: dict[str, str] = {}
        self.breaks: set[str] = set()
        self.submissions: dict[str, dict[str, str]] = {}
        self.paid: dict[str, float] = {}
        self.bulk: list[str] = []

    @property
    def web(self) -> Client:
        """A client whose requests all come here."""
        return Client(transport=MockTransport(self.answer))

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Note a request, and carry it out."""
        operation = request.headers.get("x-amz-target", request.url.path).rpartition(".")[2]
        body = json.loads(request.content) if request.content else None
        self.asked.append((operation, body))
        self.tokens.append(request.headers["authorization"])
        for part, why in self.refuses.items():
            if part in operation:
                return httpx.Response(400, json={"error": {"detail": why}})
        if request.method == "GET":
            page = self.submissions.get(operation.split("/")[-2])
            return httpx.Response(404) if page is None else httpx.Response(200, json=page)
        reply = self._carry_out(operation, body)
        if any(part in operation for part in self.breaks):
            raise httpx.ReadError("the line broke", request=request)
        return httpx.Response(200, json=reply)

    def _carry_out(self, operation: str, body: Any) -> dict[str, Any]:
        if operation.endswith("/bonus-payments/"):  # Prolific's two steps
            self.bulk.append(body["csv_bonuses"])
            return {"id": f"bulk-{len(self.bulk) - 1}"}
        if operation.endswith("/pay/"):
            worker, amount = self.bulk[int(operation.split("/")[-3].split("-")[1])].split(",")
            self.paid[worker] = self.paid.get(worker, 0.0) + float(amount)
        if operation.endswith("/studies/"):
            return {"id": f"study-{len(self.asked)}"}
        if operation == "CreateHIT":
            return {"HIT": {"HITId": f"hit-{len(self.asked)}"}}
        if operation == "SendBonus":  # once for each token
            self.paid[body["UniqueRequestToken"]] = float(body["BonusAmount"])
        return {}
