"""The record about sessions of the admin's page."""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class LoggedOut(Struct, frozen=True, tag="logged out"):
    """An admin logged out: the session with this id is valid no longer, in any browser."""

    session: str
