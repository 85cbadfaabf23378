"""Browsers that have not been at a study before, and what they are answered."""

from __future__ import annotations

from typing import Any

import httpx

from tests.serve.page import Page
from tests.serve.served import Served


def code(answer: httpx.Response) -> str:
    """Return the code of a refusal; "" where the request was carried out."""
    return str(answer.json().get("code", ""))


def visit(study: Served, address: str) -> Page:
    """Return a browser that has not been here before, at an address."""
    study.pages.append(Page(address))
    return study.pages[-1]


def stranger(study: Served, role: Any = "user") -> Page:
    """Return a browser that has not been here before, at a study link."""
    return visit(study, study.link(role))
