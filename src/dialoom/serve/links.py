"""Signed credentials: links, sessions, seat tokens, and the admin's token.

    signer = Signer(store.secret())
    text = signer.link(Link("study", "user", "study-user"))
    signer.read_link(text)                      # the link, or None where it is none of ours

All are HMAC-SHA256 (RFC 2104) under a key of their own kind, made from the study's secret; so a
seat token cannot be passed off as a session. They hold as long as the database does: a server that
was started again knows them. Comparison takes the same time for all signatures.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Literal, TypeVar, get_args

import msgspec

from dialoom.collect.log.record import Role

LONGEST = 512
"""Characters of a link or a cookie that are looked at."""

ADMIN_COOKIE = "dialoom_admin"
ADMIN_SECONDS = 12 * 3600
SESSION_SECONDS = 30 * 24 * 3600

SignatureKind = Literal["link", "session", "seat", "admin", "admin session"]


class Link(msgspec.Struct, frozen=True, array_like=True):
    """The content of a link into the study.

    Attributes:
        kind: A study link admits any number of people, an invite one browser.
        role: What they play, or None while that is open.
        nonce: Tells links apart.
    """

    kind: Literal["study", "invite"]
    role: Role | None
    nonce: str


class BrowserSession(msgspec.Struct, frozen=True, array_like=True):
    """Which assignment a browser has on the link whose cookie this is."""

    cookie: str
    assignment: int


AdminRole = Literal["viewer", "reviewer", "owner"]
"""What somebody may do on the admin's page: look; review and end as well; all."""


class AdminSession(msgspec.Struct, frozen=True, array_like=True):
    """Until when an admin is let in (ms since 1970), as what, and by which tokens."""

    until: int
    role: AdminRole
    renewed: int


T = TypeVar("T", bound=msgspec.Struct)


class Signer:
    """Signs and checks with the study's secret."""

    def __init__(self, secret: bytes) -> None:
        self._keys: dict[str, bytes] = {
            kind: hmac.digest(secret, b"dialoom " + kind.encode(), "sha256")
            for kind in get_args(SignatureKind)
        }

    def link(self, link: Link) -> str:
        """Return a link's last part of the address."""
        return self._write("link", link)

    def study_link(self, role: Role | None) -> str:
        """Return the link that admits any number of people; the same at every start."""
        return self.link(Link("study", role, "study"))

    def invite(self, role: Role | None) -> str:
        """Return a new link for one browser."""
        return self.link(Link("invite", role, secrets.token_urlsafe(12)))

    def read_link(self, text: str) -> Link | None:
        """Return the link, or None where we have not signed it."""
        return self._read("link", text, Link)

    def session(self, session: BrowserSession) -> str:
        """Return the value of a session's cookie."""
        return self._write("session", session)

    def read_session(self, name: str, text: str) -> BrowserSession | None:
        """Return the session that the cookie `name` holds, or None where it holds none of ours."""
        session = self._read("session", text, BrowserSession)
        return session if session is not None and session.cookie == name else None

    def seat_token(self, assignment: int, room: int) -> str:
        """Return what the one who has this seat proves it with."""
        return self._signature("seat", f"{assignment}/{room}".encode())

    def is_seat_token(self, text: str, assignment: int, room: int) -> bool:
        """Tell whether a token is that of a seat."""
        return _same(text, self.seat_token(assignment, room))

    def admin_token(self, role: AdminRole = "owner", renewed: int = 0) -> str:
        """Return the token of a role on the admin's page; the same until tokens are renewed."""
        return self._signature("admin", f"{role}/{renewed}".encode())

    def admin_role(self, text: str, renewed: int = 0) -> AdminRole | None:
        """Return the role that a token is of, or None where it is none."""
        roles = [r for r in get_args(AdminRole) if _same(text, self.admin_token(r, renewed))]
        return roles[0] if roles else None

    def admin_session(self, until: int, role: AdminRole = "owner", renewed: int = 0) -> str:
        """Return the value of an admin's cookie."""
        return self._write("admin session", AdminSession(until, role, renewed))

    def read_admin(self, text: str, now: int, renewed: int = 0) -> AdminRole | None:
        """Return the role in which a cookie lets an admin in, or None."""
        session = self._read("admin session", text, AdminSession)
        if session is None or now >= session.until or session.renewed != renewed:
            return None
        return session.role

    def _write(self, kind: SignatureKind, value: msgspec.Struct) -> str:
        payload = _encode(msgspec.json.encode(value))
        return f"{payload}.{self._signature(kind, payload.encode())}"

    def _read(self, kind: SignatureKind, text: str, wanted: type[T]) -> T | None:
        payload, dot, signature = text[: LONGEST + 1].partition(".")
        if not dot or len(text) > LONGEST or not text.isascii():
            return None
        if not _same(signature, self._signature(kind, payload.encode())):
            return None
        try:
            return msgspec.json.decode(_decode(payload), type=wanted)
        except (msgspec.DecodeError, Error, ValueError):  # signed by another version of ours
            return None

    def _signature(self, kind: SignatureKind, data: bytes) -> str:
        return _encode(hmac.digest(self._keys[kind], data, "sha256"))


def cookie_name(link: str) -> str:
    """Return the name of a link's cookie: several links live beside each other in a browser."""
    return "dialoom_" + hashlib.sha256(link.encode()).hexdigest()[:24]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
