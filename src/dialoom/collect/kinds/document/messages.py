"""The messages of a person who works on a document."""

from __future__ import annotations

from typing import Any

from dialoom.collect.message import MessageBody


class Save(MessageBody, frozen=True, tag="save"):
    """Save a part, if `rev` is its last revision (0 for a new one); null removes it."""

    part: str
    rev: int
    value: Any = None


class Submit(MessageBody, frozen=True, tag="submit"):
    """Submit the finished document, with an optional comment."""

    comment: str | None = None


DocumentMessage = Save | Submit
"""Every message of a person who works on a document."""
